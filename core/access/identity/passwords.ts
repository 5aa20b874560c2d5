import { type Algorithm, hash, verify } from '@node-rs/argon2';
import { ServiceError } from '#core/kernel';
import type { UserRow } from './schema.ts';
import { NO_PASSWORD } from './user-row.ts';

/** Returns true if the password that confirmed an operation is still that of the user. */
export type IsConfirmed = (user: Pick<UserRow, 'password_hash'>) => boolean;

const COST = { algorithm: 2 satisfies Algorithm.Argon2id as Algorithm, memoryCost: 65_536, timeCost: 3, parallelism: 1 };
const CONCURRENCY_MAX = 4;
const LENGTH_MIN = 12;
const LENGTH_MAX = 1_024;

let running = 0;
const waiting: (() => void)[] = [];

/** Limits parallel hashing: each hash takes 64 MiB. */
async function withinLimit<Result>(body: () => Promise<Result>): Promise<Result> {
  if (running >= CONCURRENCY_MAX) await new Promise<void>((resolve) => waiting.push(resolve));
  running += 1;
  try {
    return await body();
  } finally {
    running -= 1;
    waiting.shift()?.();
  }
}

/** Returns a password in one form, because keyboards and browsers compose letters with accents differently. */
const normalized = (password: string): string => password.slice(0, LENGTH_MAX + 1).normalize('NFKC');

/**
 * Returns the Argon2id hash of a password. @throws ServiceError VALIDATION_ERROR on `field` for a password that is too short or too long.
 */
export function hashPassword(given: string, field = 'password'): Promise<string> {
  const password = normalized(given);
  if (password.length < LENGTH_MIN || password.length > LENGTH_MAX) {
    throw new ServiceError('VALIDATION_ERROR', `The password must have ${LENGTH_MIN} or more characters.`, { field });
  }
  return hashSecretSlowly(password);
}

/** Returns the Argon2id hash of a secret of any length. */
export const hashSecretSlowly = (secret: string): Promise<string> => withinLimit(() => hash(secret, COST));

let decoy: Promise<string> | undefined;

/** Returns true if the password matches the hash. Without a hash the same work is done, so that timing does not reveal an unknown user. */
export async function verifyPassword(storedHash: string | null, password: string): Promise<boolean> {
  decoy ??= hashPassword('no password at all');
  const isUsable = storedHash !== null && storedHash !== NO_PASSWORD;
  const against = isUsable ? storedHash : await decoy;
  const given = password.slice(0, LENGTH_MAX);
  // Hashes of earlier versions have the password as it was typed.
  const forms = new Set([normalized(given), given]);
  for (const form of forms) {
    if (await withinLimit(() => verify(against, form))) return isUsable;
  }
  return false;
}
