import validator from 'card-validator';

/** Number of digits of the longest card range: later digits do not change the type of a card. */
const RANGE_DIGITS = 8;
const REMEMBERED_MAX = 10_000;
/** No card with a number of this length is issued any more, while barcodes, order numbers and times in milliseconds have as many digits. */
export const UNUSED_LENGTH = 13;

/** Type of a card by its first digits. */
interface CardType {
  readonly type: string;
  /** Possible numbers of digits. */
  readonly lengths: readonly number[];
}

const typesByDigits = new Map<string, CardType | null>();

/**
 * Returns the type of a card number, or of its first digits; null if they belong to several types or none. Types are remembered by the first eight digits,
 * because the search through all ranges takes longer than the rest of the check of a number.
 */
export function cardTypeOf(digits: string): CardType | null {
  const first = digits.slice(0, RANGE_DIGITS);
  const known = typesByDigits.get(first);
  if (known !== undefined) return known;
  if (typesByDigits.size >= REMEMBERED_MAX) typesByDigits.clear();
  const { card } = validator.number(first);
  const type = card && { type: card.type, lengths: card.lengths.filter((length) => length !== UNUSED_LENGTH) };
  typesByDigits.set(first, type);
  return type;
}

/** Returns true if a card of this type may have the number: its length fits and its check digit is correct. Numbers of UnionPay may have no check digit. */
export function isCardNumberOf({ type, lengths }: CardType, digits: string): boolean {
  return lengths.includes(digits.length) && (type === 'unionpay' || hasCorrectCheckDigit(digits));
}

/** Returns true if the last of these digits is the check digit of the others (Luhn). */
export function hasCorrectCheckDigit(digits: string): boolean {
  let sum = 0;
  for (let at = digits.length - 1, isDoubled = false; at >= 0; at -= 1, isDoubled = !isDoubled) {
    const value = Number(digits[at]) * (isDoubled ? 2 : 1);
    sum += value > 9 ? value - 9 : value;
  }
  return sum % 10 === 0;
}
