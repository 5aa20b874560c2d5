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
import { countMovement, recount } from '../aggregates/facts.ts';
import type { Needs } from '../needs.ts';
import { refundable, stateOf } from '../refund/eligibility.ts';
import { lockRefund, lockTransaction } from '../repository.ts';
import { REFUNDS, TRANSACTIONS, type TransactionRow } from '../schema.ts';
import { TRANSACTION_STEPS } from '../steps.ts';
import { closedDetails, holdsMoney, isUnderWay, lockEntry, type QueueEntry, readEntry, toEntry } from './entry.ts';
import { tellResolved } from './outcome.ts';
import { RETRY_JOB } from './retry.ts';
import { type QueueRow, REFUND_QUEUE } from './schema.ts';
import { QUEUE_STEPS, type QueueOperation } from './steps.ts';

export interface ResolveInput {
  readonly notes?: string;
  /** How the customer got the money instead, such as `check`. */
  readonly refundMethod?: string;
  /** YYYY-MM-DD; today in the merchant's zone unless given. */
  readonly refundDate?: string;
}

/**
 * Has an entry tried again at once by the scheduler, with its attempts counted anew; also one that had failed, whose amount is held again
 * (specification 3.2, decisions 6). RESOURCE_CONFLICT on a closed entry, INVALID_AMOUNT (422) when the money is no longer there.
 */
export function retryEntry(on: Needs, by: Actor, id: string): Promise<QueueEntry> {
  return change(on, by, id, 'retry', async (work, row, transaction, now) => {
    if (!holdsMoney(row.status)) await hold(work, row, transaction, now);
    const atOnce = on.clockOf(by.tenantId).now();
    const set: Partial<QueueRow> = { status: 'processing', attempt_count: 0, scheduled_ms: atOnce };
    // One that is at the gateway right now is being tried already.
    return isUnderWay(row) ? set : { ...set, ...released(atOnce) };
  });
}

/** Closes an entry whose money was given back outside; it counts as refunded and belongs to no settlement (decisions 6, 11). */
export async function resolveEntry(on: Needs, by: Actor, id: string, input: ResolveInput): Promise<QueueEntry> {
  if (input.refundDate !== undefined) parseDate(input.refundDate, 'refundDate');
  return change(on, by, id, 'resolve', async (work, row, transaction, now) => {
    refuseUnderWay(row);
    const at = isoTime(now);
    const held = holdsMoney(row.status);
    if (!held) checkFree(row, transaction);
    const refunded_minor = transaction.refunded_minor + row.amount_minor;
    await work.update(
      TRANSACTIONS,
      { id: transaction.id },
      { refunded_minor, reserved_minor: transaction.reserved_minor - (held ? row.amount_minor : 0), updated_at: at },
    );
    const { timezone } = await on.merchantFor(by, row.merchant_id);
    const today = dateIn(timezone, now);
    on.post(work, {
      tenantId: row.tenant_id,
      merchantId: row.merchant_id,
      id: row.id,
      kind: 'refund_outside',
      amount: money(row.amount_minor, storedCurrency(row.currency)),
      subjectId: row.refund_id,
      day: today,
      at,
    });
    countMovement(work, transaction, 'refund_outside', row.amount_minor, today, await lockRefund(work, row.refund_id));
    recount(work, transaction, { ...transaction, refunded_minor });
    const set: Partial<QueueRow> = {
      status: 'resolved',
      resolved_at: at,
      resolved_ms: now,
      resolved_by: by.name,
      resolution_notes: input.notes ?? null,
      refund_method: input.refundMethod ?? null,
      refund_date: input.refundDate ?? today,
      ...closed,
    };
    await tellResolved(on, work, { ...row, ...set }, now);
    return set;
  });
}

/** Gives an entry up: nothing more is tried and its amount is free again. */
export function cancelEntry(on: Needs, by: Actor, id: string, input: { reason?: string; notes?: string }): Promise<QueueEntry> {
  return change(on, by, id, 'cancel', async (work, row, transaction, now) => {
    refuseUnderWay(row);
    const at = isoTime(now);
    if (holdsMoney(row.status)) {
      await work.update(
        TRANSACTIONS,
        { id: transaction.id },
        { reserved_minor: transaction.reserved_minor - row.amount_minor, updated_at: at },
      );
    }
    return {
      status: 'cancelled',
      cancelled_at: at,
      cancelled_by: by.name,
      cancellation_reason: input.reason ?? null,
      cancellation_notes: input.notes ?? null,
      ...closed,
    };
  });
}

const closed = { scheduled_ms: null, ...released(null) };

/** Locks the payment, then the entry, asks the table, and writes what `plan` decides. The refund's own time of retry follows. */
async function change(
  on: Needs,
  by: Actor,
  id: string,
  operation: Extract<QueueOperation, 'retry' | 'resolve' | 'cancel'>,
  plan: (work: Work, row: QueueRow, transaction: TransactionRow, now: TenantTime) => Promise<Partial<QueueRow>>,
): Promise<QueueEntry> {
  const known = await readEntry(on.database.read(by.tenantId), id);
  await on.merchantFor(by, known.merchant_id);
  return on.database.unitOfWork.run(by.tenantId, async (work) => {
    const transaction = await lockTransaction(work, known.transaction_id);
    const row = await lockEntry(work, id);
    step(QUEUE_STEPS, row.status, operation, closedDetails(row));
    const now = timeAfter(on.clockOf(by.tenantId).now(), transaction.updated_at);
    const set = { ...(await plan(work, row, transaction, now)), updated_at: isoTime(now) };
    on.audit(work, {
      by,
      action: `refund_decline_queue.${operation}`,
      resource: `refund-decline-queue/${id}`,
      merchantId: row.merchant_id,
      before: { status: row.status },
      after: { status: set.status, refundId: row.refund_id, notes: set.resolution_notes ?? set.cancellation_notes ?? null },
    });
    await work.update(REFUND_QUEUE, { id }, set);
    await work.update(REFUNDS, { id: row.refund_id }, { retry_scheduled_at: set.scheduled_ms == null ? null : isoTime(set.scheduled_ms) });
    work.afterCommit(() => {
      on.changed(by.tenantId, 'refund-queue');
      on.changed(by.tenantId, 'transactions');
      on.wake(RETRY_JOB);
    });
    return toEntry({ ...row, ...set });
  });
}

/** An attempt at the gateway may give the money back at this moment: nobody may give it back a second time. */
function refuseUnderWay(row: QueueRow): void {
  if (!isUnderWay(row)) return;
  throw new ServiceError('RESOURCE_CONFLICT', 'This refund is being tried right now; wait for its outcome.', {
    details: { status: row.status, reason: 'operation_in_progress' },
  });
}

function checkFree(row: QueueRow, transaction: TransactionRow): void {
  const state = stateOf(transaction);
  if (state !== 'refunded') step(TRANSACTION_STEPS, state, 'refund', { transactionId: transaction.id });
  const free = refundable(transaction);
  if (row.amount_minor <= free.minor) return;
  throw amountAboveLimit('The amount of this entry is no longer free: other refunds took it.', {
    availableToRefund: free,
    requestedAmount: { minor: row.amount_minor, currency: free.currency },
  });
}

async function hold(work: Work, row: QueueRow, transaction: TransactionRow, now: TenantTime): Promise<void> {
  checkFree(row, transaction);
  await work.update(
    TRANSACTIONS,
    { id: transaction.id },
    { reserved_minor: transaction.reserved_minor + row.amount_minor, updated_at: isoTime(now) },
  );
}
