import type { Read } from '#core/database';
import { type Currency, exponentOf, formatDecimal, type Money, money, parseMoneyOrZero, ServiceError } from '#core/kernel';
import { extendedMinor, lineAmounts, readQuantity, sumOfLines, THOUSANDTHS } from '#shared/line-items';
import { parseTaxRate, percentOf } from './item.ts';
import { itemNotFound } from './read.ts';
import type { LineItem } from './records.ts';
import { CATALOG_ITEMS, type ItemRow } from './schema.ts';

/** A line of a request. Fields that are absent come from the item. */
export interface NewLineItem {
  readonly itemId?: string;
  readonly description?: string;
  readonly quantity?: string | number;
  readonly unitPrice?: string | number;
  readonly taxRate?: string | number | null;
  readonly taxIncluded?: boolean;
  readonly discountAmount?: string | number;
}

/** Returns the request that creates the same line again, also if its item was changed or archived. */
export const requestOfLine = ({
  itemId,
  description,
  quantity,
  unitPrice,
  taxRate,
  taxIncluded,
  discountAmount,
}: LineItem): NewLineItem => ({
  ...(itemId !== null && { itemId }),
  description,
  quantity,
  unitPrice: formatDecimal(unitPrice),
  taxRate,
  taxIncluded,
  discountAmount: formatDecimal(discountAmount),
});

/** A stored line: quantity in thousandths, money in minor units, the tax rate in thousandths of a percent. */
interface StoredLine {
  readonly itemId: string | null;
  readonly description: string;
  readonly thousandths: number;
  readonly unitMinor: number;
  readonly taxRate: number | null;
  readonly taxIncluded: boolean;
  /** Absent in lines without a discount. */
  readonly discountMinor?: number;
  readonly taxMinor: number;
  readonly amountMinor: number;
}

/** Longest description of a line; a longer one is cut. */
export const LINE_DESCRIPTION_MAX = 100;

/**
 * Returns the lines of a sale with their amounts and taxes, filled from the items of the merchant that they name. @throws ServiceError NOT_FOUND for
 * an item of another merchant; REQUIRED_FIELD_MISSING, VALIDATION_ERROR and INVALID_AMOUNT with the field, such as `lineItems.0.unitPrice`.
 */
export async function lineItemsFrom(
  read: Read,
  merchantId: string,
  lines: readonly NewLineItem[],
  currency: Currency,
): Promise<LineItem[]> {
  const items = new Map<string, ItemRow>();
  for (const [index, { itemId }] of lines.entries()) {
    if (itemId === undefined || items.has(itemId)) continue;
    const item = await read.one(CATALOG_ITEMS, { id: itemId });
    if (item === null || item.merchant_id !== merchantId) throw itemNotFound(itemId, `lineItems.${index}.itemId`);
    items.set(itemId, item);
  }
  return lines.map((line, index) => lineItemFrom(line, line.itemId === undefined ? undefined : items.get(line.itemId), currency, index));
}

function lineItemFrom(line: NewLineItem, item: ItemRow | undefined, currency: Currency, index: number): LineItem {
  const fieldOf = (name: string) => `lineItems.${index}.${name}`;
  const description = (line.description ?? item?.name ?? '').trim().slice(0, LINE_DESCRIPTION_MAX);
  if (description === '')
    throw new ServiceError('REQUIRED_FIELD_MISSING', `\`${fieldOf('description')}\` is required.`, { field: fieldOf('description') });
  const thousandths = readQuantity(String(line.quantity ?? 1));
  if (thousandths === null)
    throw new ServiceError('VALIDATION_ERROR', `\`${fieldOf('quantity')}\` must be a number greater than 0 with at most 3 decimals.`, {
      field: fieldOf('quantity'),
    });
  const taxRate = line.taxRate === undefined ? (item?.tax_rate ?? null) : parseTaxRate(line.taxRate, fieldOf('taxRate'));
  const taxIncluded = line.taxIncluded ?? item?.tax_included === 1;
  const unitMinor = unitMinorOf(line, item, currency, fieldOf('unitPrice'));
  const discountMinor = discountMinorOf(line, { thousandths, unitMinor }, currency, fieldOf('discountAmount'));
  const { amountMinor, taxMinor } = lineAmounts({ thousandths, unitMinor, taxRate, taxIncluded, discountMinor });
  if (!Number.isSafeInteger(amountMinor) || amountMinor >= 10 ** (9 + exponentOf(currency)))
    throw new ServiceError('INVALID_AMOUNT', `\`lineItems.${index}\` exceeds the maximum amount.`, { field: fieldOf('quantity') });
  return {
    itemId: line.itemId ?? null,
    description,
    quantity: thousandths / THOUSANDTHS,
    unitPrice: money(unitMinor, currency),
    ...(item?.currency === currency && item.price_minor > unitMinor && { listPrice: money(item.price_minor, currency) }),
    taxRate: percentOf(taxRate),
    taxIncluded,
    discountAmount: money(discountMinor, currency),
    taxAmount: money(taxMinor, currency),
    amount: money(amountMinor, currency),
  };
}

function discountMinorOf(
  { discountAmount }: NewLineItem,
  { thousandths, unitMinor }: { readonly thousandths: number; readonly unitMinor: number },
  currency: Currency,
  field: string,
): number {
  if (discountAmount === undefined) return 0;
  const { minor } = parseMoneyOrZero(discountAmount, currency, field);
  if (BigInt(minor) <= extendedMinor(thousandths, unitMinor)) return minor;
  throw new ServiceError('INVALID_AMOUNT', `\`${field}\` exceeds quantity times unit price of its line.`, { field });
}

function unitMinorOf({ unitPrice }: NewLineItem, item: ItemRow | undefined, currency: Currency, field: string): number {
  if (unitPrice !== undefined) return parseMoneyOrZero(unitPrice, currency, field).minor;
  if (item === undefined) throw new ServiceError('REQUIRED_FIELD_MISSING', `\`${field}\` is required.`, { field });
  if (item.currency === currency) return item.price_minor;
  throw new ServiceError('VALIDATION_ERROR', `The price of this item is in ${item.currency}. Send \`${field}\` in ${currency}.`, { field });
}

/**
 * Returns name and price of one unit of an item with its tax, for documents without taxes of their own. @throws ServiceError NOT_FOUND for an item of
 * another merchant; VALIDATION_ERROR for a price in another currency.
 */
export async function unitOfItem(
  read: Read,
  merchantId: string,
  itemId: string,
  currency: Currency,
  fieldOf: (name: string) => string,
): Promise<{ readonly description: string; readonly unitPrice: string }> {
  const item = await read.one(CATALOG_ITEMS, { id: itemId });
  if (item === null || item.merchant_id !== merchantId) throw itemNotFound(itemId, fieldOf('itemId'));
  const unitMinor = unitMinorOf({}, item, currency, fieldOf('unitPrice'));
  const { amountMinor } = lineAmounts({
    thousandths: THOUSANDTHS,
    unitMinor,
    taxRate: item.tax_rate,
    taxIncluded: item.tax_included === 1,
  });
  return { description: item.name, unitPrice: formatDecimal(money(amountMinor, currency)) };
}

/** Returns the sum of the taxes of lines as decimal text, or the stated tax if there is one. */
export function taxOfLines(lines: readonly LineItem[], currency: Currency, stated: string | number | undefined): string | number {
  return stated ?? formatDecimal(money(sumOf(lines).taxMinor, currency));
}

const sumOf = (lines: readonly LineItem[]) =>
  sumOfLines(
    lines.map(({ amount, taxAmount, discountAmount }) => ({
      amountMinor: amount.minor,
      taxMinor: taxAmount.minor,
      discountMinor: discountAmount.minor,
    })),
  );

/**
 * Returns the discount of a sale in minor units: that of its lines, or without lines the stated one. @throws ServiceError INVALID_AMOUNT with
 * `details.expectedDiscountAmount` if the stated discount is not that of the lines.
 */
export function discountOfSale(lines: readonly LineItem[], currency: Currency, stated: string | number | undefined): number {
  const discount = stated === undefined ? null : parseMoneyOrZero(stated, currency, 'discountAmount').minor;
  if (lines.length === 0) return discount ?? 0;
  const { discountMinor } = sumOf(lines);
  if (discount === null || discount === discountMinor) return discountMinor;
  const shown = (minor: number) => `${formatDecimal(money(minor, currency))} ${currency}`;
  throw new ServiceError(
    'INVALID_AMOUNT',
    `The discounts of \`lineItems\` add up to ${shown(discountMinor)}, but \`discountAmount\` is ${shown(discount)}.`,
    { field: 'discountAmount', details: { expectedDiscountAmount: Number(formatDecimal(money(discountMinor, currency))) } },
  );
}

/**
 * Checks that lines add up: their taxes to the tax of the payment, and their amounts with tip and surcharge to its amount. All parts are in minor
 * units. @throws ServiceError INVALID_AMOUNT with `details.expectedAmount` or `details.expectedTaxAmount`.
 */
export function checkLineItems(
  lines: readonly LineItem[],
  amount: Money,
  { tip, surcharge, tax }: { readonly tip: number; readonly surcharge: number; readonly tax: number },
): void {
  if (lines.length === 0) return;
  const { currency } = amount;
  const { amountMinor, taxMinor } = sumOf(lines);
  const shown = (minor: number) => `${formatDecimal(money(minor, currency))} ${currency}`;
  if (tax !== taxMinor)
    throw new ServiceError(
      'INVALID_AMOUNT',
      `The taxes of \`lineItems\` add up to ${shown(taxMinor)}, but \`taxAmount\` is ${shown(tax)}.`,
      {
        field: 'taxAmount',
        details: { expectedTaxAmount: Number(formatDecimal(money(taxMinor, currency))) },
      },
    );
  const expected = amountMinor + tip + surcharge;
  if (expected === amount.minor) return;
  const added = tip + surcharge > 0 ? ' with tip and surcharge' : '';
  throw new ServiceError(
    'INVALID_AMOUNT',
    `\`lineItems\` add up to ${shown(expected)}${added}, but \`amount\` is ${shown(amount.minor)}.`,
    {
      field: 'amount',
      details: { expectedAmount: Number(formatDecimal(money(expected, currency))) },
    },
  );
}

/** Returns lines in the form in which a sale stores them; null without lines. */
export function storedLineItems(lines: readonly LineItem[]): string | null {
  if (lines.length === 0) return null;
  const stored: StoredLine[] = lines.map((line) => ({
    itemId: line.itemId,
    description: line.description,
    thousandths: Math.round(line.quantity * THOUSANDTHS),
    unitMinor: line.unitPrice.minor,
    taxRate: line.taxRate === null ? null : Math.round(line.taxRate * 1_000),
    taxIncluded: line.taxIncluded,
    ...(line.discountAmount.minor > 0 && { discountMinor: line.discountAmount.minor }),
    taxMinor: line.taxAmount.minor,
    amountMinor: line.amount.minor,
  }));
  return JSON.stringify(stored);
}

/** Returns the lines of a stored sale. */
export function lineItemsOf(stored: string | null, currency: Currency): readonly LineItem[] {
  if (stored === null) return NO_LINES;
  return (JSON.parse(stored) as StoredLine[]).map(({ thousandths, unitMinor, taxRate, discountMinor, taxMinor, amountMinor, ...line }) => ({
    itemId: line.itemId,
    description: line.description,
    quantity: thousandths / THOUSANDTHS,
    unitPrice: money(unitMinor, currency),
    taxRate: percentOf(taxRate),
    taxIncluded: line.taxIncluded,
    discountAmount: money(discountMinor ?? 0, currency),
    taxAmount: money(taxMinor, currency),
    amount: money(amountMinor, currency),
  }));
}

const NO_LINES: readonly LineItem[] = [];
