/** A point of a chart with its values and texts. */
export interface ChartPoint {
  readonly key: string;
  /** Label at the axis. */
  readonly name: string;
  /** Values of the parts of the point, the lowest first. */
  readonly values: readonly number[];
  /** Sum of the same point in the compared period; absent without a comparison. */
  readonly comparison?: number;
  /** True while the period is not over; drawn hatched or dashed. */
  readonly isPartial: boolean;
  /** Text of the point, announced when it is selected. */
  readonly description: string;
}

/** Returns the sum of the parts of a point. */
export const sumOf = ({ values }: ChartPoint) => values.reduce((sum, value) => sum + value, 0);
