import MuiLink from '@mui/material/Link';
import { Link, useNavigate } from 'react-router';
import { t } from '#renderer/base/language';
import { Chart, type ChartPoint, ChartSkeleton } from '#renderer/kit/charts';
import { useMay } from '#renderer/session/user';
import { axisText, shortDay, weekdayText } from '#renderer/shared/reporting';
import { writeFigure } from './figure-row.tsx';
import { type HomeFigures, MEASURE_NAMES, type Measure } from './figures.ts';
import { Panel } from './panel.tsx';

const HEIGHT_PX = 220;
const WEEKDAY_CHARACTERS = 3;
const WEEK_DAYS = 7;

interface FigureChartProps {
  readonly figures: HomeFigures | undefined;
  readonly measure: Measure;
  readonly today: string;
  /** Name of the days of the chart, such as "last 7 days". */
  readonly chartedName: string;
}

/** One figure by day, each day with the compared one. Today is not over yet. */
export function FigureChart({ figures, measure, today, chartedName }: FigureChartProps) {
  const navigate = useNavigate();
  const canRead = useMay()('transactions:read');
  const name = MEASURE_NAMES[measure];
  const open = (at: number) => {
    const day = figures?.chart.byDay[at]?.day;
    if (day !== undefined) void navigate(`/transactions?${new URLSearchParams({ capturedFrom: day, capturedTo: day })}`);
  };
  const isMoney = measure === 'netSales' || measure === 'refunds';
  const title = isMoney && figures ? t('{{figure}}, {{currency}}', { figure: name, currency: figures.currency }) : name;
  return (
    <Panel
      title={t('{{figure}}, {{period}}', { figure: title, period: chartedName })}
      link={
        <MuiLink component={Link} to="/reports" sx={{ fontSize: 13 }}>
          {t('Open report')}
        </MuiLink>
      }
    >
      {figures === undefined ? (
        <ChartSkeleton height={HEIGHT_PX} />
      ) : (
        <Chart
          kind="bars"
          label={t('{{figure}} by day', { figure: name })}
          points={pointsOf(figures, measure, today)}
          parts={[name]}
          {...(figures.chartBefore !== null && { comparison: t('Compared days') })}
          height={HEIGHT_PX}
          formatValue={(value) => (isMoney ? axisText(value, figures.currency) : writeFigure(measure, value, figures.currency))}
          onOpen={canRead ? open : undefined}
        />
      )}
    </Panel>
  );
}

function pointsOf({ chart, chartBefore, currency, before, now }: HomeFigures, measure: Measure, today: string): ChartPoint[] {
  const write = (value: number) => writeFigure(measure, value, currency);
  return chart.byDay.map((figures, at) => {
    const { day } = figures;
    const isPartial = day === today;
    // A single day is compared as its figure is: today with the same part of its day.
    const isOnlyToday = isPartial && chart.byDay.length === WEEK_DAYS;
    const value = isOnlyToday ? now[measure] : figures[measure];
    const comparison = isOnlyToday && before !== null ? before[measure] : chartBefore?.byDay[at]?.[measure];
    const dayName = isPartial ? t('{{day}}, so far', { day: weekdayText(day) }) : weekdayText(day);
    const description = `${dayName}: ${write(value)}`;
    return {
      key: day,
      name: isPartial ? t('Today') : chart.byDay.length > WEEK_DAYS ? shortDay(day) : weekdayText(day).slice(0, WEEKDAY_CHARACTERS),
      values: [value],
      ...(comparison !== undefined && { comparison }),
      isPartial,
      description:
        comparison === undefined ? description : t('{{description}}, before {{amount}}', { description, amount: write(comparison) }),
    };
  });
}
