import { randomBytes } from 'node:crypto';

/** Digits and letters, without letters that look like digits. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const TOKEN_CHARS = 26;
const CODE_CHARS = 8;
const TOKEN = new RegExp(`^[${ALPHABET}]{${TOKEN_CHARS}}$`);
const CODE = new RegExp(`^[${ALPHABET}]{${CODE_CHARS}}$`);

const random = (length: number) => [...randomBytes(length)].map((byte) => ALPHABET.charAt(byte & 31)).join('');

/** Returns a random token of 130 bits. Everyone who has it can open the page. */
export const newPageToken = () => random(TOKEN_CHARS);
export const isPageToken = (text: string) => TOKEN.test(text);

/** Returns a random short code that can be read aloud. */
export const newShortCode = () => random(CODE_CHARS);

/** Parses a code as typed; null if it is invalid. */
export function shortCodeFrom(typed: string): string | null {
  const code = typed.trim().toLowerCase().replaceAll('o', '0').replace(/[il]/g, '1');
  return CODE.test(code) ? code : null;
}
