import * as currencies from '@dinero.js/currencies';

/** Units that ISO 4217 lists with a fraction other than a power of ten are counted in its two official decimals. */
const EXPONENTS: ReadonlyMap<string, number> = new Map(
  Object.values(currencies).flatMap((entry) => ('code' in entry ? [[entry.code, entry.base === 10 ? entry.exponent : 2] as const] : [])),
);

const USUAL_EXPONENT = 2;

/** Number of decimals of the currency by ISO 4217: USD 2, JPY 0, KWD 3. `Intl` is wrong for several, so it is never asked. */
export function exponentOf(currency: string): number {
  return EXPONENTS.get(currency) ?? USUAL_EXPONENT;
}

/** Codes of ISO 4217 for units of account and funds, which the service refuses. */
const UNITS_OF_ACCOUNT: ReadonlySet<string> = new Set(['BOV', 'CHE', 'CHW', 'CLF', 'COU', 'MXV', 'USN', 'UYI', 'UYW']);

/** Every currency that the service takes, with its decimals. */
export function currencyExponents(): ReadonlyMap<string, number> {
  return new Map([...EXPONENTS].filter(([code]) => !UNITS_OF_ACCOUNT.has(code)));
}
