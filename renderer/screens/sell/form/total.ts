import { decimalText, readAmount, type TaxRule, taxOn } from '#renderer/base/money';
import { surchargeOn } from '#shared/surcharge';
import { type Discount, discountOn } from './discount.ts';
import { isTender, type SaleMode, type SaleValues } from './form.ts';

/** Amount to charge, with the parts that were added to it. */
export interface Total {
  readonly decimal: string;
  readonly tip: string | null;
  /** Tax within the total that is not the tax of lines. */
  readonly tax: string | null;
  readonly surcharge: string | null;
  /** Taken off the entered amount, so no part of the total. */
  readonly discount: string | null;
}

interface TotalRules {
  readonly currency: string;
  readonly mode: SaleMode;
  /** Tax on the amount while the field of the tax is empty; null or absent for none. */
  readonly tax?: TaxRule | null;
  /** Surcharge of the card in percent; none if absent or 0. */
  readonly surchargePercent?: number;
  /** Discount on the amount; null or absent for none, and with lines, which have discounts of their own. */
  readonly discount?: Discount | null;
}

/**
 * Returns the total of amount, tax, tip and surcharge, computed in whole minor units. The discount is taken off the amount before the tax. A tax that
 * was typed replaces the computed one. The surcharge applies to known cards only, on the amount and the tax without the tip. Returns null while a field is
 * not valid, or if the discount takes off the whole amount.
 */
export function totalOf(
  values: SaleValues,
  { currency, mode, tax = null, surchargePercent = 0, discount = null }: TotalRules,
): Total | null {
  const amount = readAmount(values.amount ?? '', currency);
  const tipMinor = optionalMinor(values.tip, currency, 0);
  if (amount.kind !== 'valid' || tipMinor === null) return null;
  const priceMinor = minorOf(amount.decimal);
  const discountMinor = discountOn(priceMinor, discount);
  const amountMinor = priceMinor - discountMinor;
  if (amountMinor === 0) return null;
  const taxMinor = tax === null ? 0 : optionalMinor(values.tax, currency, taxOn(amountMinor, tax));
  if (taxMinor === null || (tax?.isIncluded && taxMinor > amountMinor)) return null;
  const base = amountMinor + (tax?.isIncluded ? 0 : taxMinor);
  const surchargeMinor = mode === 'bank' || mode === 'reader' || isTender(mode) ? 0 : surchargeOn(base, surchargePercent);
  const decimalOrNull = (minor: number) => (minor === 0 ? null : decimalText(minor, currency));
  return {
    decimal: decimalText(base + tipMinor + surchargeMinor, currency),
    tip: decimalOrNull(tipMinor),
    tax: decimalOrNull(taxMinor),
    surcharge: decimalOrNull(surchargeMinor),
    discount: decimalOrNull(discountMinor),
  };
}

/** Returns an optional amount in minor units, or the default for an empty text; null if it is not valid. */
function optionalMinor(text: string | undefined, currency: string, ifEmpty: number): number | null {
  const read = readAmount(text ?? '', currency);
  if (read.kind === 'valid') return minorOf(read.decimal);
  if (read.kind === 'zero') return 0;
  return read.kind === 'empty' ? ifEmpty : null;
}

function minorOf(decimal: string): number {
  return Number(decimal.replace('.', ''));
}
