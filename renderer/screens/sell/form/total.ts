import { decimalText, readAmount } from '#renderer/money';
import { surchargeOn } from '#shared/surcharge';
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
  /** Surcharge of the card in percent; none if absent or 0. */
  readonly surchargePercent?: number;
}

/**
 * Returns the total of amount, tip and surcharge, computed in whole minor units. The surcharge applies to cards only, on the amount without
 * the tip. Returns null while the amount is not valid.
 */
export function totalOf(values: SaleValues, { currency, mode, surchargePercent = 0 }: TotalRules): Total | null {
  const amount = readAmount(values.amount ?? '', currency);
  const tip = readAmount(values.tip ?? '', currency);
  if (amount.kind !== 'valid' || (tip.kind !== 'valid' && tip.kind !== 'empty' && tip.kind !== 'zero')) return null;
  const tipMinor = tip.kind === 'valid' ? minorOf(tip.decimal) : 0;
  const base = minorOf(amount.decimal);
  const surchargeMinor = mode === 'bank' ? 0 : surchargeOn(base, surchargePercent);
  const decimalOrNull = (minor: number) => (minor === 0 ? null : decimalText(minor, currency));
  return {
    decimal: decimalText(base + tipMinor + surchargeMinor, currency),
    tip: decimalOrNull(tipMinor),
    surcharge: decimalOrNull(surchargeMinor),
  };
}

function minorOf(decimal: string): number {
  return Number(decimal.replace('.', ''));
}
