import { type Currency, type Money, money, parseMoneyOrZero, ServiceError } from '#core/kernel';

/**
 * Tip, surcharge and tax within an amount, in minor units. The rest of the amount is its base. Parts are money of their own: they are
 * refunded, posted and reported separately, but settled with the amount.
 */
export interface Parts {
  readonly tip: number;
  readonly surcharge: number;
  readonly tax: number;
}
export type PartName = keyof Parts;

export const PART_NAMES = ['tip', 'surcharge', 'tax'] as const satisfies readonly PartName[];
export const NO_PARTS: Parts = { tip: 0, surcharge: 0, tax: 0 };

/** Columns of a payment, a refund or an attempt that hold the parts of its amount. */
export interface PartColumns {
  readonly tip_minor: number;
  readonly surcharge_minor: number;
  readonly tax_minor: number;
}

/** Parts as a request states them: numbers or decimal strings, in major units. */
export interface PartsInput {
  readonly tipAmount?: string | number;
  readonly surchargeAmount?: string | number;
  readonly taxAmount?: string | number;
}

export const partsOf = (row: PartColumns): Parts => ({ tip: row.tip_minor, surcharge: row.surcharge_minor, tax: row.tax_minor });
export const partColumns = ({ tip, surcharge, tax }: Parts): PartColumns => ({
  tip_minor: tip,
  surcharge_minor: surcharge,
  tax_minor: tax,
});
export const sumOfParts = ({ tip, surcharge, tax }: Parts): number => tip + surcharge + tax;
export const hasParts = (parts: Parts): boolean => sumOfParts(parts) > 0;

const combined = (left: Parts, right: Parts, sign: 1 | -1): Parts => ({
  tip: left.tip + sign * right.tip,
  surcharge: left.surcharge + sign * right.surcharge,
  tax: left.tax + sign * right.tax,
});
export const addParts = (left: Parts, right: Parts): Parts => combined(left, right, 1);
export const subtractParts = (left: Parts, right: Parts): Parts => combined(left, right, -1);

/** Returns the parts as amounts, in the form of the API. */
export function partAmounts(row: PartColumns, currency: Currency) {
  return {
    tipAmount: money(row.tip_minor, currency),
    surchargeAmount: money(row.surcharge_minor, currency),
    taxAmount: money(row.tax_minor, currency),
  };
}

/** Returns true if a request states at least one part. */
export function statesParts(input: PartsInput): boolean {
  return PART_NAMES.some((name) => input[`${name}Amount`] !== undefined);
}

/**
 * Parses the parts of an amount; absent ones are 0. @throws ServiceError INVALID_AMOUNT if a part is not an amount of the currency, or if the parts
 * together exceed the amount.
 */
export function parseParts(input: PartsInput, amount: Money): Parts {
  const parts: Parts = {
    tip: parsePart(input, 'tip', amount.currency),
    surcharge: parsePart(input, 'surcharge', amount.currency),
    tax: parsePart(input, 'tax', amount.currency),
  };
  if (sumOfParts(parts) <= amount.minor) return parts;
  const field = PART_NAMES.find((name) => parts[name] > 0) ?? 'tip';
  throw new ServiceError('INVALID_AMOUNT', 'Tip, surcharge and tax together exceed `amount`, of which they are parts.', {
    field: `${field}Amount`,
  });
}

/**
 * Returns the tax of an amount that has no other parts, in minor units: the stated one, or else the former one. @throws ServiceError INVALID_AMOUNT if
 * it exceeds the amount.
 */
export function taxFrom(stated: string | number | undefined, amount: Money, before = 0): number {
  const tax = stated === undefined ? before : parseMoneyOrZero(stated, amount.currency, 'taxAmount').minor;
  if (tax <= amount.minor) return tax;
  throw new ServiceError('INVALID_AMOUNT', '`taxAmount` exceeds `amount`, of which it is a part.', { field: 'taxAmount' });
}

function parsePart(input: PartsInput, name: PartName, currency: Currency): number {
  const field = `${name}Amount` as const;
  const value = input[field];
  return value === undefined ? 0 : parseMoneyOrZero(value, currency, field).minor;
}

/**
 * Returns the parts of an amount that is taken from a total with its own parts. Each part is proportional, rounded down; the cents that remain go to
 * the base, and if the base of the total is used up, to tax, surcharge and tip in this order. The whole total has all of its parts, so amounts that are
 * taken one after another from what remains add up to every part exactly. All arguments are in minor units.
 */
export function splitParts(amount: number, total: number, parts: Parts): Parts {
  if (amount >= total) return parts;
  const share = (part: number) => Number((BigInt(amount) * BigInt(part)) / BigInt(total));
  const taken = { tip: share(parts.tip), surcharge: share(parts.surcharge), tax: share(parts.tax) };
  let excess = amount - sumOfParts(taken) - (total - sumOfParts(parts));
  for (const name of ['tax', 'surcharge', 'tip'] as const) {
    const more = Math.min(Math.max(0, excess), parts[name] - taken[name]);
    taken[name] += more;
    excess -= more;
  }
  return taken;
}
