import { lit, queriesOn, TENANT, type Work } from '#core/database';
import { type Actor, currencyOfPayment, isoTime, type Money, money, newId, parseMoney, ServiceError } from '#core/kernel';
import { runIdempotent } from '#core/platform/idempotency';
import { checkOpen } from '#core/processing/merchants';
import { type NewOrderGiftCard, withFreeCode } from '#core/sales/gift-cards';
import { lineItemsFrom, type NewLineItem, storedLineItems } from '#core/sales/items';
import { itemizedParts } from '#core/sales/payments';
import type { Dependencies } from './dependencies.ts';
import { announce, toOrder } from './order.ts';
import type { CreatedOrder } from './records.ts';
import { ORDER_NUMBERS, ORDERS, type OrderRow } from './schema.ts';

const queries = queriesOn(ORDER_NUMBERS);

/** Input of an order. */
export interface NewOrder {
  /** Total to be paid; by default the sum of the lines. */
  readonly amount?: string | number;
  readonly currency?: string;
  readonly taxAmount?: string | number;
  readonly discountAmount?: string | number;
  readonly discountId?: string;
  readonly lineItems?: readonly NewLineItem[];
  /** Gift cards that the order sells. Each adds a line. */
  readonly giftCards?: readonly NewOrderGiftCard[];
  readonly name?: string;
  readonly reference?: string;
  readonly description?: string;
  readonly customerId?: string;
  readonly merchantId?: string;
}

const trimmedOrNull = (text: string | undefined) => text?.trim() || null;

/**
 * Creates an order, which payments then pay. @throws ServiceError REQUIRED_FIELD_MISSING without amount and lines; INVALID_AMOUNT; PERMISSION_DENIED and
 * RESOURCE_CONFLICT for a discount as of a payment; CUSTOMER_NOT_FOUND.
 */
export async function createOrder(deps: Dependencies, actor: Actor, input: NewOrder): Promise<CreatedOrder> {
  const merchant = checkOpen(await deps.merchantFor(actor, input.merchantId));
  const { merchantId } = merchant;
  const currency = currencyOfPayment(input.currency, merchant);
  const read = deps.database.read(actor.tenantId);
  const { taxAmount, discountAmount, discountId, customerId } = input;
  const payer = customerId === undefined ? null : await deps.customers.payerAt(actor, merchantId, customerId);
  const giftCards = await deps.giftCards.prepareForOrder(actor, merchantId, currency, input.giftCards ?? []);
  const lineItems = [...(input.lineItems ?? []), ...giftCards.map(({ line }) => line)];
  const amount =
    input.amount === undefined
      ? await sumOf(lineItems, async () => lineItemsFrom(read, merchantId, lineItems, currency))
      : parseMoney(input.amount, currency);
  const itemized = {
    lineItems,
    ...(taxAmount !== undefined && { taxAmount }),
    ...(discountAmount !== undefined && { discountAmount }),
    ...(discountId !== undefined && { discountId }),
  };
  const { lines, parts, discountMinor, discount } = await itemizedParts(read, merchantId, itemized, amount);
  const create = async (work: Work) => {
    const now = deps.clockOf(actor.tenantId).now();
    const id = newId('ord', now);
    // The lock refuses a customer that was deleted in the meantime.
    if (customerId !== undefined) await deps.customers.lock(work, customerId);
    const claimed = await deps.claimDiscount(work, actor, { ...discount, merchantId, paymentId: id });
    const row: OrderRow = {
      tenant_id: actor.tenantId,
      id,
      merchant_id: merchantId,
      number: await takeNumber(work, merchantId),
      status: 'open',
      currency,
      amount_minor: amount.minor,
      tax_minor: parts.tax,
      discount_minor: discountMinor,
      ...claimed,
      line_items: storedLineItems(lines),
      name: trimmedOrNull(input.name),
      reference: trimmedOrNull(input.reference),
      description: trimmedOrNull(input.description),
      customer_id: customerId ?? null,
      customer_name: payer?.name ?? null,
      reserved_minor: 0,
      paid_minor: 0,
      refunded_minor: 0,
      created_by: actor.name,
      parked_at: null,
      parked_by: null,
      resumed_by: null,
      paid_at: null,
      paid_day: null,
      canceled_at: null,
      canceled_by: null,
      cancel_reason: null,
      created_at: isoTime(now),
      updated_at: isoTime(now),
    };
    work.insert(ORDERS, row);
    announce(deps, work, 'order.created', { row, actor, atMs: now });
    const ids = await deps.giftCards.addToOrder(work, actor, { orderId: id, merchantId }, giftCards);
    const order: CreatedOrder = {
      ...toOrder(row),
      giftCards: giftCards.map((card, index) => ({
        giftCardId: ids[index] ?? '',
        lastCharacters: card.lastCharacters,
        amount: card.amount,
        loadedAmount: money(0, currency),
        code: card.code?.shown ?? null,
      })),
    };
    return { order };
  };
  const hasCodes = () => giftCards.length > 0;
  const { order } = await withFreeCode(() => runIdempotent(deps, actor, create, hasCodes));
  return order;
}

/** Returns the sum of the lines. @throws ServiceError REQUIRED_FIELD_MISSING without lines, INVALID_AMOUNT if they add up to 0. */
async function sumOf(given: readonly NewLineItem[], linesFrom: () => Promise<readonly { readonly amount: Money }[]>): Promise<Money> {
  const [first, ...others] = given.length === 0 ? [] : await linesFrom();
  if (first === undefined) throw new ServiceError('REQUIRED_FIELD_MISSING', '`amount` or `lineItems` is required.', { field: 'amount' });
  const total = others.reduce((sum, { amount }) => sum + amount.minor, first.amount.minor);
  if (total > 0) return money(total, first.amount.currency);
  throw new ServiceError('INVALID_AMOUNT', 'The amounts of `lineItems` add up to 0.', { field: 'lineItems' });
}

/** Returns the next number of a merchant. Numbers have no gaps: a failed unit of work returns its number. */
async function takeNumber(work: Work, merchantId: string): Promise<number> {
  const taken = await work.row(
    queries
      .insertInto('order_numbers')
      .values({ tenant_id: TENANT, merchant_id: merchantId, last: 1 })
      .onConflict((known) =>
        known.columns(['tenant_id', 'merchant_id']).doUpdateSet(({ eb }) => ({ last: eb('order_numbers.last', '+', lit(1)) })),
      )
      .returning('last'),
  );
  return Number(taken?.last);
}
