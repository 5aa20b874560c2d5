import { lineAmounts, readTaxRate, THOUSANDTHS } from '#shared/line-items';

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
