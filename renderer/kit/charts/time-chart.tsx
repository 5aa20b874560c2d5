import { AxisBottom, AxisLeft } from '@visx/axis';
import { GridRows } from '@visx/grid';
import { scaleBand, scaleLinear } from '@visx/scale';
import { BarMarks } from './bar-marks.tsx';
import { LineMarks } from './line-marks.tsx';
import { type ChartPoint, sumOf } from './point.ts';
import { BASELINE_COLOR, GRID_COLOR, MUTED_COLOR, PAPER_COLOR, TEXT_COLOR, TEXT_PX, widthOf } from './style.ts';

interface TimeChartProps {
  readonly shape: 'bars' | 'line';
  readonly points: readonly ChartPoint[];
  /** Number of parts of a point. */
  readonly parts: number;
  readonly formatValue: (value: number) => string;
  readonly width: number;
  readonly height: number;
  /** Prefix of the IDs of the hatched patterns. */
  readonly patternId: string;
  /** Index of the point that is selected by keyboard. */
  readonly current: number | undefined;
  readonly onOpen?: (at: number) => void;
}

const TOP_PX = 22;
const FOOT_PX = 28;
const GAP_PX = 8;
const TICKS = 4;
const BAR_GAP = 0.3;
const BAR_MAX_PX = 72;

/** Returns a scale of round steps that holds all values and zero. */
function valueScale(points: readonly ChartPoint[], height: number) {
  const values = points.flatMap((point) => [sumOf(point), point.comparison ?? 0]);
  const high = Math.max(0, ...values);
  const low = Math.min(0, ...values);
  // Values are whole counts or amounts, so a scale below one unit would have no labels.
  return scaleLinear<number>({ domain: [low, Math.max(high, low + 1)], range: [height - FOOT_PX, TOP_PX], nice: TICKS });
}

/** Bars or a line over time on a scale of round steps, each point with its name below and, if there is room, its value above. */
export function TimeChart({ shape, points, parts, formatValue, width, height, patternId, current, onOpen }: TimeChartProps) {
  const sums = points.map(sumOf);
  const y = valueScale(points, height);
  const ticks = y.ticks(TICKS);
  const left = Math.max(...ticks.map((tick) => widthOf(formatValue(tick)))) + GAP_PX;
  const x = scaleBand<string>({ domain: points.map(({ key }) => key), range: [left, width], padding: 0 });
  const slot = x.bandwidth();
  const middleOf = ({ key }: ChartPoint) => (x(key) ?? left) + slot / 2;
  const highest = sums.indexOf(Math.max(...sums));
  const hasRoomForValues = Math.max(...sums.map((sum) => widthOf(formatValue(sum)))) < slot;
  const isLabelled = (index: number) => sums[index] !== 0 && (hasRoomForValues || index === highest || index === current);
  const nameEvery = Math.ceil((Math.max(...points.map(({ name }) => widthOf(name))) + GAP_PX) / slot);
  // The last point always has its name, because it is the most recent one.
  const named = points.filter((_, index) => (points.length - 1 - index) % nameEvery === 0);
  const names = new Map(points.map(({ key, name }) => [key, name]));
  /** Returns the x position at which a text stays inside the chart. */
  const inside = (at: number, text: string) => Math.min(width - widthOf(text) / 2, Math.max(left + widthOf(text) / 2, at));
  /** Returns the height below the label of a value: above its bar, and above a comparison mark that would cross the label. */
  const labelBase = (point: ChartPoint) => {
    const top = y(Math.max(0, sumOf(point)));
    const mark = y(point.comparison ?? 0);
    return mark < top && top - mark < TEXT_PX * 1.5 ? mark : top;
  };
  const marks = { points, y, middleOf, barWidth: Math.max(1, Math.min(BAR_MAX_PX, slot * (1 - BAR_GAP))), patternId, parts };
  return (
    <svg aria-hidden width={width} height={height} fontSize={TEXT_PX} style={{ display: 'block', fontVariantNumeric: 'tabular-nums' }}>
      <GridRows scale={y} tickValues={ticks} left={left} width={width - left} stroke={GRID_COLOR} />
      <AxisLeft
        scale={y}
        left={left}
        tickValues={ticks}
        hideAxisLine
        hideTicks
        tickLength={GAP_PX}
        tickFormat={(value) => formatValue(Number(value))}
        tickLabelProps={{ fill: MUTED_COLOR, fontSize: TEXT_PX, fontFamily: 'inherit', textAnchor: 'end', dy: '0.33em', dx: 0 }}
      />
      {points.map((point, index) => (
        // biome-ignore lint/a11y/noStaticElementInteractions: a shortcut for the pointer; by keyboard the whole chart is one control.
        <g key={point.key} onClick={onOpen && (() => onOpen(index))}>
          <title>{point.description}</title>
          <rect
            x={x(point.key)}
            y={0}
            width={slot}
            height={height}
            fill={index === current ? 'var(--pd-palette-wash)' : 'transparent'}
            stroke={index === current ? 'var(--pd-palette-primary-main)' : 'none'}
          />
        </g>
      ))}
      <g pointerEvents="none">
        {shape === 'bars' ? <BarMarks {...marks} /> : <LineMarks {...marks} />}
        <line x1={left} x2={width} y1={y(0)} y2={y(0)} stroke={BASELINE_COLOR} />
        {points.map(
          (point, index) =>
            isLabelled(index) && (
              <text
                key={point.key}
                x={inside(middleOf(point), formatValue(sums[index] ?? 0))}
                y={labelBase(point) - TEXT_PX * (shape === 'line' ? 0.8 : 0.5)}
                textAnchor="middle"
                fill={TEXT_COLOR}
                fontWeight={600}
                stroke={PAPER_COLOR}
                strokeWidth={3}
                paintOrder="stroke"
              >
                {formatValue(sums[index] ?? 0)}
              </text>
            ),
        )}
      </g>
      <AxisBottom
        scale={x}
        top={height - FOOT_PX}
        tickValues={named.map(({ key }) => key)}
        hideAxisLine
        hideTicks
        tickLength={0}
        tickFormat={(key) => names.get(key) ?? ''}
        tickLabelProps={(key) => ({
          fill: MUTED_COLOR,
          fontSize: TEXT_PX,
          fontFamily: 'inherit',
          textAnchor: 'middle',
          dy: '0.9em',
          // The first and the last name would otherwise be cut off.
          dx: shiftInside(key),
        })}
      />
    </svg>
  );

  function shiftInside(key: string): number {
    const at = (x(key) ?? left) + slot / 2;
    return inside(at, names.get(key) ?? '') - at;
  }
}
