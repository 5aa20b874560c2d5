import type { Item } from '#renderer/client';
import { decimalText, type TaxRule, toMinor } from '#renderer/money';
import { type LineAmounts, lineAmounts, readQuantity, sumOfLines, THOUSANDTHS } from '#shared/line-items';

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
}

/** Line of the request of a sale. */
export interface LineRequest {
  readonly itemId?: string;
  readonly description: string;
  readonly quantity: string;
  readonly unitPrice: string;
  readonly taxRate: number | null;
  readonly taxIncluded: boolean;
}

const PERCENT = 1_000;

/** Returns a line for an item, or for a quick amount with the merchant's tax on entered amounts. */
export function lineOfItem(item: Item, id: number, thousandths: number, tax: TaxRule | null = null): BasketLine {
  const quantity = quantityText(thousandths);
  if (item.kind === 'amount')
    return { ...lineOfAmount(item.name, toMinor(item.price, item.currency), id, tax), itemId: item.itemId, quantity };
  return {
    id,
    itemId: item.itemId,
    description: item.name,
    unitMinor: toMinor(item.price, item.currency),
    taxRate: item.taxRate === null ? null : Math.round(item.taxRate * PERCENT),
    taxIncluded: item.taxIncluded,
    quantity,
  };
}

/** Returns a line for an amount that was entered without an item, with the merchant's tax on such amounts. */
export const lineOfAmount = (description: string, unitMinor: number, id: number, tax: TaxRule | null = null): BasketLine => ({
  id,
  itemId: null,
  description,
  unitMinor,
  taxRate: tax === null ? null : Math.round(tax.percent * PERCENT),
  taxIncluded: tax?.isIncluded ?? false,
  quantity: '1',
});

const quantityText = (thousandths: number): string => String(thousandths / THOUSANDTHS);

/** Returns the amount of a line and its tax; null while its quantity is not a quantity. */
export function amountsOf(line: BasketLine): LineAmounts | null {
  const thousandths = readQuantity(line.quantity.trim());
  return thousandths === null ? null : lineAmounts({ ...line, thousandths });
}

/** Returns the sums of all lines, in minor units; null while a quantity is not a quantity. */
export function basketSums(lines: readonly BasketLine[]): LineAmounts | null {
  const amounts = lines.map(amountsOf);
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

/** Returns the lines as the service takes them. */
export function lineRequests(lines: readonly BasketLine[], currency: string): LineRequest[] {
  return lines.map(({ itemId, description, quantity, unitMinor, taxRate, taxIncluded }) => ({
    ...(itemId === null ? {} : { itemId }),
    description,
    quantity: quantity.trim(),
    unitPrice: decimalText(unitMinor, currency),
    taxRate: taxRate === null ? null : taxRate / PERCENT,
    taxIncluded,
  }));
}

const COUNT = /^\s*(\d{1,9}(?:\.\d{1,3})?)\s*[*x×]\s*(.*)$/i;

/** An entry such as `FW`, `3*FW` or a barcode. */
export interface ItemEntry {
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
