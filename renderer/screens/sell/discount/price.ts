import { readAmount, toMinor } from '#renderer/base/money';
import { priceOf } from '../items/basket.ts';
import type { Basket } from '../items/use-basket.ts';
import { discountOn } from './discount.ts';

/** Price of a sale before and with its discount, in minor units. A tax that is added is not part of it. */
export interface DiscountedPrice {
  readonly priceMinor: number;
  readonly discountMinor: number;
}

type Priced = Pick<Basket, 'lines' | 'amounts' | 'discount'>;

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
