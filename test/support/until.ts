import { timed } from './timings.ts';

const EVERY_MS = 20;
const WITHIN_MS = 50_000;

/** Returns after a pause; for load that is spread over time, never to wait for a result. */
export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Waits until a condition holds and returns its first truthy result. The limit only ends a test that hangs: it is far above what a slow machine needs.
 * @throws with `what` when the condition never holds.
 */
export async function until<Result>(
  what: string,
  condition: () => Promise<Result> | Result,
  { withinMs = WITHIN_MS, everyMs = EVERY_MS }: { readonly withinMs?: number; readonly everyMs?: number } = {},
): Promise<NonNullable<Exclude<Result, false>>> {
  return timed('wait for a condition', async () => {
    for (const giveUpAt = performance.now() + withinMs; ; await pause(everyMs)) {
      const result = await condition();
      if (result) return result as NonNullable<Exclude<Result, false>>;
      if (performance.now() > giveUpAt) throw new Error(`Gave up after ${withinMs} ms waiting until ${what}`);
    }
  });
}
