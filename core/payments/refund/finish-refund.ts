import type { Work } from '#core/database';
import type { Outcome } from '#core/gateways';
import { isoTime, realTime, serviceActor } from '#core/kernel';
import { keyNameOf, NO_IDEMPOTENCY_KEY } from '#core/platform/idempotency';
import { finishAttempt, newAttempt } from '../attempts/attempts.ts';
import { callGatewayFor } from '../attempts/call-gateway.ts';
import type { Dependencies, PaymentResult } from '../dependencies.ts';
import { reasonOf } from '../outcome.ts';
import { lockRefund, lockTransaction } from '../repository.ts';
import { conclude } from '../sale/conclude.ts';
import { ATTEMPTS, type AttemptRow, REFUNDS, TRANSACTIONS, type TransactionRow } from '../schema.ts';
import { toRefund } from '../transaction.ts';
import { isWhole } from './eligibility.ts';
import { isPromised, writeHeldRefund } from './held-refunds.ts';

/**
 * Ways to return money (decisions 10). A gateway may refuse refunds of unsettled payments: a full refund then becomes a void, and a partial
 * one waits for the batch and is sent automatically. The caller gets `approved` or `pending`; an outage of the gateway never ends a pending
 * refund.
 */

/** A batch is not worked through at the moment at which it closes. */
const AFTER_BATCH_MS = 3_600_000;

/** Ends an attempt of a refund by its outcome, by another way where this one is closed. */
export async function endRefund(deps: Dependencies, row: TransactionRow, attempt: AttemptRow, outcome: Outcome): Promise<PaymentResult> {
  if (attempt.operation === 'void') {
    const isGone = outcome.kind === 'not-sent' && outcome.code === 'ALREADY_VOIDED';
    if (isGone) return conclude(deps, attempt, { kind: 'approved', reference: row.gateway_reference ?? '' });
    const isSettled = outcome.kind === 'declined' || (outcome.kind === 'not-sent' && outcome.retry !== 'unavailable');
    return isSettled ? waitForBatch(deps, attempt, outcome) : conclude(deps, attempt, outcome);
  }
  if (outcome.kind !== 'not-sent' || outcome.retry !== 'after-batch') return conclude(deps, attempt, outcome);
  const instead = await openVoid(deps, attempt, outcome);
  if (instead === null) return waitForBatch(deps, attempt, outcome);
  return endRefund(deps, instead.row, instead.attempt, await callGatewayFor(deps, instead.row, instead.attempt));
}

/** Returns the void that refunds an unsettled payment fully; null for a partial refund, or while another change is under way. */
async function openVoid(deps: Dependencies, attempt: AttemptRow, outcome: Extract<Outcome, { kind: 'not-sent' }>) {
  return deps.database.unitOfWork.run(attempt.tenant_id, async (work) => {
    const row = await lockTransaction(work, attempt.transaction_id);
    const refund = await lockRefund(work, attempt.refund_id ?? '');
    if (row.busy_attempt !== null || !isWhole(row, refund.amount_minor, refund.amount_minor)) return null;
    const opened = followUp(deps, attempt, 'void');
    if (!(await finishUnsent(deps, work, attempt, outcome))) return null;
    work.insert(ATTEMPTS, opened);
    await work.update(REFUNDS, { id: refund.id }, { sent_as: 'void', processor_ref: opened.processor_ref });
    await work.update(TRANSACTIONS, { id: row.id }, { busy_attempt: opened.id });
    return { row, attempt: opened };
  });
}

/** The next attempt of the same request, which its Idempotency-Key waits for. */
function followUp(deps: Dependencies, attempt: AttemptRow, operation: 'void' | 'refund'): AttemptRow {
  const { tenant_id, transaction_id, refund_id, amount_minor, currency, actor, actor_id, request_id, ip } = attempt;
  const { once_credential, once_key, once_route } = attempt;
  const made = newAttempt(deps, serviceActor(tenant_id), {
    transactionId: transaction_id,
    refundId: refund_id ?? undefined,
    operation,
    via: attempt,
    amountMinor: amount_minor,
    currency,
  });
  return { ...made, actor, actor_id, request_id, ip, once_credential, once_key, once_route };
}

async function finishUnsent(deps: Dependencies, work: Work, attempt: AttemptRow, outcome: Outcome): Promise<boolean> {
  const reason = outcome.kind === 'not-sent' || outcome.kind === 'declined' ? reasonOf(outcome) : null;
  await work.update(ATTEMPTS, { id: attempt.id }, NO_IDEMPOTENCY_KEY);
  return finishAttempt(work, attempt, 'failed', reason, isoTime(deps.clockOf(attempt.tenant_id).now()));
}

/** Answers that the refund is pending, and schedules it for the time after the payment's batch has closed. */
export async function waitForBatch(deps: Dependencies, attempt: AttemptRow, outcome: Outcome | null): Promise<PaymentResult> {
  const { tenant_id } = attempt;
  const closesMs = await deps.batchClosesAfter(tenant_id, attempt.gateway_id ?? '', Date.now());
  // One that has waited for a batch already is asked for by the hour.
  const dueMs = realTime(((isPromised(attempt) ? null : closesMs) ?? Date.now()) + AFTER_BATCH_MS);
  return deps.database.unitOfWork.run(tenant_id, async (work) => {
    const row = await lockTransaction(work, attempt.transaction_id);
    const refund = await lockRefund(work, attempt.refund_id ?? '');
    if (!(await finishUnsent(deps, work, attempt, outcome ?? NOT_YET))) return { refund: toRefund(refund) };
    const pending = { refund: toRefund(await writeHeldRefund(deps, work, { row, refund, after: attempt }, dueMs)) };
    const once = keyNameOf(attempt);
    if (once) await deps.once.finishIn(work, once, deps.renderAnswer(once.route, pending));
    work.afterCommit(() => deps.changed(tenant_id, 'transactions'));
    return pending;
  });
}

const NOT_YET: Outcome = { kind: 'not-sent', reason: 'The capture has not been sent yet.', retry: 'after-batch' };
