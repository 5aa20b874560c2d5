import { lit, queriesOn, TENANT, timeOf } from '#core/database';
import { isoTime, later, realNow, realTime } from '#core/kernel';
import { type Job, released } from '#core/platform/scheduling';
import type { Connector } from '#core/processing/gateways';
import { inquiryOf } from '../attempts/call-gateway.ts';
import type { Dependencies } from '../dependencies.ts';
import { inquireOnPage } from '../hosted-pages/record-payment.ts';
import { isRefusal } from '../outcome.ts';
import { isAutoVoid, sendAutoVoid } from '../outcomes/auto-void.ts';
import { conclude, isNewPayment, RESOLVE_JOB, recordReview, reportAlert } from '../outcomes/conclude.ts';
import { approvedByPaydesk, isDecidedByPaydesk } from '../outcomes/held-captures.ts';
import { readTransaction } from '../repository.ts';
import { ATTEMPTS, type AttemptRow, TRANSACTIONS, type TransactionRow } from '../schema.ts';
import { askTerminal } from '../terminal/run.ts';
import { checkedAnswer } from '../terminal-facts/amounts.ts';
import { isAtTerminal } from '../terminal-facts/facts.ts';
import { isOnHostedPage } from '../transaction.ts';
import { sendHeld } from './send-held.ts';

const queries = queriesOn(ATTEMPTS);

/** Delays between inquiries about one attempt; after the last one, every hour. An attempt is never concluded by its age alone. */
const INQUIRY_DELAYS_MS = [2_000, 5_000, 15_000, 60_000, 300_000, 900_000] as const;
const INQUIRY_DELAY_LAST_MS = 3_600_000;
/** Delay before the next inquiry if the gateway did not find the attempt but may still receive it. */
const NOT_FOUND_DELAY_MS = 300_000;
const CONCURRENCY = 24;
const LEASE_MS = 20_000;

/**
 * Job that finds the outcomes of unconfirmed attempts: it inquires at the gateway by Paydesk's own reference and concludes
 * the attempt like its request would have done. It never sends a payment again; held captures and refunds are sent by it once. It runs in real time,
 * because gateways do.
 */
export function resolveJob(deps: Dependencies): Job<AttemptRow> {
  return {
    name: RESOLVE_JOB,
    table: ATTEMPTS,
    clock: 'real',
    concurrency: CONCURRENCY,
    leaseMs: LEASE_MS,
    async run(attempt) {
      if (!(await extendLease(deps, attempt))) return 'skipped';
      try {
        return await processAttempt(deps, attempt);
      } catch (cause) {
        // Releases the attempt for a retry, because the lease is as long as a processor may take to answer.
        await releaseForLater(deps, attempt, {}, INQUIRY_DELAYS_MS[3]);
        throw cause;
      }
    },
  };
}

async function processAttempt(deps: Dependencies, attempt: AttemptRow): Promise<string> {
  if (attempt.state === 'held') return sendHeld(deps, attempt);
  const row = await readTransaction(deps.database.read(attempt.tenant_id), attempt.transaction_id);
  if (isAutoVoid(attempt, row)) return (await sendAutoVoid(deps, attempt, row)) ? 'settled' : 'asked';
  const openResult = await inquireOnce(deps, attempt, row);
  if (openResult === null) return 'settled';
  if (openResult === 'on-reader') return 'asked';
  const { inquiries } = attempt;
  const delay = openResult.missed === null ? (INQUIRY_DELAYS_MS[inquiries] ?? INQUIRY_DELAY_LAST_MS) : NOT_FOUND_DELAY_MS;
  await releaseForLater(
    deps,
    attempt,
    { state: 'unconfirmed', inquiries: inquiries + 1, last_inquiry_at: isoTime(Date.now()), ...openResult },
    delay,
  );
  return 'asked';
}

/** Releases an attempt for a later inquiry, unless another process concluded or claimed it. */
async function releaseForLater(
  deps: Dependencies,
  { tenant_id, id, fence, state }: AttemptRow,
  set: Partial<AttemptRow>,
  delayMs: number,
): Promise<void> {
  await deps.database.unitOfWork.transaction(tenant_id, (work) =>
    work.update(ATTEMPTS, { id, fence, state }, { ...set, ...released(later(realNow(), delayMs)) }),
  );
}

/** Extends the lease, because a processor may take longer to answer. Returns false if another process changed the attempt after the claim. */
async function extendLease(deps: Dependencies, { tenant_id, id, fence, state }: AttemptRow): Promise<boolean> {
  if (!deps.gateways.isLive(tenant_id)) return true;
  const leaseMs = Math.trunc(deps.gateways.answersWithinMs(tenant_id)) + LEASE_MS;
  const extended = await deps.database.unitOfWork.transaction(tenant_id, (work) =>
    work.execute(
      queries
        .updateTable('attempts')
        .set(({ eb }) => ({ lease_ms: eb(timeOf(deps.database), '+', lit(leaseMs)) }))
        .where('tenant_id', '=', TENANT)
        .where('id', '=', id)
        .where('fence', '=', fence)
        .where('state', '=', state),
    ),
  );
  return extended === 1;
}

/** State of an attempt after an inquiry without a final result. */
type OpenResult = Pick<AttemptRow, 'missed' | 'alert'>;

/** Inquires once; null if the attempt is concluded, and `on-reader` if it still runs on its card reader, which is recorded. */
async function inquireOnce(deps: Dependencies, attempt: AttemptRow, row: TransactionRow): Promise<OpenResult | 'on-reader' | null> {
  if (isDecidedByPaydesk(row, attempt)) {
    await conclude(deps, attempt, approvedByPaydesk(row));
    return null;
  }
  const connector = await deps.gateways.connectorFor(attempt.tenant_id, attempt.gateway_id);
  const onReader = isAtTerminal(row) && isNewPayment(attempt);
  const outcome = onReader ? await askTerminal(deps, connector, row, attempt) : await answerOf(connector, row, attempt);
  if (outcome === null) return 'on-reader';
  if (outcome.kind === 'unknown') {
    if (outcome.alert && outcome.alert !== attempt.alert) reportAlert(deps, attempt, outcome.alert);
    return { missed: null, alert: outcome.alert ?? attempt.alert };
  }
  if (outcome.kind === 'pending') {
    if (isNewPayment(attempt) && row.pending_reason !== outcome.reason) await recordReviewChange(deps, attempt, outcome);
    return { missed: null, alert: null };
  }
  const isFinal = connector.capabilities.notFoundIsFinal || wasNotFoundBefore(attempt);
  if (outcome.kind === 'not-found' && !isFinal) return { missed: (attempt.missed ?? 0) + 1, alert: attempt.alert };
  try {
    await conclude(
      deps,
      attempt,
      outcome.kind === 'not-found'
        ? { kind: 'not-sent', reason: 'The gateway never received the request.', retry: 'unavailable' }
        : outcome,
    );
  } catch (error) {
    // A failed or refused attempt throws the error of its request, for which no caller waits here.
    if (!isRefusal(error)) throw error;
  }
  if (attempt.operation === 'sale')
    await deps.events.publishCommitted('payment.confirmed', { tenantId: attempt.tenant_id, transactionId: attempt.transaction_id });
  return null;
}

/** Returns the answer to an inquiry; an approval of an amount that the payment does not allow becomes what follows from it. */
async function answerOf(connector: Connector, row: TransactionRow, attempt: AttemptRow) {
  if (isNewPayment(attempt) && isOnHostedPage(row)) return inquireOnPage(connector, row, attempt);
  const answer = await connector.inquire(inquiryOf(row, attempt));
  return isNewPayment(attempt) ? checkedAnswer(row, answer) : answer;
}

/** Returns true if an inquiry that was long enough ago did not find the attempt either. */
function wasNotFoundBefore({ missed, last_inquiry_at }: AttemptRow): boolean {
  return missed !== null && last_inquiry_at !== null && Date.now() - Date.parse(last_inquiry_at) >= NOT_FOUND_DELAY_MS;
}

async function recordReviewChange(deps: Dependencies, attempt: AttemptRow, found: Parameters<typeof recordReview>[2]): Promise<void> {
  const { tenant_id } = attempt;
  const at = isoTime(deps.clockOf(tenant_id).now());
  await deps.database.unitOfWork.transaction(tenant_id, async (work) => {
    await recordReview(work, attempt, found, at);
    const payment = await work.one(TRANSACTIONS, { id: attempt.transaction_id });
    work.afterCommit(() => deps.changed(tenant_id, 'transactions', payment?.merchant_id ?? null));
  });
}

/** Makes every attempt due that the previous process left open. On SQLite only one process uses the data directory, so no other one is working on them. */
export async function resumeLeftovers(deps: Dependencies): Promise<void> {
  if (deps.database.kind !== 'sqlite') return;
  await deps.database.unitOfWork.transaction(null, (work) =>
    work.execute(
      queries.updateTable('attempts').set({ due_ms: realNow() }).where('due_ms', 'is not', null).where('state', '<>', lit('held')),
    ),
  );
}

/** Brings the next inquiries of a tenant forward. Attempts whose response may still arrive are not changed. */
export async function bringInquiriesForward(deps: Dependencies, tenantId: string, byMs: number): Promise<void> {
  await deps.database.unitOfWork.transaction(tenantId, (work) =>
    work.execute(
      queries
        .updateTable('attempts')
        .set(({ eb }) => ({ due_ms: eb('due_ms', '-', realTime(byMs)) }))
        .where('tenant_id', '=', TENANT)
        .where('state', '=', lit('unconfirmed'))
        .where('due_ms', 'is not', null),
    ),
  );
}
