import { decimalText, readAmount } from '#renderer/money';
import type { SaleMode, SaleValues } from './form.ts';

/** Amount to charge, with the parts that were added to it. */
export interface Total {
  readonly decimal: string;
  readonly tip: string | null;
  readonly surcharge: string | null;
}

interface TotalRules {
  readonly currency: string;
  readonly mode: SaleMode;
  /** Surcharge for cards in percent; none if absent or 0. */
  readonly surchargePercent?: number;
}

/** Hundredths of a percent in 100 %. */
const BASIS_POINTS = 10_000;

/**
 * Returns the total of amount, tip and surcharge, computed in whole minor units. The surcharge applies to cards only, on amount plus tip,
 * rounded half up. Returns null while the amount is not valid.
 */
export function totalOf(values: SaleValues, { currency, mode, surchargePercent = 0 }: TotalRules): Total | null {
  const amount = readAmount(values.amount ?? '', currency);
  const tip = readAmount(values.tip ?? '', currency);
  if (amount.kind !== 'valid' || (tip.kind !== 'valid' && tip.kind !== 'empty' && tip.kind !== 'zero')) return null;
  const tipMinor = tip.kind === 'valid' ? minorOf(tip.decimal) : 0;
  const base = minorOf(amount.decimal) + tipMinor;
  const rate = mode === 'bank' ? 0 : Math.round(surchargePercent * 100);
  const surchargeMinor = Math.floor((base * rate * 2 + BASIS_POINTS) / (BASIS_POINTS * 2));
  const decimalOrNull = (minor: number) => (minor === 0 ? null : decimalText(minor, currency));
  return { decimal: decimalText(base + surchargeMinor, currency), tip: decimalOrNull(tipMinor), surcharge: decimalOrNull(surchargeMinor) };
}

function minorOf(decimal: string): number {
  return Number(decimal.replace('.', ''));
}
