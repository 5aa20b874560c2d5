import { createHash } from 'node:crypto';
import { isoTime, ServiceError } from '#core/kernel';
import { keyIdOf } from './key-id.ts';
import { KDF, PassphraseKey } from './passphrase.ts';
import { KEY_BYTES } from './sealing.ts';

/** Default name of the saved file. */
export const RECOVERY_FILE_NAME = 'paydesk-recovery.json';
const FILE_BYTES_MAX = 4_096;
const KIND = { paydesk: 'recovery-file', version: 1 } as const;

/** A recovery file's fields, in the order in which they are written. */
interface RecoveryFile {
  readonly paydesk: string;
  readonly version: number;
  readonly keyId: string;
  readonly createdAt: string;
  readonly kdf: string;
  readonly memoryKiB: number;
  readonly passes: number;
  readonly lanes: number;
  readonly salt: string;
  readonly sealed: string;
  /** Distinguishes a damaged file from a wrong passphrase. It protects nothing; the encryption does. */
  readonly check: string;
}

/** Returns the context of the sealed key: all other fields, so that the key does not open if one of them was changed. */
const contextOf = ({ sealed: _, check: __, ...header }: RecoveryFile) => JSON.stringify(header);
const checkOf = ({ check: _, ...file }: RecoveryFile) => createHash('sha256').update(JSON.stringify(file)).digest('hex').slice(0, 16);
const textOf = (file: RecoveryFile) => `${JSON.stringify(file, null, 2)}\n`;

/** Returns the content of a recovery file: the master key encrypted with a passphrase, to be stored away from the computer. */
export async function makeRecoveryFile(masterKey: Buffer, passphrase: string, nowMs: number): Promise<string> {
  const key = await PassphraseKey.derive(passphrase);
  const header = { ...KIND, keyId: keyIdOf(masterKey), createdAt: isoTime(nowMs), ...KDF, salt: key.salt, sealed: '', check: '' };
  const file = { ...header, sealed: key.seal(contextOf(header), masterKey) };
  return textOf({ ...file, check: checkOf(file) });
}

/**
 * Returns the master key of a recovery file. @throws ServiceError VALIDATION_ERROR with field `recoveryFile` for a damaged or unknown file,
 * with field `passphrase` for a wrong passphrase.
 */
export async function openRecoveryFile(bytes: Buffer, passphrase: string): Promise<Buffer> {
  const file = readRecoveryFile(bytes);
  const key = await PassphraseKey.derive(passphrase, Buffer.from(file.salt, 'base64'));
  let masterKey: Buffer;
  try {
    masterKey = key.open(contextOf(file), file.sealed);
  } catch (cause) {
    throw new ServiceError('VALIDATION_ERROR', 'This passphrase does not open the recovery file.', { field: 'passphrase', cause });
  }
  if (masterKey.length !== KEY_BYTES || keyIdOf(masterKey) !== file.keyId) throw damaged();
  return masterKey;
}

/** Returns the ID of the key in a recovery file, without opening it. @throws ServiceError VALIDATION_ERROR like `openRecoveryFile`. */
export function recoveryFileKeyId(bytes: Buffer): string {
  return readRecoveryFile(bytes).keyId;
}

function readRecoveryFile(bytes: Buffer): RecoveryFile {
  if (bytes.length > FILE_BYTES_MAX) throw damaged();
  const text = bytes.toString('utf8').replaceAll('\r\n', '\n').trim();
  let file: RecoveryFile;
  try {
    file = JSON.parse(text) as RecoveryFile;
  } catch (cause) {
    throw damaged(cause);
  }
  const { paydesk, version, keyId, createdAt, kdf, memoryKiB, passes, lanes, salt, sealed, check } = Object(file) as RecoveryFile;
  const known: RecoveryFile = { paydesk, version, keyId, createdAt, kdf, memoryKiB, passes, lanes, salt, sealed, check };
  // Writing it again must give the same text, so that a change of any byte is detected.
  const isComplete = textOf(known).trim() === text && [salt, sealed].every(isBase64);
  const hasKnownFormat = Object.entries({ ...KIND, ...KDF }).every(([name, value]) => known[name as keyof RecoveryFile] === value);
  if (!isComplete || !hasKnownFormat || check !== checkOf(known)) throw damaged();
  return known;
}

function isBase64(text: unknown): boolean {
  return typeof text === 'string' && Buffer.from(text, 'base64').toString('base64') === text;
}

function damaged(cause?: unknown): ServiceError {
  return new ServiceError('VALIDATION_ERROR', 'This file is not a Paydesk recovery file, or it is damaged.', {
    field: 'recoveryFile',
    cause,
  });
}
