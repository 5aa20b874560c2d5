/** A bar, and what it says. */
export interface BarPoint {
  readonly key: string;
  /** As it stands under the bar. */
  readonly name: string;
  /** One for each part of the bar, the lowest first. */
  readonly values: readonly number[];
  /** Not over yet: drawn hatched. */
  readonly isPartial: boolean;
  /** The point in words, said when it is reached. */
  readonly words: string;
}
