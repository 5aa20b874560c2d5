import { createHmac, type KeyObject, randomBytes } from 'node:crypto';
import { ServiceError } from '#core/kernel';

/** Digits and letters without those that are misread. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const LENGTH = 16;
const GROUP = 4;
const MIN_BITS = 80;
/** Last characters of a code that its card stores. */
export const SHOWN = 4;
const CHECK_DIGITS = [...'0123456789'];
const PIN = /^\d{4,12}$/;

/** Purpose of the key of the hashes of codes. */
export const CODES = 'gift cards';

/** A code as a request names it. */
export interface CodeInput {
  readonly code: string;
  /** PIN that is printed on some cards beside their code. */
  readonly pin?: string | undefined;
}

/** Returns a new code of 16 characters with 80 random bits, in groups of four. */
export function newCode(): string {
  // The alphabet has 32 characters, so every byte gives five unbiased bits.
  const characters = [...randomBytes(LENGTH)].map((byte) => ALPHABET[byte % ALPHABET.length] ?? '');
  return inGroups(characters.join(''));
}

const inGroups = (characters: string): string => (characters.match(new RegExp(`.{1,${GROUP}}`, 'g')) ?? []).join('-');

/** Returns a code as its holder reads it, in groups of four. */
export const shownCode = (code: string): string => inGroups(normalizedCode(code));

/** Returns the code within the data of a magnetic stripe, without spaces and hyphens. */
function writtenCode(code: string): string {
  const stripe = /^(?:%[A-Z]?|;)?([^%;?=^]*)/i.exec(code.trim())?.[1] ?? '';
  return stripe.replace(/[\s-]/g, '').toUpperCase();
}

/** Returns a code with misread letters replaced. */
const normalizedCode = (code: string): string => writtenCode(code).replace(/O/g, '0').replace(/[IL]/g, '1');

/** Keyed hashes of a code, as its card stores them. */
export interface CodeHashes {
  /** Covers the PIN, so that a wrong PIN is the same as an unknown code. */
  readonly code_hash: string;
  /** Hash without the PIN. */
  readonly number_hash: string;
}

export function hashesOf(key: KeyObject, { code, pin }: CodeInput): CodeHashes {
  const hash = (text: string) => createHmac('sha256', key).update(text).digest('base64url');
  const number = normalizedCode(code);
  return { code_hash: hash(`${number}|${pin?.trim() ?? ''}`), number_hash: hash(number) };
}

export const lastCharactersOf = (code: string): string => normalizedCode(code).slice(-SHOWN);

/**
 * Checks the code of a card that the merchant has printed. Letters before or after a number can be a word or a year, so they count for nothing.
 * @throws ServiceError VALIDATION_ERROR for one that can be guessed.
 */
export function checkPrintedCode({ code, pin }: CodeInput): void {
  const text = writtenCode(code);
  const parts = text.match(/\d+|\D+/g) ?? [];
  const isPrefixed = parts.length <= 2;
  const bits = isPrefixed ? text.replaceAll(/\D/g, '').length * Math.log2(10) : text.length * Math.log2(ALPHABET.length);
  const hasPin = pin !== undefined;
  if (hasPin && !PIN.test(pin.trim())) throw new ServiceError('VALIDATION_ERROR', '`pin` must have 4 to 12 digits.', { field: 'pin' });
  if (!/^[0-9A-Z]{8,64}$/.test(text))
    throw new ServiceError('VALIDATION_ERROR', '`code` must have 8 to 64 letters and digits.', { field: 'code' });
  if (!hasPin && bits < MIN_BITS)
    throw new ServiceError(
      'VALIDATION_ERROR',
      'This code can be guessed. Send its `pin`, or a code with 16 mixed letters and digits or 25 digits.',
      { field: 'code' },
    );
}

/** Returns the hashes, without a PIN, of the codes before and after a code without a PIN. Its last digits can count cards, also before a check digit. */
export function neighborsOf(key: KeyObject, { code, pin }: CodeInput): string[] {
  if (pin !== undefined) return [];
  const [, head = '', digits = ''] = /^(.*?)(\d*)$/.exec(normalizedCode(code)) ?? [];
  const counted = (counter: string, endings: readonly string[]) =>
    [-1n, 1n].flatMap((step) => {
      const next = counter === '' ? -1n : BigInt(counter) + step;
      const text = String(next).padStart(counter.length, '0');
      return next < 0n || text.length > counter.length ? [] : endings.map((ending) => `${head}${text}${ending}`);
    });
  const codes = [...counted(digits, ['']), ...counted(digits.slice(0, -1), CHECK_DIGITS)];
  return codes.map((each) => hashesOf(key, { code: each }).number_hash);
}

/** Error of a code without a PIN whose neighbor is the code of another card: who holds one of them knows the other. */
export const countedCode = (): ServiceError =>
  new ServiceError('VALIDATION_ERROR', 'The code before or after this one belongs to another card, so it can be guessed. Send its `pin`.', {
    field: 'code',
    details: { reason: 'counted_code' },
  });
