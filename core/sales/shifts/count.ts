import { type Currency, formatDecimal, type Money, money, parseMoney, parseMoneyOrZero, ServiceError } from '#core/kernel';

/** Number of notes or coins of one value. */
interface CountedDenomination {
  /** Value of one note or coin in major units. */
  readonly denomination: string | number;
  readonly quantity: number;
}

/** Cash in a drawer: a count by denomination, or only its sum. */
export interface CashCount {
  readonly amount?: string | number;
  readonly count?: readonly CountedDenomination[];
}

/** A checked count; the denominations are decimal texts, largest first. */
export interface CheckedCount {
  readonly total: Money;
  readonly denominations: readonly { readonly denomination: string; readonly quantity: number }[];
}

const QUANTITY_MAX = 1_000_000;

/**
 * Returns the sum of a count. @throws ServiceError REQUIRED_FIELD_MISSING if neither a count nor an amount is given; INVALID_AMOUNT;
 * VALIDATION_ERROR for a denomination that is listed twice, or if the amount differs from the sum of the count.
 */
export function checkCount({ amount, count }: CashCount, currency: Currency, field: string): CheckedCount {
  // An empty drawer is a valid count.
  const given = amount === undefined ? null : parseMoneyOrZero(amount, currency, field);
  if (count === undefined) {
    if (given !== null) return { total: given, denominations: [] };
    throw new ServiceError('REQUIRED_FIELD_MISSING', `\`count\` or \`${field}\` is required.`, { field: 'count' });
  }
  const lines = count.map(({ denomination, quantity }) => {
    const value = parseMoney(denomination, currency, 'count.denomination');
    if (!Number.isInteger(quantity) || quantity < 0 || quantity > QUANTITY_MAX)
      throw new ServiceError('VALIDATION_ERROR', `\`quantity\` must be a whole number from 0 to ${QUANTITY_MAX}.`, {
        field: 'count.quantity',
      });
    return { value, quantity };
  });
  if (new Set(lines.map(({ value }) => value.minor)).size < lines.length)
    throw new ServiceError('VALIDATION_ERROR', 'Each denomination can be counted once.', { field: 'count.denomination' });
  const total = money(
    lines.reduce((sum, { value, quantity }) => sum + value.minor * quantity, 0),
    currency,
  );
  if (given !== null && given.minor !== total.minor)
    throw new ServiceError('VALIDATION_ERROR', `\`${field}\` differs from the sum of the count.`, { field });
  const denominations = lines
    .toSorted((left, right) => right.value.minor - left.value.minor)
    .map(({ value, quantity }) => ({ denomination: formatDecimal(value), quantity }));
  return { total, denominations };
}
