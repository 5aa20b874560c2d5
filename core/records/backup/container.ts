import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';
import { closeSync, fstatSync, fsync, fsyncSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { promisify } from 'node:util';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { keyIdOf } from '#core/records/vault';
import { BackupRefused, damaged, wrongKey } from './backup-refused.ts';

/** Kind of a sealed file: its first sixteen bytes, the context of its keys, and its errors. A file of one kind cannot be read as another. */
export interface SealedFormat {
  readonly magic: string;
  /** Context from which the key of a file is derived. */
  readonly context: string;
  readonly damaged: (detail: string) => Error;
  readonly wrongKey: () => Error;
  readonly unknownFormat: () => Error;
}

/** Format of backups; the digit is its version. */
const BACKUP: SealedFormat = {
  magic: 'PAYDESK BACKUP 1',
  context: 'paydesk/backup/file',
  damaged,
  wrongKey,
  unknownFormat: () => new BackupRefused('not-a-backup', 'This file is not a Paydesk backup, or it has an unknown format.'),
};

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
interface BackupHeader {
  readonly createdAt: string;
  /** Version of Paydesk that created the backup. */
  readonly version: string;
  readonly database: 'sqlite' | 'postgres';
  /** Newest schema migration of its rows. */
  readonly schema: string;
  /** Identifies the key without revealing anything about it. */
  readonly keyId: string;
  readonly salt: string;
  /** ID of the installation; absent in archives, and in backups without an installation. */
  readonly installationId?: string;
}

/** Every file has its own key, so frame numbers can serve as nonces. */
function fileKey({ context }: SealedFormat, masterKey: Buffer, salt: string): Buffer {
  return Buffer.from(hkdfSync('sha256', masterKey, Buffer.from(salt, 'hex'), context, KEY_BYTES));
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

const bindingOf = ({ magic }: SealedFormat, header: Buffer) => createHash('sha256').update(magic, 'latin1').update(header).digest();

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
  constructor(path: string, masterKey: Buffer, header: Omit<BackupHeader, 'keyId' | 'salt'>, format = BACKUP) {
    const salt = randomBytes(SALT_BYTES).toString('hex');
    this.#key = fileKey(format, masterKey, salt);
    const fullHeader: BackupHeader = { ...header, keyId: keyIdOf(masterKey), salt };
    const text = Buffer.from(JSON.stringify(fullHeader));
    this.#binding = bindingOf(format, text);
    this.#fd = openSync(path, 'wx', 0o600);
    try {
      this.#write(Buffer.concat([Buffer.from(format.magic, 'latin1'), lengthOf(text), text]));
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

  /** Writes lines as a frame of their own. Returns the number and the position of the frame, with which `SealedReader` finds it. */
  frame(lines: readonly string[]): { readonly frame: number; readonly position: number } {
    if (this.#lines.length > 0) this.#seal(false);
    const place = { frame: this.#frame, position: this.bytes };
    this.#lines.push(...lines);
    this.#seal(false);
    return place;
  }

  /** Encrypts the last frame and waits, without blocking other work, until the disk has the whole file. */
  async finishInBackground(): Promise<void> {
    this.#seal(true);
    await promisify(fsync)(this.#fd);
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

function read(format: SealedFormat, fd: number, length: number, position: number | null = null): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  let got = 0;
  while (got < length) {
    const more = readSync(fd, bytes, got, length - got, position === null ? null : position + got);
    if (more === 0) throw format.damaged('the end is missing');
    got += more;
  }
  return bytes;
}

const HEADER_NAMES: readonly (keyof BackupHeader)[] = ['createdAt', 'version', 'database', 'schema', 'keyId', 'salt'];

function headerFrom(format: SealedFormat, text: Buffer): BackupHeader {
  let parsed: Partial<Record<keyof BackupHeader, unknown>>;
  try {
    parsed = JSON.parse(text.toString('utf8'));
  } catch {
    throw format.damaged('its header cannot be read');
  }
  const isWhole = typeof parsed === 'object' && parsed !== null && HEADER_NAMES.every((name) => typeof parsed[name] === 'string');
  if (!isWhole) throw format.damaged('its header cannot be read');
  return parsed as BackupHeader;
}

function openHead(format: SealedFormat, fd: number): { header: BackupHeader; binding: Buffer } {
  const { size } = fstatSync(fd);
  const { length: magicBytes } = format.magic;
  const isOurs = size >= magicBytes + LENGTH_BYTES && read(format, fd, magicBytes).toString('latin1') === format.magic;
  if (!isOurs) throw format.unknownFormat();
  const length = read(format, fd, LENGTH_BYTES).readUInt32BE();
  if (length > HEADER_BYTES_MAX) throw format.damaged('its header cannot be read');
  const text = read(format, fd, length);
  return { header: headerFrom(format, text), binding: bindingOf(format, text) };
}

/** Returns the header of a backup. @throws BackupRefused if the file is not a backup. */
export function readHeader(path: string): BackupHeader {
  const fd = openSync(path, 'r');
  try {
    return openHead(BACKUP, fd).header;
  } finally {
    closeSync(fd);
  }
}

/** Reads the frames of a sealed file, in order or by their positions. @throws the errors of its format. */
export class SealedReader {
  readonly #fd: number;
  readonly #format: SealedFormat;
  readonly #key: Buffer;
  readonly #binding: Buffer;

  constructor(path: string, masterKey: Buffer, format = BACKUP) {
    this.#format = format;
    this.#fd = openSync(path, 'r');
    try {
      const { header, binding } = openHead(format, this.#fd);
      if (header.keyId !== keyIdOf(masterKey)) throw format.wrongKey();
      this.#key = fileKey(format, masterKey, header.salt);
      this.#binding = binding;
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** Returns the lines of a frame: of the next one in the file, or of the one at a position. */
  frame(number: number, position: number | null = null): { readonly lines: readonly string[]; readonly isLast: boolean } {
    const format = this.#format;
    const at = (offset: number) => (position === null ? null : position + offset);
    const lengthWord = read(format, this.#fd, LENGTH_BYTES, position).readUInt32BE();
    const isLast = lengthWord >= LAST_BIT;
    const length = isLast ? lengthWord - LAST_BIT : lengthWord;
    if (length > FRAME_BYTES_MAX) throw format.damaged('a part of it was changed');
    const body = read(format, this.#fd, length, at(LENGTH_BYTES));
    const tag = read(format, this.#fd, TAG_BYTES, at(LENGTH_BYTES + length));
    const text = unsealed(format, this.#key, nonceOf(number, isLast), this.#binding, body, tag);
    if (position === null && isLast && readSync(this.#fd, Buffer.alloc(1), 0, 1, null) !== 0)
      throw format.damaged('data was added at the end');
    return { lines: text === '' ? [] : text.split('\n'), isLast };
  }

  close(): void {
    closeSync(this.#fd);
  }
}

/**
 * Yields the lines of a backup. Each frame is authenticated before its lines are returned; the file is complete only at the end. @throws
 * BackupRefused.
 */
export function* readLines(path: string, masterKey: Buffer): Generator<string> {
  const reader = new SealedReader(path, masterKey);
  try {
    for (let number = 0; ; number += 1) {
      const { lines, isLast } = reader.frame(number);
      yield* lines;
      if (isLast) return;
    }
  } finally {
    reader.close();
  }
}

function unsealed(format: SealedFormat, key: Buffer, nonce: Buffer, binding: Buffer, body: Buffer, tag: Buffer): string {
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, nonce);
    decipher.setAAD(binding);
    decipher.setAuthTag(tag);
    const plain = Buffer.concat([decipher.update(body), decipher.final()]);
    return inflateRawSync(plain, { maxOutputLength: FRAME_BYTES_MAX }).toString('utf8');
  } catch {
    throw format.damaged('a part of it was changed');
  }
}
