import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
/** Collects all garbage. */
export const collectGarbage = runInNewContext('gc') as () => void;

/**
 * Returns the growth of the used heap. Garbage counts only up to the limit, because the engine collects it later the larger the heap of the other
 * tests is.
 */
export function heapGrowth(before: number, limit: number): number {
  if (process.memoryUsage().heapUsed - before > limit) collectGarbage();
  return process.memoryUsage().heapUsed - before;
}
