import { LinePath } from '@visx/shape';
import type { MarksProps } from './marks.ts';
import { type ChartPoint, sumOf } from './point.ts';
import { COMPARISON_COLOR, PAPER_COLOR, shade } from './style.ts';

const RADIUS_PX = 3;
/** Longest series whose points are drawn. */
const DOTS_MAX = 62;

/** A line for each part of the points: dashed up to a point whose period is not over. The compared period is a dashed line. */
export function LineMarks({ points, parts, y, middleOf }: MarksProps) {
  const complete = points.filter(({ isPartial }) => !isPartial);
  const tail = points.slice(Math.max(0, complete.length - 1));
  const compared = points.filter(({ comparison }) => comparison !== undefined);
  return (
    <>
      {compared.length > 0 && (
        <LinePath
          data={[...compared]}
          x={middleOf}
          y={({ comparison }) => y(comparison ?? 0)}
          stroke={COMPARISON_COLOR}
          strokeWidth={1.5}
          strokeDasharray="4 3"
        />
      )}
      {Array.from({ length: parts }, (_, part) => {
        // With one part, the line shows the value of the point; with several, each part has its own line.
        const heightOf = (point: ChartPoint) => y(parts === 1 ? sumOf(point) : (point.values[part] ?? 0));
        return (
          <g key={shade(part)}>
            <LinePath data={complete} x={middleOf} y={heightOf} stroke={shade(part)} strokeWidth={2} strokeLinejoin="round" />
            <LinePath data={tail} x={middleOf} y={heightOf} stroke={shade(part)} strokeWidth={2} strokeDasharray="3 3" />
            {points.length <= DOTS_MAX &&
              points.map((point) => (
                <circle
                  key={point.key}
                  data-point={point.key}
                  cx={middleOf(point)}
                  cy={heightOf(point)}
                  r={RADIUS_PX}
                  fill={point.isPartial ? PAPER_COLOR : shade(part)}
                  stroke={shade(part)}
                  strokeWidth={1.5}
                />
              ))}
          </g>
        );
      })}
    </>
  );
}
