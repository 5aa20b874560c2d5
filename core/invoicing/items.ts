import type { Read } from '#core/database';
import { unitOfItem } from '#core/items';
import { type Currency, exponentOf, type Money, money, ServiceError } from '#core/kernel';

/** One line of an invoice. */
export interface InvoiceItem {
  readonly description: string;
  /** Quantity with at most three decimals. */
  readonly quantity: number;
  readonly unitPrice: Money;
  /** Quantity times unit price, rounded half up to the smallest unit. */
  readonly amount: Money;
}

export interface NewItem {
  /** Item of the merchant that fills description and unit price. */
  readonly itemId?: string;
  readonly description?: string;
  readonly quantity: number | string;
  readonly unitPrice?: number | string;
}

/** A stored line: quantity in thousandths, money in minor units. */
interface StoredItem {
  readonly description: string;
  readonly thousandths: number;
  readonly unitMinor: number;
  readonly amountMinor: number;
}

const THOUSANDTHS = 1_000;
const QUANTITY = /^(\d{1,9})(?:\.(\d{1,3}))?$/;
const PRICE = /^(\d{1,11})(?:\.(\d+))?$/;
/** Limit of the digits before the decimal point. */
const MAJOR_DIGITS_MAX = 11;

/** Returns lines whose description and price are filled from the items of the merchant that they name. @throws ServiceError as `unitOfItem`. */
export function withItems(read: Read, merchantId: string, input: readonly NewItem[], currency: Currency): Promise<NewItem[]> {
  return Promise.all(
    input.map(async ({ itemId, ...line }, index) =>
      itemId === undefined
        ? line
        : { ...(await unitOfItem(read, merchantId, itemId, currency, (name) => `items.${index}.${name}`)), ...line },
    ),
  );
}

/**
 * Returns the lines with their amounts. @throws ServiceError VALIDATION_ERROR and INVALID_AMOUNT with the field, such as
 * `items.0.unitPrice`.
 */
export function itemsFrom(input: readonly NewItem[], currency: Currency): InvoiceItem[] {
  return input.map(({ description = '', quantity, unitPrice }, index) => {
    const fieldOf = (name: string) => `items.${index}.${name}`;
    const required = (name: string) =>
      new ServiceError('REQUIRED_FIELD_MISSING', `\`${fieldOf(name)}\` is required.`, { field: fieldOf(name) });
    if (description.trim() === '') throw required('description');
    if (unitPrice === undefined) throw required('unitPrice');
    const thousandths = thousandthsOf(quantity, fieldOf('quantity'));
    const price = priceOf(unitPrice, currency, fieldOf('unitPrice'));
    return { description: description.trim(), quantity: thousandths / THOUSANDTHS, unitPrice: price, amount: lineOf(thousandths, price) };
  });
}

function thousandthsOf(quantity: number | string, field: string): number {
  const [, whole = '', fraction = ''] = QUANTITY.exec(String(quantity)) ?? [];
  const thousandths = Number(whole + fraction.padEnd(3, '0'));
  if (thousandths > 0) return thousandths;
  throw new ServiceError('VALIDATION_ERROR', `\`${field}\` must be a number greater than 0 with at most 3 decimals.`, { field });
}

/** Unlike an amount, a price may be zero. */
function priceOf(unitPrice: number | string, currency: Currency, field: string): Money {
  const exponent = exponentOf(currency);
  const [, whole = '', fraction = ''] = PRICE.exec(String(unitPrice)) ?? [];
  if (whole === '' || fraction.length > exponent)
    throw new ServiceError('INVALID_AMOUNT', `\`${field}\` must be zero or a positive number with at most ${exponent} decimals.`, {
      field,
    });
  return money(Number(whole + fraction.padEnd(exponent, '0')), currency);
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
  const stored: StoredItem[] = items.map(({ description, quantity, unitPrice, amount }) => ({
    description,
    thousandths: Math.round(quantity * THOUSANDTHS),
    unitMinor: unitPrice.minor,
    amountMinor: amount.minor,
  }));
  return JSON.stringify(stored);
}

export function itemsOf(stored: string, currency: Currency): InvoiceItem[] {
  return (JSON.parse(stored) as StoredItem[]).map(({ description, thousandths, unitMinor, amountMinor }) => ({
    description,
    quantity: thousandths / THOUSANDTHS,
    unitPrice: money(unitMinor, currency),
    amount: money(amountMinor, currency),
  }));
}
