import type { Answer } from './answer.ts';

/** Dependencies of sending. `ask` sends the request under the same idempotency key each time, so repeating it is safe. */
interface Sending {
  readonly ask: () => Promise<Answer>;
  readonly wait: (ms: number) => Promise<void>;
  readonly now: () => number;
}

/** Largest number of requests per press of Charge. */
export const SENDS_MAX = 6;
const FIRST_PAUSE_MS = 400;
const LONGEST_PAUSE_MS = 4000;

/** Sends a charge until the service answers, at most SENDS_MAX times. */
export async function sendUntilAnswered({ ask, wait, now }: Sending): Promise<Answer> {
  for (let send = 1; ; send += 1) {
    const answer = await ask();
    const pauseMs = pauseAfter(answer, send, now());
    if (pauseMs === null) return answer;
    if (send === SENDS_MAX) return { kind: 'silence' };
    await wait(Math.min(Math.max(pauseMs, FIRST_PAUSE_MS), LONGEST_PAUSE_MS));
  }
}

/** Returns the delay before the next request, or null if the answer is final. */
function pauseAfter(answer: Answer, send: number, nowMs: number): number | null {
  if (answer.kind === 'silence') return FIRST_PAUSE_MS * 2 ** (send - 1);
  if (answer.kind !== 'refused') return null;
  const { code, retryAtMs } = answer.refusal;
  // The first of two sends is still under way: its answer will be ours.
  return code === 'RESOURCE_CONFLICT' && retryAtMs !== undefined ? retryAtMs - nowMs : null;
}
