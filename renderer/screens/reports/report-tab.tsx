import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useNavigate } from 'react-router';
import { numberText, t } from '#renderer/base/language';
import { Chart, type ChartKind, type ChartPoint, ChartSkeleton } from '#renderer/kit/charts';
import { EmptyState, QueryContent } from '#renderer/kit/ui';
import { chooseMerchant, useIsSandbox, useMay, useMe, useMerchant } from '#renderer/session/user';
import {
  axisText,
  comparedDays,
  daysText,
  type ReportQuery,
  refundsQuery,
  revenueQuery,
  transactionsQuery,
} from '#renderer/shared/reporting';
import { exportTransactions } from './export-transactions.ts';
import { FigureList } from './figure-list.tsx';
import {
  chartTitle,
  declinesReport,
  headFigures,
  othersText,
  pointText,
  type Report,
  type Row,
  refundsReport,
  revenueReport,
  transactionsReport,
  withComparison,
} from './report.ts';
import { ReportBar } from './report-bar.tsx';
import { ReportTable } from './report-table.tsx';
import { GROUPS, type GroupId, type ReportId, type ViewInAddress } from './use-view.ts';

interface ReportTabProps {
  readonly id: ReportId;
  readonly view: ViewInAddress;
  readonly today: string;
}

/** A report over time: a chart, and the same rows as a table. */
export function ReportTab({ id, view, today }: ReportTabProps) {
  const { merchantId } = useMerchant();
  const groups = useGroups(id);
  const group = groups.find((each) => each === view.group) ?? groups[0] ?? 'day';
  const query: ReportQuery = {
    ...view.days,
    groupBy: group === 'code' ? 'day' : group,
    ...(group !== 'merchant' && { merchantId }),
  };
  const isOverTime = group === 'day' || group === 'week' || group === 'month';
  const isByCode = group === 'code';
  const report = useReport(id, query, today, isByCode);
  const otherDays = view.compare === 'none' ? undefined : comparedDays(view.days, view.compare);
  const other = useReport(id, { ...query, ...otherDays }, today, isByCode, otherDays !== undefined);
  const compared = useMemo(
    () => (report.data && other.data && otherDays ? withComparison(report.data, other.data, otherDays, isOverTime) : report.data),
    [report.data, other.data, otherDays, isOverTime],
  );
  return (
    <Box sx={{ display: 'grid', gap: 4, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      <ReportBar
        view={view}
        today={today}
        chart={{ groups, group, isOverTime }}
        isReady={report.data?.isEmpty === false}
        mail={{ report: id, ...query }}
        csv={{
          label: t('Export the transactions as CSV'),
          save: () => exportTransactions({ ...(report.data?.filter ?? {}), ...(group !== 'merchant' && { merchantId }) }),
        }}
      />
      <QueryContent
        query={{ ...report, data: compared }}
        skeleton={<ChartSkeleton />}
        isEmpty={({ isEmpty }) => isEmpty}
        empty={<EmptyReport id={id} />}
      >
        {(data) => <ReportView id={id} report={data} group={group} kind={isOverTime ? view.chart : 'breakdown'} />}
      </QueryContent>
    </Box>
  );
}

/** Groupings of a report that the user may choose; the first is the default. */
function useGroups(id: ReportId): readonly GroupId[] {
  const { user, merchants } = useMe();
  const isOfAll = user.merchantId === null && merchants.length > 1;
  return useMemo(
    () => GROUPS.map((group) => group.id).filter((group) => (group !== 'code' || id === 'declines') && (group !== 'merchant' || isOfAll)),
    [id, isOfAll],
  );
}

/** Data of a report from one of the three endpoints. */
function useReport(id: ReportId, asked: ReportQuery, today: string, isByCode: boolean, isEnabled = true) {
  const revenue = useQuery({
    ...revenueQuery(asked),
    enabled: isEnabled && id === 'revenue',
    select: (found) => revenueReport(found, today),
  });
  const refunds = useQuery({
    ...refundsQuery(asked),
    enabled: isEnabled && id === 'refunds',
    select: (found) => refundsReport(found, today),
  });
  const payments = useQuery({
    ...transactionsQuery(asked),
    enabled: isEnabled && (id === 'transactions' || id === 'declines'),
    select: (found) => (id === 'declines' ? declinesReport(found, today, isByCode) : transactionsReport(found, today)),
  });
  return { revenue, refunds, transactions: payments, declines: payments }[id];
}

interface ShownProps {
  readonly id: ReportId;
  readonly report: Report;
  readonly group: GroupId;
  readonly kind: ChartKind;
}

function ReportView({ id, report, group, kind }: ShownProps) {
  const navigate = useNavigate();
  const { merchantId } = useMerchant();
  const canRead = useMay()('transactions:read');
  const title = chartTitle(id, group);
  const points = useMemo(() => report.rows.map((row) => pointOf(row, report)), [report]);
  const addressOf = ({ filter }: Row) => `/transactions?${new URLSearchParams(filter)}`;
  const formatValue = (value: number) => writeBar(value, report);
  const open = (row: Row | undefined) => {
    if (!row) return;
    if (group === 'merchant' && row.key !== merchantId) chooseMerchant(row.key);
    void navigate(addressOf(row));
  };
  return (
    <>
      <FigureList
        label={report.compared ? t('Figures, compared with {{day}}', { day: daysText(report.compared.days) }) : t('Figures')}
        figures={headFigures(report)}
      />
      <Box
        component="section"
        aria-label={title}
        sx={(theme) => ({
          p: 4,
          border: `1px solid ${theme.vars.palette.divider}`,
          borderRadius: 1,
          backgroundColor: theme.vars.palette.background.paper,
        })}
      >
        <Typography variant="h3" component="h2" sx={{ mb: 2 }}>
          {title}
          {report.barKind === 'money' && `, ${report.currency}`}
        </Typography>
        <Chart
          kind={kind}
          label={title}
          points={points}
          parts={report.bars}
          comparison={report.compared && daysText(report.compared.days)}
          formatValue={formatValue}
          onOpen={canRead ? (at) => open(report.rows[at]) : undefined}
        />
      </Box>
      <ReportTable label={title} report={report} addressOf={canRead ? addressOf : undefined} onOpen={open} />
      {notes(id, report).map((note) => (
        <Typography key={note} variant="body2" sx={{ color: 'text.secondary' }}>
          {note}
        </Typography>
      ))}
    </>
  );
}

/** Returns the sentences below the table that explain its figures. */
function notes(id: ReportId, report: Report): string[] {
  const isPartial = report.rows.some((row) => row.isPartial);
  return [
    ...(id === 'revenue' ? [t('Each row shows the fees of its own sales. They are known once the sales are settled.')] : []),
    ...(report.compared && isPartial ? [t('The last row is not over, so it has no change, and neither has the total.')] : []),
    ...(report.others.length > 0 ? [t('Not included: {{payments}}.', { payments: othersText(report.others) })] : []),
  ];
}

const pointOf = (row: Row, report: Report): ChartPoint => ({
  key: row.key,
  name: row.shortName,
  values: row.bars,
  ...(row.compared && { comparison: row.compared.value }),
  isPartial: row.isPartial,
  description: pointText(row, report),
});

/** Formats a value of the axis without its currency; fractions of a count are left out. */
function writeBar(value: number, { barKind, currency }: Report): string {
  if (barKind !== 'money') return Number.isInteger(value) ? numberText(value) : '';
  return axisText(value, currency);
}

const EMPTY: Readonly<Record<ReportId, string>> = {
  revenue: t('Nothing was captured or refunded in this period.'),
  transactions: t('No payments were made in this period.'),
  refunds: t('Nothing was refunded in this period.'),
  declines: t('No payments were declined in this period.'),
};
const SANDBOX_HINTS: Readonly<Record<ReportId, string>> = {
  revenue: t('Make a sale with a test card to see data here.'),
  transactions: t('Make a sale with a test card to see data here.'),
  refunds: t('Make a sale with a test card, then open it and press R to refund it.'),
  declines: t('Some test cards on the Sell screen are always declined.'),
};

function EmptyReport({ id }: { id: ReportId }) {
  const navigate = useNavigate();
  const isSandbox = useIsSandbox();
  const canSell = useMay()('transactions:write');
  const showsHint = isSandbox && canSell;
  return (
    <EmptyState
      title={t('Nothing to report')}
      action={showsHint && <Button onClick={() => void navigate('/sell')}>{t('Make a test sale')}</Button>}
    >
      {EMPTY[id]} {showsHint && SANDBOX_HINTS[id]}
    </EmptyState>
  );
}
