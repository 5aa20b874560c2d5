import { lit, queriesOn, type Read, TENANT } from '#core/database';
import {
  type Actor,
  amountAboveLimit,
  atLeastOneUnit,
  currencyOfPayment,
  isoTime,
  later,
  type Money,
  money,
  newId,
  parseMoney,
  ServiceError,
} from '#core/kernel';
import { NO_IDEMPOTENCY_KEY, runIdempotent } from '#core/platform/idempotency';
import { dueAt } from '#core/platform/scheduling';
import { checkOpen, type Merchant } from '#core/processing/merchants';
import type { Payer, PaymentMethod } from '#core/sales/customers';
import { NO_DISCOUNT } from '#core/sales/discounts';
import { type LineItem, storedLineItems } from '#core/sales/items';
import { channelOf, checkMerchantLimit, checkTip, type ItemizedInput, isPerson, itemizedParts } from '#core/sales/payments';
import type { Channel } from '#shared/channels';
import { type Dependencies, EXPIRY_MS, notifyScreens, publish } from './dependencies.ts';
import { activateNext } from './queue.ts';
import { auditFields, toQueuedPayment } from './queued-payment.ts';
import type { QueuedPayment } from './records.ts';
import { QUEUED_PAYMENTS, type QueuedPaymentRow } from './schema.ts';

const queries = queriesOn(QUEUED_PAYMENTS);

export interface NewQueuedPayment extends ItemizedInput {
  readonly amount: string | number;
  readonly currency?: string;
  readonly customerId: string;
  /** By default the customer's default payment method. */
  readonly paymentMethodId?: string;
  readonly orderId?: string;
  readonly description?: string;
  readonly merchantId?: string;
  /** Channel that the request names. */
  readonly channel?: Channel;
  /** True for the Public API, whose payments come from the internet. */
  readonly isFromShop?: boolean;
}

/**
 * Queues a payment with a saved card or bank account. Its limits are checked under the lock of the merchant, so that parallel requests never
 * exceed them together. @throws ServiceError RESOURCE_CONFLICT with the reason `turned_off`, or `no_consent` if the customer has not agreed to
 * later charges, or `limit_currency` if the limits are in a former currency of the merchant; REQUIRED_FIELD_MISSING without a saved payment method; INVALID_AMOUNT above a limit, with a surcharge, or if parts and lines do not add up; CUSTOMER_NOT_FOUND.
 */
export async function createQueuedPayment(deps: Dependencies, actor: Actor, input: NewQueuedPayment): Promise<QueuedPayment> {
  const payer = await deps.customers.payer(actor, input.customerId, input.paymentMethodId);
  const merchant = checkOpen(await deps.merchantFor(actor, input.merchantId ?? payer.merchantId));
  if (payer.merchantId !== merchant.merchantId)
    throw new ServiceError('VALIDATION_ERROR', 'This customer belongs to another merchant.', { field: 'customerId' });
  const amount = amountFrom(input, merchant);
  const { lines, parts, discountMinor, discount } = await itemizedParts(
    deps.database.read(actor.tenantId),
    merchant.merchantId,
    input,
    amount,
  );
  if (parts.surcharge > 0)
    throw new ServiceError('INVALID_AMOUNT', 'A payment that is charged later has no surcharge.', { field: 'surchargeAmount' });
  const method = chargeableMethod(payer);
  const channel = queuedChannel(actor, method, merchant, input);
  const limits = limitsOf(merchant);
  if (amount.minor > limits.perPayment.minor)
    throw amountAboveLimit('The amount exceeds the limit of payments that are charged later.', { limit: limits.perPayment });
  checkMerchantLimit(merchant, amount);
  const { queuedPayment } = await runIdempotent(deps, actor, async (work) => {
    await deps.lockMerchant(work, merchant.merchantId);
    // A concurrent removal of the customer comes before or after the whole unit of work.
    await deps.customers.lock(work, payer.customerId, method.paymentMethodId);
    await checkCustomerLimit(work, payer.customerId, amount, limits.perCustomer);
    const to = { amountMinor: amount.minor, parts };
    const { merchantId } = merchant;
    await checkTip(deps, work, actor, {
      merchantId,
      resource: 'queued-payments',
      currency: amount.currency,
      details: {},
      to,
      movedMinor: amount.minor,
    });
    await deps.claimSpending(work, actor, amount);
    const queued = newRow(
      deps,
      actor,
      { payer, method, merchant, amount, lines, tip: parts.tip, tax: parts.tax, discount: discountMinor, channel },
      input,
    );
    const claim = { ...discount, merchantId: merchant.merchantId, paymentId: queued.id };
    const row = { ...queued, ...(await deps.discounts.claim(work, actor, claim)) };
    work.insert(QUEUED_PAYMENTS, row);
    publish(deps, work, row, 'created', deps.clockOf(actor.tenantId).now());
    deps.audit(work, {
      actor,
      action: 'queued_payment.created',
      resource: `queued-payments/${row.id}`,
      merchantId: row.merchant_id,
      after: auditFields(row),
    });
    await activateNext(work, row.merchant_id, deps.clockOf(actor.tenantId).now());
    notifyScreens(deps, work, row);
    return { queuedPayment: toQueuedPayment(row) };
  });
  return queuedPayment;
}

/** Returns the amount. Limits are in the currency of the merchant, so no other one is accepted. */
function amountFrom({ amount, currency }: NewQueuedPayment, merchant: Merchant): Money {
  if (currency !== undefined && currencyOfPayment(currency, merchant) !== merchant.currency)
    throw new ServiceError('VALIDATION_ERROR', `Payments are charged later in ${merchant.currency} only.`, { field: 'currency' });
  return atLeastOneUnit(parseMoney(amount, currencyOfPayment(undefined, merchant)));
}

/** Returns the payment method. Only one that the customer allowed to be charged is accepted; no other card is ever kept for later. */
function chargeableMethod({ method }: Payer): PaymentMethod {
  if (method === null)
    throw new ServiceError('REQUIRED_FIELD_MISSING', 'This customer has no payment method on file.', { field: 'paymentMethodId' });
  if (method.consentText !== null) return method;
  throw new ServiceError('RESOURCE_CONFLICT', 'The customer has not agreed to later charges of this payment method.', {
    field: 'paymentMethodId',
    details: { reason: 'no_consent', paymentMethodId: method.paymentMethodId },
  });
}

/**
 * Returns the channel of a queued payment, which it keeps until its charge. A bank account is debited under the consent that is on file. @throws
 * ServiceError VALIDATION_ERROR.
 */
function queuedChannel(
  actor: Actor,
  { type }: PaymentMethod,
  { vtSettings }: Merchant,
  { channel: named, isFromShop }: Pick<NewQueuedPayment, 'channel' | 'isFromShop'>,
): Channel {
  if (type === 'ach' && named !== undefined && named !== 'unscheduled')
    throw new ServiceError(
      'VALIDATION_ERROR',
      'A queued bank debit has the channel `unscheduled`, because the consent on file authorizes it.',
      {
        field: 'channel',
      },
    );
  if (type === 'ach') return 'unscheduled';
  return channelOf({
    source: isFromShop ? 'api' : 'saved',
    named,
    isPerson: isPerson(actor),
    isStored: true,
    isEnteredOnPage: false,
    hasCode: false,
    isInstallment: false,
    deskChannel: vtSettings.channel,
  });
}

interface Limits {
  readonly perPayment: Money;
  readonly perCustomer: Money;
}

export function limitsOf({ vtSettings, currency }: Merchant): Limits {
  const { chargeLaterMaxAmount, chargeLaterMaxPerCustomer, chargeLaterCurrency } = vtSettings;
  if (chargeLaterMaxAmount === null)
    throw new ServiceError('RESOURCE_CONFLICT', 'Charging later is turned off in the settings of this merchant.', {
      details: { reason: 'turned_off' },
    });
  if (chargeLaterCurrency !== null && chargeLaterCurrency !== currency)
    throw new ServiceError(
      'RESOURCE_CONFLICT',
      `Limits of payments that are charged later are in ${chargeLaterCurrency}, but this merchant charges in ${currency}. Set the limits again.`,
      { details: { reason: 'limit_currency', limitCurrency: chargeLaterCurrency, currency } },
    );
  return {
    perPayment: parseMoney(chargeLaterMaxAmount, currency),
    perCustomer: parseMoney(chargeLaterMaxPerCustomer ?? chargeLaterMaxAmount, currency),
  };
}

/** Checks the sum of a customer's payments in the present currency of the merchant that are not paid yet. Declined ones count, so that a bad card does not collect more of them. */
export async function checkCustomerLimit(read: Read, customerId: string, amount: Money, limit: Money): Promise<void> {
  const open = await read.row(
    queries
      .selectFrom('queued_payments')
      .select(({ fn }) => fn.sum<number>('amount_minor').as('sum'))
      .where('tenant_id', '=', TENANT)
      .where('customer_id', '=', customerId)
      .where('currency', '=', amount.currency)
      .where('status', 'in', [lit('waiting'), lit('sending'), lit('declined')]),
  );
  const openAmount = money(Number(open?.sum ?? 0), amount.currency);
  if (openAmount.minor + amount.minor > limit.minor)
    throw amountAboveLimit('The amount exceeds the limit of this customer’s open payments.', { limit, openAmount });
}

interface Parts {
  readonly payer: Payer;
  readonly method: PaymentMethod;
  readonly merchant: Merchant;
  readonly amount: Money;
  readonly lines: readonly LineItem[];
  /** Minor units. */
  readonly tip: number;
  readonly tax: number;
  readonly discount: number;
  readonly channel: Channel;
}

const trimmedOrNull = (text: string | undefined) => text?.trim() || null;

function newRow(
  deps: Dependencies,
  actor: Actor,
  { payer, method, merchant, amount, lines, tip, tax, discount, channel }: Parts,
  input: NewQueuedPayment,
): QueuedPaymentRow {
  const now = deps.clockOf(actor.tenantId).now();
  const at = isoTime(now);
  return {
    tenant_id: actor.tenantId,
    id: newId('qpy', now),
    merchant_id: merchant.merchantId,
    status: 'waiting',
    amount_minor: amount.minor,
    tip_minor: tip,
    tax_minor: tax,
    discount_minor: discount,
    ...NO_DISCOUNT,
    currency: amount.currency,
    customer_id: payer.customerId,
    customer_name: payer.name,
    customer_email: payer.email,
    payment_method_id: method.paymentMethodId,
    method_kind: method.type,
    card_brand: method.brand,
    last4: method.last4,
    order_id: trimmedOrNull(input.orderId),
    description: trimmedOrNull(input.description),
    line_items: storedLineItems(lines),
    channel,
    created_by: actor.name,
    unsent_tries: 0,
    transaction_id: null,
    decline_code: null,
    decline_reason: null,
    invoice_id: null,
    changed_by: null,
    ...NO_IDEMPOTENCY_KEY,
    expires_ms: later(now, EXPIRY_MS),
    ...dueAt(null),
    concluded_at: null,
    created_at: at,
    updated_at: at,
  };
}
