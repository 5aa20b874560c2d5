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
  /** Added to what cards pay; 0 or nothing adds nothing. */
  readonly surchargePercent?: number;
}

/** Hundredths of a percent in the whole. */
const BASIS_POINTS = 10_000;

/** Amount, tip and surcharge in whole minor units; the surcharge is of both, for cards alone, rounded half up. null while the amount is not in order. */
export function totalOf(values: SaleValues, { currency, mode, surchargePercent = 0 }: TotalRules): Total | null {
  const amount = readAmount(values.amount ?? '', currency);
  const tip = readAmount(values.tip ?? '', currency);
  if (amount.kind !== 'valid' || (tip.kind !== 'valid' && tip.kind !== 'empty' && tip.kind !== 'zero')) return null;
  const tipMinor = tip.kind === 'valid' ? minorOf(tip.decimal) : 0;
  const base = minorOf(amount.decimal) + tipMinor;
  const rate = mode === 'bank' ? 0 : Math.round(surchargePercent * 100);
  const added = Math.floor((base * rate * 2 + BASIS_POINTS) / (BASIS_POINTS * 2));
  const text = (minor: number) => (minor === 0 ? null : decimalText(minor, currency));
  return { decimal: decimalText(base + added, currency), tip: text(tipMinor), surcharge: text(added) };
}

function minorOf(decimal: string): number {
  return Number(decimal.replace('.', ''));
}
