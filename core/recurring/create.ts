import type { Work } from '#core/database';
import { type Actor, atLeastOneUnit, dateIn, isoTime, newId, parseCurrency, parseMoney, ServiceError } from '#core/kernel';
import { openFor } from '#core/merchants';
import { onceColumns, onceOnly } from '#core/platform/idempotency';
import { dueAt } from '#core/platform/scheduling';
import { billNow } from './bill.ts';
import { goTo, withDue } from './course.ts';
import { finishOnce } from './finish-once.ts';
import { checkEnd, dayFrom, type NewSubscription } from './input.ts';
import { holdNow, keepRow, type Needs } from './needs.ts';
import { SUBSCRIPTIONS, type SubscriptionRow } from './schema.ts';
import type { Subscription } from './subscription.ts';
import { note, tell } from './tell.ts';

/**
 * Makes a plan. One that begins today is charged before this answers; a decline leaves it past due and is no error. Throws CUSTOMER_NOT_FOUND,
 * the Validation codes, REQUIRED_FIELD_MISSING on `card` where there is nothing to pay with.
 */
export async function create(on: Needs, by: Actor, input: NewSubscription): Promise<Subscription> {
  const { tenantId } = by;
  const payer = await on.customers.payer(by, input.customerId, input.paymentMethodId);
  if (payer.method === null && input.method === undefined)
    throw new ServiceError('REQUIRED_FIELD_MISSING', 'card is required: this customer has nothing on file to pay with.', { field: 'card' });
  const merchant = openFor(await on.merchantFor(by, payer.merchantId));
  const currency = input.currency === undefined ? merchant.currency : parseCurrency(input.currency);
  const amount = atLeastOneUnit(parseMoney(input.amount, currency));
  const now = on.clockOf(tenantId).now();
  const today = dateIn(merchant.timezone, now);
  const startDate = input.startDate === undefined ? today : dayFrom(input.startDate, 'startDate', today);
  const endDate = input.endDate === undefined ? null : dayFrom(input.endDate, 'endDate', today);
  checkEnd(startDate, endDate);
  const store = input.method && (await on.customers.prepareMethod(by, input.customerId, input.method));
  const at = isoTime(now);
  const blank: SubscriptionRow = {
    tenant_id: tenantId,
    id: newId('sub', now),
    merchant_id: merchant.merchantId,
    customer_id: input.customerId,
    plan_id: input.planId ?? null,
    payment_method_id: input.paymentMethodId ?? null,
    amount_minor: amount.minor,
    currency,
    frequency: input.frequency,
    status: 'active',
    start_date: startDate,
    anchor_date: startDate,
    next_index: 0,
    next_date: startDate,
    end_date: endDate,
    total_payments: input.totalPayments ?? null,
    payments_made: 0,
    failed_attempts: 0,
    retry_ms: null,
    unsent_tries: 0,
    last_payment_at: null,
    last_result: null,
    last_reason: null,
    busy_transaction: null,
    busy_payment: null,
    busy_index: null,
    paused_at: null,
    cancelled_at: null,
    cancelled_by: null,
    cancel_reason: null,
    expired_at: null,
    deleted_at: null,
    ...onceColumns(by),
    ...dueAt(null),
    created_at: at,
    updated_at: at,
  };
  const row = withDue(goTo(blank, 0), { now, zone: merchant.timezone });
  const made = async (work: Work) => {
    on.once.open(work, by);
    // Whoever deletes the customer stops its plans: this one is there before, or is not made.
    await on.customers.lock(work, input.customerId, input.paymentMethodId);
    const consent = input.method?.consentText ?? null;
    const methodId = store ? await on.customers.addMethodIn(work, by, input.customerId, store, consent) : row.payment_method_id;
    const whole = { ...row, payment_method_id: methodId };
    work.insert(SUBSCRIPTIONS, whole);
    await keepRow(on, work, whole);
    note(on, work, by, 'created', null, whole);
    tell(on, work, whole, merchant, now, (data) => ({ type: 'subscription.created', data }));
    return startDate === today ? holdNow(on, work, row.id) : null;
  };
  const held = await onceOnly(() => on.database.unitOfWork.run(tenantId, made));
  if (held) await billNow(on, held);
  return finishOnce(on, tenantId, row.id);
}
