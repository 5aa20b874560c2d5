import cardValidator from 'card-validator';
import { listText, t } from '#renderer/base/language';
import { UNUSED_LENGTH } from '#shared/card-types';

/** A card brand with its display name and the format of its numbers. */
export interface CardBrand {
  readonly name: string;
  /** Positions after which a space is written: [4, 8, 12]. */
  readonly gaps: readonly number[];
  readonly lengths: readonly number[];
  readonly securityCodeLength: number;
}

/**
 * State of typed digits. `typing` may become a number, `valid` is one, and `invalid` cannot become one, so only it is an error before the
 * field is left.
 */
type CardNumberState = 'empty' | 'typing' | 'valid' | 'invalid';

interface CardNumberReading {
  readonly digits: string;
  readonly brand: CardBrand | null;
  readonly state: CardNumberState;
  /** True if the number is valid and has its brand's usual length, so that the focus may move on. */
  readonly finished: boolean;
}

const USUAL_GAPS = [4, 8, 12] as const;
const LONGEST_CARD_NUMBER = 19;
const USUAL_LENGTH = 16;
const SHORTEST_CARD_NUMBER = 12;

/** Brands whose longer numbers are so rare that a valid sixteenth digit counts as the last one. */
const SIXTEEN_IS_USUAL: ReadonlySet<string> = new Set(['visa', 'discover', 'jcb', 'mastercard']);

/** Returns the digits of typed, pasted or read text, with any spacing. */
export function digitsOf(text: string): string {
  return text.replace(/\D/g, '');
}

/** Parses a card number at any moment of typing. The check digit is validated only at a length of the brand. */
export function readCardNumber(text: string): CardNumberReading {
  const digits = digitsOf(text).slice(0, LONGEST_CARD_NUMBER);
  if (digits === '') return { digits, brand: null, state: 'empty', finished: false };
  const { card, isPotentiallyValid, ...validity } = cardValidator.number(digits, { luhnValidateUnionPay: true });
  const isValid = validity.isValid && digits.length !== UNUSED_LENGTH;
  const brand: CardBrand | null = card && {
    name: card.niceType,
    gaps: card.gaps,
    lengths: card.lengths.filter((length) => length !== UNUSED_LENGTH),
    securityCodeLength: card.code.size,
  };
  const state = isValid ? 'valid' : isPotentiallyValid ? 'typing' : 'invalid';
  return { digits, brand, state, finished: isValid && card !== null && digits.length === finishedLength(card) };
}

function finishedLength(card: { type: string; lengths: number[] }): number {
  return SIXTEEN_IS_USUAL.has(card.type) && card.lengths.includes(USUAL_LENGTH) ? USUAL_LENGTH : Math.max(...card.lengths);
}

/** Groups the digits as on the card: 4-4-4-4, American Express 4-6-5. */
export function groupCardNumber(text: string): string {
  const { digits, brand } = readCardNumber(text);
  const gaps: readonly number[] = brand?.gaps ?? USUAL_GAPS;
  return [...digits].map((digit, index) => (gaps.includes(index) ? ` ${digit}` : digit)).join('');
}

/** Returns the message for a number that the operator has finished; null if it is valid. */
export function cardNumberProblem(text: string): string | null {
  const { digits, state, brand } = readCardNumber(text);
  if (state === 'valid') return null;
  if (state === 'empty') return t('Enter the card number.');
  if (brand === null || digits.length < SHORTEST_CARD_NUMBER) return t('The card number is too short or of no known brand.');
  if (brand.lengths.includes(digits.length)) return t('A digit is wrong: compare the number with the card.');
  const lengths = listText(brand.lengths.map(String), 'disjunction');
  return t('{{brand}} numbers have {{lengths}} digits; this one has {{length}}.', { brand: brand.name, lengths, length: digits.length });
}

/** Returns the number of digits of the security code: that of the brand, or 3 while the brand is unknown. */
export function securityCodeLength(brand: CardBrand | null): number {
  return brand?.securityCodeLength ?? 3;
}
