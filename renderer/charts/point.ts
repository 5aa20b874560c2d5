/** A bar, and what it says. */
export interface BarPoint {
  readonly key: string;
  /** Label below the bar. */
  readonly name: string;
  /** One for each part of the bar, the lowest first. */
  readonly values: readonly number[];
  /** True while the period is not over; drawn hatched. */
  readonly isPartial: boolean;
  /** The point in words, said when it is reached. */
  readonly words: string;
}
