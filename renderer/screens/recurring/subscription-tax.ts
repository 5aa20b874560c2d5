import { t } from '#renderer/base/language';
import { amountProblem, readAmount, toMinor } from '#renderer/base/money';

/** Tax within each payment and purchase order number, as typed; empty for none. */
export interface TaxForm {
  readonly tax: string;
  readonly purchaseOrder: string;
}

/** Returns the problem of a typed tax, which is a part of the amount; null without one. */
export function taxProblem(amount: string, tax: string, currency: string): string | null {
  const read = readAmount(tax, currency);
  if (read.kind === 'empty' || read.kind === 'zero') return null;
  if (read.kind !== 'valid') return amountProblem(tax, currency);
  const total = readAmount(amount, currency);
  const isAbove = total.kind === 'valid' && toMinor(Number(read.decimal), currency) > toMinor(Number(total.decimal), currency);
  return isAbove ? t('The tax exceeds the amount.') : null;
}

/** Returns a typed tax as decimal text; `0` for none. */
export function decimalTax(tax: string, currency: string): string {
  const read = readAmount(tax, currency);
  return read.kind === 'valid' ? read.decimal : '0';
}
