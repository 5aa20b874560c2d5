import type { Gathering } from '../../core/database/gathering.ts';

const SIZE_MAX = 256;

/**
 * Collects the items of one turn of the event loop and passes them on together. With `gathering`, it also waits while the turns that follow add items, as
 * Paydesk does, so that the groups are larger.
 */
export function group<Item>(
  flush: (items: readonly Item[]) => void | Promise<void>,
  gathering: Gathering | null = null,
): (item: Item) => Promise<void> {
  let waiting: { item: Item; resolve: () => void; reject: (error: unknown) => void }[] = [];
  let scheduled = false;
  const run = async () => {
    while (waiting.length > 0) {
      if (gathering) await gathering.waitFor(() => waiting.length, SIZE_MAX);
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
