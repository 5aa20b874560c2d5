import type { Work } from '#core/database';
import {
  type Actor,
  isoTime,
  later,
  type Money,
  money,
  newId,
  realNow,
  ServiceError,
  serviceActor,
  storedCurrency,
  type TenantTime,
  timeAfter,
} from '#core/kernel';
import { type Job, released } from '#core/platform/scheduling';
import type { ReturnedItem } from '#core/processing/gateways';
import { recount } from '../aggregates/daily-aggregates.ts';
import { newAttempt } from '../attempts/attempts.ts';
import { actorOfAttempt, auditEntryOf, postMovement, transferOf } from '../audit-and-ledger.ts';
import { checkScope } from '../capture/change.ts';
import type { Dependencies } from '../dependencies.ts';
import { refundable, refuseWhileChanging } from '../eligibility.ts';
import { refundEvent, returnedEvent } from '../events.ts';
import { isBankPayment, returnShare } from '../order-payments.ts';
import { partsOfRefund } from '../parts/refunded-parts.ts';
import { isInProgress, reservesAmount } from '../queue-entries/entry.ts';
import { emitCancelled } from '../queue-entries/outcome.ts';
import { REFUND_QUEUE } from '../queue-entries/schema.ts';
import type { Transaction } from '../records.ts';
import { refundRow } from '../refund/refund.ts';
import { lockRefund, lockTransaction, readTransaction } from '../repository.ts';
import { ATTEMPTS, type AttemptRow, REFUNDS, TRANSACTIONS, type TransactionRow } from '../schema.ts';
import { toRefund, toTransaction } from '../transaction.ts';
import { READ_EVERY_MS, RETURN_WATCHES, type ReturnWatchRow } from './return-watches.ts';

export const RETURNS_JOB = 'payments.read-returns';

/** Each search covers some days again, because processors may report returns late. */
const OVERLAP_MS = 5 * 86_400_000;
const RETRY_DELAY_MS = 3_600_000;
const CONCURRENCY = 2;
const LEASE_MS = 1_800_000;

/** Job that finds bank payments that were returned after their approval, in real time. */
export function returnsJob(deps: Dependencies): Job<ReturnWatchRow> {
  return {
    name: RETURNS_JOB,
    table: RETURN_WATCHES,
    clock: 'real',
    concurrency: CONCURRENCY,
    leaseMs: LEASE_MS,
    longestWaitMs: READ_EVERY_MS,
    async run({ tenant_id, id, fence, read_until }) {
      const now = realNow();
      const read = await readReturns(deps, tenant_id, id, { from: isoTime(Date.parse(read_until) - OVERLAP_MS), to: isoTime(now) }).catch(
        (cause: unknown) => {
          deps.report('The returned bank payments of a gateway could not be read. Reading them will be retried', { gatewayId: id, cause });
          return null;
        },
      );
      const set =
        read === null ? released(later(now, RETRY_DELAY_MS)) : { read_until: isoTime(now), ...released(later(now, READ_EVERY_MS)) };
      await deps.database.unitOfWork.transaction(tenant_id, (work) => work.update(RETURN_WATCHES, { id, fence }, set));
      return read === null ? 'failed' : 'read';
    },
  };
}

/** Records the returns of a period. Returns the number of new ones. */
async function readReturns(deps: Dependencies, tenantId: string, gatewayId: string, period: { from: string; to: string }): Promise<number> {
  const connector = await deps.gateways.connectorFor(tenantId, gatewayId);
  let recorded = 0;
  for await (const page of connector.returns?.({ tenantId, ...period }) ?? []) {
    for (const item of page) if (await recordReturnedItem(deps, tenantId, gatewayId, item)) recorded += 1;
  }
  return recorded;
}

async function recordReturnedItem(deps: Dependencies, tenantId: string, gatewayId: string, item: ReturnedItem): Promise<boolean> {
  const [found] = await deps.database
    .read(tenantId)
    .find(ATTEMPTS, { processor_ref: item.processorRef, gateway_id: gatewayId }, { limit: 1 });
  // The account may be shared with other programs, whose payments Paydesk does not know.
  if (!found) return false;
  return deps.database.unitOfWork.transaction(tenantId, async (work) => {
    const row = await lockTransaction(work, found.transaction_id);
    if (found.operation !== 'sale') return alertReturnedPayout(deps, work, found);
    if (row.returned_at !== null || row.captured_minor === 0) return false;
    const now = timeAfter(deps.clockOf(tenantId).now(), row.updated_at);
    await recordReturn(deps, work, await cancelWaitingRefunds(deps, work, row, now, 'The bank returned the whole payment.'), item);
    return true;
  });
}

/** Return of a bank payment, as a person causes it in the sandbox. */
export interface BankReturn {
  readonly transactionId: string;
  /** Code of the bank, such as R01. */
  readonly code?: string;
  readonly reason?: string;
}

/**
 * Returns a bank payment as its bank would. Returns it with the returned amount. @throws ServiceError TRANSACTION_NOT_FOUND, MERCHANT_NOT_AUTHORIZED;
 * RESOURCE_CONFLICT unless it is approved and was not returned.
 */
export async function returnBankPayment(
  deps: Dependencies,
  actor: Actor,
  { transactionId, code = 'R01', reason = 'Insufficient funds' }: BankReturn,
): Promise<{ readonly payment: Transaction; readonly amount: Money }> {
  await checkScope(deps, actor, transactionId);
  return deps.database.unitOfWork.transaction(actor.tenantId, async (work) => {
    const locked = await lockTransaction(work, transactionId);
    refuseWhileChanging(locked);
    if (!isBankPayment(locked) || locked.type === 'credit' || locked.captured_minor === 0 || locked.returned_at !== null)
      throw new ServiceError('RESOURCE_CONFLICT', 'Only an approved bank payment can be returned, and once.', {
        details: { reason: 'not_returnable', transactionId },
      });
    const now = timeAfter(deps.clockOf(actor.tenantId).now(), locked.updated_at);
    const row = await cancelWaitingRefunds(deps, work, locked, now, 'The bank returned the whole payment.');
    await recordReturn(deps, work, row, { returnCode: code, reason });
    return { payment: toTransaction(await readTransaction(work, transactionId)), amount: refundable(row) };
  });
}

/** Sets an alert on a refund or credit that the bank returned: the merchant has the money and still owes it, which a person must resolve. */
async function alertReturnedPayout(deps: Dependencies, work: Work, attempt: AttemptRow): Promise<boolean> {
  if (attempt.alert === 'returned') return false;
  await work.update(ATTEMPTS, { id: attempt.id }, { alert: 'returned' });
  const { transaction_id: transactionId, operation, processor_ref: processorRef } = attempt;
  deps.report('The bank returned money of a refund or credit. It requires manual review', { transactionId, operation, processorRef });
  return true;
}

/**
 * Cancels waiting refunds, held or queued, because money that the bank returns must not be refunded as well. Each has its event and audit entry, in the
 * unit of work of its cause.
 */
export async function cancelWaitingRefunds(
  deps: Dependencies,
  work: Work,
  row: TransactionRow,
  now: TenantTime,
  reason: string,
): Promise<TransactionRow> {
  const at = isoTime(now);
  const { tenant_id: tenantId, merchant_id: merchantId } = row;
  const actor = serviceActor(tenantId);
  let reserved = row.reserved_minor;
  for (const held of await work.find(ATTEMPTS, { transaction_id: row.id, state: 'held' })) {
    if (held.refund_id === null) continue;
    await work.update(ATTEMPTS, { id: held.id }, { state: 'done', result: 'cancelled', reason, ...released(null), concluded_at: at });
    const set = { status: 'failed', decline_reason: reason } as const;
    const refund = { ...(await lockRefund(work, held.refund_id)), ...set };
    await work.update(REFUNDS, { id: held.refund_id }, set);
    reserved -= held.amount_minor;
    deps.emit(work, { tenantId, merchantId, resourceId: row.id, atMs: now, ...refundEvent(toRefund(refund)) });
    const entry = auditEntryOf(held, row, 'cancelled');
    deps.audit(work, { ...entry, actor, after: { ...entry.after, reason } });
  }
  for (const entry of await work.find(REFUND_QUEUE, { transaction_id: row.id })) {
    if (!reservesAmount(entry.status) || isInProgress(entry)) continue;
    const cancellation = { status: 'cancelled', cancelled_at: at, cancelled_by: 'service', cancellation_reason: reason } as const;
    await work.update(REFUND_QUEUE, { id: entry.id }, { ...cancellation, scheduled_ms: null, ...released(null), updated_at: at });
    await work.update(REFUNDS, { id: entry.refund_id }, { retry_scheduled_at: null });
    reserved -= entry.amount_minor;
    await emitCancelled(deps, work, { ...entry, ...cancellation }, now);
    deps.audit(work, {
      actor,
      action: 'refund_decline_queue.cancel',
      resource: `refund-decline-queue/${entry.id}`,
      merchantId,
      before: { status: entry.status },
      after: { status: 'cancelled', refundId: entry.refund_id, reason },
    });
  }
  if (reserved !== row.reserved_minor) work.afterCommit(() => deps.changed(tenantId, 'refunds', merchantId));
  return { ...row, reserved_minor: reserved };
}

/**
 * Records that the bank returned the money to the payer: the movement of a refund of everything not refunded before, published as a decline
 * with its code.
 */
async function recordReturn(
  deps: Dependencies,
  work: Work,
  row: TransactionRow,
  { returnCode, reason }: Pick<ReturnedItem, 'returnCode' | 'reason'>,
): Promise<void> {
  const now = timeAfter(deps.clockOf(row.tenant_id).now(), row.updated_at);
  const at = isoTime(now);
  const currency = storedCurrency(row.currency);
  const amount = money(refundable(row).minor, currency);
  const set = {
    returned_at: at,
    return_code: returnCode,
    refunded_minor: row.refunded_minor + amount.minor,
    reserved_minor: row.reserved_minor,
    updated_at: at,
  };
  const changed = { ...row, ...set };
  await work.update(TRANSACTIONS, { id: row.id }, set);
  const refundId = newId('ref', now);
  const parts = await partsOfRefund(work, row, amount, {});
  const newReturnAttempt = newAttempt(deps, serviceActor(row.tenant_id), {
    transactionId: row.id,
    refundId,
    operation: 'refund',
    via: row,
    amountMinor: amount.minor,
    parts,
    currency: row.currency,
  });
  const reasonText = `Returned by the bank, ${returnCode}: ${reason}`;
  const attempt = { ...newReturnAttempt, state: 'done', result: 'approved', reason: reasonText, due_ms: null, concluded_at: at } as const;
  work.insert(ATTEMPTS, attempt);
  if (amount.minor > 0) {
    const newRefund = refundRow(row, refundId, { amount, parts }, { reason: reasonText }, attempt.processor_ref, at);
    const refund = { ...newRefund, status: 'approved', refunded_at: at, sent_as: 'return' } as const;
    work.insert(REFUNDS, refund);
    const merchant = await deps.merchantFor({ tenantId: row.tenant_id, merchantId: null }, row.merchant_id);
    postMovement(deps, work, transferOf(merchant, attempt, refundId, 'refund', amount.minor, now), row, refund, refund);
  }
  recount(work, row, changed);
  deps.audit(work, auditEntryOf(attempt, changed, 'returned'));
  const declinedTransaction = { ...toTransaction(changed), status: 'declined', declineCode: returnCode, declineReason: reason } as const;
  deps.emit(work, {
    tenantId: row.tenant_id,
    merchantId: row.merchant_id,
    resourceId: row.id,
    atMs: now,
    ...returnedEvent(declinedTransaction, money(row.captured_minor, currency)),
  });
  await returnShare(deps, work, actorOfAttempt(attempt), row, null, null);
  if (row.invoice_id !== null)
    await deps.events.publish(work, 'payment.voided', {
      tenantId: row.tenant_id,
      transactionId: row.id,
      actor: actorOfAttempt(attempt),
      atMs: now,
    });
  if (row.subscription_id !== null || row.invoice_id !== null) {
    const { tenant_id: tenantId, subscription_id: subscriptionId, invoice_id: invoiceId, id: transactionId } = row;
    await deps.events.publish(work, 'payment.returned', {
      tenantId,
      subscriptionId,
      invoiceId,
      transactionId,
      returnCode,
      reason,
      atMs: now,
    });
  }
  if (row.reserved_minor > 0)
    deps.report('A bank payment was returned while a refund of it is in progress. It may be refunded twice', { transactionId: row.id });
  work.afterCommit(() => {
    deps.changed(row.tenant_id, 'transactions', row.merchant_id);
    deps.changed(row.tenant_id, 'refunds', row.merchant_id);
  });
}
