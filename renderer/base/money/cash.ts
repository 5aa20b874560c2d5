import { type CashRounding, cashUnitOf, roundCash } from '#shared/cash-rounding';
import { exponentOf } from './minor.ts';

/** Returns the cash to take for an amount in minor units, rounded to the smallest coin if the merchant rounds cash in this currency. */
export const cashFor = (minor: number, currency: string, rounding: CashRounding | null): number =>
  roundCash(minor, cashUnitOf(rounding, currency, exponentOf(currency)));
