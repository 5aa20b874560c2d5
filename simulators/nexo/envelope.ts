// Encryption of messages as the manual describes it, checked strictly: each fault of a request is refused in the same way.
import { createCipheriv, createDecipheriv, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';

export type Values = Readonly<Record<string, unknown>>;

export interface Key {
  readonly identifier: string;
  readonly version: number;
  readonly hmac: Buffer;
  readonly cipher: Buffer;
  readonly iv: Buffer;
}

const HEADER = ['ProtocolVersion', 'MessageClass', 'MessageCategory', 'MessageType', 'ServiceID', 'SaleID', 'POIID'];
const TRAILER = ['AdyenCryptoVersion', 'KeyIdentifier', 'KeyVersion', 'Nonce', 'Hmac'];

export function keyOf({ keyIdentifier = '', keyVersion = '', passphrase = '' }: Readonly<Record<string, string>>): Key {
  const bytes = pbkdf2Sync(passphrase, 'AdyenNexoV1Salt', 4_000, 80, 'sha1');
  const [hmac, cipher, iv] = [bytes.subarray(0, 32), bytes.subarray(32, 64), bytes.subarray(64, 80)];
  return { identifier: keyIdentifier, version: Number(keyVersion), hmac, cipher, iv };
}

const vectorOf = ({ iv }: Key, nonce: Buffer) => Buffer.from(iv.map((byte, at) => byte ^ (nonce[at] ?? 0)));

/** Faults of a response that a reader, or a host in its place, can have. */
export type EnvelopeFault = 'wrong-hmac' | 'wrong-key-version' | 'wrong-outer-header' | 'wrong-padding';

/** Returns an encrypted response. */
export function sealResponse(key: Key, header: Values, body: Values, fault?: EnvelopeFault): string {
  const plain = Buffer.from(JSON.stringify({ SaleToPOIResponse: { MessageHeader: header, ...body } }));
  const nonce = randomBytes(16);
  const cipher = createCipheriv('aes-256-cbc', key.cipher, vectorOf(key, nonce));
  const blob = Buffer.concat([cipher.update(plain), cipher.final()]);
  const hmac = createHmac('sha256', fault === 'wrong-hmac' ? Buffer.alloc(32) : key.hmac)
    .update(plain)
    .digest();
  return JSON.stringify({
    SaleToPOIResponse: {
      MessageHeader: fault === 'wrong-outer-header' ? { ...header, POIID: 'SIM-999999' } : header,
      NexoBlob: (fault === 'wrong-padding' ? blob.subarray(0, -1) : blob).toString('base64'),
      SecurityTrailer: {
        AdyenCryptoVersion: 1,
        KeyIdentifier: key.identifier,
        KeyVersion: fault === 'wrong-key-version' ? key.version + 1 : key.version,
        Nonce: nonce.toString('base64'),
        Hmac: hmac.toString('base64'),
      },
    },
  });
}

export interface OpenedRequest {
  readonly header: Readonly<Record<string, string>>;
  readonly category: string;
  readonly body: Values;
}

/** Decrypts a request whose nonce was not used before. @throws Error for any fault. */
export function openRequest(key: Key, text: string, usedNonces: Set<string>): OpenedRequest {
  const envelope = only(JSON.parse(text), 'SaleToPOIRequest');
  checkNames(envelope, ['MessageHeader', 'NexoBlob', 'SecurityTrailer']);
  const trailer = checkNames(envelope.SecurityTrailer, TRAILER);
  if (trailer.AdyenCryptoVersion !== 1 || trailer.KeyIdentifier !== key.identifier || trailer.KeyVersion !== key.version)
    throw new Error('another key');
  const nonce = Buffer.from(String(trailer.Nonce), 'base64');
  if (nonce.length !== 16) throw new Error('wrong length of the nonce');
  if (usedNonces.has(String(trailer.Nonce))) throw new Error('a nonce that was used before');
  usedNonces.add(String(trailer.Nonce));
  const decipher = createDecipheriv('aes-256-cbc', key.cipher, vectorOf(key, nonce));
  const plain = Buffer.concat([decipher.update(Buffer.from(String(envelope.NexoBlob), 'base64')), decipher.final()]);
  if (createHmac('sha256', key.hmac).update(plain).digest('base64') !== trailer.Hmac) throw new Error('wrong HMAC');
  const message = only(JSON.parse(plain.toString('utf8')), 'SaleToPOIRequest');
  const header = checkNames(message.MessageHeader, HEADER) as Record<string, string>;
  if (JSON.stringify(header) !== JSON.stringify(envelope.MessageHeader)) throw new Error('the outer header differs');
  const { MessageCategory: category = '' } = header;
  checkNames(message, ['MessageHeader', `${category}Request`]);
  return { header, category, body: message[`${category}Request`] as Values };
}

function only(value: unknown, name: string): Values {
  return checkNames(value, [name])[name] as Values;
}

/** Returns an object that has exactly these members. @throws Error otherwise. */
export function checkNames(value: unknown, names: readonly string[], optional: readonly string[] = []): Values {
  const found = typeof value === 'object' && value !== null ? Object.keys(value) : [];
  const unknown = found.find((name) => !names.includes(name) && !optional.includes(name));
  if (unknown !== undefined) throw new Error(`unknown member ${unknown}`);
  const missing = names.find((name) => !found.includes(name));
  if (missing !== undefined) throw new Error(`missing member ${missing}`);
  return value as Values;
}
