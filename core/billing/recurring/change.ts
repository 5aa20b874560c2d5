import { lit, queriesOn, TENANT, type Work } from '#core/database';
import {
  type Actor,
  allows,
  atLeastOneUnit,
  type Currency,
  dateIn,
  isoTime,
  money,
  parseMoney,
  ServiceError,
  step,
  storedCurrency,
  timeAfter,
} from '#core/kernel';
import { idempotencyColumns, withClaimedKey } from '#core/platform/idempotency';
import { released } from '#core/platform/scheduling';
import type { ChangeEvents } from '#core/processing/domain-events';
import type { Merchant } from '#core/processing/merchants';
import { type Agreement, newAgreement, taxFrom } from '#core/sales/payments';
import { billNow } from './bill.ts';
import {
  afterCancellation,
  afterExpiry,
  afterResume,
  type BillingContext,
  isOver,
  moveToPeriod,
  skippedDate,
  withDue,
} from './billing-cycle.ts';
import { claimNow, type Dependencies } from './dependencies.ts';
import { auditSubscription, emitEnd } from './events.ts';
import { recordPassedPeriods } from './history.ts';
import { checkEnd, parseFutureDate, type SubscriptionChange } from './input.ts';
import { agreementOf, findSubscription, get, payerOf, subscriptionNotFound } from './read.ts';
import type { Subscription } from './records.ts';
import { SUBSCRIPTIONS, type SubscriptionRow } from './schema.ts';
import { SUBSCRIPTION_STEPS, type SubscriptionOperation } from './steps.ts';
import { storeResponse, writeSubscription } from './write.ts';

type Transition = (row: SubscriptionRow, context: BillingContext) => SubscriptionRow;

/** Checks that a subscription allows an operation. @throws ServiceError ALREADY_PAUSED, ALREADY_CANCELLED, SUBSCRIPTION_INACTIVE, RESOURCE_CONFLICT. */
export function checkChange(row: SubscriptionRow, operation: SubscriptionOperation): void {
  step(SUBSCRIPTION_STEPS, row.status, operation, { status: row.status });
  if (operation === 'skip' || operation === 'retry') refuseWhilePending(row);
  if (operation === 'skip' && row.next_date === null)
    throw new ServiceError('SUBSCRIPTION_INACTIVE', 'This subscription has no further payments.', {
      details: { status: row.status, reason: 'no_next_payment' },
    });
}

/**
 * Locks a subscription, checks the operation, applies `transition`, and writes the audit entry and events.
 * `first` runs before and takes other locks.
 */
async function change(
  deps: Dependencies,
  actor: Actor,
  id: string,
  operation: SubscriptionOperation,
  action: string,
  transition: Transition,
  first?: (work: Work) => Promise<void>,
): Promise<Subscription> {
  const { merchant } = await findSubscription(deps, actor, id);
  await deps.database.unitOfWork.transaction(actor.tenantId, async (work) => {
    await first?.(work);
    const row = await lock(work, id);
    checkChange(row, operation);
    await write(deps, work, actor, merchant, row, action, transition);
  });
  return get(deps, actor, id);
}

async function lock(work: Work, id: string): Promise<SubscriptionRow> {
  const row = await work.lockOne(SUBSCRIPTIONS, { id });
  if (!row || row.deleted_at !== null) throw subscriptionNotFound(id);
  return row;
}

async function write(
  deps: Dependencies,
  work: Work,
  actor: Actor,
  merchant: Merchant,
  row: SubscriptionRow,
  action: string,
  transition: Transition,
): Promise<void> {
  const now = timeAfter(deps.clockOf(row.tenant_id).now(), row.updated_at);
  const planned = transition(row, { now, zone: merchant.timezone, dunning: merchant.dunning });
  // A former holder of the claim sees that the row has changed.
  const next = { ...planned, updated_at: isoTime(now), fence: row.fence + 1 };
  await writeSubscription(deps, work, next);
  auditSubscription(deps, work, actor, action, row, next);
  if (next.next_index > row.next_index && next.status !== 'cancelled') recordPassedPeriods(deps, work, merchant, row, next, now);
  if (next.status === row.status) return;
  emitEnd(deps, work, next, merchant, now);
}

/**
 * Pauses a subscription: nothing is charged until it is resumed. A pending payment still counts. @throws ServiceError ALREADY_PAUSED,
 * ALREADY_CANCELLED, SUBSCRIPTION_INACTIVE.
 */
export function pause(deps: Dependencies, actor: Actor, id: string): Promise<Subscription> {
  return change(deps, actor, id, 'pause', 'paused', (row, { now }) => {
    const status = step(SUBSCRIPTION_STEPS, row.status, 'pause');
    const paused = { ...row, status, paused_at: isoTime(now), failed_attempts: 0, retry_ms: null };
    return row.pending_transaction === null ? { ...paused, ...released(null) } : paused;
  });
}

/** Resumes with the next date of the calendar that is not in the past; earlier periods are skipped. */
export function resume(deps: Dependencies, actor: Actor, id: string): Promise<Subscription> {
  return change(deps, actor, id, 'resume', 'resumed', (row, context) => afterResume(row, context));
}

/**
 * Skips the next period. With `date`, only the period of this date, so that a request sent twice skips one, and only if no period is skipped already whose
 * date has not passed. @throws ServiceError SUBSCRIPTION_INACTIVE unless it is active; RESOURCE_CONFLICT with the reason `changed` if the next date is
 * another one, `already_skipped` with `details.date`.
 */
export function skipNext(deps: Dependencies, actor: Actor, id: string, date?: string): Promise<Subscription> {
  return change(deps, actor, id, 'skip', 'payment_skipped', (row, context) => {
    if (date !== undefined && row.next_date !== date)
      throw new ServiceError('RESOURCE_CONFLICT', 'The next payment has another date now. Load the subscription again.', {
        details: { reason: 'changed' },
      });
    const skipped = date === undefined ? null : skippedDate(row, context);
    if (skipped !== null)
      throw new ServiceError(
        'RESOURCE_CONFLICT',
        `The payment of ${skipped} was skipped already. The next one can be skipped after ${skipped}.`,
        { details: { reason: 'already_skipped', date: skipped } },
      );
    const next = moveToPeriod(row, row.next_index + 1);
    return isOver(next, context) ? { ...afterExpiry(next, context.now), ...released(null) } : withDue(next, context);
  });
}

/**
 * Cancels a subscription permanently. A pending payment still counts. @throws ServiceError ALREADY_CANCELLED; SUBSCRIPTION_INACTIVE if it
 * has ended.
 */
export function cancel(deps: Dependencies, actor: Actor, id: string, reason?: string): Promise<Subscription> {
  return change(deps, actor, id, 'cancel', 'cancelled', (row, { now }) => afterCancellation(row, now, actor.name, reason ?? null));
}

/** Cancels a subscription if it has not ended, and hides it. Its payments stay. */
export async function remove(deps: Dependencies, actor: Actor, id: string): Promise<void> {
  const { merchant } = await findSubscription(deps, actor, id);
  await deps.database.unitOfWork.transaction(actor.tenantId, async (work) => {
    const row = await lock(work, id);
    const isOpen = allows(SUBSCRIPTION_STEPS, row.status, 'cancel');
    await write(deps, work, actor, merchant, row, 'deleted', (found, { now }) => ({
      ...(isOpen ? afterCancellation(found, now, actor.name, 'deleted') : found),
      deleted_at: isoTime(now),
    }));
  });
}

/** Cancels the subscriptions of a customer, in the unit of work that deletes the customer. */
export async function stopBilling(deps: Dependencies, work: Work, { actor, customerId }: ChangeEvents['customer.deleted']): Promise<void> {
  const rows = await work.find(SUBSCRIPTIONS, { customer_id: customerId }, { orderBy: [['id', 'asc']] });
  for (const { id } of rows) {
    const row = await work.lockOne(SUBSCRIPTIONS, { id });
    if (!row || row.deleted_at !== null || !allows(SUBSCRIPTION_STEPS, row.status, 'cancel')) continue;
    const merchant = await deps.merchantFor({ tenantId: actor.tenantId, merchantId: null }, row.merchant_id);
    await write(deps, work, actor, merchant, row, 'cancelled', (found, { now }) =>
      afterCancellation(found, now, actor.name, 'customer_deleted'),
    );
  }
}

/** Makes past due subscriptions due for an immediate attempt after a change of the payment method. The retry schedule stays. */
export async function retryPastDue(deps: Dependencies, work: Work, changed: ChangeEvents['payment-method.changed']): Promise<void> {
  const { tenantId, customerId, paymentMethodId, isDefault, actor } = changed;
  const now = deps.clockOf(tenantId).now();
  const rows = await work.find(SUBSCRIPTIONS, { customer_id: customerId, status: 'past_due' });
  for (const { id } of rows) {
    const row = await work.lockOne(SUBSCRIPTIONS, { id });
    if (row?.status !== 'past_due' || row.pending_transaction !== null) continue;
    if (row.payment_method_id !== paymentMethodId && !(row.payment_method_id === null && isDefault)) continue;
    // A limited key could otherwise try any number of cards.
    if (actor !== null) await deps.claimSpending(work, actor, money(row.unpaid_minor ?? row.amount_minor, storedCurrency(row.currency)));
    await writeSubscription(deps, work, { ...row, fence: row.fence + 1, ...released(now) });
  }
}

/** Moves subscriptions from a replaced payment method to its successor, and retries the past due ones immediately. */
export async function useOtherMethod(deps: Dependencies, work: Work, replaced: ChangeEvents['payment-method.replaced']): Promise<void> {
  const { tenantId, customerId, replacedId, paymentMethodId } = replaced;
  const now = deps.clockOf(tenantId).now();
  const rows = await work.find(SUBSCRIPTIONS, { customer_id: customerId, payment_method_id: replacedId }, { orderBy: [['id', 'asc']] });
  for (const { id } of rows) {
    const row = await work.lockOne(SUBSCRIPTIONS, { id });
    if (row?.payment_method_id !== replacedId) continue;
    const isRetried = row.status === 'past_due' && row.pending_transaction === null;
    const due = isRetried ? released(now) : {};
    await writeSubscription(deps, work, { ...row, payment_method_id: paymentMethodId, fence: row.fence + 1, ...due });
  }
}

/** Lets the subscriptions of a removed payment method use the customer's default. The new fence ends every claim on one of them. */
export async function useDefaultMethod(work: Work, { customerId, paymentMethodId }: ChangeEvents['payment-method.removed']): Promise<void> {
  await work.execute(
    queriesOn(SUBSCRIPTIONS)
      .updateTable('subscriptions')
      .set(({ eb }) => ({ payment_method_id: null, fence: eb('fence', '+', lit(1)) }))
      .where('tenant_id', '=', TENANT)
      .where('customer_id', '=', customerId)
      .where('payment_method_id', '=', paymentMethodId),
  );
}

/**
 * Retries the payment of a past-due subscription before the response. The request claims the subscription with a lease: a retry parallel to
 * another one or
 * to the scheduler is rejected, so each idempotency key belongs to the request that bills.
 * @throws ServiceError SUBSCRIPTION_INACTIVE, ALREADY_CANCELLED; RESOURCE_CONFLICT if nothing is unpaid or a payment is pending.
 */
export async function retryNow(deps: Dependencies, actor: Actor, id: string): Promise<Subscription> {
  await findSubscription(deps, actor, id);
  const openRetry = async (work: Work) => {
    const row = await lock(work, id);
    deps.idempotencyKeys.claim(work, actor);
    checkChange(row, 'retry');
    const claimed = await claimNow(deps, work, id);
    if (claimed === null) throw paymentPending(null);
    const now = timeAfter(deps.clockOf(actor.tenantId).now(), row.updated_at);
    const next = { ...claimed, ...idempotencyColumns(actor), due_ms: now, updated_at: isoTime(now) };
    await writeSubscription(deps, work, next);
    auditSubscription(deps, work, actor, 'retried', row, next);
    return next;
  };
  const claimed = await withClaimedKey(() => deps.database.unitOfWork.transaction(actor.tenantId, openRetry));
  await billNow(deps, claimed);
  return storeResponse(deps, actor.tenantId, id);
}

/** Returns the agreement to a change: a new one for a new card or bank account, or if the request states one; otherwise null. */
function agreementAfter(deps: Dependencies, row: SubscriptionRow, merchant: Merchant, input: SubscriptionChange): Agreement | null {
  const { method, agreementChannel, bankAuthorization } = input;
  if (method === undefined && agreementChannel === undefined && bankAuthorization === undefined) return null;
  const isBankAccount = method !== undefined && 'bankAccount' in method;
  const nowMs = deps.clockOf(row.tenant_id).now();
  return newAgreement({ agreementChannel, bankAuthorization, consentText: method?.consentText }, merchant, { isBankAccount, nowMs });
}

/** Checks that the payment method and the agreement after a change are accepted by a gateway of the merchant. @throws ServiceError VALIDATION_ERROR. */
async function checkChannelAfter(
  deps: Dependencies,
  actor: Actor,
  merchant: Merchant,
  row: SubscriptionRow,
  input: SubscriptionChange,
  changed: Agreement | null,
): Promise<void> {
  const { paymentMethodId = row.payment_method_id } = input;
  const stored = (await payerOf(deps, { ...row, payment_method_id: paymentMethodId })).method;
  const method = input.method ?? stored;
  if (method === null) return;
  const { channel: agreedBy } = changed ?? agreementOf(row, stored, merchant);
  const { customer_id: customerId, currency } = row;
  await deps.payments.checkAgreedChannel(actor, merchant, { channel: 'recurring', customerId, currency, agreedBy, method });
}

/** Changes a subscription. A new card is charged from the next payment on, and immediately after a failed one. */
export async function update(deps: Dependencies, actor: Actor, id: string, input: SubscriptionChange): Promise<Subscription> {
  const { row: current, merchant } = await findSubscription(deps, actor, id);
  if (input.paymentMethodId != null) await deps.customers.payer(actor, current.customer_id, input.paymentMethodId);
  // Invalid amounts are refused before a card is stored.
  amountColumns(current, input);
  const agreement = agreementAfter(deps, current, merchant, input);
  const store = input.method && (await deps.customers.prepareMethod(actor, current.customer_id, input.method));
  if (input.paymentMethodId !== undefined || agreement !== null) await checkChannelAfter(deps, actor, merchant, current, input, agreement);
  let methodId = input.paymentMethodId;
  // The customer is locked before its subscriptions everywhere, so that no deadlock is possible.
  const storeMethod = async (work: Work) => {
    if (store)
      methodId = await deps.customers.addMethodIn(work, actor, current.customer_id, store, {
        text: input.method?.consentText ?? null,
        channel: agreement?.channel ?? null,
      });
  };
  const changeFields: Transition = (row, context) => {
    const today = dateIn(merchant.timezone, context.now);
    let next: SubscriptionRow = {
      ...row,
      ...amountColumns(row, input),
      ...(input.purchaseOrderNumber === undefined ? {} : { purchase_order_number: input.purchaseOrderNumber?.trim() || null }),
      ...(input.planId === undefined ? {} : { plan_id: input.planId }),
      ...(methodId === undefined ? {} : { payment_method_id: methodId }),
      ...(agreement === null ? {} : { agreement: JSON.stringify(agreement) }),
      ...(input.endDate === undefined || input.endDate === row.end_date
        ? {}
        : { end_date: input.endDate === null ? null : parseFutureDate(input.endDate, 'endDate', today) }),
      ...(input.totalPayments === undefined ? {} : { total_payments: input.totalPayments }),
    };
    if (input.startDate !== undefined && input.startDate !== row.start_date)
      next = withStartDate(next, parseFutureDate(input.startDate, 'startDate', today));
    if (input.frequency !== undefined && input.frequency !== row.frequency) next = withFrequency(next, input.frequency);
    checkEnd(next.start_date, next.end_date);
    if (next.total_payments !== null && next.total_payments <= next.payments_made) {
      throw new ServiceError('VALIDATION_ERROR', `\`totalPayments\` must be greater than the ${next.payments_made} payments made.`, {
        field: 'totalPayments',
      });
    }
    const moved = moveToPeriod(next, next.next_index);
    if (row.status === 'past_due' && methodId !== undefined && methodId !== row.payment_method_id && row.pending_transaction === null) {
      const now = deps.clockOf(actor.tenantId).now();
      return { ...moved, ...released(now) };
    }
    return row.status === 'active' ? withDue(moved, context) : moved;
  };
  return change(deps, actor, id, 'update', 'updated', changeFields, storeMethod);
}

/** Returns the changed amount and its tax. @throws ServiceError INVALID_AMOUNT, also if the former tax exceeds a lower amount. */
function amountColumns(row: SubscriptionRow, input: Pick<SubscriptionChange, 'amount' | 'taxAmount'>) {
  const currency = row.currency as Currency;
  const amount = input.amount === undefined ? money(row.amount_minor, currency) : atLeastOneUnit(parseMoney(input.amount, currency));
  return { amount_minor: amount.minor, tax_minor: taxFrom(input.taxAmount, amount, row.tax_minor) };
}

/** Returns the subscription with another start date. @throws ServiceError VALIDATION_ERROR after the first payment. */
function withStartDate(row: SubscriptionRow, startDate: string): SubscriptionRow {
  if (row.payments_made > 0 || row.failed_attempts > 0 || row.next_index > 0 || row.pending_transaction !== null) {
    throw new ServiceError('VALIDATION_ERROR', '`startDate` can only be changed before the first payment.', { field: 'startDate' });
  }
  return { ...row, start_date: startDate, anchor_date: startDate };
}

/** Returns the subscription with another frequency, counted from the date of the next period, which stays. */
function withFrequency(row: SubscriptionRow, frequency: SubscriptionRow['frequency']): SubscriptionRow {
  refuseWhilePending(row);
  const { next_date } = moveToPeriod({ ...row, end_date: null }, row.next_index);
  return { ...row, frequency, anchor_date: next_date ?? row.anchor_date, next_index: 0 };
}

function refuseWhilePending(row: SubscriptionRow): void {
  if (row.pending_transaction !== null) throw paymentPending(row.pending_transaction);
}

/** Returns the error of an operation while a payment is pending. `transactionId` is null while the payment is being prepared. */
function paymentPending(transactionId: string | null): ServiceError {
  return new ServiceError('RESOURCE_CONFLICT', 'A payment of this subscription is pending. Wait for its outcome.', {
    details: { reason: 'operation_in_progress', ...(transactionId === null ? {} : { transactionId }) },
  });
}
