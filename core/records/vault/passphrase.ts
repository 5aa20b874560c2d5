import { randomBytes, randomInt } from 'node:crypto';
import { type Algorithm, hashRaw } from '@node-rs/argon2';
import { ServiceError } from '#core/kernel';
import { KEY_BYTES, keyOf, open, seal } from './sealing.ts';

/**
 * Parameters for deriving a key from a passphrase. A file with other parameters is rejected, because the key must be derived before the file
 * can be verified.
 */
export const KDF = { kdf: 'argon2id', memoryKiB: 65_536, passes: 3, lanes: 1 } as const;
const SALT_BYTES = 16;
const LENGTH_MIN = 12;
const LENGTH_MAX = 1_024;
/** Crockford's alphabet, without I, L, O and U, which are easily confused. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const CODE_LENGTH = 24;
const CODE = new RegExp(`^[${ALPHABET}]{${CODE_LENGTH}}$`);

/** Returns a new code of 120 random bits, to be written down, in six groups of four characters. */
export function newRecoveryCode(): string {
  const digits = Array.from({ length: CODE_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  return (digits.match(/.{4}/g) ?? []).join('-');
}

/** Returns a passphrase in its canonical form. A recovery code may be entered in lower case, without dashes, and with O and I for 0 and 1. */
function normalized(passphrase: string): string {
  const text = passphrase.normalize('NFKC').trim();
  const code = text.replace(/[\s-]/g, '').toUpperCase().replaceAll('O', '0').replace(/[IL]/g, '1');
  return CODE.test(code) ? code : text;
}

/** @throws ServiceError VALIDATION_ERROR on `passphrase` if it is too short to protect a key. */
export function checkPassphrase(passphrase: string): void {
  const { length } = normalized(passphrase);
  if (length < LENGTH_MIN || length > LENGTH_MAX)
    throw new ServiceError('VALIDATION_ERROR', `The passphrase must have ${LENGTH_MIN} or more characters.`, { field: 'passphrase' });
}

let lastDerivation: Promise<unknown> = Promise.resolve();

/** Runs derivations one at a time, because each uses 64 MiB. */
function oneAtATime<Result>(work: () => Promise<Result>): Promise<Result> {
  const result = lastDerivation.then(work);
  lastDerivation = result.catch(() => {});
  return result;
}

/** A key derived from a passphrase, which can encrypt again without asking for the passphrase. */
export class PassphraseKey {
  readonly salt: string;
  readonly #key: ReturnType<typeof keyOf>;

  private constructor(salt: Buffer, key: Buffer) {
    this.salt = salt.toString('base64');
    this.#key = keyOf(key);
  }

  static async derive(passphrase: string, salt: Buffer = randomBytes(SALT_BYTES)): Promise<PassphraseKey> {
    const key = await oneAtATime(() =>
      hashRaw(normalized(passphrase).slice(0, LENGTH_MAX), {
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

  /** @throws Error if the passphrase is wrong or the data is damaged. */
  open(context: string, sealed: string): Buffer {
    return open(this.#key, context, sealed);
  }
}
