import type { Work } from '#core/database';
import { assert, isoTime, realTime, ServiceError, serviceActor, type TenantTime, timeAfter } from '#core/kernel';
import { keyNameOf } from '#core/platform/idempotency';
import { countMovement, recount } from '../aggregates/daily-aggregates.ts';
import { countStanding } from '../aggregates/list-counters.ts';
import { finishAttempt, holdAttempt, newAttempt } from '../attempts/attempts.ts';
import { actorOfAttempt, auditEntryOf, transferOf } from '../audit-and-ledger.ts';
import type { Dependencies, PaymentResult } from '../dependencies.ts';
import { voidedEvent } from '../events.ts';
import { reasonOf, refusal, resultOf, type TerminalOutcome } from '../outcome.ts';
import { concludeRefund } from '../refund/conclude-refund.ts';
import { stateOf } from '../refund/eligibility.ts';
import { lockTransaction } from '../repository.ts';
import { ATTEMPTS, type AttemptOperation, type AttemptRow, REFUNDS, TRANSACTIONS, type TransactionRow } from '../schema.ts';
import { TRANSACTION_STEPS, type TransactionOperation } from '../steps.ts';
import { toTransaction } from '../transaction.ts';
import { watchExpiryAgain } from './expiries.ts';
import { captureAgainAt, dropHeldCapture } from './held-captures.ts';

/**
 * Concludes a capture, its cancellation, a void or a refund: the record changes with the attempt in one unit of work. A capture that
 * Paydesk accepts by itself is sent to its gateway at `heldUntilMs`.
 */
export async function concludeChange(
  deps: Dependencies,
  attempt: AttemptRow,
  said: TerminalOutcome,
  heldUntilMs?: number,
): Promise<PaymentResult> {
  const outcome = isVoidedThere(attempt, said) ? ({ kind: 'approved', reference: '' } as const) : said;
  const failed = outcome.kind === 'not-sent' ? refusal(outcome, attempt) : null;
  const error = failed ?? refusedChange(attempt, outcome);
  const once = keyNameOf(attempt);
  const ending = await deps.database.unitOfWork.run(attempt.tenant_id, async (work): Promise<PaymentResult> => {
    const row = await lockTransaction(work, attempt.transaction_id);
    const now = timeAfter(deps.clockOf(attempt.tenant_id).now(), row.updated_at);
    const untilMs = heldUntilMs ?? waitsOn(row, attempt, outcome);
    const mine =
      untilMs === undefined
        ? await finishAttempt(work, attempt, resultOf(outcome), reasonOf(outcome), isoTime(now))
        : // Only captures of live accounts wait; the clock of a live account is the computer's.
          await holdAttempt(work, attempt, realTime(untilMs));
    const present =
      attempt.refund_id !== null
        ? await concludeRefund(deps, work, attempt, row, outcome, now, mine)
        : { transaction: toTransaction(mine ? await changeTransaction(deps, work, { attempt, row, outcome, untilMs }, now) : row) };
    if (mine) deps.audit(work, auditEntryOf(attempt, row, untilMs === undefined ? resultOf(outcome) : 'held'));
    if (once && failed) await deps.once.release(work, once);
    else if (once) await deps.once.finishIn(work, once, deps.renderAnswer(once.route, error ? { error } : present));
    work.afterCommit(() => deps.changed(attempt.tenant_id, 'transactions'));
    return present;
  });
  if (error) throw error;
  return ending;
}

/** It was voided on the processor's own screens, which has the requested effect. */
function isVoidedThere({ operation }: AttemptRow, outcome: TerminalOutcome): boolean {
  return operation === 'void' && outcome.kind === 'not-sent' && outcome.code === 'ALREADY_VOIDED';
}

/** A capture that was decided here waits on while its gateway is away, or its account is set up wrongly, which says nothing of the capture. */
function waitsOn(row: TransactionRow, { operation }: AttemptRow, outcome: TerminalOutcome): number | undefined {
  const isAway = outcome.kind === 'not-sent' && (outcome.retry === 'unavailable' || outcome.alert !== undefined);
  return operation === 'capture' && row.capture_held_until !== null && isAway ? captureAgainAt(Date.now()) : undefined;
}

/** A declined refund becomes a refund with that status; every other declined change leaves the record unchanged. */
function refusedChange(attempt: AttemptRow, outcome: TerminalOutcome): ServiceError | null {
  if (outcome.kind !== 'declined' || attempt.refund_id !== null) return null;
  return new ServiceError('TRANSACTION_DECLINED', `The gateway refused: ${outcome.declineReason}`, {
    details: { transactionId: attempt.transaction_id, declineCode: outcome.declineCode },
  });
}

interface Concluded {
  readonly attempt: AttemptRow;
  readonly row: TransactionRow;
  readonly outcome: TerminalOutcome;
  /** Time until which the attempt is held, if it is. */
  readonly untilMs: number | undefined;
}

async function changeTransaction(deps: Dependencies, work: Work, of: Concluded, nowMs: TenantTime): Promise<TransactionRow> {
  const { attempt, row, outcome } = of;
  const at = isoTime(nowMs);
  const isHeldCapture = attempt.operation === 'capture' && row.capture_held_until !== null;
  const set: Partial<TransactionRow> = {
    busy_attempt: null,
    updated_at: at,
    ...(isHeldCapture
      ? await toldCapture(deps, work, of, nowMs)
      : outcome.kind === 'approved'
        ? await approved(deps, work, of, nowMs)
        : {}),
  };
  if (outcome.kind !== 'approved' && attempt.operation === 'void') set.void_reason = null;
  await work.update(TRANSACTIONS, { id: row.id }, set);
  const changed = { ...row, ...set };
  if (outcome.kind === 'approved' && !isHeldCapture) checkStep(attempt, row, changed);
  recount(work, row, changed);
  if (set.status === 'voided') {
    const { tenant_id: tenantId, id: transactionId, merchant_id: merchantId, invoice_id } = row;
    deps.emit(work, { tenantId, merchantId, resourceId: transactionId, atMs: nowMs, ...voidedEvent(toTransaction(changed)) });
    if (invoice_id !== null)
      await deps.events.publish(work, 'payment.voided', { tenantId, transactionId, by: actorOfAttempt(attempt), atMs: nowMs });
  }
  return changed;
}

const STEP_OF: Readonly<Partial<Record<AttemptOperation, TransactionOperation>>> = {
  capture: 'capture',
  cancel_capture: 'cancelCapture',
  void: 'void',
};

/** Asserts that an approved change leads to the state that the table of transitions gives for it. */
function checkStep({ operation }: AttemptRow, before: TransactionRow, after: TransactionRow): void {
  const name = STEP_OF[operation];
  assert(name !== undefined, 'a change of a transaction is a capture, its cancellation or a void');
  const promised = TRANSACTION_STEPS[stateOf(before)][name];
  assert(stateOf(after) === promised, `${operation} of a transaction that is ${stateOf(before)} leads to the state of the table`);
}

async function approved(
  deps: Dependencies,
  work: Work,
  { attempt, row, untilMs }: Concluded,
  nowMs: TenantTime,
): Promise<Partial<TransactionRow>> {
  const at = isoTime(nowMs);
  await enter(deps, work, attempt, row, nowMs);
  switch (attempt.operation) {
    case 'capture':
      return {
        captured_minor: attempt.amount_minor,
        captured_at: at,
        capture_held_until: untilMs === undefined ? null : isoTime(untilMs),
      };
    case 'cancel_capture':
      await dropHeldCapture(work, row, at);
      await watchExpiryAgain(work, row);
      return { captured_minor: 0, captured_at: null, capture_held_until: null };
    default:
      assert(attempt.operation === 'void', 'a change of a transaction is a capture, its cancellation or a void');
      await dropHeldCapture(work, row, at);
      countStanding(work, row, row.status, -1);
      countStanding(work, row, 'voided', 1);
      return { status: 'voided', voided_at: at, captured_minor: 0, capture_held_until: null };
  }
}

/** Records the gateway's answer to a held capture. A refused capture is undone and reported to a person. */
async function toldCapture(
  deps: Dependencies,
  work: Work,
  { attempt, row, outcome, untilMs }: Concluded,
  nowMs: TenantTime,
): Promise<Partial<TransactionRow>> {
  // Its age counts from the time at which it was to be sent first.
  if (untilMs !== undefined) {
    await work.update(ATTEMPTS, { id: attempt.id }, { alert: outcome.kind === 'not-sent' ? (outcome.alert ?? null) : null });
    return {};
  }
  if (outcome.kind === 'approved') return { capture_held_until: null };
  const undone = newAttempt(deps, serviceActor(row.tenant_id), {
    transactionId: row.id,
    operation: 'cancel_capture',
    via: row,
    amountMinor: row.captured_minor,
    currency: row.currency,
  });
  const at = isoTime(nowMs);
  const reason = `The gateway refused the capture. ${reasonOf(outcome)}`;
  work.insert(ATTEMPTS, { ...undone, state: 'done', result: 'approved', reason, due_ms: null, concluded_at: at });
  await work.update(ATTEMPTS, { id: attempt.id }, { alert: 'capture-refused' });
  await enter(deps, work, undone, row, nowMs);
  await watchExpiryAgain(work, row);
  deps.report('A gateway refused a capture that was made here', { transactionId: row.id, gateway: row.gateway, reason: reasonOf(outcome) });
  return { captured_minor: 0, captured_at: null, capture_held_until: null, reserved_minor: await dropRefunds(work, row, at) };
}

/** Cancels refunds that waited for a capture that was never made. Returns the amount that is still reserved. */
async function dropRefunds(work: Work, row: TransactionRow, at: string): Promise<number> {
  let reserved = row.reserved_minor;
  for (const { id, refund_id, amount_minor } of await work.find(ATTEMPTS, { transaction_id: row.id, state: 'held' })) {
    if (refund_id === null) continue;
    const set = { state: 'done', result: 'cancelled', reason: 'The payment was not captured.', due_ms: null, concluded_at: at } as const;
    await work.update(ATTEMPTS, { id }, set);
    await work.update(REFUNDS, { id: refund_id }, { status: 'failed' });
    reserved -= amount_minor;
  }
  return reserved;
}

/** Posts the movements of a capture, or reverses them for a cancellation or a void. */
async function enter(deps: Dependencies, work: Work, attempt: AttemptRow, row: TransactionRow, nowMs: TenantTime): Promise<void> {
  const isCapture = attempt.operation === 'capture';
  const amount = isCapture ? attempt.amount_minor : row.captured_minor;
  if (amount === 0) return;
  const merchant = await deps.merchantFor({ tenantId: row.tenant_id, merchantId: null }, row.merchant_id);
  const kind = isCapture ? 'capture' : 'capture_reversed';
  const transfer = transferOf(merchant, attempt, row.id, kind, amount, nowMs);
  deps.post(work, transfer);
  countMovement(work, row, kind, amount, transfer.day);
}
