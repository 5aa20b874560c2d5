import type { Work } from '#core/database';
import { assert, isoTime, realTime, ServiceError, serviceActor, type TenantTime, timeAfter } from '#core/kernel';
import { keyNameOf } from '#core/platform/idempotency';
import type { OrderPart } from '#core/records/ledger';
import { recount } from '../aggregates/daily-aggregates.ts';
import { countInLists } from '../aggregates/list-counters.ts';
import { finishAttempt, holdAttempt, newAttempt } from '../attempts/attempts.ts';
import { actorOfAttempt, auditEntryOf, postMovement, transferOf } from '../audit-and-ledger.ts';
import type { Dependencies, PaymentResult } from '../dependencies.ts';
import { stateOf } from '../eligibility.ts';
import { voidedEvent } from '../events.ts';
import { announceReturn, returnShare } from '../order-payments.ts';
import { reasonOf, refusal, resultOf, type TerminalOutcome } from '../outcome.ts';
import { type PartColumns, partColumns, partsOf } from '../parts/parts.ts';
import { authorizationsOf, lockTransaction } from '../repository.ts';
import { ATTEMPTS, type AttemptOperation, type AttemptRow, REFUNDS, TRANSACTIONS, type TransactionRow } from '../schema.ts';
import { TRANSACTION_STEPS, type TransactionOperation } from '../steps.ts';
import { toTransaction } from '../transaction.ts';
import { concludeRefund } from './conclude-refund.ts';
import { rescheduleExpiry } from './expiries.ts';
import { cancelHeldCapture, nextCaptureAttemptAt } from './held-captures.ts';

/**
 * Concludes a capture, its cancellation, a void or a refund: payment and attempt change in one unit of work. A capture that Paydesk accepts itself is
 * sent to its gateway at `heldUntilMs`.
 */
export async function concludeChange(
  deps: Dependencies,
  attempt: AttemptRow,
  reported: TerminalOutcome,
  heldUntilMs?: number,
): Promise<PaymentResult> {
  const outcome = isAlreadyVoided(attempt, reported) ? ({ kind: 'approved', reference: '' } as const) : reported;
  const failed = outcome.kind === 'not-sent' ? refusal(outcome, attempt) : null;
  const error = failed ?? refusedChange(attempt, outcome);
  const idempotencyKey = keyNameOf(attempt);
  const result = await deps.database.unitOfWork.transaction(attempt.tenant_id, async (work): Promise<PaymentResult> => {
    const row = await lockTransaction(work, attempt.transaction_id);
    const now = timeAfter(deps.clockOf(attempt.tenant_id).now(), row.updated_at);
    const untilMs = heldUntilMs ?? retryHeldCaptureAt(row, attempt, outcome);
    const isConcludedHere =
      untilMs === undefined
        ? await finishAttempt(work, attempt, resultOf(outcome), reasonOf(outcome), isoTime(now))
        : // Only captures of live accounts are held, and a live account uses real time.
          await holdAttempt(work, attempt, realTime(untilMs));
    const currentResult =
      attempt.refund_id !== null
        ? await concludeRefund(deps, work, attempt, row, outcome, now, isConcludedHere)
        : {
            transaction: toTransaction(
              isConcludedHere ? await changeTransaction(deps, work, { attempt, row, outcome, untilMs }, now) : row,
            ),
          };
    if (isConcludedHere) deps.audit(work, auditEntryOf(attempt, row, untilMs === undefined ? resultOf(outcome) : 'held'));
    if (idempotencyKey && failed) await deps.idempotencyKeys.releaseInWork(work, idempotencyKey);
    else if (idempotencyKey)
      await deps.idempotencyKeys.completeInWork(
        work,
        idempotencyKey,
        deps.renderResponse(idempotencyKey.route, error ? { error } : currentResult),
      );
    work.afterCommit(() => deps.changed(attempt.tenant_id, 'transactions', row.merchant_id));
    return currentResult;
  });
  if (error) throw error;
  return result;
}

/** Returns true if a void failed because the payment is voided already, for example on the processor's own screens. It has the requested effect. */
function isAlreadyVoided({ operation }: AttemptRow, outcome: TerminalOutcome): boolean {
  return operation === 'void' && outcome.kind === 'not-sent' && outcome.code === 'ALREADY_VOIDED';
}

/** Returns the time of the next attempt to send a held capture whose gateway is unavailable or misconfigured; otherwise undefined. */
function retryHeldCaptureAt(row: TransactionRow, { operation }: AttemptRow, outcome: TerminalOutcome): number | undefined {
  const isUnavailable = outcome.kind === 'not-sent' && (outcome.retry === 'unavailable' || outcome.alert !== undefined);
  return operation === 'capture' && row.capture_held_until !== null && isUnavailable ? nextCaptureAttemptAt(Date.now()) : undefined;
}

/** Returns the error of a declined change. A declined refund is a refund with that status; every other declined change leaves the payment unchanged. */
function refusedChange(attempt: AttemptRow, outcome: TerminalOutcome): ServiceError | null {
  if (outcome.kind !== 'declined' || attempt.refund_id !== null) return null;
  return new ServiceError('TRANSACTION_DECLINED', `The gateway refused: ${outcome.declineReason}`, {
    details: { transactionId: attempt.transaction_id, declineCode: outcome.declineCode },
  });
}

interface ConcludedChange {
  readonly attempt: AttemptRow;
  readonly row: TransactionRow;
  readonly outcome: TerminalOutcome;
  /** Time until which the attempt is held, if it is. */
  readonly untilMs: number | undefined;
}

async function changeTransaction(deps: Dependencies, work: Work, change: ConcludedChange, nowMs: TenantTime): Promise<TransactionRow> {
  const { attempt, row, outcome } = change;
  const at = isoTime(nowMs);
  const isHeldCapture = attempt.operation === 'capture' && row.capture_held_until !== null;
  const set: Partial<TransactionRow> = {
    pending_attempt: null,
    updated_at: at,
    ...(isHeldCapture
      ? await concludeHeldCapture(deps, work, change, nowMs)
      : outcome.kind === 'approved'
        ? await approvedColumns(work, change, nowMs)
        : {}),
  };
  const isFailedVoid = outcome.kind !== 'approved' && attempt.operation === 'void';
  if (isFailedVoid) set.void_reason = null;
  await work.update(TRANSACTIONS, { id: row.id }, set);
  const changed = { ...row, ...set };
  if (outcome.kind === 'approved' && !isHeldCapture) checkStep(attempt, row, changed);
  recount(work, row, changed);
  if (isFailedVoid) await announceReturn(deps, work, actorOfAttempt(attempt), row, 'no-effect', attempt.shift_id);
  let orderPart: OrderPart | null = null;
  if (set.status === 'voided') {
    const { tenant_id: tenantId, id: transactionId, merchant_id: merchantId, invoice_id } = row;
    deps.emit(work, { tenantId, merchantId, resourceId: transactionId, atMs: nowMs, ...voidedEvent(toTransaction(changed)) });
    orderPart = await returnShare(deps, work, actorOfAttempt(attempt), row, null, attempt.shift_id);
    if (invoice_id !== null)
      await deps.events.publish(work, 'payment.voided', { tenantId, transactionId, actor: actorOfAttempt(attempt), atMs: nowMs });
  }
  if (outcome.kind === 'approved' && !isHeldCapture) await postCapture(deps, work, { attempt, row, orderPart }, nowMs);
  return changed;
}

const TRANSACTION_OPERATION_OF: Readonly<Partial<Record<AttemptOperation, TransactionOperation>>> = {
  capture: 'capture',
  cancel_capture: 'cancelCapture',
  adjust: 'adjustTip',
  void: 'void',
};

/** Asserts that an approved change leads to the state in the transition table. */
function checkStep({ operation }: AttemptRow, before: TransactionRow, after: TransactionRow): void {
  const name = TRANSACTION_OPERATION_OF[operation];
  assert(name !== undefined, 'a change of a transaction is a capture, its cancellation or a void');
  const expectedState = TRANSACTION_STEPS[stateOf(before)][name];
  assert(
    stateOf(after) === expectedState,
    `${operation} of a transaction that is ${stateOf(before)} leads to the state in the transition table`,
  );
}

async function approvedColumns(
  work: Work,
  { attempt, row, untilMs }: ConcludedChange,
  nowMs: TenantTime,
): Promise<Partial<TransactionRow>> {
  const at = isoTime(nowMs);
  switch (attempt.operation) {
    case 'capture':
      return {
        ...partColumns(partsOf(attempt)),
        captured_minor: attempt.amount_minor,
        captured_at: at,
        capture_held_until: untilMs === undefined ? null : isoTime(untilMs),
      };
    case 'cancel_capture':
      await cancelHeldCapture(work, row, at);
      await rescheduleExpiry(work, row);
      return { ...(await authorizedParts(work, row)), captured_minor: 0, captured_at: null, capture_held_until: null };
    case 'adjust':
      return row.captured_minor === 0
        ? { ...partColumns(partsOf(attempt)), amount_minor: attempt.amount_minor }
        : {
            ...partColumns(partsOf(attempt)),
            captured_minor: attempt.amount_minor,
            amount_minor: row.type === 'sale' ? attempt.amount_minor : Math.max(row.amount_minor, attempt.amount_minor),
          };
    default:
      assert(attempt.operation === 'void', 'a change of a transaction is a capture, its cancellation or a void');
      await cancelHeldCapture(work, row, at);
      countInLists(work, row, row.status, -1);
      countInLists(work, row, 'voided', 1);
      return { status: 'voided', voided_at: at, captured_minor: 0, capture_held_until: null };
  }
}

/** Records the gateway's response to a held capture. A refused capture is canceled and reported to a person. */
async function concludeHeldCapture(
  deps: Dependencies,
  work: Work,
  { attempt, row, outcome, untilMs }: ConcludedChange,
  nowMs: TenantTime,
): Promise<Partial<TransactionRow>> {
  // `capture_held_until` stays, because the delay is measured from the time at which it should have been sent.
  if (untilMs !== undefined) {
    await work.update(ATTEMPTS, { id: attempt.id }, { alert: outcome.kind === 'not-sent' ? (outcome.alert ?? null) : null });
    return {};
  }
  if (outcome.kind === 'approved') return { capture_held_until: null };
  const cancellation = newAttempt(deps, serviceActor(row.tenant_id), {
    transactionId: row.id,
    operation: 'cancel_capture',
    via: row,
    amountMinor: row.captured_minor,
    currency: row.currency,
    shiftId: attempt.shift_id,
  });
  const at = isoTime(nowMs);
  const reason = `The gateway refused the capture. ${reasonOf(outcome)}`;
  work.insert(ATTEMPTS, { ...cancellation, state: 'done', result: 'approved', reason, due_ms: null, concluded_at: at });
  await work.update(ATTEMPTS, { id: attempt.id }, { alert: 'capture-refused' });
  await postCapture(deps, work, { attempt: cancellation, row, orderPart: null }, nowMs);
  await rescheduleExpiry(work, row);
  deps.report('A gateway refused a capture that Paydesk had accepted', {
    transactionId: row.id,
    gateway: row.gateway,
    reason: reasonOf(outcome),
  });
  return {
    ...(await authorizedParts(work, row)),
    captured_minor: 0,
    captured_at: null,
    capture_held_until: null,
    reserved_minor: await cancelHeldRefunds(work, row, at),
  };
}

/**
 * Returns the parts of an authorization whose capture, which may have had other parts, is canceled. An amount above the authorized one came from a
 * tip that was set after the capture, and stays one.
 */
async function authorizedParts(work: Work, row: TransactionRow): Promise<PartColumns> {
  const authorization = (await authorizationsOf(work, row.id)).at(-1);
  if (authorization === undefined) return partColumns(partsOf(row));
  const parts = partsOf(authorization);
  return partColumns({ ...parts, tip: parts.tip + row.amount_minor - authorization.amount_minor });
}

/** Cancels refunds that waited for a capture that the gateway refused. Returns the amount that is still reserved. */
async function cancelHeldRefunds(work: Work, row: TransactionRow, at: string): Promise<number> {
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

interface PostedChange {
  readonly attempt: AttemptRow;
  readonly row: TransactionRow;
  /** For the void of a payment of an order. */
  readonly orderPart: OrderPart | null;
}

/** Posts the movements of a capture, or reverses them for a cancellation or a void. A changed amount is reversed and captured again. */
async function postCapture(deps: Dependencies, work: Work, { attempt, row, orderPart }: PostedChange, nowMs: TenantTime): Promise<void> {
  const isAdjusted = attempt.operation === 'adjust' && row.captured_minor > 0;
  const isCapture = attempt.operation === 'capture' || isAdjusted;
  const amount = isCapture ? attempt.amount_minor : row.captured_minor;
  if (amount === 0) return;
  const merchant = await deps.merchantFor({ tenantId: row.tenant_id, merchantId: null }, row.merchant_id);
  if (isAdjusted) {
    const reversal = transferOf(merchant, attempt, row.id, 'capture_reversed', row.captured_minor, nowMs);
    postMovement(deps, work, { ...reversal, id: `${attempt.id}-reversed` }, row, row);
  }
  const kind = isCapture ? 'capture' : 'capture_reversed';
  const transfer = { ...transferOf(merchant, attempt, row.id, kind, amount, nowMs), orderPart };
  postMovement(deps, work, transfer, row, isCapture ? attempt : row);
}
