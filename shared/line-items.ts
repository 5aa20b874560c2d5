/**
 * Rules of line items: quantities in thousandths, prices in minor units, tax rates in thousandths of a percent. The screens and the service compute
 * with the same functions, so the total on the screen is the amount that the service accepts.
 */

/** A line as it is computed. */
interface LineRule {
  /** Quantity in thousandths. */
  readonly thousandths: number;
  /** Price of one unit in minor units. */
  readonly unitMinor: number;
  /** Tax rate in thousandths of a percent; null for no tax. */
  readonly taxRate: number | null;
  /** True if the unit price includes the tax. */
  readonly taxIncluded: boolean;
  /** Discount in minor units, at most quantity times unit price; by default none. */
  readonly discountMinor?: number;
}

/** Amount of a line for the customer, the tax within it, and the discount that was taken off before, in minor units. */
export interface LineAmounts {
  readonly amountMinor: number;
  readonly taxMinor: number;
  readonly discountMinor: number;
}

export const THOUSANDTHS = 1_000;
/** Thousandths of a percent in 100 %. */
export const RATE_UNIT = 100_000;
/** Largest tax rate, which is 100 %. */
const RATE_MAX = RATE_UNIT;
const QUANTITY = /^(\d{1,9})(?:\.(\d{1,3}))?$/;
const RATE = /^(\d{1,3})(?:\.(\d{1,3}))?$/;

function halfUp(numerator: bigint, denominator: bigint): bigint {
  return (2n * numerator + denominator) / (2n * denominator);
}

/** Returns quantity times unit price in minor units, rounded half up. Exact for every quantity and price. */
export function extendedMinor(thousandths: number, unitMinor: number): bigint {
  return halfUp(BigInt(thousandths) * BigInt(unitMinor), BigInt(THOUSANDTHS));
}

/** Returns a percentage of an amount in minor units, rounded half up. The rate is in thousandths of a percent. */
export function percentageOf(minor: number, rate: number): number {
  return Number(halfUp(BigInt(minor) * BigInt(rate), BigInt(RATE_UNIT)));
}

/**
 * Returns the amount of a line and its tax. Both are rounded half up per line: first quantity times price, then the tax of this sum less the discount.
 * A tax that the price does not include is added.
 */
export function lineAmounts({ thousandths, unitMinor, taxRate, taxIncluded, discountMinor = 0 }: LineRule): LineAmounts {
  const net = extendedMinor(thousandths, unitMinor) - BigInt(discountMinor);
  const rate = BigInt(taxRate ?? 0);
  const hundredPercent = BigInt(RATE_UNIT);
  const tax = taxIncluded ? halfUp(net * rate, hundredPercent + rate) : halfUp(net * rate, hundredPercent);
  return { amountMinor: Number(taxIncluded ? net : net + tax), taxMinor: Number(tax), discountMinor };
}

/** Returns the sums of lines in minor units. */
export function sumOfLines(lines: readonly LineAmounts[]): LineAmounts {
  return lines.reduce<LineAmounts>(
    (sum, line) => ({
      amountMinor: sum.amountMinor + line.amountMinor,
      taxMinor: sum.taxMinor + line.taxMinor,
      discountMinor: sum.discountMinor + line.discountMinor,
    }),
    { amountMinor: 0, taxMinor: 0, discountMinor: 0 },
  );
}

/** Parses a quantity above 0 with at most three decimals. Returns thousandths; null if it is none. */
export function readQuantity(text: string): number | null {
  const thousandths = scaled(QUANTITY, text);
  return thousandths === null || thousandths === 0 ? null : thousandths;
}

/** Parses a tax rate in percent from 0 to 100 with at most three decimals. Returns thousandths of a percent; null if it is none. */
export function readTaxRate(text: string): number | null {
  const rate = scaled(RATE, text);
  return rate === null || rate > RATE_MAX ? null : rate;
}

function scaled(pattern: RegExp, text: string): number | null {
  const [, whole, fraction = ''] = pattern.exec(text) ?? [];
  return whole === undefined ? null : Number(whole + fraction.padEnd(3, '0'));
}

/**
 * Splits an amount into shares that are proportional to the weights and add up to it exactly. The cents that rounding leaves go to the largest
 * remainders, and among equal ones to the first. All weights 0: everything goes to the first.
 */
export function shareOut(minor: number, weights: readonly number[]): number[] {
  const total = weights.reduce((sum, weight) => sum + BigInt(weight), 0n);
  if (total === 0n) return weights.map((_, index) => (index === 0 ? minor : 0));
  const exact = weights.map((weight) => BigInt(minor) * BigInt(weight));
  const shares = exact.map((product) => product / total);
  let left = BigInt(minor) - shares.reduce((sum, share) => sum + share, 0n);
  const byRemainder = exact
    .map((product, index) => ({ index, remainder: product % total }))
    .toSorted((a, b) => (a.remainder < b.remainder ? 1 : a.remainder > b.remainder ? -1 : a.index - b.index));
  for (const { index } of byRemainder) {
    if (left === 0n) break;
    shares[index] = (shares[index] as bigint) + 1n;
    left -= 1n;
  }
  return shares.map(Number);
}
