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

/** A refund of a payment, in minor units. */
interface EarlierRefund {
  readonly amount: number;
  readonly rounding: number;
  /** False for a refund to a gift card or store credit, which takes no coins from the drawer. */
  readonly inCash: boolean;
}

/** Money of a payment in cash before a refund, in minor units. */
interface CashPaid {
  readonly amount: number;
  /** Cash received for it. */
  readonly cash: number;
  readonly refunds: readonly EarlierRefund[];
}

/**
 * Returns the cash of a refund, in minor units, a multiple of the unit: the refunds in cash so far and this one together are rounded, so that parts never
 * return more than the whole. The last refund returns what remains of the received cash.
 */
export function refundedCash({ amount, cash, refunds }: CashPaid, refund: number, unit: number): number {
  const sum = (inCash: boolean) => refunds.filter((each) => each.inCash === inCash).reduce((total, each) => total + each.amount, 0);
  const toCards = sum(false);
  const after = sum(true) + refund;
  const cashRefunded = refunds.reduce((total, each) => (each.inCash ? total + each.amount + each.rounding : total), 0);
  const [received, left] = [cash - toCards, Math.max(0, cash - toCards - cashRefunded)];
  const rounded = roundCash((after === amount - toCards ? received : after) - cashRefunded, unit);
  return Math.min(Math.max(0, rounded), Math.floor(left / unit) * unit);
}
