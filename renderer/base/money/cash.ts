import { type CashRounding, cashOf, cashUnitOf } from '#shared/cash-rounding';
import { exponentOf, toMinor } from './minor.ts';

/** A payment in cash of a sale, as the API returns it. */
interface CashPayment {
  readonly roundingAmount: number;
}

/**
 * Returns the cash to take for an amount in minor units, rounded to the smallest coin if the merchant rounds cash in this currency. @param earlier payments
 * of the same sale; together with them, the cash is rounded like the whole.
 */
export function cashFor(minor: number, currency: string, rounding: CashRounding | null, earlier: readonly CashPayment[] = []): number {
  const rounded = earlier.reduce((sum, { roundingAmount }) => sum + toMinor(roundingAmount, currency), 0);
  return cashOf(minor, cashUnitOf(rounding, currency, exponentOf(currency)), rounded);
}
