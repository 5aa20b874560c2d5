import Box from '@mui/material/Box';
import { useQuery } from '@tanstack/react-query';
import type { GiftCardReport } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { EmptyState, QueryContent } from '#renderer/kit/ui';
import { saveCsv } from '#renderer/session/download';
import { useMerchant } from '#renderer/session/user';
import { giftCardReportQuery } from '#renderer/shared/gift-cards';
import { moneyText, monthText, weekdayText } from '#renderer/shared/reporting';
import { FigureList } from './figure-list.tsx';
import { type Column, headFigures, type Report } from './report.ts';
import { ReportBar } from './report-bar.tsx';
import { ReportTable } from './report-table.tsx';
import type { GroupId, ViewInAddress } from './use-view.ts';

type Sums = GiftCardReport['totals'];
type SumColumn = Column & {
  readonly read: (sums: Sums) => number;
  /** True if the column is shown also without an amount. */
  readonly isUsual?: boolean;
};

const GROUPS = ['day', 'week', 'month', 'merchant'] as const satisfies readonly GroupId[];
type Group = (typeof GROUPS)[number];
const isGroup = (group: GroupId | undefined): group is Group => (GROUPS as readonly (GroupId | undefined)[]).includes(group);

const COLUMNS: readonly SumColumn[] = [
  { name: t('Issued'), kind: 'money', isHead: true, isUsual: true, read: ({ issuedAmount }) => issuedAmount },
  { name: t('Reloaded'), kind: 'money', isHead: true, read: ({ reloadedAmount }) => reloadedAmount },
  { name: t('Redeemed'), kind: 'money', isHead: true, isUsual: true, read: ({ redeemedAmount }) => redeemedAmount },
  { name: t('Refunded to cards'), kind: 'money', isHead: true, read: ({ refundedAmount }) => refundedAmount },
  { name: t('Taken back'), kind: 'money', read: ({ takenBackAmount }) => takenBackAmount },
  { name: t('Expired'), kind: 'money', isHead: true, isUsual: true, read: ({ expiredAmount }) => expiredAmount },
  { name: t('Reinstated'), kind: 'money', read: ({ reinstatedAmount }) => reinstatedAmount },
  { name: t('Imported'), kind: 'money', read: ({ importedAmount }) => importedAmount },
  { name: t('Owed at the end'), kind: 'money', isHead: true, isUsual: true, read: ({ openAmount }) => openAmount },
];

interface Shown {
  readonly report: Report;
  readonly opening: string;
  readonly given: number;
}

const nameOf = (groupBy: Group, { key, label }: GiftCardReport['series'][number]) =>
  groupBy === 'month' ? monthText(key) : groupBy === 'merchant' ? label : weekdayText(key);

function shownOf({ series, totals, currency, groupBy, openingAmount }: GiftCardReport): Shown {
  // Columns of rare movements would hide the amount owed on a small screen.
  const columns = COLUMNS.filter(({ isUsual, read }) => isUsual || series.some((point) => read(point) !== 0));
  const rows = series.map((point) => ({
    key: point.key,
    name: nameOf(groupBy, point),
    shortName: nameOf(groupBy, point),
    cells: columns.map(({ read }) => read(point)),
    bars: [point.openAmount],
    isPartial: false,
    filter: {},
  }));
  const all = columns.map(({ read }) => read(totals));
  const report: Report = {
    currency,
    columns,
    rows,
    totals: all,
    bars: [t('Owed at the end')],
    barKind: 'money',
    others: [],
    isEmpty: openingAmount === 0 && all.every((value) => value === 0),
    filter: {},
  };
  return { report, opening: moneyText(openingAmount, currency), given: totals.givenAmount };
}

/** Movements of gift cards and store credit in a period, and the amount that is owed to their holders. */
export function GiftCardsTab({ view, today }: { readonly view: ViewInAddress; readonly today: string }) {
  const { merchantId } = useMerchant();
  const group = isGroup(view.group) ? view.group : 'day';
  const found = useQuery({ ...giftCardReportQuery(merchantId, view.days, group), select: shownOf });
  const isReady = found.data?.report.isEmpty === false;
  const { startDate, endDate } = view.days;
  const save = async () => {
    const isSaved = await saveCsv({
      path: '/api/v1/reporting/gift-cards/export',
      query: { startDate, endDate, groupBy: group, ...(group !== 'merchant' && { merchantId }) },
      name: `gift cards ${startDate} to ${endDate}.csv`,
      rows: found.data?.report.rows.length ?? 0,
    });
    return isSaved ? t('Gift cards exported') : undefined;
  };
  return (
    <Box sx={{ display: 'grid', gap: 4, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      <ReportBar
        view={view}
        today={today}
        isReady={isReady}
        csv={{ label: t('Export gift cards as CSV'), save }}
        mail={{ report: 'gift-cards', startDate, endDate, groupBy: group, ...(group !== 'merchant' && { merchantId }) }}
        chart={{ groups: GROUPS, group, isOverTime: false, canCompare: false }}
      />
      <QueryContent
        query={found}
        isEmpty={({ report }) => report.isEmpty}
        empty={<EmptyState title={t('Nothing to report')}>{t('No gift card was sold, given or redeemed in this period.')}</EmptyState>}
      >
        {({ report, opening, given }) => (
          <>
            <FigureList label={t('Figures')} figures={headFigures(report)} />
            <ReportTable label={t('Gift cards')} report={report} onOpen={() => {}} />
            <Box sx={{ fontSize: 13, color: 'text.secondary' }}>
              {t('Owed before the first day: {{amount}}.', { amount: opening })}{' '}
              {given > 0 &&
                t('Nobody paid for {{amount}} of the issued and reloaded amounts.', { amount: moneyText(given, report.currency) })}
            </Box>
          </>
        )}
      </QueryContent>
    </Box>
  );
}
