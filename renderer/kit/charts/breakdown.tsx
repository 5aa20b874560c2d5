import { scaleBand, scaleLinear } from '@visx/scale';
import { Bar } from '@visx/shape';
import { ComparisonMark } from './comparison-mark.tsx';
import { type ChartPoint, sumOf } from './point.ts';
import { ROW_HEIGHT_PX } from './size.ts';
import { BASELINE_COLOR, MUTED_COLOR, shade, TEXT_COLOR, TEXT_PX, widthOf } from './style.ts';

interface BreakdownProps {
  readonly points: readonly ChartPoint[];
  readonly formatValue: (value: number) => string;
  readonly width: number;
  /** Index of the point that is selected by keyboard. */
  readonly current: number | undefined;
  readonly onOpen?: (at: number) => void;
}

const GAP_PX = 12;
/** A narrow chart leaves out the shares, so that names and bars have room. */
const NARROW_PX = 300;
const NAME_MAX_PART = { wide: 0.35, narrow: 0.55 } as const;
const NAME_PX = 13;
const BAR_GAP = 0.45;

/** Horizontal bars, one for each part of a whole, with value and share. */
export function Breakdown({ points, formatValue, width, current, onOpen }: BreakdownProps) {
  const sums = points.map(sumOf);
  const total = sums.reduce((sum, value) => sum + Math.max(0, value), 0);
  const highest = Math.max(0, ...sums, ...points.map(({ comparison = 0 }) => comparison));
  const lowest = Math.min(0, ...sums);
  const isNarrow = width < NARROW_PX;
  const nameWidth = Math.min(
    width * NAME_MAX_PART[isNarrow ? 'narrow' : 'wide'],
    Math.max(...points.map(({ name }) => widthOf(name))) + GAP_PX,
  );
  const shares = sums.map((value) => (!isNarrow && total > 0 && value > 0 ? `${Math.round((value / total) * 1000) / 10}%` : ''));
  const shareWidth = Math.max(...shares.map(widthOf)) + 2 * GAP_PX;
  const valueWidth = Math.max(...sums.map((sum) => widthOf(formatValue(sum)))) + shareWidth + GAP_PX;
  const x = scaleLinear<number>({ domain: [lowest, Math.max(highest, lowest + 1)], range: [nameWidth, width - valueWidth] });
  const y = scaleBand<string>({
    domain: points.map(({ key }) => key),
    range: [0, points.length * ROW_HEIGHT_PX],
    paddingInner: BAR_GAP,
    paddingOuter: BAR_GAP / 2,
  });
  return (
    <svg
      aria-hidden
      width={width}
      height={points.length * ROW_HEIGHT_PX}
      fontSize={TEXT_PX}
      style={{ display: 'block', fontVariantNumeric: 'tabular-nums' }}
    >
      {points.map((point, index) => {
        const top = index * ROW_HEIGHT_PX;
        const middle = top + ROW_HEIGHT_PX / 2 + TEXT_PX / 3;
        const value = sums[index] ?? 0;
        const barTop = y(point.key) ?? top;
        return (
          // biome-ignore lint/a11y/noStaticElementInteractions: a shortcut for the pointer; by keyboard the whole chart is one control.
          <g key={point.key} onClick={onOpen && (() => onOpen(index))}>
            <title>{point.description}</title>
            <rect
              x={0}
              y={top}
              width={width}
              height={ROW_HEIGHT_PX}
              fill={index === current ? 'var(--pd-palette-wash)' : 'transparent'}
              stroke={index === current ? 'var(--pd-palette-primary-main)' : 'none'}
            />
            <text x={GAP_PX / 2} y={middle} fontSize={NAME_PX} fill={TEXT_COLOR}>
              {point.name}
            </text>
            <Bar
              data-bar={point.key}
              x={Math.min(x(0), x(value))}
              y={barTop}
              width={Math.max(2, Math.abs(x(value) - x(0)))}
              height={y.bandwidth()}
              fill={value === 0 ? BASELINE_COLOR : shade(0)}
            />
            {point.comparison !== undefined && (
              <ComparisonMark
                name={point.key}
                x1={x(point.comparison)}
                x2={x(point.comparison)}
                y1={barTop - 2}
                y2={barTop + y.bandwidth() + 2}
              />
            )}
            <text x={width - shareWidth} y={middle} textAnchor="end" fill={TEXT_COLOR} fontWeight={600}>
              {formatValue(value)}
            </text>
            <text x={width - GAP_PX / 2} y={middle} textAnchor="end" fill={MUTED_COLOR}>
              {shares[index]}
            </text>
          </g>
        );
      })}
    </svg>
  );
}
