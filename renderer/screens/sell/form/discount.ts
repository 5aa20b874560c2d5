import { t } from '#renderer/base/language';
import { amountProblem, readAmount, toMinor } from '#renderer/base/money';
import { percentageOf, readTaxRate } from '#shared/line-items';

/** Discount of a line or of the whole sale, as it was entered: a percentage in thousandths, or an amount in minor units. */
export type Discount = { readonly kind: 'percent'; readonly rate: number } | { readonly kind: 'amount'; readonly minor: number };

export type DiscountKind = Discount['kind'];

/** Returns the discount on a price in minor units, at most the price; 0 without a discount. */
export function discountOn(priceMinor: number, discount: Discount | null): number {
  if (discount === null) return 0;
  return Math.min(priceMinor, discount.kind === 'percent' ? percentageOf(priceMinor, discount.rate) : discount.minor);
}

/** Returns a typed discount, or the problem of its text. */
export function readDiscount(text: string, kind: DiscountKind, currency: string): Discount | { readonly problem: string } {
  if (kind === 'amount') {
    const read = readAmount(text, currency);
    if (read.kind === 'valid') return { kind, minor: toMinor(Number(read.decimal), currency) };
    return { problem: read.kind === 'empty' ? t('Enter the discount.') : (amountProblem(text, currency) ?? '') };
  }
  const typed = text.replace('%', '').trim();
  const rate = readTaxRate(typed);
  if (rate !== null && rate > 0) return { kind, rate };
  return { problem: typed === '' ? t('Enter the discount.') : t('Enter a percentage above 0 and up to 100, with at most 3 decimals.') };
}
