import { createCipheriv, createDecipheriv, createHmac, pbkdf2Sync, randomBytes, timingSafeEqual } from 'node:crypto';
import { type Fields, textIn } from './json.ts';

/** Version of the encryption below. */
const CRYPTO_VERSION = 1;
const SALT = 'AdyenNexoV1Salt';
const ITERATIONS = 4_000;
const DERIVED_BYTES = 80;
const NONCE_BYTES = 16;
const HMAC_BYTES = 32;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Key that the account shares with its readers. */
export interface SharedKey {
  readonly identifier: string;
  readonly version: string;
  readonly hmac: Buffer;
  readonly aes: Buffer;
  readonly iv: Buffer;
}

/** Derives the keys of a passphrase: 32 bytes of the HMAC, 32 bytes of AES and 16 bytes of the initialization vector. */
export function sharedKeyOf({ identifier, version, passphrase }: { identifier: string; version: string; passphrase: string }): SharedKey {
  const derived = pbkdf2Sync(passphrase, SALT, ITERATIONS, DERIVED_BYTES, 'sha1');
  return { identifier, version, hmac: derived.subarray(0, 32), aes: derived.subarray(32, 64), iv: derived.subarray(64) };
}

/** The encrypted form of a message. */
interface Sealed {
  readonly NexoBlob: string;
  readonly SecurityTrailer: {
    readonly AdyenCryptoVersion: number;
    readonly KeyIdentifier: string;
    readonly KeyVersion: number;
    readonly Nonce: string;
    readonly Hmac: string;
  };
}

/** Encrypts a message with a nonce that is used once. */
export function seal(key: SharedKey, message: string, nonce = randomBytes(NONCE_BYTES)): Sealed {
  const cipher = createCipheriv('aes-256-cbc', key.aes, vectorOf(key, nonce));
  return {
    NexoBlob: Buffer.concat([cipher.update(message, 'utf8'), cipher.final()]).toString('base64'),
    SecurityTrailer: {
      AdyenCryptoVersion: CRYPTO_VERSION,
      KeyIdentifier: key.identifier,
      KeyVersion: Number(key.version),
      Nonce: nonce.toString('base64'),
      Hmac: hmacOf(key, Buffer.from(message, 'utf8')).toString('base64'),
    },
  };
}

/**
 * Returns the text of an encrypted message. For every fault (another key, damaged data, a wrong HMAC) it returns null, so that a host that sends guesses
 * learns nothing from the difference.
 */
export function open(key: SharedKey, blob: string | undefined, trailer: Fields): string | null {
  const nonce = bytesOf(textIn(trailer, 'Nonce'));
  const hmac = bytesOf(textIn(trailer, 'Hmac'));
  const encrypted = bytesOf(blob);
  const isOfKey =
    textIn(trailer, 'AdyenCryptoVersion') === String(CRYPTO_VERSION) &&
    textIn(trailer, 'KeyIdentifier') === key.identifier &&
    textIn(trailer, 'KeyVersion') === key.version;
  if (!isOfKey || nonce?.length !== NONCE_BYTES || hmac?.length !== HMAC_BYTES || encrypted === null) return null;
  const message = decrypted(key, nonce, encrypted);
  // An HMAC is compared also for data that cannot be decrypted, which then takes as long.
  const isAuthentic = timingSafeEqual(hmac, hmacOf(key, message ?? encrypted));
  return isAuthentic && message !== null ? message.toString('utf8') : null;
}

function decrypted(key: SharedKey, nonce: Buffer, encrypted: Buffer): Buffer | null {
  const decipher = createDecipheriv('aes-256-cbc', key.aes, vectorOf(key, nonce));
  try {
    return Buffer.concat([decipher.update(encrypted), decipher.final()]);
  } catch {
    return null;
  }
}

const hmacOf = ({ hmac }: SharedKey, message: Buffer): Buffer => createHmac('sha256', hmac).update(message).digest();

/** Returns the initialization vector of one message: the derived one, with each bit of the nonce exchanging its bit. */
const vectorOf = ({ iv }: SharedKey, nonce: Buffer): Buffer => Buffer.from(iv.map((byte, at) => byte ^ (nonce[at] ?? 0)));

const bytesOf = (text: string | undefined): Buffer | null => (text !== undefined && BASE64.test(text) ? Buffer.from(text, 'base64') : null);
