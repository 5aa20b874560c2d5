import type { Answer } from './answer.ts';

/** What sending needs of the outside. `ask` sends the one request, always under the same Idempotency-Key, so that asking again is safe. */
interface Sending {
  readonly ask: () => Promise<Answer>;
  readonly wait: (ms: number) => Promise<void>;
  readonly now: () => number;
}

/** How often one press of Charge asks, at most. */
export const SENDS_MAX = 6;
const FIRST_PAUSE_MS = 400;
const LONGEST_PAUSE_MS = 4000;

/** Sends a charge until the service has said what became of it, or SENDS_MAX times. */
export async function sendUntilAnswered({ ask, wait, now }: Sending): Promise<Answer> {
  for (let send = 1; ; send += 1) {
    const answer = await ask();
    const pauseMs = pauseAfter(answer, send, now());
    if (pauseMs === null) return answer;
    if (send === SENDS_MAX) return { kind: 'silence' };
    await wait(Math.min(Math.max(pauseMs, FIRST_PAUSE_MS), LONGEST_PAUSE_MS));
  }
}

/** How long to wait before asking the same again, or null when the answer stands. */
function pauseAfter(answer: Answer, send: number, nowMs: number): number | null {
  if (answer.kind === 'silence') return FIRST_PAUSE_MS * 2 ** (send - 1);
  if (answer.kind !== 'refused') return null;
  const { code, retryAtMs } = answer.refusal;
  // The first of two sends is still under way: its answer will be ours.
  return code === 'RESOURCE_CONFLICT' && retryAtMs !== undefined ? retryAtMs - nowMs : null;
}
