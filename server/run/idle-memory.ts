import { performance } from 'node:perf_hooks';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const CHECK_INTERVAL_MS = 30_000;
/** Part of the time in which an idle service does something. */
const IDLE_UTILIZATION = 0.02;
/** Growth of the heap that is worth a complete collection. */
const GROWTH_BYTES = 24 * 1_048_576;

interface Heap {
  /** Bytes that the heap takes from the operating system. */
  size(): number;
  /** Runs a complete collection and returns free memory to the operating system. */
  collect(): void;
}

/** The function of V8 that runs a collection; undefined where a program does not allow it. */
type Collect = (options: { readonly type: 'major'; readonly execution: 'sync'; readonly flavor: 'last-resort' }) => void;

export const heap: Heap = {
  size: () => getHeapStatistics().total_heap_size,
  collect() {
    // The function exists only in contexts that are created while the flag is set.
    setFlagsFromString('--expose-gc');
    const gc = runInNewContext('globalThis.gc') as Collect | undefined;
    setFlagsFromString('--no-expose-gc');
    gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' });
  },
};

/**
 * Returns memory to the operating system when the service is idle, which V8 does only under pressure. A complete collection takes 0.1 to 0.3 s, so
 * it runs after two intervals without work, and only if the heap has grown. Returns a function that ends this. For processes of Node only: Electron
 * may refuse to change flags of V8 after its start.
 */
export function releaseIdleMemory(intervalMs: number = CHECK_INTERVAL_MS, { size, collect }: Heap = heap): () => void {
  let utilization = performance.eventLoopUtilization();
  let isIdle = false;
  let sizeAfterRelease = 0;
  const timer = setInterval(() => {
    const wasIdle = isIdle;
    const now = performance.eventLoopUtilization();
    isIdle = performance.eventLoopUtilization(now, utilization).utilization < IDLE_UTILIZATION;
    utilization = now;
    if (!isIdle || !wasIdle || size() - sizeAfterRelease < GROWTH_BYTES) return;
    collect();
    sizeAfterRelease = size();
  }, intervalMs);
  timer.unref();
  return () => clearInterval(timer);
}
