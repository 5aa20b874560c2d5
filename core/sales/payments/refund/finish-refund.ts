import type { Work } from '#core/database';
import { isoTime, realTime, serviceActor } from '#core/kernel';
import { keyNameOf, NO_IDEMPOTENCY_KEY } from '#core/platform/idempotency';
import type { Outcome } from '#core/processing/gateways';
import { finishAttempt, newAttempt } from '../attempts/attempts.ts';
import { callGatewayFor } from '../attempts/call-gateway.ts';
import type { Dependencies, PaymentResult } from '../dependencies.ts';
import { coversFullCapture } from '../eligibility.ts';
import { reasonOf } from '../outcome.ts';
import { conclude } from '../outcomes/conclude.ts';
import { isAcceptedRefund, writeHeldRefund } from '../outcomes/held-refunds.ts';
import { lockRefund, lockTransaction } from '../repository.ts';
import { ATTEMPTS, type AttemptRow, REFUNDS, TRANSACTIONS, type TransactionRow } from '../schema.ts';
import { toRefund } from '../transaction.ts';

/**
 * Refunds of unsettled payments. If a gateway refuses such refunds, a full refund becomes a void, and a partial one waits for the batch
 * and is sent automatically. The caller gets `approved` or `pending`. An outage of the gateway never ends a pending refund.
 */

/** Time after its closing in which a gateway processes a batch. */
const BATCH_PROCESSING_MS = 3_600_000;

/** Concludes an attempt of a refund. If the gateway refuses the refund of an unsettled payment, it becomes a void or waits for the batch. */
export async function finishRefund(deps: Dependencies, row: TransactionRow, attempt: AttemptRow, outcome: Outcome): Promise<PaymentResult> {
  if (attempt.operation === 'void') {
    const isAlreadyVoided = outcome.kind === 'not-sent' && outcome.code === 'ALREADY_VOIDED';
    if (isAlreadyVoided) return conclude(deps, attempt, { kind: 'approved', reference: row.gateway_reference ?? '' });
    const isSettled = outcome.kind === 'declined' || (outcome.kind === 'not-sent' && outcome.retry !== 'unavailable');
    return isSettled ? scheduleAfterBatch(deps, attempt, outcome) : conclude(deps, attempt, outcome);
  }
  if (outcome.kind !== 'not-sent' || outcome.retry !== 'after-batch') return conclude(deps, attempt, outcome);
  const voidInstead = await startVoid(deps, attempt, outcome);
  if (voidInstead === null) return scheduleAfterBatch(deps, attempt, outcome);
  return finishRefund(deps, voidInstead.row, voidInstead.attempt, await callGatewayFor(deps, voidInstead.row, voidInstead.attempt));
}

/** Writes the void that refunds an unsettled payment fully. Returns null for a partial refund, or while another change is in progress. */
async function startVoid(deps: Dependencies, attempt: AttemptRow, outcome: Extract<Outcome, { kind: 'not-sent' }>) {
  return deps.database.unitOfWork.transaction(attempt.tenant_id, async (work) => {
    const row = await lockTransaction(work, attempt.transaction_id);
    const refund = await lockRefund(work, attempt.refund_id ?? '');
    if (row.pending_attempt !== null || !coversFullCapture(row, refund.amount_minor, refund.amount_minor)) return null;
    const voidAttempt = nextAttempt(deps, attempt, 'void');
    if (!(await finishUnsentAttempt(deps, work, attempt, outcome))) return null;
    work.insert(ATTEMPTS, voidAttempt);
    await work.update(REFUNDS, { id: refund.id }, { sent_as: 'void', processor_ref: voidAttempt.processor_ref });
    await work.update(TRANSACTIONS, { id: row.id }, { pending_attempt: voidAttempt.id });
    return { row, attempt: voidAttempt };
  });
}

/** Returns the next attempt of the same request. It takes over the Idempotency-Key, which waits for the result. */
function nextAttempt(deps: Dependencies, attempt: AttemptRow, operation: 'void' | 'refund'): AttemptRow {
  const { tenant_id, transaction_id, refund_id, amount_minor, currency, actor, actor_id, approved_by, request_id, ip } = attempt;
  const { idempotency_credential, idempotency_key, idempotency_route } = attempt;
  const attemptRow = newAttempt(deps, serviceActor(tenant_id), {
    transactionId: transaction_id,
    refundId: refund_id ?? undefined,
    operation,
    via: attempt,
    amountMinor: amount_minor,
    currency,
    shiftId: attempt.shift_id,
  });
  return { ...attemptRow, actor, actor_id, approved_by, request_id, ip, idempotency_credential, idempotency_key, idempotency_route };
}

async function finishUnsentAttempt(deps: Dependencies, work: Work, attempt: AttemptRow, outcome: Outcome): Promise<boolean> {
  const reason = outcome.kind === 'not-sent' || outcome.kind === 'declined' ? reasonOf(outcome) : null;
  await work.update(ATTEMPTS, { id: attempt.id }, NO_IDEMPOTENCY_KEY);
  return finishAttempt(work, attempt, 'failed', reason, isoTime(deps.clockOf(attempt.tenant_id).now()));
}

/** Schedules a refund for the time after the batch of the payment has closed, and returns it as pending. */
export async function scheduleAfterBatch(deps: Dependencies, attempt: AttemptRow, outcome: Outcome | null): Promise<PaymentResult> {
  const { tenant_id } = attempt;
  const closesMs = await deps.batchClosesAt(tenant_id, attempt.gateway_id ?? '', Date.now());
  // If it has waited for a batch already, it is retried every hour.
  const dueMs = realTime(((isAcceptedRefund(attempt) ? null : closesMs) ?? Date.now()) + BATCH_PROCESSING_MS);
  return deps.database.unitOfWork.transaction(tenant_id, async (work) => {
    const row = await lockTransaction(work, attempt.transaction_id);
    const refund = await lockRefund(work, attempt.refund_id ?? '');
    if (!(await finishUnsentAttempt(deps, work, attempt, outcome ?? CAPTURE_NOT_SENT))) return { refund: toRefund(refund) };
    const pending = { refund: toRefund(await writeHeldRefund(deps, work, { row, refund, after: attempt }, dueMs)) };
    const idempotencyKey = keyNameOf(attempt);
    if (idempotencyKey) await deps.idempotencyKeys.completeInWork(work, idempotencyKey, deps.renderResponse(idempotencyKey.route, pending));
    work.afterCommit(() => deps.changed(tenant_id, 'transactions', row.merchant_id));
    return pending;
  });
}

const CAPTURE_NOT_SENT: Outcome = { kind: 'not-sent', reason: 'The capture has not been sent yet.', retry: 'after-batch' };
