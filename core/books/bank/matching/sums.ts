/** Largest number of payouts that one line combines. */
const ITEMS_MAX = 6;
/** Steps after which a search for one line ends, so that the time of a line is bounded. */
const STEPS_MAX = 4_000;

/** Payouts whose amounts sum to a line. `isUnique` is false if other payouts do so too, or if the search ended early. */
interface Combination<Item> {
  readonly items: readonly Item[];
  readonly isUnique: boolean;
}

/**
 * Finds two to six items that sum to an amount; null if there are none. A run of neighbors, which is what banks combine, is preferred. Items are in
 * order of time; amounts are positive, in minor units. `budget` limits the steps of several searches together.
 */
export function findCombination<Item extends { readonly minor: number }>(
  items: readonly Item[],
  minor: number,
  budget = { steps: STEPS_MAX },
): Combination<Item> | null {
  const run = neighborsOf(items, minor);
  const order = items.filter((item) => item.minor < minor).toSorted((left, right) => right.minor - left.minor);
  /** Sums of the first items, by their number. */
  const sums = [0];
  for (const item of order) sums.push((sums.at(-1) as number) + item.minor);
  /** Returns the sum of the largest items from an index on. */
  const reach = (from: number, count: number) => (sums[Math.min(from + count, order.length)] as number) - (sums[from] as number);
  const found: Item[][] = [];
  const limit = Math.min(STEPS_MAX, budget.steps);
  let steps = 0;
  const search = (from: number, remaining: number, taken: Item[]): void => {
    for (let index = from; index < order.length && found.length < 2 && steps < limit; index += 1) {
      steps += 1;
      const item = order[index] as Item;
      if (item.minor > remaining) continue;
      if (item.minor === remaining) {
        if (taken.length > 0) found.push([...taken, item]);
        continue;
      }
      const left = ITEMS_MAX - taken.length;
      // The items are sorted, so that no later ones sum to more.
      if (reach(index, left) < remaining) return;
      if (left > 1) search(index + 1, remaining - item.minor, [...taken, item]);
    }
  };
  search(0, minor, []);
  budget.steps -= steps;
  const best = run ?? found[0];
  if (!best) return null;
  const isSame = (other: readonly Item[]) => other.length === best.length && other.every((item) => best.includes(item));
  return { items: best, isUnique: steps < limit && found.every(isSame) };
}

function neighborsOf<Item extends { readonly minor: number }>(items: readonly Item[], minor: number): Item[] | null {
  for (let start = 0; start < items.length - 1; start += 1) {
    let sum = 0;
    for (let end = start; end < items.length && end < start + ITEMS_MAX && sum < minor; end += 1) {
      sum += (items[end] as Item).minor;
      if (sum === minor && end > start) return items.slice(start, end + 1);
    }
  }
  return null;
}
