import { hash, randomBytes } from 'node:crypto';

const BYTES = 20;
const TOKEN = /^[\w-]{27}$/;

/** Returns a random token of 160 bits, which is in an address or a cookie, and its hash, which is stored. */
export function newToken(): { readonly token: string; readonly hash: string } {
  const token = randomBytes(BYTES).toString('base64url');
  return { token, hash: hash('sha256', token) };
}

/** Returns the hash of a token; null for a text that is none. */
export const hashOf = (token: string): string | null => (TOKEN.test(token) ? hash('sha256', token) : null);
