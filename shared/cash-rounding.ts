/** Smallest sum that can be paid in coins of a currency, in major units. */
export interface CashRounding {
  readonly currency: string;
  readonly unit: number;
}

/** Units to which cash can be rounded, in minor units. */
const UNITS: readonly number[] = [5, 10, 20, 25, 50, 100, 500, 1_000];

/** Returns the units to which cash in a currency can be rounded, in major units. @param exponent decimals of the currency. */
export const cashUnits = (exponent: number): number[] => UNITS.map((minor) => minor / 10 ** exponent);

/** Returns the unit of cash in a currency, in minor units; 1 if it is not rounded. */
export function cashUnitOf(rounding: CashRounding | null, currency: string, exponent: number): number {
  if (rounding?.currency !== currency) return 1;
  const minor = Math.round(rounding.unit * 10 ** exponent);
  return UNITS.includes(minor) ? minor : 1;
}

/** Rounds an amount in minor units to the nearest multiple of a unit. Halves are rounded up. */
export const roundCash = (minor: number, unit: number): number => Math.round(minor / unit) * unit;

/**
 * Returns the cash to take for a payment of a sale, in minor units. `rounded` is the rounding of the cash taken for the sale before, which this payment
 * settles: all parts together are rounded like the whole.
 */
export const cashOf = (minor: number, unit: number, rounded: number): number => Math.max(0, roundCash(minor - rounded, unit));

/** Money of a payment in cash before a refund, in minor units. */
interface CashPaid {
  readonly amount: number;
  /** Cash received for it. */
  readonly cash: number;
  readonly refunded: number;
  /** Cash returned for these refunds. */
  readonly cashRefunded: number;
}

/**
 * Returns the cash of a refund, in minor units: the refunds so far and this one together are rounded, so that parts never return more than the whole. The
 * last refund returns what remains of the received cash.
 */
export function refundedCash({ amount, cash, refunded, cashRefunded }: CashPaid, refund: number, unit: number): number {
  const after = refunded + refund;
  return Math.min(Math.max(0, roundCash(after === amount ? cash : after, unit) - cashRefunded), cash - cashRefunded);
}
