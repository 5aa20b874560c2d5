import type { Work } from '#core/database';
import { type Actor, atLeastOneUnit, currencyOfPayment, dateIn, isoTime, newId, parseMoney, ServiceError } from '#core/kernel';
import { idempotencyColumns, withClaimedKey } from '#core/platform/idempotency';
import { dueAt } from '#core/platform/scheduling';
import { checkOpen } from '#core/processing/merchants';
import { newAgreement, taxFrom } from '#core/sales/payments';
import { billNow } from './bill.ts';
import { moveToPeriod, withDue } from './billing-cycle.ts';
import { claimNow, type Dependencies } from './dependencies.ts';
import { auditSubscription, emitSubscriptionEvent } from './events.ts';
import { checkEnd, type NewSubscription, parseFutureDate } from './input.ts';
import type { Subscription } from './records.ts';
import { SUBSCRIPTIONS, type SubscriptionRow } from './schema.ts';
import { storeResponse, writeSubscription } from './write.ts';

/**
 * Creates a subscription. One that starts today is charged before the response; a decline makes it past due and is not an error. @throws
 * ServiceError CUSTOMER_NOT_FOUND, the Validation codes, REQUIRED_FIELD_MISSING on `card` without a payment method.
 */
export async function create(deps: Dependencies, actor: Actor, input: NewSubscription): Promise<Subscription> {
  const { tenantId } = actor;
  const payer = await deps.customers.payer(actor, input.customerId, input.paymentMethodId);
  if (payer.method === null && input.method === undefined)
    throw new ServiceError('REQUIRED_FIELD_MISSING', '`card` is required: this customer has no stored payment method.', { field: 'card' });
  const merchant = checkOpen(await deps.merchantFor(actor, payer.merchantId));
  const currency = currencyOfPayment(input.currency, merchant);
  const amount = atLeastOneUnit(parseMoney(input.amount, currency));
  const now = deps.clockOf(tenantId).now();
  const today = dateIn(merchant.timezone, now);
  const startDate = input.startDate === undefined ? today : parseFutureDate(input.startDate, 'startDate', today);
  const endDate = input.endDate === undefined ? null : parseFutureDate(input.endDate, 'endDate', today);
  checkEnd(startDate, endDate);
  const store = input.method && (await deps.customers.prepareMethod(actor, input.customerId, input.method));
  const at = isoTime(now);
  const isBankAccount = input.method === undefined ? payer.method?.type === 'ach' : 'bankAccount' in input.method;
  const consentText = (input.method ?? payer.method)?.consentText ?? undefined;
  const agreement = newAgreement({ ...input, consentText }, merchant, { isBankAccount, nowMs: now });
  const method = input.method ?? payer.method;
  const agreed = { channel: 'recurring', customerId: input.customerId, currency, agreedBy: agreement.channel } as const;
  if (method) await deps.payments.checkAgreedChannel(actor, merchant, { ...agreed, method });
  const blank: SubscriptionRow = {
    tenant_id: tenantId,
    id: newId('sub', now),
    merchant_id: merchant.merchantId,
    customer_id: input.customerId,
    plan_id: input.planId ?? null,
    payment_method_id: input.paymentMethodId ?? null,
    amount_minor: amount.minor,
    tax_minor: taxFrom(input.taxAmount, amount),
    currency,
    purchase_order_number: input.purchaseOrderNumber?.trim() || null,
    agreement: JSON.stringify(agreement),
    frequency: input.frequency,
    status: 'active',
    start_date: startDate,
    anchor_date: startDate,
    next_index: 0,
    next_date: startDate,
    next_payment_on: null,
    end_date: endDate,
    total_payments: input.totalPayments ?? null,
    payments_made: 0,
    failed_attempts: 0,
    attempts: 0,
    unpaid_minor: null,
    unpaid_tax_minor: null,
    unpaid_since: null,
    retry_ms: null,
    unsent_tries: 0,
    last_payment_at: null,
    last_result: null,
    last_reason: null,
    pending_transaction: null,
    pending_payment: null,
    pending_index: null,
    paused_at: null,
    cancelled_at: null,
    cancelled_by: null,
    cancel_reason: null,
    expired_at: null,
    deleted_at: null,
    ...idempotencyColumns(actor),
    ...dueAt(null),
    created_at: at,
    updated_at: at,
  };
  const row = withDue(moveToPeriod(blank, 0), { now, zone: merchant.timezone });
  const insertSubscription = async (work: Work) => {
    deps.idempotencyKeys.claim(work, actor);
    // The deletion of a customer cancels the customer's subscriptions: with the lock, this one exists before the deletion or is not
    // created.
    await deps.customers.lock(work, input.customerId, input.paymentMethodId);
    const consent = { text: input.method?.consentText ?? null, channel: agreement.channel };
    const methodId = store ? await deps.customers.addMethodIn(work, actor, input.customerId, store, consent) : row.payment_method_id;
    const inserted = { ...row, payment_method_id: methodId };
    await deps.claimSpending(work, actor, amount);
    work.insert(SUBSCRIPTIONS, inserted);
    auditSubscription(deps, work, actor, 'created', null, inserted);
    emitSubscriptionEvent(deps, work, inserted, merchant, now, (data) => ({ type: 'subscription.created', data }));
    const claimed = startDate === today ? await claimNow(deps, work, row.id) : null;
    await writeSubscription(deps, work, claimed ?? inserted);
    return claimed;
  };
  const claimed = await withClaimedKey(() => deps.database.unitOfWork.transaction(tenantId, insertSubscription));
  if (claimed) await billNow(deps, claimed, input.method && 'card' in input.method ? input.method.card.cvv : undefined);
  return storeResponse(deps, tenantId, row.id);
}
