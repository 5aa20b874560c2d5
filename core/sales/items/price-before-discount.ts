import { extendedMinor, THOUSANDTHS } from '#shared/line-items';
import type { LineItem } from './records.ts';

/** Price of lines before their discounts, and everything that was taken off it, in minor units. */
interface DiscountOfLines {
  readonly priceMinor: number;
  readonly discountMinor: number;
}

/**
 * Returns the sum of quantity times price of the lines of a request, and their discounts. A line below the price of its item counts with the price of
 * the item, and the difference as a discount; otherwise a lower price would be a discount that nobody approves.
 */
export function discountOfLines(lines: readonly LineItem[]): DiscountOfLines {
  let price = 0n;
  let discount = 0n;
  for (const { quantity, unitPrice, listPrice = unitPrice, discountAmount } of lines) {
    const thousandths = Math.round(quantity * THOUSANDTHS);
    const full = extendedMinor(thousandths, listPrice.minor);
    price += full;
    discount += full - extendedMinor(thousandths, unitPrice.minor) + BigInt(discountAmount.minor);
  }
  return { priceMinor: Number(price), discountMinor: Number(discount) };
}
