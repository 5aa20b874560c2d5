import type { Work } from '#core/database';
import type { ReturnedItem } from '#core/gateways';
import { isoTime, later, money, newId, realNow, serviceActor, storedCurrency, timeAfter } from '#core/kernel';
import { type Job, released } from '#core/platform/scheduling';
import { countMovement, recount } from '../aggregates/facts.ts';
import { newAttempt } from '../attempts/attempts.ts';
import { entryOf, transferOf, whoAsked } from '../entries.ts';
import { returnedEvent } from '../events.ts';
import type { Needs } from '../needs.ts';
import { refundable } from '../refund/eligibility.ts';
import { refundRow } from '../refund/refund.ts';
import { holdsMoney, isUnderWay } from '../refund-queue/entry.ts';
import { REFUND_QUEUE } from '../refund-queue/schema.ts';
import { lockTransaction } from '../repository.ts';
import { ATTEMPTS, type AttemptRow, REFUNDS, TRANSACTIONS, type TransactionRow } from '../schema.ts';
import { toTransaction } from '../transaction.ts';
import { LOOK_EVERY_MS, RETURN_WATCHES, type ReturnWatchRow } from './return-watches.ts';

export const RETURNS_JOB = 'payments.read-returns';

/** What a processor learns late it also tells late: each look goes back over days that were read before. */
const LOOK_BACK_MS = 5 * 86_400_000;
const FAILED_MS = 3_600_000;
const AT_ONCE = 2;
const LEASE_MS = 1_800_000;

/** Looks for bank payments that came back after they were approved (decisions 10), in real time. */
export function returnsJob(on: Needs): Job<ReturnWatchRow> {
  return {
    name: RETURNS_JOB,
    table: RETURN_WATCHES,
    clock: 'real',
    atOnce: AT_ONCE,
    leaseMs: LEASE_MS,
    async run({ tenant_id, id, fence, read_until }) {
      const now = realNow();
      const read = await readReturns(on, tenant_id, id, { from: isoTime(Date.parse(read_until) - LOOK_BACK_MS), to: isoTime(now) }).catch(
        (cause: unknown) => {
          on.report('The returned bank payments of a gateway could not be read; they are read again', { gatewayId: id, cause });
          return null;
        },
      );
      const set = read === null ? released(later(now, FAILED_MS)) : { read_until: isoTime(now), ...released(later(now, LOOK_EVERY_MS)) };
      await on.database.unitOfWork.run(tenant_id, (work) => work.update(RETURN_WATCHES, { id, fence }, set));
      return read === null ? 'failed' : 'read';
    },
  };
}

/** Enters what came back within a period; answers how many were new. */
async function readReturns(on: Needs, tenantId: string, gatewayId: string, period: { from: string; to: string }): Promise<number> {
  const connector = await on.gateways.of(tenantId, gatewayId);
  let entered = 0;
  for await (const page of connector.returns?.({ tenantId, ...period }) ?? []) {
    for (const item of page) if (await enterReturn(on, tenantId, gatewayId, item)) entered += 1;
  }
  return entered;
}

async function enterReturn(on: Needs, tenantId: string, gatewayId: string, item: ReturnedItem): Promise<boolean> {
  const [found] = await on.database
    .read(tenantId)
    .find(ATTEMPTS, { processor_ref: item.processorRef, gateway_id: gatewayId }, { limit: 1 });
  // Payments that others take through the same account are not ours to judge.
  if (!found) return false;
  return on.database.unitOfWork.run(tenantId, async (work) => {
    const row = await lockTransaction(work, found.transaction_id);
    if (found.operation !== 'sale') return markPaidOut(on, work, found);
    if (row.returned_at !== null || row.captured_minor === 0) return false;
    await takeBack(on, work, await withoutWaitingRefunds(work, row, isoTime(on.clockOf(tenantId).now())), item);
    return true;
  });
}

/** Money that was given back or credited did not arrive: the merchant has it again and owes it still, which a person has to see to. */
async function markPaidOut(on: Needs, work: Work, attempt: AttemptRow): Promise<boolean> {
  if (attempt.alert === 'returned') return false;
  await work.update(ATTEMPTS, { id: attempt.id }, { alert: 'returned' });
  const { transaction_id: transactionId, operation, processor_ref: processorRef } = attempt;
  on.report('Money that was paid out came back from the bank: a person must look', { transactionId, operation, processorRef });
  return true;
}

/** Gives up refunds that wait, here or in the queue: what comes back by the bank is not to be given back by us as well. */
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

/** The bank gave the payer the money back: the same movement as a refund of all that was not given back before, told as a decline with its code. */
async function takeBack(on: Needs, work: Work, row: TransactionRow, { returnCode, reason }: ReturnedItem): Promise<void> {
  const now = timeAfter(on.clockOf(row.tenant_id).now(), row.updated_at);
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
  const asked = newAttempt(on, serviceActor(row.tenant_id), {
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
    const merchant = await on.merchantFor({ tenantId: row.tenant_id, merchantId: null }, row.merchant_id);
    const transfer = transferOf(merchant, attempt, refundId, 'refund', amount.minor, now);
    on.post(work, transfer);
    countMovement(work, row, 'refund', amount.minor, transfer.day, refund);
  }
  recount(work, row, changed);
  on.audit(work, entryOf(attempt, changed, 'returned'));
  const told = { ...toTransaction(changed), status: 'declined', declineCode: returnCode, declineReason: reason } as const;
  on.emit(work, {
    tenantId: row.tenant_id,
    merchantId: row.merchant_id,
    resourceId: row.id,
    atMs: now,
    ...returnedEvent(told, money(row.captured_minor, currency)),
  });
  if (row.invoice_id !== null)
    await on.events.publish(work, 'payment.voided', { tenantId: row.tenant_id, transactionId: row.id, by: whoAsked(attempt), atMs: now });
  if (row.subscription_id !== null) {
    const { tenant_id: tenantId, subscription_id: subscriptionId, id: transactionId } = row;
    await on.events.publish(work, 'payment.returned', { tenantId, subscriptionId, transactionId, returnCode, reason, atMs: now });
  }
  if (row.reserved_minor > 0)
    on.report('A bank payment came back while a refund of it is under way: it may be paid back twice', { transactionId: row.id });
  work.afterCommit(() => {
    on.changed(row.tenant_id, 'transactions');
    on.changed(row.tenant_id, 'refunds');
  });
}
