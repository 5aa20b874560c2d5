import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { ServiceError } from '#core/kernel';

/** Largest part of an encrypted file before its content: the session keys of its recipients. */
const HEAD_BYTES_MAX = 1_048_576;
const RECIPIENTS_MAX = 16;

// Loaded with the first transfer, because most services never make one.
const openpgp = async () => {
  const library = await import('openpgp');
  limitCompression(library.CompressedDataPacket);
  return library;
};

/** Packets whose decompression was limited. A module has one. */
const limited = new WeakSet<object>();

/**
 * Makes OpenPGP.js refuse what a small file can expand with: compressed content inside of compressed content, of which each level expands again, and bzip2, which is
 * decompressed on the main thread in blocks of up to 46 MB.
 */
function limitCompression(packet: typeof import('openpgp').CompressedDataPacket): void {
  if (limited.has(packet)) return;
  limited.add(packet);
  const prototype = packet.prototype as unknown as Decompressing;
  const { decompress } = prototype;
  prototype.decompress = function (config) {
    if (config?.isCompressed || this.algorithm === BZIP2) throw new Error('refused compression');
    return decompress.call(this, { ...config, isCompressed: true });
  };
}

const BZIP2 = 3;
interface Decompressing {
  readonly algorithm: number;
  decompress(config?: { readonly isCompressed?: boolean }): Promise<void>;
}

/** Accepted by the OpenPGP programs of all providers, which elliptic curves are not. 3072 bits have the strength of AES-128 (NIST SP 800-57). */
const RSA_BITS = 3_072;
/** Largest content of an encrypted file after decryption, so that a small file cannot expand without end. */
const CONTENT_BYTES_MAX = 536_870_912;
/** Pieces that are encrypted together. OpenPGP.js needs nearly the same time for a small piece as for a large one. */
const PIECE_BYTES = 65_536;

interface KeyPair {
  readonly publicKey: string;
  readonly privateKey: string;
  readonly fingerprint: string;
}

/** Creates an OpenPGP key pair. */
export async function createKeyPair(name: string): Promise<KeyPair> {
  const { generateKey, readKey } = await openpgp();
  const { publicKey, privateKey } = await generateKey({ type: 'rsa', rsaBits: RSA_BITS, userIDs: [{ name }], format: 'armored' });
  return { publicKey, privateKey, fingerprint: (await readKey({ armoredKey: publicKey })).getFingerprint() };
}

/** A private key that may decrypt a file. */
export interface DecryptionKey {
  readonly id: string;
  readonly publicKey: string;
  readonly privateKey: () => Promise<string>;
}

const ARMOR = /^\s*-----BEGIN PGP MESSAGE-----/;

/** Returns true if content begins as an OpenPGP message, in ASCII armor or binary: with a session key packet of version 3 or 6. */
export function isEncrypted(head: Uint8Array): boolean {
  if (
    ARMOR.test(
      Buffer.from(head.subarray(0, 64))
        .toString('latin1')
        .replace(/^\u00EF\u00BB\u00BF/, ''),
    )
  )
    return true;
  const [tag = 0, length = 0, third = 0, fourth = 0] = head;
  if (tag === 0xc1) return (length < 192 ? third : fourth) === 3 || (length < 192 ? third : fourth) === 6;
  return (tag === 0x84 && third === 3) || (tag === 0x85 && fourth === 3);
}

/**
 * Decrypts a file as it arrives. What it yields is proved to be unchanged only at its end, where a changed file throws; until then nothing of it may take
 * effect. Returns the ID of the key that opened it. @throws ServiceError VALIDATION_ERROR
 */
export async function decryptContent(
  content: AsyncIterable<Uint8Array>,
  isArmored: boolean,
  keys: readonly DecryptionKey[],
): Promise<{ keyId: string; content: AsyncIterable<Uint8Array> }> {
  const { decrypt, readKey, readMessage, readPrivateKey } = await openpgp();
  const config = { allowUnauthenticatedStream: true, maxDecompressedMessageSize: CONTENT_BYTES_MAX };
  const unreadable = (cause: unknown) =>
    new ServiceError(
      'VALIDATION_ERROR',
      'The encrypted file is damaged, incomplete, or for too many recipients, or compressed with bzip2 or more than once. Nothing was imported. Encrypt the file again.',
      { field: 'file', cause },
    );
  let isOpen = false;
  /** Ends a file with more session keys than any number of recipients needs, all of which are kept in memory. */
  async function* withLimitedHead(): AsyncGenerator<Uint8Array> {
    let bytes = 0;
    for await (const piece of content) {
      bytes += piece.length;
      if (!isOpen && bytes > HEAD_BYTES_MAX + piece.length) throw new Error('too many session keys');
      yield piece;
    }
  }
  try {
    const message = isArmored
      ? await readMessage({ armoredMessage: streamOf(textOf(withLimitedHead())), config })
      : await readMessage({ binaryMessage: streamOf(withLimitedHead()), config });
    isOpen = true;
    const recipients = message.getEncryptionKeyIDs();
    // Each is decrypted on the main thread.
    if (recipients.length > RECIPIENTS_MAX) throw new Error('too many session keys');
    const wanted = new Set(recipients.map((id) => id.toHex()));
    for (const { id, publicKey, privateKey } of keys) {
      const own = (await readKey({ armoredKey: publicKey })).getKeys().map((key) => key.getKeyID().toHex());
      if (!own.some((keyId) => wanted.has(keyId))) continue;
      const decryptionKeys = await readPrivateKey({ armoredKey: await privateKey() });
      const { data } = await decrypt({ message, decryptionKeys, format: 'binary', config });
      return { keyId: id, content: checked(data as unknown as AsyncIterable<Uint8Array>, unreadable) };
    }
  } catch (cause) {
    throw cause instanceof ServiceError ? cause : unreadable(cause);
  }
  throw new ServiceError(
    'VALIDATION_ERROR',
    'The file is not encrypted for a transfer key of this account. Send the public key of a present transfer key to the provider.',
    { field: 'file', details: { reason: 'other_key' } },
  );
}

async function* checked(data: AsyncIterable<Uint8Array>, unreadable: (cause: unknown) => ServiceError): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  const pieces = data[Symbol.asyncIterator]();
  for (;;) {
    const { value, done } = await pieces.next().catch((cause: unknown) => {
      throw cause instanceof ServiceError ? cause : unreadable(cause);
    });
    if (done) return;
    bytes += value.length;
    if (bytes > CONTENT_BYTES_MAX)
      throw new ServiceError('VALIDATION_ERROR', `The decrypted file is larger than ${CONTENT_BYTES_MAX} bytes.`, {
        field: 'file',
        status: 413,
      });
    yield value;
  }
}

/** A recipient of encrypted files. */
export interface Recipient {
  readonly name: string;
  readonly fingerprint: string;
  /** Public key in ASCII armor. */
  readonly publicKey: string;
}

/** Reads the public key of a recipient. @throws ServiceError VALIDATION_ERROR for a private key, and for a key that is expired, revoked, weak or cannot encrypt. */
export async function readRecipient(armoredKey: string, field: string): Promise<Recipient> {
  const { readKey } = await openpgp();
  const refuse = (message: string, cause?: unknown) => new ServiceError('VALIDATION_ERROR', message, { field, cause });
  const key = await readKey({ armoredKey }).catch((cause: unknown) => {
    throw refuse(`\`${field}\` must be an OpenPGP public key in ASCII armor.`, cause);
  });
  if (key.isPrivate()) throw refuse(`\`${field}\` is a private key. Send only the public key, and replace a private key that was sent.`);
  await key.getEncryptionKey().catch((cause: unknown) => {
    throw refuse(`\`${field}\` cannot encrypt: it is expired, revoked or too weak.`, cause);
  });
  const name = (await key.getPrimaryUser().catch(() => null))?.user.userID?.userID ?? '';
  return { name: name.slice(0, 200), fingerprint: key.getFingerprint(), publicKey: key.armor() };
}

/** Encrypts a file as it is written. Yields the binary OpenPGP message. */
export async function encryptContent(
  content: AsyncIterable<string>,
  filename: string,
  publicKey: string,
): Promise<AsyncIterable<Uint8Array>> {
  const { createMessage, encrypt, readKey } = await openpgp();
  const message = await createMessage({ binary: streamOf(inPieces(content)), filename });
  const encrypted = await encrypt({ message, encryptionKeys: await readKey({ armoredKey: publicKey }), format: 'binary' });
  return encrypted as unknown as AsyncIterable<Uint8Array>;
}

async function* inPieces(content: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  let text = '';
  for await (const part of content) {
    text += part;
    if (text.length < PIECE_BYTES) continue;
    yield Buffer.from(text);
    text = '';
  }
  yield Buffer.from(text);
}

async function* textOf(content: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  for await (const piece of content) yield Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength).toString('latin1');
}

function streamOf<Piece extends string | Uint8Array>(content: AsyncIterable<Piece>): ReadableStream<Piece> {
  return Readable.toWeb(Readable.from(content)) as ReadableStream<Piece>;
}
