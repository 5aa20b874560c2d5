import type { ChargeResult } from './charge-result.ts';

/**
 * Dependencies of `sendUntilAnswered`. `sendRequest` sends the request under the same idempotency key each time, so repeating it is safe.
 */
interface SendDependencies {
  readonly sendRequest: () => Promise<ChargeResult>;
  readonly wait: (ms: number) => Promise<void>;
  readonly now: () => number;
}

/** Largest number of requests per press of Charge. */
export const SENDS_MAX = 6;
const FIRST_PAUSE_MS = 400;
const LONGEST_PAUSE_MS = 4000;

/** Sends a charge until the service answers, at most SENDS_MAX times. */
export async function sendUntilAnswered({ sendRequest, wait, now }: SendDependencies): Promise<ChargeResult> {
  for (let attempt = 1; ; attempt += 1) {
    const result = await sendRequest();
    const pauseMs = retryDelayMs(result, attempt, now());
    if (pauseMs === null) return result;
    if (attempt === SENDS_MAX) return { kind: 'no-response' };
    await wait(Math.min(Math.max(pauseMs, FIRST_PAUSE_MS), LONGEST_PAUSE_MS));
  }
}

/** Returns the delay before the next request in milliseconds, or null if the result is final. */
function retryDelayMs(result: ChargeResult, attempt: number, nowMs: number): number | null {
  if (result.kind === 'no-response') return FIRST_PAUSE_MS * 2 ** (attempt - 1);
  if (result.kind !== 'refused') return null;
  const { code, retryAtMs } = result.refusal;
  // An earlier request with this key is still being processed: its response is the result.
  return code === 'RESOURCE_CONFLICT' && retryAtMs !== undefined ? retryAtMs - nowMs : null;
}
