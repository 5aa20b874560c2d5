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
import { idempotencyColumns, runOnce } from '#core/platform/idempotency';
import { released } from '#core/platform/scheduling';
import { billNow } from './bill.ts';
import { type BillingContext, ended, expire, goTo, isOver, resumed, withDue } from './billing-cycle.ts';
import { type Dependencies, holdNow, keepRow } from './dependencies.ts';
import { auditSubscription, emitEnd } from './events.ts';
import { checkEnd, dayFrom, type SubscriptionChange } from './input.ts';
import { get, missing, present } from './read.ts';
import { SUBSCRIPTIONS, type SubscriptionRow } from './schema.ts';
import { SUBSCRIPTION_STEPS, type SubscriptionOperation } from './steps.ts';
import { storeResponse } from './store-response.ts';
import type { Subscription } from './subscription.ts';

type Plan = (row: SubscriptionRow, of: BillingContext) => SubscriptionRow;

/** Locks a subscription, asks the table, and writes what `plan` makes of it with its entry and its events. `first` is what must be locked before. */
async function change(
  deps: Dependencies,
  actor: Actor,
  id: string,
  operation: SubscriptionOperation,
  action: string,
  plan: Plan,
  first?: (work: Work) => Promise<void>,
): Promise<Subscription> {
  const { merchant } = await present(deps, actor, id);
  await deps.database.unitOfWork.run(actor.tenantId, async (work) => {
    await first?.(work);
    const row = await lock(work, id);
    step(SUBSCRIPTION_STEPS, row.status, operation, { status: row.status });
    await write(deps, work, actor, merchant, row, action, plan);
  });
  return get(deps, actor, id);
}

async function lock(work: Work, id: string): Promise<SubscriptionRow> {
  const row = await work.lockOne(SUBSCRIPTIONS, { id });
  if (!row || row.deleted_at !== null) throw missing(id);
  return row;
}

async function write(
  deps: Dependencies,
  work: Work,
  actor: Actor,
  merchant: Merchant,
  row: SubscriptionRow,
  action: string,
  plan: Plan,
): Promise<void> {
  const now = timeAfter(deps.clockOf(row.tenant_id).now(), row.updated_at);
  const planned = plan(row, { now, zone: merchant.timezone, dunning: merchant.dunning });
  // A former holder of the claim sees that the row has changed.
  const next = { ...planned, updated_at: isoTime(now), fence: row.fence + 1 };
  await keepRow(deps, work, next);
  auditSubscription(deps, work, actor, action, row, next);
  if (next.status === row.status) return;
  emitEnd(deps, work, next, merchant, now);
}

/** Charges nothing more until it is resumed. ALREADY_PAUSED, ALREADY_CANCELLED, SUBSCRIPTION_INACTIVE. A payment under way still counts. */
export function pause(deps: Dependencies, actor: Actor, id: string): Promise<Subscription> {
  return change(deps, actor, id, 'pause', 'paused', (row, { now }) => {
    const status = step(SUBSCRIPTION_STEPS, row.status, 'pause');
    const paused = { ...row, status, paused_at: isoTime(now), failed_attempts: 0, retry_ms: null };
    return row.busy_transaction === null ? { ...paused, ...released(null) } : paused;
  });
}

/** Resumes with the next date of the calendar that is not in the past; earlier periods are skipped (decisions 11). */
export function resume(deps: Dependencies, actor: Actor, id: string): Promise<Subscription> {
  return change(deps, actor, id, 'resume', 'resumed', (row, of) => resumed(row, of));
}

/** Skips the next period. @throws ServiceError SUBSCRIPTION_INACTIVE unless it is active. */
export function skipNext(deps: Dependencies, actor: Actor, id: string): Promise<Subscription> {
  return change(deps, actor, id, 'skip', 'payment_skipped', (row, of) => {
    refuseBusy(row);
    if (row.next_date === null)
      throw new ServiceError('SUBSCRIPTION_INACTIVE', 'This subscription has no further payments.', {
        details: { status: row.status, reason: 'no_next_payment' },
      });
    const next = goTo(row, row.next_index + 1);
    return isOver(next, of) ? { ...expire(next, of.now), ...released(null) } : withDue(next, of);
  });
}

/** Ends it for good. ALREADY_CANCELLED, SUBSCRIPTION_INACTIVE on one that has ended. A payment under way still counts. */
export function cancel(deps: Dependencies, actor: Actor, id: string, reason?: string): Promise<Subscription> {
  return change(deps, actor, id, 'cancel', 'cancelled', (row, { now }) => ended(row, now, actor.name, reason ?? null));
}

/** Cancels it if it is still alive, and hides it; its payments stay. */
export async function remove(deps: Dependencies, actor: Actor, id: string): Promise<void> {
  const { merchant } = await present(deps, actor, id);
  await deps.database.unitOfWork.run(actor.tenantId, async (work) => {
    const row = await lock(work, id);
    const isOpen = allows(SUBSCRIPTION_STEPS, row.status, 'cancel');
    await write(deps, work, actor, merchant, row, 'deleted', (found, { now }) => ({
      ...(isOpen ? ended(found, now, actor.name, 'deleted') : found),
      deleted_at: isoTime(now),
    }));
  });
}

/** Ends what is billed to a customer, in the unit of work that deletes the customer. */
export async function stopBilling(deps: Dependencies, work: Work, actor: Actor, customerId: string): Promise<void> {
  const rows = await work.find(SUBSCRIPTIONS, { customer_id: customerId }, { orderBy: [['id', 'asc']] });
  for (const { id } of rows) {
    const row = await work.lockOne(SUBSCRIPTIONS, { id });
    if (!row || row.deleted_at !== null || !allows(SUBSCRIPTION_STEPS, row.status, 'cancel')) continue;
    const merchant = await deps.merchantFor({ tenantId: actor.tenantId, merchantId: null }, row.merchant_id);
    await write(deps, work, actor, merchant, row, 'cancelled', (found, { now }) => ended(found, now, actor.name, 'customer_deleted'));
  }
}

/** Makes past due subscriptions due for an immediate retry after a change of the payment method. */
export async function retryPastDue(deps: Dependencies, work: Work, changed: ChangeEvents['payment-method.changed']): Promise<void> {
  const { tenantId, customerId, paymentMethodId, isDefault } = changed;
  const atOnce = deps.clockOf(tenantId).now();
  const rows = await work.find(SUBSCRIPTIONS, { customer_id: customerId, status: 'past_due' });
  for (const { id } of rows) {
    const row = await work.lockOne(SUBSCRIPTIONS, { id });
    if (row?.status !== 'past_due' || row.busy_transaction !== null) continue;
    if (row.payment_method_id !== paymentMethodId && !(row.payment_method_id === null && isDefault)) continue;
    await keepRow(deps, work, { ...row, retry_ms: atOnce, fence: row.fence + 1, ...released(atOnce) });
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
export async function retryNow(deps: Dependencies, actor: Actor, id: string): Promise<Subscription> {
  await present(deps, actor, id);
  const opened = async (work: Work) => {
    const row = await lock(work, id);
    deps.once.open(work, actor);
    step(SUBSCRIPTION_STEPS, row.status, 'retry', { status: row.status });
    refuseBusy(row);
    const held = await holdNow(deps, work, id);
    if (held === null) throw paymentUnderWay(null);
    const now = timeAfter(deps.clockOf(actor.tenantId).now(), row.updated_at);
    const next = { ...held, ...idempotencyColumns(actor), retry_ms: now, due_ms: now, updated_at: isoTime(now) };
    await keepRow(deps, work, next);
    auditSubscription(deps, work, actor, 'retried', row, next);
    return next;
  };
  const held = await runOnce(() => deps.database.unitOfWork.run(actor.tenantId, opened));
  await billNow(deps, held);
  return storeResponse(deps, actor.tenantId, id);
}

/** Changes a subscription. A new card is charged from the next payment on, and immediately after a failed one. */
export async function update(deps: Dependencies, actor: Actor, id: string, input: SubscriptionChange): Promise<Subscription> {
  const { row: known, merchant } = await present(deps, actor, id);
  if (input.paymentMethodId != null) await deps.customers.payer(actor, known.customer_id, input.paymentMethodId);
  const amount = input.amount === undefined ? null : atLeastOneUnit(parseMoney(input.amount, known.currency as Currency));
  const store = input.method && (await deps.customers.prepareMethod(actor, known.customer_id, input.method));
  let methodId = input.paymentMethodId;
  // The customer is locked before its plans, wherever both are.
  const putOnFile = async (work: Work) => {
    if (store) methodId = await deps.customers.addMethodIn(work, actor, known.customer_id, store, input.method?.consentText ?? null);
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
      throw new ServiceError('VALIDATION_ERROR', `totalPayments must be greater than the ${next.payments_made} payments made.`, {
        field: 'totalPayments',
      });
    }
    const moved = goTo(next, next.next_index);
    if (row.status === 'past_due' && methodId !== undefined && row.busy_transaction === null) {
      const atOnce = deps.clockOf(actor.tenantId).now();
      return { ...moved, retry_ms: atOnce, ...released(atOnce) };
    }
    return row.status === 'active' ? withDue(moved, of) : moved;
  };
  return change(deps, actor, id, 'update', 'updated', planned, putOnFile);
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
  return new ServiceError('RESOURCE_CONFLICT', 'A payment of this subscription is pending. Wait for its outcome.', {
    details: { reason: 'operation_in_progress', ...(transactionId === null ? {} : { transactionId }) },
  });
}
