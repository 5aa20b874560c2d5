import Box from '@mui/material/Box';
import { useQuery } from '@tanstack/react-query';
import type { DailySummary } from '#renderer/base/client';
import { numberText, t } from '#renderer/base/language';
import { MoneyText } from '#renderer/kit/ui';
import { useMay, useMerchant } from '#renderer/session/user';
import { changeText, moneyText, rateText, transactionsQuery, weekBefore, weekdayText } from '#renderer/shared/reporting';
import { type Figure, FigureList } from './figure-list.tsx';

interface DayFiguresProps {
  readonly summary: DailySummary;
  /** The same weekday of the previous week. */
  readonly before: DailySummary | undefined;
  readonly day: string;
  readonly isToday: boolean;
}

/** Figures of a day, each compared with the same weekday of the previous week once the day is over. */
export function DayFigures({ summary, before, day, isToday }: DayFiguresProps) {
  const { currency } = summary;
  const canRead = useMay()('transactions:read');
  const rate = useApprovalRate(day);
  const rateBefore = useApprovalRate(weekBefore(day));
  const comparedDay = weekdayText(weekBefore(day));
  const money = (amount: number) => <MoneyText amount={amount} currency={currency} code />;
  const comparison = (now: number, read: (other: DailySummary) => number) => {
    if (before === undefined || isToday) return '';
    return [moneyText(read(before), currency), changeText(now, read(before), currency)].filter(Boolean).join(', ');
  };
  const amount = (
    name: string,
    field: 'salesAmount' | 'averageSaleAmount' | 'refundsAmount' | 'giftCardsSoldAmount' | 'netAmount' | 'openAuthorizationsAmount',
  ): Figure => ({ name, value: money(summary[field]), comparison: comparison(summary[field], (other) => other[field]) });
  const count = (name: string, field: 'salesCount' | 'paymentsCount' | 'declinedCount' | 'voidsCount'): Figure => ({
    name,
    value: numberText(summary[field]),
    comparison: before && !isToday ? numberText(before[field]) : '',
  });
  const figures = [
    amount(t('Gross sales'), 'salesAmount'),
    amount(t('Refunds ({{count, number}})', { count: summary.refundsCount }), 'refundsAmount'),
    ...(summary.giftCardsSoldAmount === 0 ? [] : [amount(t('Gift cards sold'), 'giftCardsSoldAmount')]),
    amount(t('Net after refunds and fees'), 'netAmount'),
    {
      ...amount(t('Open authorizations ({{count, number}})', { count: summary.openAuthorizationsCount }), 'openAuthorizationsAmount'),
      to: canRead && isToday && summary.openAuthorizationsCount > 0 ? '/transactions?status=authorized' : undefined,
    },
  ];
  const details = [
    count(t('Number of sales'), 'salesCount'),
    count(t('Number of payments'), 'paymentsCount'),
    amount(t('Average sale'), 'averageSaleAmount'),
    { name: t('Approval rate'), value: rate ?? '–', comparison: isToday ? '' : (rateBefore ?? '–') },
    count(t('Declined', { context: 'payments' }), 'declinedCount'),
    count(t('Voided', { context: 'payments' }), 'voidsCount'),
  ];
  return (
    <FigureList
      label={isToday ? t('Figures') : t('Figures, compared with {{day}}', { day: comparedDay })}
      figures={figures}
      details={details}
    >
      <Box sx={{ mt: 2, fontSize: 12, color: 'text.secondary' }}>
        {isToday
          ? t('The day is not over. Home compares it with the same weekday until this hour.')
          : t('Compared with {{day}}.', { day: comparedDay })}{' '}
        {t('Fees are known once the sales of the day are settled.')}
      </Box>
    </FigureList>
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
