import type { BarPoint } from './point.ts';
import { scaleFor } from './scale.ts';
import { shade } from './shade.ts';
import { BARS_HEIGHT_PX } from './size.ts';

interface PlotProps {
  readonly points: readonly BarPoint[];
  /** Number of parts of a bar. */
  readonly parts: number;
  readonly formatValue: (value: number) => string;
  readonly width: number;
  /** Prefix of the IDs of the hatched patterns. */
  readonly hatch: string;
  /** Index of the point that is selected by keyboard. */
  readonly current: number | undefined;
  readonly onOpen?: (at: number) => void;
}

const TEXT_PX = 12;
const TOP_PX = 22;
const FOOT_PX = 24;
const GAP_PX = 8;
/** Assumed width of a character, because text is not measured. */
const CHARACTER_WIDTH_PX = 8;
const BAR_PART = 0.7;
const BAR_MAX_PX = 72;
/** Height of a bar for the value zero. */
const ZERO_PX = 2;
const HATCH_PX = 6;
const TEXT_COLOR = 'var(--pd-palette-text-primary)';
const MUTED_COLOR = 'var(--pd-palette-text-secondary)';
const GRID_COLOR = 'var(--pd-palette-divider)';

const sumOf = ({ values }: BarPoint) => values.reduce((sum, value) => sum + value, 0);
const widthOf = (text: string) => text.length * CHARACTER_WIDTH_PX;

/** Bars on a scale of round steps, each with its name below and, if there is room, its value above. */
export function Plot({ points, parts, formatValue, width, hatch, current, onOpen }: PlotProps) {
  const sums = points.map(sumOf);
  const { min, max, ticks } = scaleFor(sums);
  const left = Math.max(...ticks.map((tick) => widthOf(formatValue(tick)))) + GAP_PX;
  const slot = (width - left) / Math.max(1, points.length);
  const bar = Math.max(1, Math.min(BAR_MAX_PX, slot * BAR_PART));
  const baseline = BARS_HEIGHT_PX - FOOT_PX;
  const yOf = (value: number) => baseline - ((value - min) / (max - min)) * (baseline - TOP_PX);
  const middleOf = (index: number) => left + slot * (index + 0.5);
  const highest = sums.indexOf(Math.max(...sums));
  const hasRoomForValues = Math.max(...sums.map((sum) => widthOf(formatValue(sum)))) < slot;
  const isLabelled = (index: number) => sums[index] !== 0 && (hasRoomForValues || index === highest || index === current);
  const nameEvery = Math.ceil((Math.max(...points.map(({ name }) => widthOf(name))) + GAP_PX) / slot);
  // The last bar always has its name, because it is the most recent one.
  const isNamed = (index: number) => (points.length - 1 - index) % nameEvery === 0;
  /** Returns the x position at which a text stays inside the chart. */
  const inside = (x: number, text: string) => Math.min(width - widthOf(text) / 2, Math.max(left + widthOf(text) / 2, x));
  return (
    <svg
      aria-hidden
      width={width}
      height={BARS_HEIGHT_PX}
      fontSize={TEXT_PX}
      style={{ display: 'block', fontVariantNumeric: 'tabular-nums' }}
    >
      <defs>
        {Array.from({ length: parts }, (_, part) => (
          <pattern
            key={shade(part)}
            id={`${hatch}-${part}`}
            width={HATCH_PX}
            height={HATCH_PX}
            patternUnits="userSpaceOnUse"
            patternTransform="rotate(45)"
          >
            <rect width={HATCH_PX} height={HATCH_PX} fill="var(--pd-palette-background-paper)" />
            <rect width={HATCH_PX / 2} height={HATCH_PX} fill={shade(part)} />
          </pattern>
        ))}
      </defs>
      {ticks.map((tick) => (
        <g key={tick}>
          <line x1={left} x2={width} y1={yOf(tick)} y2={yOf(tick)} stroke={tick === 0 ? 'var(--pd-palette-outline)' : GRID_COLOR} />
          <text x={left - GAP_PX} y={yOf(tick) + TEXT_PX / 3} textAnchor="end" fill={MUTED_COLOR}>
            {formatValue(tick)}
          </text>
        </g>
      ))}
      {points.map((point, index) => (
        // biome-ignore lint/a11y/noStaticElementInteractions: a shortcut for the pointer; by keyboard the whole chart is one control.
        <g key={point.key} onClick={onOpen && (() => onOpen(index))}>
          <title>{point.description}</title>
          <rect
            x={left + slot * index}
            y={0}
            width={slot}
            height={BARS_HEIGHT_PX}
            fill={index === current ? 'var(--pd-palette-wash)' : 'transparent'}
            stroke={index === current ? 'var(--pd-palette-primary-main)' : 'none'}
          />
          <Bar point={point} x={middleOf(index) - bar / 2} width={bar} yOf={yOf} hatch={hatch} />
          {isLabelled(index) && (
            <text
              x={inside(middleOf(index), formatValue(sums[index] ?? 0))}
              y={yOf(Math.max(0, sums[index] ?? 0)) - TEXT_PX / 2}
              textAnchor="middle"
              fill={TEXT_COLOR}
              fontWeight={600}
            >
              {formatValue(sums[index] ?? 0)}
            </text>
          )}
          {isNamed(index) && (
            <text x={inside(middleOf(index), point.name)} y={BARS_HEIGHT_PX - GAP_PX} textAnchor="middle" fill={MUTED_COLOR}>
              {point.name}
            </text>
          )}
        </g>
      ))}
    </svg>
  );
}

interface BarProps {
  readonly point: BarPoint;
  readonly x: number;
  readonly width: number;
  readonly yOf: (value: number) => number;
  readonly hatch: string;
}

/** A stacked bar: hatched while its period is not over, a thin line if it is empty. */
function Bar({ point, x, width, yOf, hatch }: BarProps) {
  const { values, isPartial, key } = point;
  const shape = { x, width, 'data-bar': key };
  if (values.every((value) => value === 0))
    return <rect {...shape} y={yOf(0) - ZERO_PX} height={ZERO_PX} fill="var(--pd-palette-outline)" />;
  let reached = 0;
  return values.map((value, part) => {
    const from = yOf(reached);
    reached += value;
    const to = yOf(reached);
    const fill = isPartial ? `url(#${hatch}-${part})` : shade(part);
    return (
      <rect
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a bar have no other name.
        key={part}
        {...shape}
        y={Math.min(from, to)}
        height={Math.abs(to - from)}
        fill={fill}
        stroke={isPartial && value !== 0 ? shade(part) : 'none'}
      />
    );
  });
}
