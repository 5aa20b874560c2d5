import { createHash } from 'node:crypto';

/** Returns the file rendered from the same input before, or renders it. Parallel callers share one rendering. */
export type RenderCache = (from: unknown, draw: () => Promise<Buffer>) => Promise<Buffer>;

const FILES_MAX = 64;
const BYTES_MAX = 8 * 1_024 * 1_024;

/**
 * Creates a cache of the most recently used files, at most `files` of them and `bytes` in total. `from` is the complete input of a file as
 * plain values: equal input gives the cached file. A failed rendering is not cached.
 */
export function createRenderCache({ files = FILES_MAX, bytes = BYTES_MAX } = {}): RenderCache {
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
