import { randomBytes, randomInt } from 'node:crypto';
import { type Algorithm, hashRaw } from '@node-rs/argon2';
import { ServiceError } from '#core/kernel';
import { KEY_BYTES, keyOf, open, seal } from './sealing.ts';

/**
 * Parameters for deriving a key from a passphrase. A file with other costs is refused, because the cost is paid before anything else is
 * known about the file.
 */
export const KDF = { kdf: 'argon2id', memoryKiB: 65_536, passes: 3, lanes: 1 } as const;
const SALT_BYTES = 16;
const LENGTH_MIN = 12;
const LENGTH_MAX = 1_024;
/** Crockford's: no I, L, O or U, which are misread or misheard. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const CODE_LENGTH = 24;
const CODE = new RegExp(`^[${ALPHABET}]{${CODE_LENGTH}}$`);

/** A code of 120 random bits to be written down, in six groups of four. */
export function newRecoveryCode(): string {
  const digits = Array.from({ length: CODE_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  return (digits.match(/.{4}/g) ?? []).join('-');
}

/** A code reads the same in small letters, without its dashes, and with O and I for 0 and 1. */
function asTyped(passphrase: string): string {
  const text = passphrase.normalize('NFKC').trim();
  const code = text.replace(/[\s-]/g, '').toUpperCase().replaceAll('O', '0').replace(/[IL]/g, '1');
  return CODE.test(code) ? code : text;
}

/** VALIDATION_ERROR on `passphrase` for one that is too short to protect a key. */
export function checkPassphrase(passphrase: string): void {
  const { length } = asTyped(passphrase);
  if (length < LENGTH_MIN || length > LENGTH_MAX)
    throw new ServiceError('VALIDATION_ERROR', `The passphrase must have ${LENGTH_MIN} or more characters.`, { field: 'passphrase' });
}

let last: Promise<unknown> = Promise.resolve();

/** One at a time: each takes 64 MiB. */
function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  const mine = last.then(work);
  last = mine.catch(() => {});
  return mine;
}

/** A key derived from a passphrase, which can encrypt again without asking for the passphrase. */
export class PassphraseKey {
  readonly salt: string;
  readonly #key: ReturnType<typeof keyOf>;

  private constructor(salt: Buffer, key: Buffer) {
    this.salt = salt.toString('base64');
    this.#key = keyOf(key);
  }

  static async of(passphrase: string, salt: Buffer = randomBytes(SALT_BYTES)): Promise<PassphraseKey> {
    const key = await inTurn(() =>
      hashRaw(asTyped(passphrase).slice(0, LENGTH_MAX), {
        algorithm: 2 satisfies Algorithm.Argon2id as Algorithm,
        memoryCost: KDF.memoryKiB,
        timeCost: KDF.passes,
        parallelism: KDF.lanes,
        outputLen: KEY_BYTES,
        salt,
      }),
    );
    return new PassphraseKey(salt, key);
  }

  seal(context: string, plain: Buffer): string {
    return seal(this.#key, context, plain);
  }

  /** Throws when the passphrase was another one, or the bytes are damaged. */
  open(context: string, sealed: string): Buffer {
    return open(this.#key, context, sealed);
  }
}
