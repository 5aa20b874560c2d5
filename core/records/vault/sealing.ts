import { createCipheriv, createDecipheriv, createHmac, createSecretKey, hkdfSync, type KeyObject, randomFillSync } from 'node:crypto';
import { assert } from '#core/kernel';

/** 256 bits. */
export const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Returns the context to which a version of a tenant's data key is bound. */
export const dataKeyContext = (tenantId: string, version: number) => `data-key|${tenantId}|${version}`;
/** Context to which the installation key is bound. */
export const INSTALLATION_CONTEXT = 'installation-key';

const pool = Buffer.alloc(4096);
let poolOffset = pool.length;

/** Returns a random 96-bit nonce. Random bytes are read from the system in larger blocks. */
function nonce(): Buffer {
  if (poolOffset + NONCE_BYTES > pool.length) {
    randomFillSync(pool);
    poolOffset = 0;
  }
  poolOffset += NONCE_BYTES;
  return Buffer.from(pool.subarray(poolOffset - NONCE_BYTES, poolOffset));
}

/** Returns a key object, so that Node does not import the key for each use. */
export function keyOf(bytes: Buffer): KeyObject {
  assert(bytes.length === KEY_BYTES, 'a key has 256 bits');
  return createSecretKey(bytes);
}

/** Encrypts `plain` with AES-256-GCM, bound to `context`. Returns nonce, tag and ciphertext in base64. The result cannot be opened for another row, tenant or version. */
export function seal(key: KeyObject, context: string, plain: Buffer | string): string {
  const iv = nonce();
  const cipher = createCipheriv('aes-256-gcm', key, iv);
  cipher.setAAD(Buffer.from(context));
  const body = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64');
}

/** Decrypts a result of `seal()`. @throws Error if key, context or data differ. */
export function open(key: KeyObject, context: string, sealed: string): Buffer {
  const bytes = Buffer.from(sealed, 'base64');
  assert(bytes.length >= NONCE_BYTES + TAG_BYTES, 'a sealed value has its nonce and tag');
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES));
  decipher.setAAD(Buffer.from(context));
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]);
}

/** Derives a key for one purpose from another key. */
export function deriveKey(from: Buffer, purpose: string): KeyObject {
  return keyOf(Buffer.from(hkdfSync('sha256', from, Buffer.alloc(0), `paydesk/${purpose}`, KEY_BYTES)));
}

/** Returns a keyed hash in hexadecimal. A hash without a key would reveal a card number within a fraction of a second. */
export function keyedHash(key: KeyObject, text: string): string {
  return createHmac('sha256', key).update(text).digest('hex');
}
