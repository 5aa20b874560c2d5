import type { Work } from '#core/database';
import type { Outcome } from '#core/gateways';
import { isoTime, realTime, serviceActor } from '#core/kernel';
import { ANSWERED, onceNameOf } from '#core/platform/idempotency';
import { askAbout } from '../attempts/ask.ts';
import { finishAttempt, newAttempt } from '../attempts/attempts.ts';
import type { Ending, Needs } from '../needs.ts';
import { reasonOf } from '../outcome.ts';
import { lockRefund, lockTransaction } from '../repository.ts';
import { conclude } from '../sale/conclude.ts';
import { ATTEMPTS, type AttemptRow, REFUNDS, TRANSACTIONS, type TransactionRow } from '../schema.ts';
import { toRefund } from '../transaction.ts';
import { isWhole } from './eligibility.ts';
import { isPromised, writeHeldRefund } from './held-refunds.ts';

/**
 * The ways by which money goes back (decisions 10). A gateway that has not settled a payment may take no refund of it: the whole of it is then voided,
 * a part waits for the batch and is sent by itself. Whoever asked is told `approved` or `pending`; what is pending is never given up for a gateway that
 * was away.
 */

/** A batch is not worked through at the moment at which it closes. */
const AFTER_BATCH_MS = 3_600_000;

/** Ends an attempt of a refund by its outcome, by another way where this one is closed. */
export async function endRefund(on: Needs, row: TransactionRow, attempt: AttemptRow, outcome: Outcome): Promise<Ending> {
  if (attempt.operation === 'void') {
    const isGone = outcome.kind === 'not-sent' && outcome.code === 'ALREADY_VOIDED';
    if (isGone) return conclude(on, attempt, { kind: 'approved', reference: row.gateway_reference ?? '' });
    const isSettled = outcome.kind === 'declined' || (outcome.kind === 'not-sent' && outcome.retry !== 'unavailable');
    return isSettled ? waitForBatch(on, attempt, outcome) : conclude(on, attempt, outcome);
  }
  if (outcome.kind !== 'not-sent' || outcome.retry !== 'after-batch') return conclude(on, attempt, outcome);
  const instead = await openVoid(on, attempt, outcome);
  if (instead === null) return waitForBatch(on, attempt, outcome);
  return endRefund(on, instead.row, instead.attempt, await askAbout(on, instead.row, instead.attempt));
}

/** The void that gives the whole of an unsettled payment back; null where only a part is to be given back, or another change is under way. */
async function openVoid(on: Needs, attempt: AttemptRow, outcome: Extract<Outcome, { kind: 'not-sent' }>) {
  return on.database.unitOfWork.run(attempt.tenant_id, async (work) => {
    const row = await lockTransaction(work, attempt.transaction_id);
    const refund = await lockRefund(work, attempt.refund_id ?? '');
    if (row.busy_attempt !== null || !isWhole(row, refund.amount_minor, refund.amount_minor)) return null;
    const opened = followUp(on, attempt, 'void');
    if (!(await finishUnsent(on, work, attempt, outcome))) return null;
    work.insert(ATTEMPTS, opened);
    await work.update(REFUNDS, { id: refund.id }, { sent_as: 'void', processor_ref: opened.processor_ref });
    await work.update(TRANSACTIONS, { id: row.id }, { busy_attempt: opened.id });
    return { row, attempt: opened };
  });
}

/** The next attempt of the same request, which its Idempotency-Key waits for. */
function followUp(on: Needs, attempt: AttemptRow, operation: 'void' | 'refund'): AttemptRow {
  const { tenant_id, transaction_id, refund_id, amount_minor, currency, actor, actor_id, request_id, ip } = attempt;
  const { once_credential, once_key, once_route } = attempt;
  const made = newAttempt(on, serviceActor(tenant_id), {
    transactionId: transaction_id,
    refundId: refund_id ?? undefined,
    operation,
    via: attempt,
    amountMinor: amount_minor,
    currency,
  });
  return { ...made, actor, actor_id, request_id, ip, once_credential, once_key, once_route };
}

async function finishUnsent(on: Needs, work: Work, attempt: AttemptRow, outcome: Outcome): Promise<boolean> {
  const reason = outcome.kind === 'not-sent' || outcome.kind === 'declined' ? reasonOf(outcome) : null;
  await work.update(ATTEMPTS, { id: attempt.id }, ANSWERED);
  return finishAttempt(work, attempt, 'failed', reason, isoTime(on.clockOf(attempt.tenant_id).now()));
}

/** Answers that the refund is pending and has it sent once the batch is closed that the payment is in. */
export async function waitForBatch(on: Needs, attempt: AttemptRow, outcome: Outcome | null): Promise<Ending> {
  const { tenant_id } = attempt;
  const closesMs = await on.batchClosesAfter(tenant_id, attempt.gateway_id ?? '', Date.now());
  // One that has waited for a batch already is asked for by the hour.
  const dueMs = realTime(((isPromised(attempt) ? null : closesMs) ?? Date.now()) + AFTER_BATCH_MS);
  return on.database.unitOfWork.run(tenant_id, async (work) => {
    const row = await lockTransaction(work, attempt.transaction_id);
    const refund = await lockRefund(work, attempt.refund_id ?? '');
    if (!(await finishUnsent(on, work, attempt, outcome ?? NOT_YET))) return { refund: toRefund(refund) };
    const pending = { refund: toRefund(await writeHeldRefund(on, work, { row, refund, after: attempt }, dueMs)) };
    const once = onceNameOf(attempt);
    if (once) await on.once.finishIn(work, once, on.renderAnswer(once.route, pending));
    work.afterCommit(() => on.changed(tenant_id, 'transactions'));
    return pending;
  });
}

const NOT_YET: Outcome = { kind: 'not-sent', reason: 'The capture has not been sent yet.', retry: 'after-batch' };
