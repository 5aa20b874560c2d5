import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import { isId } from '#core/kernel';

const ID_PREFIX = 'cul_';
const SIGNATURE_BYTES = 16;
const TOKEN = /^(?<id>[\da-z]{26})(?<signature>[\w-]{22})$/;

const signatureOf = (key: KeyObject, id: string) => createHmac('sha256', key).update(id).digest().subarray(0, SIGNATURE_BYTES);

/** Returns the signed token of a link: its ID and 128 bits of an HMAC. The database does not contain it. */
export function tokenOf(key: KeyObject, id: string): string {
  return id.slice(ID_PREFIX.length) + signatureOf(key, id).toString('base64url');
}

/** Returns the ID of the link with a token; null if the signature is wrong. */
export function linkIdOf(key: KeyObject, token: string): string | null {
  const { id: chars, signature } = TOKEN.exec(token)?.groups ?? {};
  if (chars === undefined || signature === undefined) return null;
  const id = ID_PREFIX + chars;
  const given = Buffer.from(signature, 'base64url');
  return isId('cul', id) && given.length === SIGNATURE_BYTES && timingSafeEqual(given, signatureOf(key, id)) ? id : null;
}
