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
  const cache = new Map<string, { readonly content: Promise<Buffer>; size: number }>();

  function makeRoom(): void {
    let total = [...cache.values()].reduce((sum, { size }) => sum + size, 0);
    for (const [key, { size }] of cache) {
      if (cache.size <= files && total <= bytes) return;
      cache.delete(key);
      total -= size;
    }
  }

  return (from, draw) => {
    const key = createHash('sha256').update(JSON.stringify(from)).digest('base64');
    const cached = cache.get(key);
    cache.delete(key);
    const file = cached ?? { content: draw(), size: 0 };
    cache.set(key, file);
    if (cached === undefined) {
      file.content.then(
        (content) => {
          file.size = content.length;
          makeRoom();
        },
        () => cache.get(key) === file && cache.delete(key),
      );
    }
    return file.content;
  };
}
