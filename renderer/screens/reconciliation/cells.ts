import { decimalText, exponentOf } from '#renderer/base/money';
import { readAmountCell } from '#shared/file-cells';

export type Sign = 'positive' | 'negative';

/** Reads an amount of a file as decimal text, positive for a payment. Returns null for zero and for a text that is not an amount. */
export function readFileAmount(text: string, currency: string, sign: Sign): string | null {
  const minor = readAmountCell(text, exponentOf(currency));
  return minor === null || minor === 0 ? null : decimalText(sign === 'negative' ? -minor : minor, currency);
}
