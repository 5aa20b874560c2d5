import { lit, queriesOn, TENANT, type Work } from '#core/database';
import type { ChangeEvents } from '#core/domain-events';
import {
  type Actor,
  allows,
  atLeastOneUnit,
  type Currency,
  dateIn,
  isoTime,
  parseMoney,
  ServiceError,
  step,
  timeAfter,
} from '#core/kernel';
import type { Merchant } from '#core/merchants';
import { onceColumns, onceOnly } from '#core/platform/idempotency';
import { released } from '#core/platform/scheduling';
import { billNow } from './bill.ts';
import { ended, expire, goTo, isOver, resumed, type Setting, withDue } from './course.ts';
import { finishOnce } from './finish-once.ts';
import { checkEnd, dayFrom, type SubscriptionChange } from './input.ts';
import { holdNow, keepRow, type Needs } from './needs.ts';
import { get, missing, present } from './read.ts';
import { SUBSCRIPTIONS, type SubscriptionRow } from './schema.ts';
import { SUBSCRIPTION_STEPS, type SubscriptionOperation } from './steps.ts';
import type { Subscription } from './subscription.ts';
import { note, tellEnd } from './tell.ts';

type Plan = (row: SubscriptionRow, of: Setting) => SubscriptionRow;

/** Locks a subscription, asks the table, and writes what `plan` makes of it with its entry and its events. `first` is what must be locked before. */
async function change(
  on: Needs,
  by: Actor,
  id: string,
  operation: SubscriptionOperation,
  action: string,
  plan: Plan,
  first?: (work: Work) => Promise<void>,
): Promise<Subscription> {
  const { merchant } = await present(on, by, id);
  await on.database.unitOfWork.run(by.tenantId, async (work) => {
    await first?.(work);
    const row = await lock(work, id);
    step(SUBSCRIPTION_STEPS, row.status, operation, { status: row.status });
    await write(on, work, by, merchant, row, action, plan);
  });
  return get(on, by, id);
}

async function lock(work: Work, id: string): Promise<SubscriptionRow> {
  const row = await work.lockOne(SUBSCRIPTIONS, { id });
  if (!row || row.deleted_at !== null) throw missing(id);
  return row;
}

async function write(
  on: Needs,
  work: Work,
  by: Actor,
  merchant: Merchant,
  row: SubscriptionRow,
  action: string,
  plan: Plan,
): Promise<void> {
  const now = timeAfter(on.clockOf(row.tenant_id).now(), row.updated_at);
  const planned = plan(row, { now, zone: merchant.timezone, dunning: merchant.dunning });
  // Whoever had claimed it before finds that it is another one now.
  const next = { ...planned, updated_at: isoTime(now), fence: row.fence + 1 };
  await keepRow(on, work, next);
  note(on, work, by, action, row, next);
  if (next.status === row.status) return;
  tellEnd(on, work, next, merchant, now);
}

/** Charges nothing more until it is resumed. ALREADY_PAUSED, ALREADY_CANCELLED, SUBSCRIPTION_INACTIVE. A payment under way still counts. */
export function pause(on: Needs, by: Actor, id: string): Promise<Subscription> {
  return change(on, by, id, 'pause', 'paused', (row, { now }) => {
    const paused = { ...row, status: 'paused', paused_at: isoTime(now), failed_attempts: 0, retry_ms: null } as const;
    return row.busy_transaction === null ? { ...paused, ...released(null) } : paused;
  });
}

/** Goes on with the next date of its calendar that is not in the past; periods before it are let go (decisions 11). */
export function resume(on: Needs, by: Actor, id: string): Promise<Subscription> {
  return change(on, by, id, 'resume', 'resumed', (row, of) => resumed(row, of));
}

/** Lets the next period go. SUBSCRIPTION_INACTIVE unless it is active. */
export function skipNext(on: Needs, by: Actor, id: string): Promise<Subscription> {
  return change(on, by, id, 'skip', 'payment_skipped', (row, of) => {
    refuseBusy(row);
    if (row.next_date === null)
      throw new ServiceError('SUBSCRIPTION_INACTIVE', 'No further payment of this subscription is to come.', {
        details: { status: row.status, reason: 'no_next_payment' },
      });
    const next = goTo(row, row.next_index + 1);
    return isOver(next, of) ? { ...expire(next, of.now), ...released(null) } : withDue(next, of);
  });
}

/** Ends it for good. ALREADY_CANCELLED, SUBSCRIPTION_INACTIVE on one that has ended. A payment under way still counts. */
export function cancel(on: Needs, by: Actor, id: string, reason?: string): Promise<Subscription> {
  return change(on, by, id, 'cancel', 'cancelled', (row, { now }) => ended(row, now, by.name, reason ?? null));
}

/** Cancels it if it is still alive, and hides it; its payments stay. */
export async function remove(on: Needs, by: Actor, id: string): Promise<void> {
  const { merchant } = await present(on, by, id);
  await on.database.unitOfWork.run(by.tenantId, async (work) => {
    const row = await lock(work, id);
    const isOpen = allows(SUBSCRIPTION_STEPS, row.status, 'cancel');
    await write(on, work, by, merchant, row, 'deleted', (found, { now }) => ({
      ...(isOpen ? ended(found, now, by.name, 'deleted') : found),
      deleted_at: isoTime(now),
    }));
  });
}

/** Ends what is billed to a customer, in the unit of work that deletes the customer. */
export async function stopBilling(on: Needs, work: Work, by: Actor, customerId: string): Promise<void> {
  const rows = await work.find(SUBSCRIPTIONS, { customer_id: customerId }, { orderBy: [['id', 'asc']] });
  for (const { id } of rows) {
    const row = await work.lockOne(SUBSCRIPTIONS, { id });
    if (!row || row.deleted_at !== null || !allows(SUBSCRIPTION_STEPS, row.status, 'cancel')) continue;
    const merchant = await on.merchantFor({ tenantId: by.tenantId, merchantId: null }, row.merchant_id);
    await write(on, work, by, merchant, row, 'cancelled', (found, { now }) => ended(found, now, by.name, 'customer_deleted'));
  }
}

/** Has what is past due tried again at once, now that there is another card to try. */
export async function retryPastDue(on: Needs, work: Work, changed: ChangeEvents['payment-method.changed']): Promise<void> {
  const { tenantId, customerId, paymentMethodId, isDefault } = changed;
  const atOnce = on.clockOf(tenantId).now();
  const rows = await work.find(SUBSCRIPTIONS, { customer_id: customerId, status: 'past_due' });
  for (const { id } of rows) {
    const row = await work.lockOne(SUBSCRIPTIONS, { id });
    if (row?.status !== 'past_due' || row.busy_transaction !== null) continue;
    if (row.payment_method_id !== paymentMethodId && !(row.payment_method_id === null && isDefault)) continue;
    await keepRow(on, work, { ...row, retry_ms: atOnce, fence: row.fence + 1, ...released(atOnce) });
  }
}

/** Bills the subscriptions of a removed payment method to the customer's default. The new fence ends every claim on one of them. */
export async function useDefaultMethod(work: Work, { customerId, paymentMethodId }: ChangeEvents['payment-method.removed']): Promise<void> {
  await work.change(
    queriesOn(SUBSCRIPTIONS)
      .updateTable('subscriptions')
      .set(({ eb }) => ({ payment_method_id: null, fence: eb('fence', '+', lit(1)) }))
      .where('tenant_id', '=', TENANT)
      .where('customer_id', '=', customerId)
      .where('payment_method_id', '=', paymentMethodId),
  );
}

/**
 * Retries the payment of a past-due subscription before it answers. The lease that it takes is the claim: a retry beside another one, or beside the
 * scheduler, is rejected, so each Idempotency-Key belongs to the request that bills.
 * @throws SUBSCRIPTION_INACTIVE, ALREADY_CANCELLED; RESOURCE_CONFLICT when nothing is unpaid or a payment is under way.
 */
export async function retryNow(on: Needs, by: Actor, id: string): Promise<Subscription> {
  await present(on, by, id);
  const opened = async (work: Work) => {
    const row = await lock(work, id);
    on.once.open(work, by);
    step(SUBSCRIPTION_STEPS, row.status, 'retry', { status: row.status });
    refuseBusy(row);
    const held = await holdNow(on, work, id);
    if (held === null) throw paymentUnderWay(null);
    const now = timeAfter(on.clockOf(by.tenantId).now(), row.updated_at);
    const next = { ...held, ...onceColumns(by), retry_ms: now, due_ms: now, updated_at: isoTime(now) };
    await keepRow(on, work, next);
    note(on, work, by, 'retried', row, next);
    return next;
  };
  const held = await onceOnly(() => on.database.unitOfWork.run(by.tenantId, opened));
  await billNow(on, held);
  return finishOnce(on, by.tenantId, id);
}

/** Changes a plan; what is given for the card is charged from the next payment on, and at once where one failed. */
export async function update(on: Needs, by: Actor, id: string, input: SubscriptionChange): Promise<Subscription> {
  const { row: known, merchant } = await present(on, by, id);
  if (input.paymentMethodId != null) await on.customers.payer(by, known.customer_id, input.paymentMethodId);
  const amount = input.amount === undefined ? null : atLeastOneUnit(parseMoney(input.amount, known.currency as Currency));
  const store = input.method && (await on.customers.prepareMethod(by, known.customer_id, input.method));
  let methodId = input.paymentMethodId;
  // The customer is locked before its plans, wherever both are.
  const putOnFile = async (work: Work) => {
    if (store) methodId = await on.customers.addMethodIn(work, by, known.customer_id, store, input.method?.consentText ?? null);
  };
  const planned: Plan = (row, of) => {
    const today = dateIn(merchant.timezone, of.now);
    let next: SubscriptionRow = {
      ...row,
      ...(amount === null ? {} : { amount_minor: amount.minor }),
      ...(input.planId === undefined ? {} : { plan_id: input.planId }),
      ...(methodId === undefined ? {} : { payment_method_id: methodId }),
      ...(input.endDate === undefined ? {} : { end_date: input.endDate === null ? null : dayFrom(input.endDate, 'endDate', today) }),
      ...(input.totalPayments === undefined ? {} : { total_payments: input.totalPayments }),
    };
    if (input.startDate !== undefined) next = begunOn(next, dayFrom(input.startDate, 'startDate', today));
    if (input.frequency !== undefined && input.frequency !== row.frequency) next = turnedTo(next, input.frequency);
    checkEnd(next.start_date, next.end_date);
    if (next.total_payments !== null && next.total_payments <= next.payments_made) {
      throw new ServiceError('VALIDATION_ERROR', `totalPayments must be above the ${next.payments_made} that were made.`, {
        field: 'totalPayments',
      });
    }
    const moved = goTo(next, next.next_index);
    if (row.status === 'past_due' && methodId !== undefined && row.busy_transaction === null) {
      const atOnce = on.clockOf(by.tenantId).now();
      return { ...moved, retry_ms: atOnce, ...released(atOnce) };
    }
    return row.status === 'active' ? withDue(moved, of) : moved;
  };
  return change(on, by, id, 'update', 'updated', planned, putOnFile);
}

/** Another first day, while there has been none. */
function begunOn(row: SubscriptionRow, startDate: string): SubscriptionRow {
  if (row.payments_made > 0 || row.failed_attempts > 0 || row.next_index > 0 || row.busy_transaction !== null) {
    throw new ServiceError('VALIDATION_ERROR', 'startDate can only be changed before the first payment.', { field: 'startDate' });
  }
  return { ...row, start_date: startDate, anchor_date: startDate };
}

/** Another frequency counts from the date of the next period, which stays. */
function turnedTo(row: SubscriptionRow, frequency: SubscriptionRow['frequency']): SubscriptionRow {
  refuseBusy(row);
  const { next_date } = goTo({ ...row, end_date: null }, row.next_index);
  return { ...row, frequency, anchor_date: next_date ?? row.anchor_date, next_index: 0 };
}

function refuseBusy(row: SubscriptionRow): void {
  if (row.busy_transaction !== null) throw paymentUnderWay(row.busy_transaction);
}

/** `transactionId` is null while the payment is only being prepared. */
function paymentUnderWay(transactionId: string | null): ServiceError {
  return new ServiceError('RESOURCE_CONFLICT', 'A payment of this subscription is under way; wait for its outcome.', {
    details: { reason: 'operation_in_progress', ...(transactionId === null ? {} : { transactionId }) },
  });
}
