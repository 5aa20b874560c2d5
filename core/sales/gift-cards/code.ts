import { createHmac, type KeyObject, randomBytes } from 'node:crypto';
import { ServiceError } from '#core/kernel';

/** Digits and letters without those that are misread. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const LENGTH = 16;
const GROUP = 4;
const MIN_BITS = 80;
/** Last characters of a code that its card stores. */
export const SHOWN = 4;
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

/** Returns the code within the data of a magnetic stripe, without spaces and hyphens, and with misread letters replaced. */
function normalizedCode(code: string): string {
  const stripe = /^(?:%[A-Z]?|;)?([^%;?=^]*)/i.exec(code.trim())?.[1] ?? '';
  return stripe.replace(/[\s-]/g, '').toUpperCase().replace(/O/g, '0').replace(/[IL]/g, '1');
}

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

/** Checks the code of a card that the merchant has printed. @throws ServiceError VALIDATION_ERROR for one that can be guessed. */
export function checkPrintedCode({ code, pin }: CodeInput): void {
  const text = normalizedCode(code);
  const bits = text.length * Math.log2(/^\d*$/.test(text) ? 10 : ALPHABET.length);
  const hasPin = pin !== undefined;
  if (hasPin && !PIN.test(pin.trim())) throw new ServiceError('VALIDATION_ERROR', '`pin` must have 4 to 12 digits.', { field: 'pin' });
  if (!/^[0-9A-Z]{8,64}$/.test(text))
    throw new ServiceError('VALIDATION_ERROR', '`code` must have 8 to 64 letters and digits.', { field: 'code' });
  if (!hasPin && bits < MIN_BITS)
    throw new ServiceError(
      'VALIDATION_ERROR',
      'This code can be guessed. Send its `pin`, or a code with 16 letters and digits or 25 digits.',
      { field: 'code' },
    );
}
