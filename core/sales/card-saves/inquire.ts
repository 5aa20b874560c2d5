import type { Job } from '#core/platform/scheduling';
import { CARD_SAVE_JOB, finish, inquiryOf, record } from './conclude.ts';
import type { Dependencies } from './dependencies.ts';
import { CARD_SAVES, type CardSaveRow } from './schema.ts';

/** Time in which a reader answers. Later, the request is unconfirmed and the reader may be used again. */
export const ANSWERS_WITHIN_MS = 300_000;
/** Time after which a request without an outcome ends. Nothing is charged by it, so nothing is lost. */
const GIVES_UP_AFTER_MS = 3_600_000;
const CONCURRENCY = 8;
const LEASE_MS = 60_000;

const GIVEN_UP = { kind: 'not-sent', reason: 'The processor gave no answer for an hour. Ask for the card again.', retry: 'error' } as const;

/** Job that asks about requests to store a card: the reader while they run on it, otherwise the processor's records. It sends none of them again. */
export function cardSaveJob(deps: Dependencies): Job<CardSaveRow> {
  return {
    name: CARD_SAVE_JOB,
    table: CARD_SAVES,
    clock: 'real',
    concurrency: CONCURRENCY,
    leaseMs: LEASE_MS,
    run: (row) => ask(deps, row),
  };
}

async function ask(deps: Dependencies, row: CardSaveRow): Promise<string> {
  const answer = await answerFor(deps, row);
  const ageMs = Date.now() - Date.parse(row.sent_at);
  if (answer.kind === 'running' && ageMs < ANSWERS_WITHIN_MS) {
    await deps.terminals.connectionSeen(row.tenant_id, row.terminal_id, 'online');
    await record(deps, row, answer);
    return 'asked';
  }
  if (answer.kind === 'running' || answer.kind === 'unknown' || answer.kind === 'pending') {
    if (ageMs >= GIVES_UP_AFTER_MS) {
      await finish(deps, row, GIVEN_UP);
      return 'given up';
    }
    await record(deps, row, { kind: 'unknown', cause: 'The card reader did not answer.' });
    if (row.state !== 'unconfirmed') await deps.terminals.recheck(row.tenant_id, row.terminal_id);
    return 'asked';
  }
  await finish(deps, row, answer);
  return 'settled';
}

async function answerFor(deps: Dependencies, row: CardSaveRow) {
  const { terminals } = await deps.gateways.connectorFor(row.tenant_id, row.gateway_id);
  if (!terminals) return { kind: 'unknown', cause: 'The gateway of the card reader is not set up.' } as const;
  const inquiry = await inquiryOf(deps, row);
  return row.state === 'unconfirmed' || row.state === 'starting' ? terminals.inquire(inquiry) : terminals.status(inquiry);
}
