import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useNavigate } from 'react-router';
import { BARS_HEIGHT_PX, type BarPoint, Bars } from '#renderer/charts';
import { decimalText, toMinor, writeAmount } from '#renderer/money';
import { chooseMerchant, useIsSandbox, useMay, useMe, useMerchant } from '#renderer/session';
import { EmptyState, QueryContent } from '#renderer/ui';
import { ExportButton } from './export-button.tsx';
import { type ReportQuery, refundsQuery, revenueQuery, transactionsQuery } from './queries.ts';
import {
  chartTitle,
  declinesReport,
  othersText,
  pointText,
  type Report,
  type Row,
  refundsReport,
  revenueReport,
  transactionsReport,
} from './report.ts';
import { ReportTable } from './report-table.tsx';
import { GROUPS, type GroupId, type ReportId, type ViewInAddress } from './use-view.ts';
import { ViewBar } from './view-bar.tsx';

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
  const report = useReport(id, query, today, group === 'code');
  return (
    <Box sx={{ display: 'grid', gap: 4, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      <ViewBar view={view} today={today} groups={groups} group={group}>
        <ExportButton
          query={{ ...(report.data?.filter ?? {}), ...(group !== 'merchant' && { merchantId }) }}
          isReady={report.data?.isEmpty === false}
        />
      </ViewBar>
      <QueryContent
        query={report}
        skeleton={<Skeleton height={BARS_HEIGHT_PX} />}
        isEmpty={({ isEmpty }) => isEmpty}
        empty={<EmptyReport id={id} />}
      >
        {(data) => <ReportView id={id} report={data} group={group} />}
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
function useReport(id: ReportId, asked: ReportQuery, today: string, isByCode: boolean) {
  const revenue = useQuery({ ...revenueQuery(asked), enabled: id === 'revenue', select: (found) => revenueReport(found, today) });
  const refunds = useQuery({ ...refundsQuery(asked), enabled: id === 'refunds', select: (found) => refundsReport(found, today) });
  const payments = useQuery({
    ...transactionsQuery(asked),
    enabled: id === 'transactions' || id === 'declines',
    select: (found) => (id === 'declines' ? declinesReport(found, today, isByCode) : transactionsReport(found, today)),
  });
  return { revenue, refunds, transactions: payments, declines: payments }[id];
}

interface ShownProps {
  readonly id: ReportId;
  readonly report: Report;
  readonly group: GroupId;
}

function ReportView({ id, report, group }: ShownProps) {
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
        <Bars
          label={title}
          points={points}
          parts={report.bars}
          formatValue={formatValue}
          onOpen={canRead ? (at) => open(report.rows[at]) : undefined}
        />
      </Box>
      <ReportTable label={title} report={report} addressOf={canRead ? addressOf : undefined} onOpen={open} />
      {report.others.length > 0 && (
        <Typography variant="body2" sx={{ color: 'text.secondary' }}>
          Not included: {othersText(report.others)}.
        </Typography>
      )}
    </>
  );
}

const pointOf = (row: Row, report: Report): BarPoint => ({
  key: row.key,
  name: row.shortName,
  values: row.bars,
  isPartial: row.isPartial,
  description: pointText(row, report),
});

/** Formats a value of the axis without its currency; fractions of a count are left out. */
function writeBar(value: number, { barKind, currency }: Report): string {
  if (barKind !== 'money') return Number.isInteger(value) ? value.toLocaleString('en-US') : '';
  const text = writeAmount(decimalText(toMinor(value, currency), currency), currency).replace('-', '−');
  return text.replace(/\.0+$/, '');
}

const EMPTY: Readonly<Record<ReportId, string>> = {
  revenue: 'Nothing was captured or refunded in this period.',
  transactions: 'No payments were made in this period.',
  refunds: 'Nothing was refunded in this period.',
  declines: 'No payments were declined in this period.',
};
const SANDBOX_HINTS: Readonly<Record<ReportId, string>> = {
  revenue: 'Make a sale with a test card to see data here.',
  transactions: 'Make a sale with a test card to see data here.',
  refunds: 'Make a sale with a test card, then open it and press R to refund it.',
  declines: 'Some test cards on the Sell screen are always declined.',
};

function EmptyReport({ id }: { id: ReportId }) {
  const navigate = useNavigate();
  const isSandbox = useIsSandbox();
  const canSell = useMay()('transactions:write');
  const showsHint = isSandbox && canSell;
  return (
    <EmptyState title="Nothing to report" action={showsHint && <Button onClick={() => void navigate('/sell')}>Make a test sale</Button>}>
      {EMPTY[id]} {showsHint && SANDBOX_HINTS[id]}
    </EmptyState>
  );
}
