import { COMPARISON_COLOR, PAPER_COLOR } from './style.ts';

interface ComparisonMarkProps {
  /** Key of the point. */
  readonly name: string;
  readonly x1: number;
  readonly x2: number;
  readonly y1: number;
  readonly y2: number;
}

const WIDTH_PX = 2;

/** Dashed mark at the value of the compared period, on a light ground so that it is visible on a bar. */
export function ComparisonMark({ name, ...ends }: ComparisonMarkProps) {
  return (
    <g data-comparison={name}>
      <line {...ends} stroke={PAPER_COLOR} strokeWidth={WIDTH_PX * 2} />
      <line {...ends} stroke={COMPARISON_COLOR} strokeWidth={WIDTH_PX} strokeDasharray="4 2" />
    </g>
  );
}
