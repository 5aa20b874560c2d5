import { lineAmounts, readTaxRate, THOUSANDTHS } from '#shared/line-items';
import { readAmount } from './amount.ts';
import { decimalText, toMinor } from './minor.ts';

/** Tax on amounts that are entered without items. */
export interface TaxRule {
  readonly name: string;
  readonly percent: number;
  /** True if the entered amount includes the tax. */
  readonly isIncluded: boolean;
}

interface TaxSettings {
  readonly taxName: string;
  readonly taxPercent: number;
  readonly taxIncluded: boolean;
}

/** Returns the merchant's tax on entered amounts; null for none. */
export function taxRuleOf({ taxName, taxPercent, taxIncluded }: TaxSettings): TaxRule | null {
  return taxPercent > 0 ? { name: taxName, percent: taxPercent, isIncluded: taxIncluded } : null;
}

/** Returns the tax on an amount, or within it, in minor units; rounded half up as the tax of a line. */
export function taxOn(amountMinor: number, { percent, isIncluded }: TaxRule): number {
  return lineAmounts({ thousandths: THOUSANDTHS, unitMinor: amountMinor, taxRate: readTaxRate(String(percent)), taxIncluded: isIncluded })
    .taxMinor;
}

/**
 * Returns an entered amount with its tax, and the tax within it, as decimal text; the tax is null if it is 0. A typed tax replaces the computed one.
 * Without a rule, a typed tax is a part of the amount. Returns null while a text is not valid, or the tax exceeds the amount that contains it.
 */
export function taxedTotal(
  entered: { readonly amount: string; readonly tax: string },
  rule: TaxRule | null,
  currency: string,
): { readonly amount: string; readonly tax: string | null } | null {
  const amount = readAmount(entered.amount, currency);
  if (amount.kind !== 'valid') return null;
  const amountMinor = toMinor(Number(amount.decimal), currency);
  const typed = readAmount(entered.tax, currency);
  if (typed.kind !== 'valid' && typed.kind !== 'zero' && typed.kind !== 'empty') return null;
  const computed = rule === null ? 0 : taxOn(amountMinor, rule);
  const taxMinor = typed.kind === 'valid' ? toMinor(Number(typed.decimal), currency) : typed.kind === 'zero' ? 0 : computed;
  const isWithin = rule === null || rule.isIncluded;
  if (isWithin && taxMinor > amountMinor) return null;
  return {
    amount: decimalText(isWithin ? amountMinor : amountMinor + taxMinor, currency),
    tax: taxMinor === 0 ? null : decimalText(taxMinor, currency),
  };
}
