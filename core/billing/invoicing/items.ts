import type { Read } from '#core/database';
import { type Currency, exponentOf, type Money, money, parseMoneyOrZero, ServiceError } from '#core/kernel';
import { type DiscountColumns, NO_DISCOUNT } from '#core/sales/discounts';
import { LINE_DESCRIPTION_MAX, type LineItem, lineItemsOf, unitOfItem } from '#core/sales/items';
import { shareOut } from '#shared/line-items';
import type { InvoiceItem } from './records.ts';
import type { InvoiceRow } from './schema.ts';

export interface NewItem {
  /** Item of the merchant that fills description and unit price. */
  readonly itemId?: string | null;
  readonly description?: string;
  readonly quantity: number | string;
  readonly unitPrice?: number | string;
}

/** A stored line: quantity in thousandths, money in minor units. */
interface StoredItem {
  readonly itemId?: string;
  readonly description: string;
  readonly thousandths: number;
  readonly unitMinor: number;
  readonly amountMinor: number;
}

const THOUSANDTHS = 1_000;
const QUANTITY = /^(\d{1,9})(?:\.(\d{1,3}))?$/;
/** Limit of the digits before the decimal point. */
const MAJOR_DIGITS_MAX = 11;

/** Returns lines whose description and price are filled from the items of the merchant that they name. @throws ServiceError as `unitOfItem`. */
export function withItems(read: Read, merchantId: string, input: readonly NewItem[], currency: Currency): Promise<NewItem[]> {
  return Promise.all(
    input.map(async ({ itemId, ...line }, index) =>
      itemId == null
        ? line
        : { itemId, ...(await unitOfItem(read, merchantId, itemId, currency, (name) => `items.${index}.${name}`)), ...line },
    ),
  );
}

/**
 * Returns the lines with their amounts. @throws ServiceError VALIDATION_ERROR and INVALID_AMOUNT with the field, such as
 * `items.0.unitPrice`.
 */
export function itemsFrom(input: readonly NewItem[], currency: Currency): InvoiceItem[] {
  return input.map(({ itemId = null, description = '', quantity, unitPrice }, index) => {
    const fieldOf = (name: string) => `items.${index}.${name}`;
    const required = (name: string) =>
      new ServiceError('REQUIRED_FIELD_MISSING', `\`${fieldOf(name)}\` is required.`, { field: fieldOf(name) });
    if (description.trim() === '') throw required('description');
    if (unitPrice === undefined) throw required('unitPrice');
    const thousandths = thousandthsOf(quantity, fieldOf('quantity'));
    const price = parseMoneyOrZero(unitPrice, currency, fieldOf('unitPrice'));
    const amount = lineOf(thousandths, price);
    return { itemId, description: description.trim(), quantity: thousandths / THOUSANDTHS, unitPrice: price, amount };
  });
}

function thousandthsOf(quantity: number | string, field: string): number {
  const [, whole = '', fraction = ''] = QUANTITY.exec(String(quantity)) ?? [];
  const thousandths = Number(whole + fraction.padEnd(3, '0'));
  if (thousandths > 0) return thousandths;
  throw new ServiceError('VALIDATION_ERROR', `\`${field}\` must be a number greater than 0 with at most 3 decimals.`, { field });
}

function lineOf(thousandths: number, { minor, currency }: Money): Money {
  const exact = BigInt(thousandths) * BigInt(minor);
  return checked((exact + BigInt(THOUSANDTHS / 2)) / BigInt(THOUSANDTHS), currency);
}

/** Returns the sum of the lines. */
export function sumOf(items: readonly InvoiceItem[], currency: Currency): Money {
  return checked(
    items.reduce((sum, { amount }) => sum + BigInt(amount.minor), 0n),
    currency,
  );
}

function checked(minor: bigint, currency: Currency): Money {
  if (minor < 10n ** BigInt(MAJOR_DIGITS_MAX + exponentOf(currency))) return money(Number(minor), currency);
  throw new ServiceError('INVALID_AMOUNT', 'The sum of the items exceeds the maximum amount.', { field: 'items' });
}

export function storedItems(items: readonly InvoiceItem[]): string {
  const stored: StoredItem[] = items.map(({ itemId, description, quantity, unitPrice, amount }) => ({
    ...(itemId === null ? {} : { itemId }),
    description,
    thousandths: Math.round(quantity * THOUSANDTHS),
    unitMinor: unitPrice.minor,
    amountMinor: amount.minor,
  }));
  return JSON.stringify(stored);
}

export function itemsOf(stored: string, currency: Currency): InvoiceItem[] {
  return (JSON.parse(stored) as StoredItem[]).map(({ itemId = null, description, thousandths, unitMinor, amountMinor }) => ({
    itemId,
    description,
    quantity: thousandths / THOUSANDTHS,
    unitPrice: money(unitMinor, currency),
    amount: money(amountMinor, currency),
  }));
}

/** Line of a late fee. */
interface FeeLine {
  readonly description: string;
  readonly amount_minor: number;
}

const feeItem = ({ description, amount_minor: minor }: FeeLine): StoredItem => ({
  description,
  thousandths: THOUSANDTHS,
  unitMinor: minor,
  amountMinor: minor,
});

/** Returns the stored lines of an invoice with a late fee. An invoice without lines gets one of its amount first. */
export function withFeeLine(row: Pick<InvoiceRow, 'items' | 'description' | 'number' | 'amount_minor'>, fee: FeeLine): string {
  const stored = JSON.parse(row.items) as StoredItem[];
  const base = stored.length > 0 ? stored : [feeItem({ description: row.description ?? row.number, amount_minor: row.amount_minor })];
  return JSON.stringify([...base, feeItem(fee)]);
}

/** Returns the stored lines of an invoice without a late fee. */
export function withoutFeeLine(row: Pick<InvoiceRow, 'items'>, fee: FeeLine): string {
  const stored = JSON.parse(row.items) as StoredItem[];
  const at = stored.findLastIndex(({ description, amountMinor }) => description === fee.description && amountMinor === fee.amount_minor);
  return JSON.stringify(stored.filter((_, index) => index !== at));
}

/**
 * Returns the lines of a sale as a link shows them. A line whose tax or discount is not in its unit price is shown with its whole amount, so that
 * quantity times price is the amount of every line.
 */
export function itemsOfLines(lines: readonly LineItem[]): InvoiceItem[] {
  return lines.map(({ itemId, description, quantity, unitPrice, amount }) => {
    const thousandths = Math.round(quantity * THOUSANDTHS);
    if (lineOf(thousandths, unitPrice).minor === amount.minor) return { itemId, description, quantity, unitPrice, amount };
    return { itemId, description: quantity === 1 ? description : `${quantity} × ${description}`, quantity: 1, unitPrice: amount, amount };
  });
}

/**
 * Returns the lines of a payment of a whole payment link, with their shares of its tax. A payment of a part, and one of an invoice, which has a
 * document of its own, has none.
 */
export function linesOfPayment(row: InvoiceRow, amountMinor: number): readonly LineItem[] {
  if (row.kind !== 'link' || amountMinor !== row.amount_minor) return [];
  const currency = row.currency as Currency;
  if (row.payment_lines !== null) return lineItemsOf(row.payment_lines, currency);
  const items = itemsOf(row.items, currency);
  const taxes = shareOut(
    row.tax_minor,
    items.map(({ amount }) => amount.minor),
  );
  return items.map(({ itemId, description, quantity, unitPrice, amount }, index) => ({
    itemId,
    description: description.slice(0, LINE_DESCRIPTION_MAX),
    quantity,
    unitPrice,
    taxRate: null,
    taxIncluded: true,
    discountAmount: money(0, currency),
    taxAmount: money(taxes[index] ?? 0, currency),
    amount,
  }));
}

interface PaymentContent {
  readonly orderId: string;
  readonly tipMinor: number;
  readonly discountMinor: number;
  readonly granted: DiscountColumns;
}

/** Returns the order, tip and discount of a payment of an invoice. Those of a link that replaces another payment belong to the payment of the whole. */
export function contentOfPayment(row: InvoiceRow, amountMinor: number): PaymentContent {
  const orderId = row.order_id ?? row.number;
  if (amountMinor !== row.amount_minor) return { orderId, tipMinor: 0, discountMinor: 0, granted: NO_DISCOUNT };
  const { tip_minor: tipMinor, discount_minor: discountMinor, discount_id, discount_approved_by } = row;
  return { orderId, tipMinor, discountMinor, granted: { discount_id, discount_approved_by } };
}
