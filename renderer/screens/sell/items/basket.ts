import type { Item } from '#renderer/base/client';
import { decimalText, readAmount, type TaxRule, toMinor } from '#renderer/base/money';
import { extendedMinor, type LineAmounts, lineAmounts, readQuantity, shareOut, sumOfLines, THOUSANDTHS } from '#shared/line-items';
import { type Discount, discountOn } from '../form/discount.ts';

/** Gift card that a line sells: a new one, one that the merchant has printed, or one that is reloaded. */
export interface GiftCardLine {
  readonly code?: string;
  readonly pin?: string;
  readonly giftCardId?: string;
}

/** One line of the sale on the screen. */
export interface BasketLine {
  readonly id: number;
  /** Item of the line; null for an amount that was typed. */
  readonly itemId: string | null;
  readonly description: string;
  readonly unitMinor: number;
  /** Thousandths of a percent; null for no tax. */
  readonly taxRate: number | null;
  readonly taxIncluded: boolean;
  /** Quantity as typed. */
  readonly quantity: string;
  /** Discount of this line only; null for none. */
  readonly discount: Discount | null;
  /** Gift card that the line sells: it has no tax and no discount, and an order names it beside its lines. */
  readonly giftCard?: GiftCardLine;
}

/** Line of the request of a sale. */
export interface LineRequest {
  readonly itemId?: string;
  readonly description: string;
  readonly quantity: string;
  readonly unitPrice: string;
  readonly taxRate: number | null;
  readonly taxIncluded: boolean;
  readonly discountAmount?: string;
}

const PERCENT = 1_000;

/** Returns a line for an item, or for a quick amount with the merchant's tax on entered amounts. */
export function lineOfItem(item: Item, id: number, thousandths: number, tax: TaxRule | null = null): BasketLine {
  if (item.kind === 'amount')
    return { ...lineOfAmount(item.name, toMinor(item.price, item.currency), id, tax, thousandths), itemId: item.itemId };
  return {
    id,
    itemId: item.itemId,
    description: item.name,
    unitMinor: toMinor(item.price, item.currency),
    taxRate: item.taxRate === null ? null : Math.round(item.taxRate * PERCENT),
    taxIncluded: item.taxIncluded,
    quantity: quantityText(thousandths),
    discount: null,
  };
}

/** Returns a line for an amount that was entered without an item, with the merchant's tax on such amounts. */
export const lineOfAmount = (
  description: string,
  unitMinor: number,
  id: number,
  tax: TaxRule | null = null,
  thousandths = THOUSANDTHS,
): BasketLine => ({
  id,
  itemId: null,
  description,
  unitMinor,
  taxRate: tax === null ? null : Math.round(tax.percent * PERCENT),
  taxIncluded: tax?.isIncluded ?? false,
  quantity: quantityText(thousandths),
  discount: null,
});

/** Returns a line that sells a gift card. */
export const lineOfGiftCard = (description: string, unitMinor: number, id: number, giftCard: GiftCardLine): BasketLine => ({
  ...lineOfAmount(description, unitMinor, id),
  giftCard,
});

export const quantityText = (thousandths: number): string => String(thousandths / THOUSANDTHS);

/** Returns quantity times unit price of a line in minor units; null while its quantity is not a quantity. */
export function priceOf({ quantity, unitMinor }: BasketLine): number | null {
  const thousandths = readQuantity(quantity.trim());
  return thousandths === null ? null : Number(extendedMinor(thousandths, unitMinor));
}

/**
 * Returns the amounts of lines; null for a line whose quantity is not a quantity. The discount of the whole sale is shared over what the discounts of
 * the lines leave.
 */
export function basketAmounts(lines: readonly BasketLine[], saleDiscount: Discount | null = null): (LineAmounts | null)[] {
  const prices = lines.map((line) => priceOf(line) ?? 0);
  const own = lines.map(({ discount }, index) => discountOn(prices[index] ?? 0, discount));
  const rest = prices.map((price, index) => price - (own[index] ?? 0));
  const discountable = rest.map((minor, index) => (lines[index]?.giftCard === undefined ? minor : 0));
  const shares = shareOut(discountOn(sumOf(discountable), saleDiscount), discountable);
  return lines.map((line, index) => {
    const thousandths = readQuantity(line.quantity.trim());
    const discountMinor = (own[index] ?? 0) + (shares[index] ?? 0);
    return thousandths === null ? null : lineAmounts({ ...line, thousandths, discountMinor });
  });
}

const sumOf = (minors: readonly number[]) => minors.reduce((sum, minor) => sum + minor, 0);

/** Returns the sums of all lines, in minor units; null while a quantity is not a quantity. */
export function basketSums(lines: readonly BasketLine[], saleDiscount: Discount | null = null): LineAmounts | null {
  const amounts = basketAmounts(lines, saleDiscount);
  return amounts.includes(null) ? null : sumOfLines(amounts.filter((each) => each !== null));
}

/** Returns the lines with one more, or with a higher quantity if a line has the same item and price. */
export function withLine(lines: readonly BasketLine[], added: BasketLine): readonly BasketLine[] {
  const at = lines.findIndex(
    ({ itemId, unitMinor, description }) =>
      itemId === added.itemId && unitMinor === added.unitMinor && description === added.description && itemId !== null,
  );
  const same = lines[at];
  const before = same && readQuantity(same.quantity.trim());
  const more = readQuantity(added.quantity);
  if (!same || before === null || before === undefined || more === null) return [...lines, added];
  return lines.with(at, { ...same, quantity: quantityText(before + more) });
}

/** Returns the lines as the service takes them, without those of gift cards. */
export function lineRequests(lines: readonly BasketLine[], currency: string, saleDiscount: Discount | null = null): LineRequest[] {
  const amounts = basketAmounts(lines, saleDiscount);
  return lines.flatMap(({ itemId, description, quantity, unitMinor, taxRate, taxIncluded, giftCard }, index) => {
    if (giftCard !== undefined) return [];
    const discountMinor = amounts[index]?.discountMinor ?? 0;
    const line: LineRequest = {
      ...(itemId === null ? {} : { itemId }),
      description,
      quantity: quantity.trim(),
      unitPrice: decimalText(unitMinor, currency),
      taxRate: taxRate === null ? null : taxRate / PERCENT,
      taxIncluded,
      ...(discountMinor > 0 && { discountAmount: decimalText(discountMinor, currency) }),
    };
    return [line];
  });
}

/** Gift card of the request of an order. */
export interface GiftCardRequest extends GiftCardLine {
  readonly amount: string;
}

/** Returns the gift cards of the lines as an order takes them. */
export const giftCardRequests = (lines: readonly BasketLine[], currency: string): GiftCardRequest[] =>
  lines.flatMap(({ giftCard, unitMinor }) => (giftCard === undefined ? [] : [{ ...giftCard, amount: decimalText(unitMinor, currency) }]));

const COUNT = /^\s*(\d{1,9}(?:\.\d{1,3})?)\s*[*x×]\s*(.*)$/i;

/** An entry such as `FW`, `3*FW` or a barcode. */
interface ItemEntry {
  readonly thousandths: number;
  readonly text: string;
}

export function readEntry(typed: string): ItemEntry {
  const [, count, rest] = COUNT.exec(typed) ?? [];
  const thousandths = count === undefined ? null : readQuantity(count);
  return thousandths === null ? { thousandths: THOUSANDTHS, text: typed.trim() } : { thousandths, text: (rest ?? '').trim() };
}

/** Returns the items that an entry may mean, the best first: by key, by barcode, by the beginning of the name, by a part of it. */
export function matchingItems(items: readonly Item[], text: string): readonly Item[] {
  const wanted = text.toLowerCase();
  if (wanted === '') return items;
  const rankOf = ({ key, barcode, name }: Item): number => {
    if (key?.toLowerCase() === wanted) return 0;
    if (barcode?.toLowerCase() === wanted) return 1;
    if (name.toLowerCase().startsWith(wanted)) return 2;
    return name.toLowerCase().includes(wanted) || key?.toLowerCase().startsWith(wanted) ? 3 : 4;
  };
  return items
    .map((item) => ({ item, rank: rankOf(item) }))
    .filter(({ rank }) => rank < 4)
    .toSorted((left, right) => left.rank - right.rank)
    .map(({ item }) => item);
}

/** Price of a sale before and with its discount, in minor units. A tax that is added is not part of it. */
export interface DiscountedPrice {
  readonly priceMinor: number;
  readonly discountMinor: number;
}

interface Priced {
  readonly lines: readonly BasketLine[];
  readonly amounts: readonly (LineAmounts | null)[];
  readonly discount: Discount | null;
}

/** Returns the price of a sale with its discount: that of its lines, or of the typed amount; null while it is not valid. */
export function discountedPrice({ lines, amounts, discount }: Priced, amount: string, currency: string): DiscountedPrice | null {
  if (lines.length === 0) {
    const read = readAmount(amount, currency);
    if (read.kind !== 'valid') return null;
    const priceMinor = toMinor(Number(read.decimal), currency);
    return { priceMinor, discountMinor: discountOn(priceMinor, discount) };
  }
  if (amounts.includes(null)) return null;
  return {
    priceMinor: lines.reduce((sum, line) => sum + (priceOf(line) ?? 0), 0),
    discountMinor: amounts.reduce((sum, each) => sum + (each?.discountMinor ?? 0), 0),
  };
}
