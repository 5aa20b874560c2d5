/** A bar with its values and texts. */
export interface BarPoint {
  readonly key: string;
  /** Label below the bar. */
  readonly name: string;
  /** Values of the parts of the bar, the lowest first. */
  readonly values: readonly number[];
  /** True while the period is not over; drawn hatched. */
  readonly isPartial: boolean;
  /** Text of the point, announced when it is selected. */
  readonly description: string;
}
