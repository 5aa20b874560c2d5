import type { ChartPoint } from './point.ts';

/** Properties that bars and lines share. */
export interface MarksProps {
  readonly points: readonly ChartPoint[];
  /** Number of parts of a point. */
  readonly parts: number;
  readonly y: (value: number) => number;
  readonly middleOf: (point: ChartPoint) => number;
  readonly barWidth: number;
  /** Prefix of the IDs of the hatched patterns. */
  readonly patternId: string;
}
