/** Collects the items of one turn of the event loop and passes them on together. */
export function group<Item>(flush: (items: readonly Item[]) => void | Promise<void>): (item: Item) => Promise<void> {
  let waiting: { item: Item; resolve: () => void; reject: (error: unknown) => void }[] = [];
  let scheduled = false;
  const run = async () => {
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      try {
        const flushing = flush(batch.map(({ item }) => item));
        if (flushing) await flushing;
        for (const { resolve } of batch) resolve();
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
      if (waiting.length > 0) await new Promise(setImmediate);
    }
    scheduled = false;
  };
  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (!scheduled) {
        scheduled = true;
        setImmediate(run);
      }
    });
}
