/** Part of a list: `limit` items after the first `skip` items behind a position. */
export interface ItemRange {
  readonly after: string | undefined;
  readonly skip: number;
  readonly limit: number;
}

/** An item with its position in the order of the lists, which is that of its characters. */
export interface Positioned {
  readonly position: string;
}

/** A list in the order of the positions. */
export interface OrderedList<Item extends Positioned> {
  readonly total: number;
  readonly read: (range: ItemRange) => Promise<readonly Item[]>;
}

/** Merges two parts of lists in the same order. */
export function merge<Item extends Positioned>(left: readonly Item[], right: readonly Item[], limit: number, isDescending = true): Item[] {
  const before = isDescending ? -1 : 1;
  return [...left, ...right].sort((one, other) => (one.position > other.position ? before : -before)).slice(0, limit);
}

/** Returns `limit` items of two merged lists after the first `skip` items. */
export async function mergedRange<Item extends Positioned>(
  left: OrderedList<Item>,
  right: OrderedList<Item>,
  { skip, limit, isDescending = true }: { readonly skip: number; readonly limit: number; readonly isDescending?: boolean },
): Promise<Item[]> {
  const [fromLeft, fromRight] = await split(left, right, skip, isDescending);
  const [leftItems, rightItems] = await Promise.all([left.read({ ...fromLeft, limit }), right.read({ ...fromRight, limit })]);
  return merge(leftItems, rightItems, limit, isDescending);
}

type Start = Pick<ItemRange, 'after' | 'skip'>;

/** An item that was read, with the number of items up to it. */
interface Anchor {
  readonly count: number;
  readonly after: string | undefined;
}

const START: Anchor = { count: 0, after: undefined };

/**
 * Returns the positions in both lists after their first `skip` items together. A binary search over the share of the left list: each step skips from
 * the last item known to belong to the skipped ones, so all steps together skip hardly more rows than one read of that depth.
 */
async function split<Item extends Positioned>(
  left: OrderedList<Item>,
  right: OrderedList<Item>,
  skip: number,
  isDescending: boolean,
): Promise<[Start, Start]> {
  let [fewest, most] = [Math.min(left.total, Math.max(0, skip - right.total)), Math.min(skip, left.total)];
  let [inLeft, inRight] = [START, START];
  while (fewest < most) {
    const share = (fewest + most) >> 1;
    const rest = skip - share - 1;
    const [[leftItem], [rightItem]] = await Promise.all([
      left.read({ after: inLeft.after, skip: share - inLeft.count, limit: 1 }),
      right.read({ after: inRight.after, skip: rest - inRight.count, limit: 1 }),
    ]);
    if (leftItem !== undefined && (rightItem === undefined || leftItem.position > rightItem.position === isDescending)) {
      fewest = share + 1;
      inLeft = { count: share + 1, after: leftItem.position };
    } else {
      most = share;
      if (rightItem !== undefined) inRight = { count: rest + 1, after: rightItem.position };
    }
  }
  return [
    { after: inLeft.after, skip: fewest - inLeft.count },
    { after: inRight.after, skip: skip - fewest - inRight.count },
  ];
}

/** Merges two streams of ordered items into blocks. */
export async function* mergeStreams<Item extends Positioned>(
  left: AsyncIterable<readonly Item[]>,
  right: AsyncIterable<readonly Item[]>,
  blockSize: number,
): AsyncGenerator<readonly Item[]> {
  const [leftItems, rightItems] = [itemsOf(left), itemsOf(right)];
  let [one, other] = await Promise.all([leftItems.next(), rightItems.next()]);
  let block: Item[] = [];
  while (!(one.done && other.done)) {
    if (other.done || (!one.done && one.value.position > other.value.position)) {
      if (!one.done) block.push(one.value);
      one = await leftItems.next();
    } else {
      block.push(other.value);
      other = await rightItems.next();
    }
    if (block.length === blockSize) {
      yield block;
      block = [];
    }
  }
  if (block.length > 0) yield block;
}

async function* itemsOf<Item>(blocks: AsyncIterable<readonly Item[]>): AsyncGenerator<Item> {
  for await (const block of blocks) yield* block;
}
