import Box from '@mui/material/Box';
import ButtonBase from '@mui/material/ButtonBase';
import Skeleton from '@mui/material/Skeleton';
import { useTheme } from '@mui/material/styles';
import { numberText, t } from '#renderer/base/language';
import { writeAmount } from '#renderer/base/money';
import { MoneyText } from '#renderer/kit/ui';
import { changeText, moneyText, rateText } from '#renderer/shared/reporting';
import { type HomeFigures, MEASURE_NAMES, MEASURES, type Measure } from './figures.ts';

const WIDTH = 100;
const HEIGHT = 40;
const MARGIN = 3;

/** A small line without axes under a figure. The chart below shows its values. */
function Sparkline({ values }: { readonly values: readonly number[] }) {
  const theme = useTheme();
  const [low, high] = [Math.min(0, ...values), Math.max(...values, 1e-9)];
  const points = values.map((value, at) => {
    const x = values.length < 2 ? 0 : (at / (values.length - 1)) * WIDTH;
    return `${x.toFixed(1)},${(HEIGHT - MARGIN - ((value - low) / (high - low)) * (HEIGHT - 2 * MARGIN)).toFixed(1)}`;
  });
  return (
    <Box
      component="svg"
      aria-hidden
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      sx={{ display: 'block', width: '100%', height: HEIGHT }}
    >
      <polyline
        points={points.join(' ')}
        fill="none"
        stroke={theme.vars?.palette.primary.main ?? 'currentColor'}
        strokeWidth={1.5}
        vectorEffect="non-scaling-stroke"
        strokeLinejoin="round"
      />
    </Box>
  );
}

interface FigureRowProps {
  readonly figures: HomeFigures | undefined;
  /** Name of the days with which the figures are compared. */
  readonly comparedName: string;
  readonly measure: Measure;
  readonly onMeasure: (measure: Measure) => void;
}

/** Writes a value of a figure as text. */
export const writeFigure = (measure: Measure, value: number, currency: string): string =>
  measure === 'sales' ? numberText(value) : measure === 'approvalRate' ? rateText(value) : moneyText(value, currency);

/** The four head figures. A click shows one of them in the chart below. */
export function FigureRow({ figures, comparedName, measure, onMeasure }: FigureRowProps) {
  return (
    <Box
      role="group"
      aria-label={t('Figures')}
      sx={{
        display: 'grid',
        gap: 2,
        alignItems: 'start',
        gridTemplateColumns: { xs: 'repeat(2, minmax(0, 1fr))', sm: 'repeat(4, minmax(0, 1fr))' },
      }}
    >
      {MEASURES.map((each) => (
        <ButtonBase
          key={each}
          aria-pressed={each === measure}
          onClick={() => onMeasure(each)}
          sx={(theme) => ({
            display: 'block',
            textAlign: 'start',
            font: 'inherit',
            p: 2,
            mx: -2,
            borderRadius: 1,
            '&:hover': { backgroundColor: theme.vars.palette.wash },
            '&:focus-visible': { outline: `2px solid ${theme.vars.palette.primary.main}`, outlineOffset: -2 },
          })}
        >
          <Box sx={{ fontSize: 13, color: each === measure ? 'primary.main' : 'text.secondary', fontWeight: each === measure ? 600 : 450 }}>
            {MEASURE_NAMES[each]}
          </Box>
          {figures === undefined ? <FigureSkeleton /> : <Figure figures={figures} comparedName={comparedName} measure={each} />}
        </ButtonBase>
      ))}
    </Box>
  );
}

function FigureSkeleton() {
  return (
    <Box sx={{ height: 112 }}>
      <Skeleton width="70%" height={36} />
      <Skeleton width="45%" height={16} />
    </Box>
  );
}

interface FigureProps {
  readonly figures: HomeFigures;
  readonly comparedName: string;
  readonly measure: Measure;
}

function Figure({ figures: { now, before, chart, currency }, comparedName, measure }: FigureProps) {
  const isMoney = measure === 'netSales' || measure === 'refunds';
  const value = now[measure];
  // Nothing was tried then, so that no rate exists.
  const hasNoRate = measure === 'approvalRate' && before?.sales === 0 && before.approvalRate === 0;
  const difference = before === null || hasNoRate ? 0 : value - before[measure];
  // More refunds are no good news.
  const isGood = measure === 'refunds' ? difference < 0 : difference > 0;
  const change = before === null ? '' : changeOf(measure, value, before[measure], currency);
  return (
    <>
      <Box sx={{ fontSize: 28, lineHeight: '36px', fontWeight: 600, fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap' }}>
        {isMoney ? <MoneyText amount={value} currency={currency} /> : writeFigure(measure, value, currency)}
      </Box>
      <Box sx={{ fontSize: 12, lineHeight: '20px', minHeight: 40, color: 'text.secondary' }}>
        {before !== null && (
          <>
            {difference !== 0 && change !== '' && (
              <Box component="span" sx={{ fontWeight: 600, color: isGood ? 'tone.success.main' : 'tone.error.main', marginInlineEnd: 1 }}>
                {`${difference > 0 ? '↑' : '↓'} ${change}`}
              </Box>
            )}
            {t('vs. {{days}}: {{figure}}', {
              days: comparedName,
              figure: hasNoRate ? '–' : isMoney ? writeAmount(before[measure], currency) : writeFigure(measure, before[measure], currency),
            })}
          </>
        )}
      </Box>
      <Sparkline values={chart.byDay.map((day) => day[measure])} />
    </>
  );
}

/** Returns a change without its sign: in percent, and in points for the approval rate. */
function changeOf(measure: Measure, value: number, before: number, currency: string): string {
  if (measure === 'approvalRate') return t('{{points, number}} pts', { points: Math.round(Math.abs(value - before) * 1_000) / 10 });
  return changeText(value, before, measure === 'sales' ? undefined : currency).replace(/^[+−]/, '');
}
