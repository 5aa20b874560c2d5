import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';
import { closeSync, fstatSync, fsyncSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { keyIdOf } from '#core/vault';
import { BackupRefused, damaged, wrongKey } from './backup-refused.ts';

/** Sixteen bytes at the start of every backup; the digit is the format's version. */
const MAGIC = Buffer.from('PAYDESK BACKUP 1', 'latin1');
const KEY_BYTES = 32;
const SALT_BYTES = 32;
const TAG_BYTES = 16;
const NONCE_BYTES = 12;
const LENGTH_BYTES = 4;
const HEADER_BYTES_MAX = 65_536;
/** Characters of text sealed in one frame. A row is never split, so a longer row makes a longer frame. */
const FRAME_CHARS = 262_144;
/** Largest frame accepted. No valid row comes near this size, so a larger frame is damaged. */
const FRAME_BYTES_MAX = 67_108_864;
/** The fastest level, because a better one would cost more time than its smaller file saves on the disk. */
const COMPRESSION_LEVEL = 1;

/** Part of a backup that can be read without its key. Every frame is bound to it, so a changed header makes the file unreadable. */
export interface BackupHeader {
  readonly createdAt: string;
  /** Version of Paydesk that created the backup. */
  readonly version: string;
  readonly database: 'sqlite' | 'postgres';
  /** Newest schema migration of its rows. */
  readonly schema: string;
  /** Identifies the key without revealing anything about it. */
  readonly keyId: string;
  readonly salt: string;
}

/** Every file has its own key, so frame numbers can serve as nonces. */
function fileKey(masterKey: Buffer, salt: string): Buffer {
  return Buffer.from(hkdfSync('sha256', masterKey, Buffer.from(salt, 'hex'), 'paydesk/backup/file', KEY_BYTES));
}

/**
 * Returns the nonce of a frame: its number, and whether it is the last. A file with a moved, missing or cut-off frame therefore cannot be
 * decrypted.
 */
function nonceOf(frame: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(NONCE_BYTES);
  nonce.writeUInt8(isLast ? 1 : 0, 0);
  nonce.writeUIntBE(frame, NONCE_BYTES - 6, 6);
  return nonce;
}

const bindingOf = (header: Buffer) => createHash('sha256').update(MAGIC).update(header).digest();

/** Writes lines of text into a new file, compressed and encrypted frame by frame. Nothing reaches the disk unencrypted. */
export class SealedWriter {
  readonly #fd: number;
  readonly #key: Buffer;
  readonly #binding: Buffer;
  #lines: string[] = [];
  #chars = 0;
  #frame = 0;
  bytes = 0;

  /** Creates the file. @throws if the file exists; a file that could not be started is removed. */
  constructor(path: string, masterKey: Buffer, header: Omit<BackupHeader, 'keyId' | 'salt'>) {
    const salt = randomBytes(SALT_BYTES).toString('hex');
    this.#key = fileKey(masterKey, salt);
    const fullHeader: BackupHeader = { ...header, keyId: keyIdOf(masterKey), salt };
    const text = Buffer.from(JSON.stringify(fullHeader));
    this.#binding = bindingOf(text);
    this.#fd = openSync(path, 'wx', 0o600);
    try {
      this.#write(Buffer.concat([MAGIC, lengthOf(text), text]));
    } catch (error) {
      this.close();
      rmSync(path, { force: true });
      throw error;
    }
  }

  /** Adds a line, which must not contain a line break. */
  line(text: string): void {
    this.#lines.push(text);
    this.#chars += text.length;
    if (this.#chars >= FRAME_CHARS) this.#seal(false);
  }

  /** Encrypts the last frame and waits until the disk has the whole file. */
  finish(): void {
    this.#seal(true);
    fsyncSync(this.#fd);
  }

  close(): void {
    closeSync(this.#fd);
  }

  #seal(isLast: boolean): void {
    const plain = deflateRawSync(this.#lines.join('\n'), { level: COMPRESSION_LEVEL });
    this.#lines = [];
    this.#chars = 0;
    const cipher = createCipheriv('aes-256-gcm', this.#key, nonceOf(this.#frame, isLast));
    this.#frame += 1;
    cipher.setAAD(this.#binding);
    const body = Buffer.concat([cipher.update(plain), cipher.final()]);
    this.#write(Buffer.concat([lengthOf(body, isLast), body, cipher.getAuthTag()]));
  }

  #write(bytes: Buffer): void {
    for (let written = 0; written < bytes.length; ) written += writeSync(this.#fd, bytes, written);
    this.bytes += bytes.length;
  }
}

const LAST_BIT = 0x8000_0000;

function lengthOf(body: Buffer, isLast = false): Buffer {
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(body.length + (isLast ? LAST_BIT : 0));
  return length;
}

function read(fd: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  let got = 0;
  while (got < length) {
    const more = readSync(fd, bytes, got, length - got, null);
    if (more === 0) throw damaged('the end is missing');
    got += more;
  }
  return bytes;
}

const HEADER_NAMES: readonly (keyof BackupHeader)[] = ['createdAt', 'version', 'database', 'schema', 'keyId', 'salt'];

function headerFrom(text: Buffer): BackupHeader {
  let parsed: Partial<Record<keyof BackupHeader, unknown>>;
  try {
    parsed = JSON.parse(text.toString('utf8'));
  } catch {
    throw damaged('its header cannot be read');
  }
  const isWhole = typeof parsed === 'object' && parsed !== null && HEADER_NAMES.every((name) => typeof parsed[name] === 'string');
  if (!isWhole) throw damaged('its header cannot be read');
  return parsed as BackupHeader;
}

function openHead(fd: number): { header: BackupHeader; binding: Buffer } {
  const { size } = fstatSync(fd);
  const isOurs = size >= MAGIC.length + LENGTH_BYTES && read(fd, MAGIC.length).equals(MAGIC);
  if (!isOurs) throw new BackupRefused('not-a-backup', 'This file is not a Paydesk backup, or it has an unknown format.');
  const length = read(fd, LENGTH_BYTES).readUInt32BE();
  if (length > HEADER_BYTES_MAX) throw damaged('its header cannot be read');
  const text = read(fd, length);
  return { header: headerFrom(text), binding: bindingOf(text) };
}

/** Returns the header of a backup. @throws BackupRefused if the file is not a backup. */
export function readHeader(path: string): BackupHeader {
  const fd = openSync(path, 'r');
  try {
    return openHead(fd).header;
  } finally {
    closeSync(fd);
  }
}

/**
 * Yields the lines of a backup. Each frame is authenticated before its lines are returned; the file is complete only at the end. @throws
 * BackupRefused.
 */
export function* readLines(path: string, masterKey: Buffer): Generator<string> {
  const fd = openSync(path, 'r');
  try {
    const { header, binding } = openHead(fd);
    if (header.keyId !== keyIdOf(masterKey)) throw wrongKey();
    const key = fileKey(masterKey, header.salt);
    for (let frame = 0; ; frame += 1) {
      const lengthWord = read(fd, LENGTH_BYTES).readUInt32BE();
      const isLast = lengthWord >= LAST_BIT;
      const length = isLast ? lengthWord - LAST_BIT : lengthWord;
      if (length > FRAME_BYTES_MAX) throw damaged('a part of it was changed');
      const text = unsealed(key, nonceOf(frame, isLast), binding, read(fd, length), read(fd, TAG_BYTES));
      if (isLast && readSync(fd, Buffer.alloc(1), 0, 1, null) !== 0) throw damaged('data was added at the end');
      if (text !== '') yield* text.split('\n');
      if (isLast) return;
    }
  } finally {
    closeSync(fd);
  }
}

function unsealed(key: Buffer, nonce: Buffer, binding: Buffer, body: Buffer, tag: Buffer): string {
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, nonce);
    decipher.setAAD(binding);
    decipher.setAuthTag(tag);
    const plain = Buffer.concat([decipher.update(body), decipher.final()]);
    return inflateRawSync(plain, { maxOutputLength: FRAME_BYTES_MAX }).toString('utf8');
  } catch {
    throw damaged('a part of it was changed');
  }
}
