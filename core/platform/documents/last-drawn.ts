import { createHash } from 'node:crypto';

/** Hands out the file that was drawn from the same things before, else draws it. Those who ask at once wait for one drawing. */
export type LastDrawn = (from: unknown, draw: () => Promise<Buffer>) => Promise<Buffer>;

const FILES_MAX = 64;
const BYTES_MAX = 8 * 1_024 * 1_024;

/**
 * Keeps the files that were asked for last, at most `files` of them and `bytes` in all. `from` is everything that a file is drawn from, as plain values;
 * a file of the same is the same, and any difference is drawn anew. A drawing that fails is not kept.
 */
export function createLastDrawn({ files = FILES_MAX, bytes = BYTES_MAX } = {}): LastDrawn {
  const kept = new Map<string, { readonly content: Promise<Buffer>; size: number }>();

  function makeRoom(): void {
    let total = [...kept.values()].reduce((sum, { size }) => sum + size, 0);
    for (const [key, { size }] of kept) {
      if (kept.size <= files && total <= bytes) return;
      kept.delete(key);
      total -= size;
    }
  }

  return (from, draw) => {
    const key = createHash('sha256').update(JSON.stringify(from)).digest('base64');
    const known = kept.get(key);
    kept.delete(key);
    const file = known ?? { content: draw(), size: 0 };
    kept.set(key, file);
    if (known === undefined) {
      file.content.then(
        (content) => {
          file.size = content.length;
          makeRoom();
        },
        () => kept.get(key) === file && kept.delete(key),
      );
    }
    return file.content;
  };
}
