import type { Condition } from '#core/database';
import { type Currency, parseMoney } from '#core/kernel';
import { CURRENCY_CODES, findExponent } from '#shared/currencies';

const USUAL_EXPONENT = 2;
const EXPONENT_MAX = 4;

const UNUSUAL_CODES = CURRENCY_CODES.filter((code) => findExponent(code) !== USUAL_EXPONENT);
const BY_EXPONENT = Map.groupBy(UNUSUAL_CODES, (code) => findExponent(code) ?? USUAL_EXPONENT);

/** The parts of a condition builder that a filter by amount uses; see `conditionsOn`. */
interface Builder {
  readonly compare: (operator: '>=' | '<=' | '=', minor: number) => Condition;
  readonly isIn: (operator: 'in' | 'not in', codes: readonly string[]) => Condition;
  readonly and: (conditions: readonly Condition[]) => Condition;
  readonly or: (conditions: readonly Condition[]) => Condition;
}

/**
 * Returns the conditions of a filter by amount, so that 100 means 100 in the currency of each payment. The first one contains all others, for the index
 * on amounts. @throws ServiceError INVALID_AMOUNT for more decimals than the currency of the merchant has.
 */
export function amountConditions(
  { compare, isIn, and, or }: Builder,
  decimal: string,
  currency: Currency,
  field: 'minAmount' | 'maxAmount',
): Condition[] {
  parseMoney(decimal, currency, field);
  const [whole = '', fraction = ''] = decimal.split('.');
  const scaled = Number(whole + fraction.padEnd(EXPONENT_MAX, '0'));
  const [operator, round, widest] =
    field === 'minAmount' ? (['>=', Math.ceil, Math.min] as const) : (['<=', Math.floor, Math.max] as const);
  const minorAt = (exponent: number) => round(scaled / 10 ** (EXPONENT_MAX - exponent));
  const exponents = [USUAL_EXPONENT, ...BY_EXPONENT.keys()];
  return [
    compare(operator, widest(...exponents.map(minorAt))),
    or([
      and([isIn('not in', UNUSUAL_CODES), compare(operator, minorAt(USUAL_EXPONENT))]),
      ...[...BY_EXPONENT].map(([exponent, codes]) => and([isIn('in', codes), compare(operator, minorAt(exponent))])),
    ]),
  ];
}

const SEARCHED_AMOUNT = /^(\d{1,11})(?:\.(\d{1,4}))?$/;

/** True if a search text consists of digits, so that it may name an amount. */
export const isAmountText = (text: string) => SEARCHED_AMOUNT.test(text.trim());

/**
 * Returns the conditions, one of which a payment of exactly the searched amount meets, in the currency of each payment: 12.5 finds 12.50 USD and
 * 12.500 KWD, but no payment in JPY. Empty if the text is no amount; zeros before digits belong to a card.
 */
export function searchedAmount({ compare, isIn, and }: Pick<Builder, 'compare' | 'isIn' | 'and'>, text: string): Condition[] {
  const [, whole, fraction = ''] = SEARCHED_AMOUNT.exec(text.trim()) ?? [];
  if (whole === undefined || /^0\d/.test(whole)) return [];
  const at = (exponent: number, isCurrency: Condition): Condition[] =>
    fraction.length > exponent ? [] : [and([compare('=', Number(whole + fraction.padEnd(exponent, '0'))), isCurrency])];
  return [
    ...at(USUAL_EXPONENT, isIn('not in', UNUSUAL_CODES)),
    ...[...BY_EXPONENT].flatMap(([exponent, codes]) => at(exponent, isIn('in', codes))),
  ];
}
