import { allows, isoTime, later, ServiceError, serviceActor } from '#core/kernel';
import { type Job, released } from '#core/platform/scheduling';
import { newAttempt } from '../attempts/attempts.ts';
import { callGatewayFor } from '../attempts/call-gateway.ts';
import type { Dependencies } from '../dependencies.ts';
import { conclude } from '../outcomes/conclude.ts';
import { isInProgress, readEntry } from '../queue-entries/entry.ts';
import { BUSY_DELAY_MS, delaySince } from '../queue-entries/schedule.ts';
import { type QueueRow, REFUND_QUEUE } from '../queue-entries/schema.ts';
import { QUEUE_STEPS } from '../queue-entries/steps.ts';
import { lockTransaction } from '../repository.ts';
import { ATTEMPTS, type AttemptRow, REFUNDS, type TransactionRow } from '../schema.ts';

export const RETRY_JOB = 'payments.retry-declined-refunds';

const CONCURRENCY = 8;
const LEASE_MS = 20_000;

/** Result of processing a due entry. */
type RetryResult = 'resolved' | 'requeued' | 'failed' | 'unconfirmed' | 'skipped';

/** Job that retries due declined refunds. */
export function retryJob(deps: Dependencies): Job<QueueRow> {
  return {
    name: RETRY_JOB,
    charges: true,
    table: REFUND_QUEUE,
    clock: 'tenant',
    countedAs: 'refundRetries',
    concurrency: CONCURRENCY,
    leaseMs: LEASE_MS,
    run: (row) => retryRefund(deps, row),
  };
}

/** Writes an attempt for the existing refund, calls the gateway and records the response, like every refund. */
async function retryRefund(deps: Dependencies, claimed: QueueRow): Promise<RetryResult> {
  return deps.serial.run(claimed.transaction_id, async () => {
    const started = await startAttempt(deps, claimed);
    if (!started) return 'skipped';
    try {
      await conclude(deps, started.attempt, await callGatewayFor(deps, started.transaction, started.attempt));
    } catch (error) {
      // The gateway failed or did not respond. The entry has the next step.
      if (!(error instanceof ServiceError)) throw error;
    }
    return retryResultOf(await readEntry(deps.database.read(claimed.tenant_id), claimed.id));
  });
}

/** Writes the intent of an attempt. Returns null if the entry was closed, an attempt is in progress, or another server has claimed the entry. */
async function startAttempt(deps: Dependencies, claimed: QueueRow): Promise<{ transaction: TransactionRow; attempt: AttemptRow } | null> {
  const { tenant_id, id, fence } = claimed;
  return deps.database.unitOfWork.transaction(tenant_id, async (work) => {
    const transaction = await lockTransaction(work, claimed.transaction_id);
    const entry = await work.lockOne(REFUND_QUEUE, { id });
    if (!entry || entry.fence !== fence || isInProgress(entry) || !allows(QUEUE_STEPS, entry.status, 'begin')) return null;
    const now = deps.clockOf(tenant_id).now();
    if (transaction.pending_attempt !== null) {
      await work.update(
        REFUND_QUEUE,
        { id, fence },
        released(later(now, delaySince(entry.scheduled_ms ?? entry.created_ms, now, BUSY_DELAY_MS))),
      );
      return null;
    }
    const attempt = newAttempt(deps, serviceActor(tenant_id), {
      transactionId: entry.transaction_id,
      refundId: entry.refund_id,
      operation: 'refund',
      via: transaction,
      amountMinor: entry.amount_minor,
      currency: entry.currency,
    });
    work.insert(ATTEMPTS, attempt);
    await work.update(REFUNDS, { id: entry.refund_id }, { processor_ref: attempt.processor_ref });
    await work.update(REFUND_QUEUE, { id, fence }, { status: 'processing', updated_at: isoTime(now), ...released(null) });
    return { transaction, attempt };
  });
}

function retryResultOf(entry: QueueRow): RetryResult {
  if (isInProgress(entry)) return 'unconfirmed';
  if (entry.status === 'resolved' || entry.status === 'failed') return entry.status;
  return 'requeued';
}
