import type { Work } from '#core/database';
import type { ReturnedItem } from '#core/gateways';
import { isoTime, later, money, newId, realNow, serviceActor, storedCurrency, timeAfter } from '#core/kernel';
import { type Job, released } from '#core/platform/scheduling';
import { countMovement, recount } from '../aggregates/daily-aggregates.ts';
import { newAttempt } from '../attempts/attempts.ts';
import { actorOfAttempt, auditEntryOf, transferOf } from '../audit-and-ledger.ts';
import type { Dependencies } from '../dependencies.ts';
import { returnedEvent } from '../events.ts';
import { refundable } from '../refund/eligibility.ts';
import { refundRow } from '../refund/refund.ts';
import { holdsMoney, isUnderWay } from '../refund-queue/entry.ts';
import { REFUND_QUEUE } from '../refund-queue/schema.ts';
import { lockTransaction } from '../repository.ts';
import { ATTEMPTS, type AttemptRow, REFUNDS, TRANSACTIONS, type TransactionRow } from '../schema.ts';
import { toTransaction } from '../transaction.ts';
import { LOOK_EVERY_MS, RETURN_WATCHES, type ReturnWatchRow } from './return-watches.ts';

export const RETURNS_JOB = 'payments.read-returns';

/** Processors may report returns late, so each search covers some days again. */
const LOOK_BACK_MS = 5 * 86_400_000;
const FAILED_MS = 3_600_000;
const AT_ONCE = 2;
const LEASE_MS = 1_800_000;

/** Job that finds bank payments that were returned after their approval (decisions 10), in real time. */
export function returnsJob(deps: Dependencies): Job<ReturnWatchRow> {
  return {
    name: RETURNS_JOB,
    table: RETURN_WATCHES,
    clock: 'real',
    atOnce: AT_ONCE,
    leaseMs: LEASE_MS,
    async run({ tenant_id, id, fence, read_until }) {
      const now = realNow();
      const read = await readReturns(deps, tenant_id, id, { from: isoTime(Date.parse(read_until) - LOOK_BACK_MS), to: isoTime(now) }).catch(
        (cause: unknown) => {
          deps.report('The returned bank payments of a gateway could not be read; they are read again', { gatewayId: id, cause });
          return null;
        },
      );
      const set = read === null ? released(later(now, FAILED_MS)) : { read_until: isoTime(now), ...released(later(now, LOOK_EVERY_MS)) };
      await deps.database.unitOfWork.run(tenant_id, (work) => work.update(RETURN_WATCHES, { id, fence }, set));
      return read === null ? 'failed' : 'read';
    },
  };
}

/** Records the returns of a period. Returns the number of new ones. */
async function readReturns(deps: Dependencies, tenantId: string, gatewayId: string, period: { from: string; to: string }): Promise<number> {
  const connector = await deps.gateways.of(tenantId, gatewayId);
  let entered = 0;
  for await (const page of connector.returns?.({ tenantId, ...period }) ?? []) {
    for (const item of page) if (await enterReturn(deps, tenantId, gatewayId, item)) entered += 1;
  }
  return entered;
}

async function enterReturn(deps: Dependencies, tenantId: string, gatewayId: string, item: ReturnedItem): Promise<boolean> {
  const [found] = await deps.database
    .read(tenantId)
    .find(ATTEMPTS, { processor_ref: item.processorRef, gateway_id: gatewayId }, { limit: 1 });
  // Payments that others take through the same account are not ours to judge.
  if (!found) return false;
  return deps.database.unitOfWork.run(tenantId, async (work) => {
    const row = await lockTransaction(work, found.transaction_id);
    if (found.operation !== 'sale') return markPaidOut(deps, work, found);
    if (row.returned_at !== null || row.captured_minor === 0) return false;
    await takeBack(deps, work, await withoutWaitingRefunds(work, row, isoTime(deps.clockOf(tenantId).now())), item);
    return true;
  });
}

/** Refunded or credited money did not arrive: the merchant has it again and still owes it, which a person must resolve. */
async function markPaidOut(deps: Dependencies, work: Work, attempt: AttemptRow): Promise<boolean> {
  if (attempt.alert === 'returned') return false;
  await work.update(ATTEMPTS, { id: attempt.id }, { alert: 'returned' });
  const { transaction_id: transactionId, operation, processor_ref: processorRef } = attempt;
  deps.report('Money that was paid out came back from the bank: a person must look', { transactionId, operation, processorRef });
  return true;
}

/** Cancels waiting refunds, held or queued, because money that the bank returns must not be refunded as well. */
async function withoutWaitingRefunds(work: Work, row: TransactionRow, at: string): Promise<TransactionRow> {
  const reason = 'The bank gave the whole payment back.';
  let reserved = row.reserved_minor;
  for (const held of await work.find(ATTEMPTS, { transaction_id: row.id, state: 'held' })) {
    if (held.refund_id === null) continue;
    await work.update(ATTEMPTS, { id: held.id }, { state: 'done', result: 'cancelled', reason, ...released(null), concluded_at: at });
    await work.update(REFUNDS, { id: held.refund_id }, { status: 'failed' });
    reserved -= held.amount_minor;
  }
  for (const entry of await work.find(REFUND_QUEUE, { transaction_id: row.id })) {
    if (!holdsMoney(entry.status) || isUnderWay(entry)) continue;
    const closed = { status: 'cancelled', cancelled_at: at, cancelled_by: 'service', cancellation_reason: reason } as const;
    await work.update(REFUND_QUEUE, { id: entry.id }, { ...closed, scheduled_ms: null, ...released(null), updated_at: at });
    await work.update(REFUNDS, { id: entry.refund_id }, { retry_scheduled_at: null });
    reserved -= entry.amount_minor;
  }
  return { ...row, reserved_minor: reserved };
}

/**
 * Records that the bank returned the money to the payer: the movement of a refund of everything not refunded before, published as a decline
 * with its code.
 */
async function takeBack(deps: Dependencies, work: Work, row: TransactionRow, { returnCode, reason }: ReturnedItem): Promise<void> {
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
  const asked = newAttempt(deps, serviceActor(row.tenant_id), {
    transactionId: row.id,
    refundId,
    operation: 'refund',
    via: row,
    amountMinor: amount.minor,
    currency: row.currency,
  });
  const words = `Returned by the bank, ${returnCode}: ${reason}`;
  const attempt = { ...asked, state: 'done', result: 'approved', reason: words, due_ms: null, concluded_at: at } as const;
  work.insert(ATTEMPTS, attempt);
  if (amount.minor > 0) {
    const written = refundRow(row, refundId, amount, { reason: words }, attempt.processor_ref, at);
    const refund = { ...written, status: 'approved', refunded_at: at, sent_as: 'return' } as const;
    work.insert(REFUNDS, refund);
    const merchant = await deps.merchantFor({ tenantId: row.tenant_id, merchantId: null }, row.merchant_id);
    const transfer = transferOf(merchant, attempt, refundId, 'refund', amount.minor, now);
    deps.post(work, transfer);
    countMovement(work, row, 'refund', amount.minor, transfer.day, refund);
  }
  recount(work, row, changed);
  deps.audit(work, auditEntryOf(attempt, changed, 'returned'));
  const told = { ...toTransaction(changed), status: 'declined', declineCode: returnCode, declineReason: reason } as const;
  deps.emit(work, {
    tenantId: row.tenant_id,
    merchantId: row.merchant_id,
    resourceId: row.id,
    atMs: now,
    ...returnedEvent(told, money(row.captured_minor, currency)),
  });
  if (row.invoice_id !== null)
    await deps.events.publish(work, 'payment.voided', {
      tenantId: row.tenant_id,
      transactionId: row.id,
      by: actorOfAttempt(attempt),
      atMs: now,
    });
  if (row.subscription_id !== null) {
    const { tenant_id: tenantId, subscription_id: subscriptionId, id: transactionId } = row;
    await deps.events.publish(work, 'payment.returned', { tenantId, subscriptionId, transactionId, returnCode, reason, atMs: now });
  }
  if (row.reserved_minor > 0)
    deps.report('A bank payment came back while a refund of it is under way: it may be paid back twice', { transactionId: row.id });
  work.afterCommit(() => {
    deps.changed(row.tenant_id, 'transactions');
    deps.changed(row.tenant_id, 'refunds');
  });
}
