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
import { countMovement, recount } from '../aggregates/daily-aggregates.ts';
import type { Dependencies } from '../dependencies.ts';
import { refundable, stateOf } from '../refund/eligibility.ts';
import { lockRefund, lockTransaction } from '../repository.ts';
import { REFUNDS, TRANSACTIONS, type TransactionRow } from '../schema.ts';
import { TRANSACTION_STEPS } from '../steps.ts';
import { closedDetails, holdsMoney, isUnderWay, lockEntry, type QueueEntry, readEntry, toEntry } from './entry.ts';
import { emitResolved } from './outcome.ts';
import { RETRY_JOB } from './retry.ts';
import { type QueueRow, REFUND_QUEUE } from './schema.ts';
import { QUEUE_STEPS, type QueueOperation } from './steps.ts';

export interface ResolveInput {
  readonly notes?: string;
  /** Way in which the customer got the money, such as `check`. */
  readonly refundMethod?: string;
  /** YYYY-MM-DD; today in the merchant's zone unless given. */
  readonly refundDate?: string;
}

/**
 * Makes the scheduler retry an entry immediately, with its attempts reset. A failed entry reserves its amount again (specification 3.2,
 * decisions 6). @throws ServiceError RESOURCE_CONFLICT on a closed entry, INVALID_AMOUNT (422) if the money is no longer available.
 */
export function retryEntry(deps: Dependencies, actor: Actor, id: string): Promise<QueueEntry> {
  return change(deps, actor, id, 'retry', async (work, row, transaction, now) => {
    if (!holdsMoney(row.status)) await hold(work, row, transaction, now);
    const atOnce = deps.clockOf(actor.tenantId).now();
    const set: Partial<QueueRow> = { status: 'processing', attempt_count: 0, scheduled_ms: atOnce };
    // One that is at the gateway right now is being tried already.
    return isUnderWay(row) ? set : { ...set, ...released(atOnce) };
  });
}

/** Closes an entry whose money was returned outside of Paydesk. It counts as refunded and belongs to no settlement (decisions 6, 11). */
export async function resolveEntry(deps: Dependencies, actor: Actor, id: string, input: ResolveInput): Promise<QueueEntry> {
  if (input.refundDate !== undefined) parseDate(input.refundDate, 'refundDate');
  return change(deps, actor, id, 'resolve', async (work, row, transaction, now) => {
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
    const { timezone } = await deps.merchantFor(actor, row.merchant_id);
    const today = dateIn(timezone, now);
    deps.post(work, {
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
      resolved_by: actor.name,
      resolution_notes: input.notes ?? null,
      refund_method: input.refundMethod ?? null,
      refund_date: input.refundDate ?? today,
      ...closed,
    };
    await emitResolved(deps, work, { ...row, ...set }, now);
    return set;
  });
}

/** Cancels an entry: there are no more retries, and its amount is released. */
export function cancelEntry(deps: Dependencies, actor: Actor, id: string, input: { reason?: string; notes?: string }): Promise<QueueEntry> {
  return change(deps, actor, id, 'cancel', async (work, row, transaction, now) => {
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
      cancelled_by: actor.name,
      cancellation_reason: input.reason ?? null,
      cancellation_notes: input.notes ?? null,
      ...closed,
    };
  });
}

const closed = { scheduled_ms: null, ...released(null) };

/** Locks the payment, then the entry, asks the table, and writes what `plan` decides. The refund's own time of retry follows. */
async function change(
  deps: Dependencies,
  actor: Actor,
  id: string,
  operation: Extract<QueueOperation, 'retry' | 'resolve' | 'cancel'>,
  plan: (work: Work, row: QueueRow, transaction: TransactionRow, now: TenantTime) => Promise<Partial<QueueRow>>,
): Promise<QueueEntry> {
  const known = await readEntry(deps.database.read(actor.tenantId), id);
  await deps.merchantFor(actor, known.merchant_id);
  return deps.database.unitOfWork.run(actor.tenantId, async (work) => {
    const transaction = await lockTransaction(work, known.transaction_id);
    const row = await lockEntry(work, id);
    step(QUEUE_STEPS, row.status, operation, closedDetails(row));
    const now = timeAfter(deps.clockOf(actor.tenantId).now(), transaction.updated_at);
    const set = { ...(await plan(work, row, transaction, now)), updated_at: isoTime(now) };
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
      deps.changed(actor.tenantId, 'refund-queue');
      deps.changed(actor.tenantId, 'transactions');
      deps.wake(RETRY_JOB);
    });
    return toEntry({ ...row, ...set });
  });
}

/** Refuses a change while an attempt at the gateway may be returning the money, so that it is not returned twice. */
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
