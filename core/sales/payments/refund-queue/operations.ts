import type { Work } from '#core/database';
import {
  type Actor,
  amountAboveLimit,
  dateIn,
  isoTime,
  money,
  parseDate,
  ServiceError,
  step,
  storedCurrency,
  type TenantTime,
  timeAfter,
} from '#core/kernel';
import { released } from '#core/platform/scheduling';
import { recount } from '../aggregates/daily-aggregates.ts';
import { refundSubject } from '../approval-facts.ts';
import { postMovement } from '../audit-and-ledger.ts';
import type { Dependencies } from '../dependencies.ts';
import { refundable, stateOf } from '../eligibility.ts';
import { announceReturn, returnShare } from '../order-payments.ts';
import { refitParts } from '../parts/refunded-parts.ts';
import { closedDetails, isInProgress, lockEntry, readEntry, reservesAmount, toEntry } from '../queue-entries/entry.ts';
import { emitCancelled, emitResolved } from '../queue-entries/outcome.ts';
import { type QueueRow, REFUND_QUEUE } from '../queue-entries/schema.ts';
import { QUEUE_STEPS, type QueueOperation } from '../queue-entries/steps.ts';
import type { QueueEntry } from '../records.ts';
import { lockRefund, lockTransaction } from '../repository.ts';
import { REFUNDS, TRANSACTIONS, type TransactionRow } from '../schema.ts';
import { TRANSACTION_STEPS } from '../steps.ts';
import { RETRY_JOB } from './retry.ts';

/** An operation of a person on an entry. */
export type QueueAction = Extract<QueueOperation, 'retry' | 'resolve' | 'cancel'>;

export interface ResolveInput {
  readonly notes?: string;
  /** Method by which the customer got the money, such as `check`. */
  readonly refundMethod?: string;
  /** YYYY-MM-DD; today in the merchant's zone unless given. */
  readonly refundDate?: string;
}

/**
 * Makes the scheduler retry an entry immediately, with its attempts reset. A failed entry reserves its amount again. @throws ServiceError RESOURCE_CONFLICT on a closed entry, INVALID_AMOUNT (422) if the money is no longer available;
 * ApprovalRequired.
 */
export function retryEntry(deps: Dependencies, actor: Actor, id: string): Promise<QueueEntry> {
  return change(deps, actor, id, 'retry', async (work, row, transaction, now) => {
    if (!reservesAmount(row.status)) await reserveAmount(deps, work, actor, row, transaction, now);
    const dueNow = deps.clockOf(actor.tenantId).now();
    const set: Partial<QueueRow> = { status: 'processing', attempt_count: 0, scheduled_ms: dueNow };
    // If an attempt is in progress, it counts as the retry.
    return isInProgress(row) ? set : { ...set, ...released(dueNow) };
  });
}

/** Closes an entry whose customer got the money outside of Paydesk. The amount counts as refunded and belongs to no settlement. */
export async function resolveEntry(deps: Dependencies, actor: Actor, id: string, input: ResolveInput): Promise<QueueEntry> {
  if (input.refundDate !== undefined) parseDate(input.refundDate, 'refundDate');
  return change(deps, actor, id, 'resolve', async (work, row, transaction, now) => {
    const at = isoTime(now);
    const isReserved = reservesAmount(row.status);
    if (!isReserved) await checkRefundAgain(deps, work, actor, row, transaction);
    const found = await lockRefund(work, row.refund_id);
    const refund = isReserved ? found : await refitParts(work, transaction, found);
    if (!isReserved) await announceReturn(deps, work, actor, transaction, { refund }, null);
    const refunded_minor = transaction.refunded_minor + row.amount_minor;
    await work.update(
      TRANSACTIONS,
      { id: transaction.id },
      { refunded_minor, reserved_minor: transaction.reserved_minor - (isReserved ? row.amount_minor : 0), updated_at: at },
    );
    const { timezone } = await deps.merchantFor(actor, row.merchant_id);
    const today = dateIn(timezone, now);
    const transfer = {
      tenantId: row.tenant_id,
      merchantId: row.merchant_id,
      id: row.id,
      kind: 'refund_outside' as const,
      amount: money(row.amount_minor, storedCurrency(row.currency)),
      subjectId: row.refund_id,
      day: today,
      at,
    };
    postMovement(deps, work, transfer, transaction, refund, refund);
    // The order counts the refunds whose entries reserve their amount.
    await work.update(REFUND_QUEUE, { id: row.id }, { status: 'resolved' });
    await returnShare(deps, work, actor, transaction, refund, null);
    recount(work, transaction, { ...transaction, refunded_minor });
    const set: Partial<QueueRow> = {
      status: 'resolved',
      resolved_at: at,
      resolved_ms: now,
      resolved_by: actor.name,
      resolution_notes: input.notes ?? null,
      refund_method: input.refundMethod ?? null,
      refund_date: input.refundDate ?? today,
      ...CLOSED,
    };
    await emitResolved(deps, work, { ...row, ...set }, now);
    return set;
  });
}

/** Cancels an entry: there are no more retries, and its amount is released. */
export function cancelEntry(deps: Dependencies, actor: Actor, id: string, input: { reason?: string; notes?: string }): Promise<QueueEntry> {
  return change(deps, actor, id, 'cancel', async (work, row, transaction, now) => {
    const at = isoTime(now);
    if (reservesAmount(row.status)) {
      await work.update(
        TRANSACTIONS,
        { id: transaction.id },
        { reserved_minor: transaction.reserved_minor - row.amount_minor, updated_at: at },
      );
      await work.update(REFUND_QUEUE, { id: row.id }, { status: 'cancelled' });
      await announceReturn(deps, work, actor, transaction, 'no-effect', null);
    }
    const set: Partial<QueueRow> = {
      status: 'cancelled',
      cancelled_at: at,
      cancelled_by: actor.name,
      cancellation_reason: input.reason ?? null,
      cancellation_notes: input.notes ?? null,
      ...CLOSED,
    };
    await emitCancelled(deps, work, { ...row, ...set }, now);
    return set;
  });
}

const CLOSED = { scheduled_ms: null, ...released(null) };

/** Locks the payment, then the entry, checks the operation, and writes the columns that `planChange` returns. The retry time of the refund is updated too. */
async function change(
  deps: Dependencies,
  actor: Actor,
  id: string,
  operation: QueueAction,
  planChange: (work: Work, row: QueueRow, transaction: TransactionRow, now: TenantTime) => Promise<Partial<QueueRow>>,
): Promise<QueueEntry> {
  const knownEntry = await readEntry(deps.database.read(actor.tenantId), id);
  await deps.merchantFor(actor, knownEntry.merchant_id);
  return deps.database.unitOfWork.transaction(actor.tenantId, async (work) => {
    const transaction = await lockTransaction(work, knownEntry.transaction_id);
    const row = await lockEntry(work, id);
    checkAction(row, transaction, operation);
    const now = timeAfter(deps.clockOf(actor.tenantId).now(), transaction.updated_at);
    const set = { ...(await planChange(work, row, transaction, now)), updated_at: isoTime(now) };
    deps.audit(work, {
      actor,
      action: `refund_decline_queue.${operation}`,
      resource: `refund-decline-queue/${id}`,
      merchantId: row.merchant_id,
      before: { status: row.status },
      after: { status: set.status, refundId: row.refund_id, notes: set.resolution_notes ?? set.cancellation_notes ?? null },
    });
    await work.update(REFUND_QUEUE, { id }, set);
    await work.update(REFUNDS, { id: row.refund_id }, { retry_scheduled_at: set.scheduled_ms == null ? null : isoTime(set.scheduled_ms) });
    work.afterCommit(() => {
      deps.changed(actor.tenantId, 'refund-queue', row.merchant_id);
      deps.changed(actor.tenantId, 'transactions', row.merchant_id);
      deps.wake(RETRY_JOB, actor.tenantId);
    });
    return toEntry({ ...row, ...set });
  });
}

/**
 * Checks that a person may run an operation on an entry now: its state allows it, no attempt at the gateway may be returning the money, so that it
 * is not returned twice, and the money of a failed entry is still available. @throws ServiceError RESOURCE_CONFLICT, INVALID_AMOUNT, NOT_REFUNDABLE.
 */
export function checkAction(row: QueueRow, transaction: TransactionRow, operation: QueueAction): void {
  step(QUEUE_STEPS, row.status, operation, closedDetails(row));
  if (operation !== 'retry') refuseInProgress(row);
  if (operation !== 'cancel' && !reservesAmount(row.status)) checkAvailable(row, transaction);
}

function refuseInProgress(row: QueueRow): void {
  if (!isInProgress(row)) return;
  throw new ServiceError('RESOURCE_CONFLICT', 'This refund is being retried right now. Wait for its outcome.', {
    details: { status: row.status, reason: 'operation_in_progress' },
  });
}

function checkAvailable(row: QueueRow, transaction: TransactionRow): void {
  const state = stateOf(transaction);
  if (state !== 'refunded') step(TRANSACTION_STEPS, state, 'refund', { transactionId: transaction.id });
  const available = refundable(transaction);
  if (row.amount_minor <= available.minor) return;
  throw amountAboveLimit('The amount of this entry is no longer available, because it was refunded otherwise.', {
    availableToRefund: available,
    requestedAmount: { minor: row.amount_minor, currency: available.currency },
  });
}

/**
 * Checks that the refund of a failed entry may be made again. Since the entry failed, the rule for refunds does not count it, so that other
 * refunds of the payment may need its approval now. A refund that a second person approved needs no other approval.
 */
async function checkRefundAgain(deps: Dependencies, work: Work, actor: Actor, row: QueueRow, transaction: TransactionRow): Promise<void> {
  const { approved_by, reason } = await lockRefund(work, row.refund_id);
  if (approved_by !== null) return;
  const amount = money(row.amount_minor, storedCurrency(row.currency));
  await deps.checkApproval(work, actor, await refundSubject(work, transaction, amount, reason));
  if (actor.approval) await work.update(REFUNDS, { id: row.refund_id }, { approved_by: actor.approval.approvedBy });
}

async function reserveAmount(
  deps: Dependencies,
  work: Work,
  actor: Actor,
  row: QueueRow,
  transaction: TransactionRow,
  now: TenantTime,
): Promise<void> {
  await checkRefundAgain(deps, work, actor, row, transaction);
  const refund = await refitParts(work, transaction, await lockRefund(work, row.refund_id));
  await announceReturn(deps, work, actor, transaction, { refund }, null);
  await work.update(
    TRANSACTIONS,
    { id: transaction.id },
    { reserved_minor: transaction.reserved_minor + row.amount_minor, updated_at: isoTime(now) },
  );
}
