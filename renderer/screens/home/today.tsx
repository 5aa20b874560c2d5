import Box from '@mui/material/Box';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { dateFormat } from '#renderer/base/dates';
import { numberText, t } from '#renderer/base/language';
import { MoneyText, QueryContent } from '#renderer/kit/ui';
import { useMerchant } from '#renderer/session/user';
import { changeText, moneyText, rateText, todayQuery, weekdayText } from '#renderer/shared/reporting';
import { Panel } from './panel.tsx';

interface Figure {
  readonly name: string;
  readonly value: ReactNode;
  /** Value of the compared part of the day, with the change. */
  readonly comparison: string;
}

/** Figures of today until now, each compared with the same weekday of the previous week until the same time. */
export function Today() {
  const { merchantId, timezone } = useMerchant();
  const query = useQuery(todayQuery(merchantId));
  return (
    <QueryContent query={query}>
      {({ currency, today, weekBefore }) => {
        const until = dateFormat({ timeZone: timezone, hour: 'numeric', minute: '2-digit' }).format(new Date(today.until));
        const money = (name: string, now: number, before: number): Figure => ({
          name,
          value: <MoneyText amount={now} currency={currency} code />,
          comparison: [moneyText(before, currency), changeText(now, before, currency)].filter(Boolean).join(', '),
        });
        const decided = (part: typeof today) => part.approvedCount + part.declinedCount;
        const rate = (part: typeof today) => (decided(part) === 0 ? '–' : rateText(part.approvalRate));
        const figures: readonly Figure[] = [
          money(t('Gross sales ({{number}})', { number: numberText(today.salesCount) }), today.salesAmount, weekBefore.salesAmount),
          money(t('Refunds ({{number}})', { number: numberText(today.refundsCount) }), today.refundsAmount, weekBefore.refundsAmount),
          { name: t('Approval rate'), value: rate(today), comparison: rate(weekBefore) },
          {
            name: t('Declined', { context: 'payments' }),
            value: numberText(today.declinedCount),
            comparison: numberText(weekBefore.declinedCount),
          },
        ];
        return (
          <Panel title={t('Today until {{until}}', { until })}>
            <Box component="dl" sx={{ m: 0, display: 'flex', flexWrap: 'wrap', columnGap: { xs: 6, lg: 10 }, rowGap: 3 }}>
              {figures.map(({ name, value, comparison }) => (
                <Box key={name}>
                  <Box component="dt" sx={{ fontSize: 12, color: 'text.secondary' }}>
                    {name}
                  </Box>
                  <Box component="dd" sx={{ m: 0, fontSize: 20, fontWeight: 600, lineHeight: '28px', fontVariantNumeric: 'tabular-nums' }}>
                    {value}
                  </Box>
                  <Box component="dd" sx={{ m: 0, fontSize: 12, color: 'text.secondary', fontVariantNumeric: 'tabular-nums' }}>
                    {t('vs. {{comparison}}', { comparison })}
                  </Box>
                </Box>
              ))}
            </Box>
            <Box sx={{ mt: 2, fontSize: 12, color: 'text.secondary' }}>
              {t('Compared with {{date}}, until {{until}}', { date: weekdayText(weekBefore.date), until })}
            </Box>
          </Panel>
        );
      }}
    </QueryContent>
  );
}
