import Box from '@mui/material/Box';
import { useQuery } from '@tanstack/react-query';
import type { DailySummary } from '#renderer/base/client';
import { numberText, t } from '#renderer/base/language';
import { MoneyText } from '#renderer/kit/ui';
import { useMerchant } from '#renderer/session/user';
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
  const rate = useApprovalRate(day);
  const rateBefore = useApprovalRate(weekBefore(day));
  const comparedDay = weekdayText(weekBefore(day));
  const money = (amount: number) => <MoneyText amount={amount} currency={currency} code />;
  const comparison = (now: number, read: (other: DailySummary) => number) => {
    if (before === undefined || isToday) return '';
    return [moneyText(read(before), currency), changeText(now, read(before), currency)].filter(Boolean).join(', ');
  };
  const countBefore = (name: 'salesCount' | 'paymentsCount' | 'declinedCount' | 'voidsCount') =>
    before && !isToday ? numberText(before[name]) : '';
  const figures: Figure[] = [
    {
      name: t('Gross sales'),
      value: money(summary.salesAmount),
      comparison: comparison(summary.salesAmount, ({ salesAmount }) => salesAmount),
    },
    {
      name: t('Number of sales'),
      value: numberText(summary.salesCount),
      comparison: countBefore('salesCount'),
    },
    {
      name: t('Number of payments'),
      value: numberText(summary.paymentsCount),
      comparison: countBefore('paymentsCount'),
    },
    {
      name: t('Average sale'),
      value: money(summary.averageSaleAmount),
      comparison: comparison(summary.averageSaleAmount, ({ averageSaleAmount }) => averageSaleAmount),
    },
    {
      name: t('Refunds ({{count, number}})', { count: summary.refundsCount }),
      value: money(summary.refundsAmount),
      comparison: comparison(summary.refundsAmount, ({ refundsAmount }) => refundsAmount),
    },
    ...(summary.giftCardsSoldAmount === 0
      ? []
      : [
          {
            name: t('Gift cards sold'),
            value: money(summary.giftCardsSoldAmount),
            comparison: comparison(summary.giftCardsSoldAmount, ({ giftCardsSoldAmount }) => giftCardsSoldAmount),
          },
        ]),
    {
      name: t('Net after refunds and fees'),
      value: money(summary.netAmount),
      comparison: comparison(summary.netAmount, ({ netAmount }) => netAmount),
    },
    { name: t('Approval rate'), value: rate ?? '–', comparison: isToday ? '' : (rateBefore ?? '–') },
    { name: t('Declined', { context: 'payments' }), value: numberText(summary.declinedCount), comparison: countBefore('declinedCount') },
    { name: t('Voided', { context: 'payments' }), value: numberText(summary.voidsCount), comparison: countBefore('voidsCount') },
  ];
  return (
    <FigureList label={isToday ? t('Figures') : t('Figures, compared with {{day}}', { day: comparedDay })} figures={figures}>
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
