import MuiLink from '@mui/material/Link';
import Skeleton from '@mui/material/Skeleton';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from 'react-router';
import type { RevenueAnalysis, TodayComparison } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { Chart, type ChartPoint } from '#renderer/kit/charts';
import { QueryContent } from '#renderer/kit/ui';
import { useMay, useMerchant } from '#renderer/session/user';
import { addDays, axisText, daysOf, moneyText, revenueQuery, todayQuery, weekBefore, weekdayText } from '#renderer/shared/reporting';
import { Panel } from './panel.tsx';

const HEIGHT_PX = 208;
const WEEKDAY_CHARACTERS = 3;

/** Gross sales of the last seven days, each compared with the same weekday of the previous week; today until the present time. */
export function Week({ today }: { today: string }) {
  const { merchantId, currency } = useMerchant();
  const navigate = useNavigate();
  const canRead = useMay()('transactions:read');
  const days = daysOf('7-days', today);
  // One request covers both weeks.
  const query = useQuery(revenueQuery({ startDate: weekBefore(days.startDate), endDate: days.endDate, groupBy: 'day', merchantId }));
  const partOfDay = useQuery(todayQuery(merchantId)).data;
  const open = (at: number) => {
    const day = addDays(days.startDate, at);
    void navigate(`/transactions?${new URLSearchParams({ capturedFrom: day, capturedTo: day })}`);
  };
  return (
    <Panel
      title={t('Gross sales of the last 7 days, {{currency}}', { currency })}
      link={
        <MuiLink component={Link} to="/reports/revenue?period=7-days" sx={{ fontSize: 13 }}>
          {t('Report')}
        </MuiLink>
      }
    >
      <QueryContent query={query} skeleton={<Skeleton height={HEIGHT_PX} />}>
        {(data) => (
          <Chart
            kind="bars"
            label={t('Gross sales of the last 7 days')}
            points={pointsOf(data, today, partOfDay)}
            parts={[t('Gross sales')]}
            comparison={t('Week before')}
            height={HEIGHT_PX}
            formatValue={(value) => axisText(value, currency)}
            onOpen={canRead ? open : undefined}
          />
        )}
      </QueryContent>
    </Panel>
  );
}

/** Returns the second of two weeks, each day with the value of the first week. Today is compared with the same part of its day. */
function pointsOf({ series, currency }: RevenueAnalysis, today: string, partOfDay: TodayComparison | undefined): ChartPoint[] {
  const half = series.length / 2;
  return series.slice(half).map(({ key, gross }, at) => {
    const isPartial = key === today;
    const whole = series[at]?.gross ?? 0;
    const comparison = isPartial ? partOfDay?.weekBefore.salesAmount : whole;
    const amount = comparison === undefined ? '' : moneyText(comparison, currency);
    const compared = isPartial ? t('week before until the same time {{amount}}', { amount }) : t('week before {{amount}}', { amount });
    const dayText = isPartial ? t('{{day}}, so far', { day: weekdayText(key) }) : weekdayText(key);
    const description = `${dayText}: ${moneyText(gross, currency)}`;
    return {
      key,
      name: isPartial ? t('Today') : weekdayText(key).slice(0, WEEKDAY_CHARACTERS),
      values: [gross],
      ...(comparison !== undefined && { comparison }),
      isPartial,
      description: comparison === undefined ? description : `${description}, ${compared}`,
    };
  });
}
