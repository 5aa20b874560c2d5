import Box from '@mui/material/Box';
import MuiLink from '@mui/material/Link';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { DailySummary } from '#renderer/client';
import { useMay, useMerchant } from '#renderer/session';
import { MoneyText } from '#renderer/ui';
import { weekBefore, weekdayText } from './days.ts';
import { payoutQuery, transactionsQuery } from './queries.ts';
import { changeText, counted, moneyText, rateText } from './words.ts';

interface DayFiguresProps {
  readonly summary: DailySummary;
  /** The same weekday of the week before. */
  readonly before: DailySummary | undefined;
  readonly day: string;
  readonly isToday: boolean;
}

interface Figure {
  readonly name: string;
  readonly value: ReactNode;
  /** Against the same weekday. */
  readonly past: string;
  readonly to?: string;
}

/** The day in figures, each beside that of the same weekday a week ago. */
export function DayFigures({ summary, before, day, isToday }: DayFiguresProps) {
  const { currency } = summary;
  const rate = useApprovalRate(day);
  const rateBefore = useApprovalRate(weekBefore(day));
  const then = weekdayText(weekBefore(day));
  const money = (amount: number) => <MoneyText amount={amount} currency={currency} code />;
  const against = (now: number, of: (other: DailySummary) => number) => {
    if (before === undefined) return '';
    // A day that is not over is not weighed against a whole one.
    const change = isToday ? '' : changeText(now, of(before), currency);
    return [moneyText(of(before), currency), change].filter(Boolean).join(', ');
  };
  const figures: Figure[] = [
    {
      name: `Takings, ${counted(summary.salesCount, 'sale')}`,
      value: money(summary.salesAmount),
      past: against(summary.salesAmount, ({ salesAmount }) => salesAmount),
    },
    {
      name: `Refunds, ${summary.refundsCount.toLocaleString('en-US')}`,
      value: money(summary.refundsAmount),
      past: against(summary.refundsAmount, ({ refundsAmount }) => refundsAmount),
    },
    { name: 'Net of refunds and fees', value: money(summary.netAmount), past: against(summary.netAmount, ({ netAmount }) => netAmount) },
    { name: 'Approval rate', value: rate ?? '–', past: rateBefore ?? '–' },
    {
      name: 'Declined, voided',
      value: `${summary.declinedCount.toLocaleString('en-US')}, ${summary.voidsCount.toLocaleString('en-US')}`,
      past: before ? `${before.declinedCount.toLocaleString('en-US')}, ${before.voidsCount.toLocaleString('en-US')}` : '',
    },
  ];
  return (
    <Box
      component="section"
      aria-label={`Figures, beside ${then}`}
      sx={(theme) => ({
        border: `1px solid ${theme.vars.palette.divider}`,
        borderRadius: 1,
        px: 4,
        py: 3,
        backgroundColor: theme.vars.palette.background.paper,
      })}
    >
      <Box component="dl" sx={{ m: 0, display: 'flex', flexWrap: 'wrap', columnGap: 8, rowGap: 3 }}>
        {figures.map(({ name, value, past }) => (
          <Box key={name}>
            <Box component="dt" sx={{ fontSize: 12, color: 'text.secondary' }}>
              {name}
            </Box>
            <Box component="dd" sx={{ m: 0, fontSize: 20, fontWeight: 600, lineHeight: '28px', fontVariantNumeric: 'tabular-nums' }}>
              {value}
            </Box>
            <Box component="dd" sx={{ m: 0, fontSize: 12, color: 'text.secondary', fontVariantNumeric: 'tabular-nums', minHeight: 16 }}>
              {past}
            </Box>
          </Box>
        ))}
        <NextPayout />
      </Box>
      <Box sx={{ mt: 2, fontSize: 12, color: 'text.secondary' }}>
        Beneath each figure: {then}
        {isToday && ', the whole day'}.
      </Box>
    </Box>
  );
}

/** Settled amounts that are not paid out. */
function NextPayout() {
  const { merchantId } = useMerchant();
  const canRead = useMay()('settlement:read');
  const { data } = useQuery({ ...payoutQuery(merchantId), enabled: canRead });
  if (data === undefined) return null;
  return (
    <Box>
      <Box component="dt" sx={{ fontSize: 12, color: 'text.secondary' }}>
        Next payout
      </Box>
      <Box component="dd" sx={{ m: 0, fontSize: 20, fontWeight: 600, lineHeight: '28px' }}>
        <MuiLink component={Link} to="/settlement" color="inherit" underline="always">
          <MoneyText amount={data.settledUnpaid.amount} currency={data.currency} code />
        </MuiLink>
      </Box>
      <Box component="dd" sx={{ m: 0, fontSize: 12, color: 'text.secondary' }}>
        {moneyText(data.unsettled.amount, data.currency)} not settled yet
      </Box>
    </Box>
  );
}

/** Approval rate of a day; undefined if nothing was decided. */
function useApprovalRate(day: string): string | undefined {
  const { merchantId } = useMerchant();
  const { data } = useQuery(transactionsQuery({ merchantId, startDate: day, endDate: day, groupBy: 'day' }));
  const totals = data?.startDate === day ? data.totals : undefined;
  if (totals === undefined || totals.approved + totals.voided + totals.declined === 0) return undefined;
  return rateText(totals.approvalRate);
}
