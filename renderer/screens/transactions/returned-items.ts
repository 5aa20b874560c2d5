import type { Refund, Transaction } from '#renderer/base/client';
import { decimalText, toMinor } from '#renderer/base/money';

type Line = Transaction['lineItems'][number];

/** Key of the metadata of a refund that says which lines of the sale it returns. */
export const RETURNED_ITEMS = 'returnedItems';
const THOUSANDTHS = 1_000;

/** Quantities by the index of a line, in thousandths. */
export type Quantities = Readonly<Record<number, number>>;

/** Items that a refund returns, and whether it returns the tip. */
export interface RefundParts {
  readonly tipAmount: string;
  readonly taxAmount: string;
  readonly surchargeAmount: string;
}

export const quantityOf = ({ quantity }: Line): number => Math.round(quantity * THOUSANDTHS);
export const quantityText = (thousandths: number): string => String(thousandths / THOUSANDTHS);

/** Returns the quantities that earlier refunds return, without declined ones. */
export function returnedBefore(refunds: readonly Pick<Refund, 'status' | 'metadata'>[]): Quantities {
  const sums: Record<number, number> = {};
  for (const { status, metadata } of refunds) {
    const text = metadata?.[RETURNED_ITEMS];
    if (typeof text !== 'string' || (status !== 'approved' && status !== 'pending')) continue;
    for (const [, line, quantity] of text.matchAll(/(\d+)=(\d+(?:\.\d+)?)/g))
      sums[Number(line)] = (sums[Number(line)] ?? 0) + Math.round(Number(quantity) * THOUSANDTHS);
  }
  return sums;
}

/** Returns the metadata of a refund of lines. */
export const metadataOf = (chosen: Quantities) => ({
  [RETURNED_ITEMS]: Object.entries(chosen)
    .map(([line, quantity]) => `${line}=${quantityText(quantity)}`)
    .join(' '),
});

/** Returns the lines that a refund returns as text, such as "2 × Flat white"; null if it names none. */
export function returnedText({ metadata }: Pick<Refund, 'metadata'>, lines: readonly Line[]): string | null {
  const chosen = Object.entries(returnedBefore([{ status: 'approved', metadata }]));
  const named = chosen.flatMap(([index, quantity]) => {
    const line = lines[Number(index)];
    return line ? [`${quantityText(quantity)} × ${line.description}`] : [];
  });
  return named.length === 0 ? null : named.join(', ');
}

/** Returns the share of an amount for some of a quantity, so that the shares of all add up to the amount. */
const shareUpTo = (minor: number, part: number, whole: number) => Math.round((minor * part) / whole);

/** Returns the sum of the chosen quantities and the tax within it, in minor units. The sums of all refunds of a line add up to the line. */
export function sumOfReturned(lines: readonly Line[], currency: string, before: Quantities, chosen: Quantities) {
  const sum = { amountMinor: 0, taxMinor: 0 };
  for (const [index, line] of lines.entries()) {
    const [from, whole] = [before[index] ?? 0, quantityOf(line)];
    const to = from + (chosen[index] ?? 0);
    const between = (amount: number) => shareUpTo(toMinor(amount, currency), to, whole) - shareUpTo(toMinor(amount, currency), from, whole);
    sum.amountMinor += between(line.amount);
    sum.taxMinor += between(line.taxAmount);
  }
  return sum;
}

/** Parts of a payment that no refund has returned, in minor units. */
export function remainingParts(
  {
    amount,
    tipAmount,
    taxAmount,
    surchargeAmount,
    currency,
  }: Pick<Transaction, 'amount' | 'tipAmount' | 'taxAmount' | 'surchargeAmount' | 'currency'>,
  refunds: readonly Pick<Refund, 'status' | 'amount' | 'tipAmount' | 'taxAmount' | 'surchargeAmount'>[],
) {
  const counted = refunds.filter(({ status }) => status === 'approved' || status === 'pending');
  const left = (of: number, returned: (refund: (typeof counted)[number]) => number) =>
    counted.reduce((rest, refund) => rest - toMinor(returned(refund), currency), toMinor(of, currency));
  return {
    total: left(amount, (refund) => refund.amount),
    tip: left(tipAmount, (refund) => refund.tipAmount),
    tax: left(taxAmount, (refund) => refund.taxAmount),
    surcharge: left(surchargeAmount, (refund) => refund.surchargeAmount),
  };
}

type Remaining = ReturnType<typeof remainingParts>;

/** Returns the parts of a refund of some lines or of an amount, with the tip or without it. `taxMinor` is that of lines; else the tax goes in proportion. */
export function partsOfRefund(
  amountMinor: number,
  remaining: Remaining,
  tipMinor: number,
  taxMinor: number | null,
  currency: string,
): RefundParts {
  const base = amountMinor - tipMinor;
  const rest = remaining.total - remaining.tip;
  const share = (minor: number) => (rest <= 0 ? 0 : Math.floor((minor * base) / rest));
  return {
    tipAmount: decimalText(tipMinor, currency),
    taxAmount: decimalText(Math.min(remaining.tax, taxMinor ?? share(remaining.tax)), currency),
    surchargeAmount: decimalText(share(remaining.surcharge), currency),
  };
}

/** Returns the surcharge that is returned with lines: in proportion to what else remains. */
export const surchargeOfLines = (linesMinor: number, remaining: Remaining): number => {
  const rest = remaining.total - remaining.tip - remaining.surcharge;
  return rest <= 0 ? 0 : Math.round((remaining.surcharge * linesMinor) / rest);
};
