import { exponentOf } from './minor.ts';

/** Notes and coins in circulation in minor units, largest first. `notes` is the number of notes among them. */
interface Denominations {
  readonly values: readonly number[];
  readonly notes: number;
}

const TABLE: Readonly<Record<string, Denominations>> = {
  USD: { values: [10_000, 5_000, 2_000, 1_000, 500, 100, 25, 10, 5, 1], notes: 6 },
  CAD: { values: [10_000, 5_000, 2_000, 1_000, 500, 200, 100, 25, 10, 5], notes: 5 },
  MXN: { values: [100_000, 50_000, 20_000, 10_000, 5_000, 2_000, 1_000, 500, 200, 100, 50], notes: 6 },
  EUR: { values: [20_000, 10_000, 5_000, 2_000, 1_000, 500, 200, 100, 50, 20, 10, 5, 2, 1], notes: 6 },
  GBP: { values: [5_000, 2_000, 1_000, 500, 200, 100, 50, 20, 10, 5, 2, 1], notes: 4 },
  CHF: { values: [20_000, 10_000, 5_000, 2_000, 1_000, 500, 200, 100, 50, 20, 10, 5], notes: 5 },
  AUD: { values: [10_000, 5_000, 2_000, 1_000, 500, 200, 100, 50, 20, 10, 5], notes: 5 },
  NZD: { values: [10_000, 5_000, 2_000, 1_000, 500, 200, 100, 50, 20, 10], notes: 5 },
  JPY: { values: [10_000, 5_000, 1_000, 500, 100, 50, 10, 5, 1], notes: 3 },
};

/** Denominations of a currency that is not in the table: 100, 50, 20 and so on, down to the minor unit; those of a whole unit and more are notes. */
function usualOf(currency: string): Denominations {
  const unit = 10 ** exponentOf(currency);
  const values: number[] = [];
  for (let power = unit * 100; power >= 1; power /= 10) values.push(power, ...(power > 1 ? [power / 2, power / 5] : []));
  return { values, notes: values.filter((value) => value >= unit).length };
}

const of = (currency: string): Denominations => TABLE[currency] ?? usualOf(currency);

/** Returns the notes and coins of a currency in minor units, largest first. */
export const denominationsOf = (currency: string): readonly number[] => of(currency).values;

const SUGGESTIONS_MAX = 4;
/** Notes below this part of the amount are not suggested: nobody pays 42.50 with single dollars. */
const SMALLEST_PART = 20;

/** Returns the amounts that a customer is likely to give for an amount in minor units, above it and in ascending order. */
export function amountsGiven(minor: number, currency: string): readonly number[] {
  const { values, notes } = of(currency);
  const likely = values.slice(0, notes).filter((note) => note * SMALLEST_PART >= minor);
  const rounded = likely.map((note) => Math.ceil(minor / note) * note).filter((given) => given > minor);
  return [...new Set(rounded)].toSorted((left, right) => left - right).slice(0, SUGGESTIONS_MAX);
}
