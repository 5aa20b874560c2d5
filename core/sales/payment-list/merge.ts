/** Part of a list: `limit` items after the first `skip` items below a position. */
export interface ItemRange {
  readonly below: string | undefined;
  readonly skip: number;
  readonly limit: number;
}

/** An item with its position in the order of the lists; larger positions are newer. */
export interface Positioned {
  readonly position: string;
}

/** A list in descending order of the positions. */
export interface OrderedList<Item extends Positioned> {
  readonly total: number;
  readonly read: (range: ItemRange) => Promise<readonly Item[]>;
}

/** Merges two parts of ordered lists. */
export function merge<Item extends Positioned>(left: readonly Item[], right: readonly Item[], limit: number): Item[] {
  return [...left, ...right].sort((one, other) => (one.position < other.position ? 1 : -1)).slice(0, limit);
}

/** Returns `limit` items of two merged lists after the first `skip` items. */
export async function mergedRange<Item extends Positioned>(
  left: OrderedList<Item>,
  right: OrderedList<Item>,
  { skip, limit }: { readonly skip: number; readonly limit: number },
): Promise<Item[]> {
  const [fromLeft, fromRight] = await split(left, right, skip);
  const [leftItems, rightItems] = await Promise.all([left.read({ ...fromLeft, limit }), right.read({ ...fromRight, limit })]);
  return merge(leftItems, rightItems, limit);
}

type Start = Pick<ItemRange, 'below' | 'skip'>;

/** An item that was read, with the number of items up to it. */
interface Anchor {
  readonly count: number;
  readonly below: string | undefined;
}

const START: Anchor = { count: 0, below: undefined };

/**
 * Returns the positions in both lists after their newest `skip` items together. A binary search over the share of the left list: each step skips from
 * the last item known to belong to the skipped ones, so all steps together skip hardly more rows than one read of that depth.
 */
async function split<Item extends Positioned>(left: OrderedList<Item>, right: OrderedList<Item>, skip: number): Promise<[Start, Start]> {
  let [fewest, most] = [Math.min(left.total, Math.max(0, skip - right.total)), Math.min(skip, left.total)];
  let [inLeft, inRight] = [START, START];
  while (fewest < most) {
    const share = (fewest + most) >> 1;
    const rest = skip - share - 1;
    const [[leftItem], [rightItem]] = await Promise.all([
      left.read({ below: inLeft.below, skip: share - inLeft.count, limit: 1 }),
      right.read({ below: inRight.below, skip: rest - inRight.count, limit: 1 }),
    ]);
    if (leftItem !== undefined && (rightItem === undefined || leftItem.position > rightItem.position)) {
      fewest = share + 1;
      inLeft = { count: share + 1, below: leftItem.position };
    } else {
      most = share;
      if (rightItem !== undefined) inRight = { count: rest + 1, below: rightItem.position };
    }
  }
  return [
    { below: inLeft.below, skip: fewest - inLeft.count },
    { below: inRight.below, skip: skip - fewest - inRight.count },
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
