import { PatternLines } from '@visx/pattern';
import { Bar } from '@visx/shape';
import { ComparisonMark } from './comparison-mark.tsx';
import type { MarksProps } from './marks.ts';
import { BASELINE_COLOR, PAPER_COLOR, shade } from './style.ts';

/** Height of a bar for the value zero. */
const ZERO_PX = 2;
const HATCH_PX = 6;

/** Stacked bars: hatched while their period is not over, a thin line if they are empty, with a mark at the value of the compared period. */
export function BarMarks({ points, parts, y, middleOf, barWidth, patternId }: MarksProps) {
  return (
    <>
      <defs>
        {Array.from({ length: parts }, (_, part) => (
          <PatternLines
            key={shade(part)}
            id={`${patternId}-${part}`}
            width={HATCH_PX}
            height={HATCH_PX}
            orientation={['diagonal']}
            stroke={shade(part)}
            strokeWidth={HATCH_PX / 2}
            background={PAPER_COLOR}
          />
        ))}
      </defs>
      {points.map((point) => {
        const x = middleOf(point) - barWidth / 2;
        if (point.values.every((value) => value === 0))
          return (
            <Bar key={point.key} data-bar={point.key} x={x} width={barWidth} y={y(0) - ZERO_PX} height={ZERO_PX} fill={BASELINE_COLOR} />
          );
        let reached = 0;
        return point.values.map((value, part) => {
          const from = y(reached);
          reached += value;
          const to = y(reached);
          return (
            <Bar
              // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a bar have no other name.
              key={`${point.key}-${part}`}
              data-bar={point.key}
              x={x}
              width={barWidth}
              y={Math.min(from, to)}
              height={Math.abs(to - from)}
              fill={point.isPartial ? `url(#${patternId}-${part})` : shade(part)}
              stroke={point.isPartial && value !== 0 ? shade(part) : 'none'}
            />
          );
        });
      })}
      {points.map(
        (point) =>
          point.comparison !== undefined && (
            <ComparisonMark
              key={point.key}
              name={point.key}
              x1={middleOf(point) - barWidth / 2 - 2}
              x2={middleOf(point) + barWidth / 2 + 2}
              y1={y(point.comparison)}
              y2={y(point.comparison)}
            />
          ),
      )}
    </>
  );
}
