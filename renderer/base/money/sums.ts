import { writeMoney } from './amount.ts';
import { fromMinor, toMinor } from './minor.ts';

/** Returns the sum of amounts for each currency, as text: "50.00 USD, 20.00 EUR". */
export function sumsText(rows: readonly { readonly amount: number; readonly currency: string }[]): string {
  const sums = new Map<string, number>();
  for (const { amount, currency } of rows) sums.set(currency, (sums.get(currency) ?? 0) + toMinor(amount, currency));
  return [...sums].map(([currency, minor]) => writeMoney(fromMinor(minor, currency), currency)).join(', ');
}
