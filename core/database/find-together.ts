interface FindTogether<Item, Found> {
  /** Maximum number of items that are found by one call. */
  readonly max: number;
  /** Returns the name of the group of an item. Items of different groups are found separately. */
  readonly groupOf: (item: Item) => string;
  /** Finds items of one group. Returns their results in the same order. */
  readonly findAll: (items: readonly Item[]) => Promise<readonly Found[]>;
}

interface Waiting<Item, Found> {
  readonly item: Item;
  readonly resolve: (found: Found) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Returns a function that finds one item. Items of one turn of the event loop are found together, because a statement costs more than the row that
 * it finds. An error rejects all items of its call.
 */
export function findTogether<Item, Found>({ max, groupOf, findAll }: FindTogether<Item, Found>): (item: Item) => Promise<Found> {
  let groups = new Map<string, Waiting<Item, Found>[]>();

  async function find(waiting: readonly Waiting<Item, Found>[]): Promise<void> {
    try {
      const found = await findAll(waiting.map(({ item }) => item));
      for (const [at, { resolve }] of waiting.entries()) resolve(found[at] as Found);
    } catch (error) {
      for (const { reject } of waiting) reject(error);
    }
  }

  function flush(): void {
    const collected = groups;
    groups = new Map();
    for (const waiting of collected.values())
      for (let from = 0; from < waiting.length; from += max) void find(waiting.slice(from, from + max));
  }

  return (item) =>
    new Promise((resolve, reject) => {
      if (groups.size === 0) setImmediate(flush);
      const name = groupOf(item);
      const waiting = groups.get(name) ?? [];
      waiting.push({ item, resolve, reject });
      groups.set(name, waiting);
    });
}
