import { createHmac, randomInt } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import type { Work } from '#core/database';
import { isoTime, ServiceError } from '#core/kernel';
import type { Dependencies } from './dependencies.ts';
import { AUTHENTICATORS, RECOVERY_CODES, USERS, type UserRow } from './schema.ts';

/** Authenticator apps follow RFC 6238: SHA-1, six digits, 30 seconds of real time. */
const PURPOSE = 'authenticator';
const SECRET_BYTES = 20;
const PERIOD_SECONDS = 30;
const DIGITS = 6;
const RECOVERY_CODE_COUNT = 10;
/** Letters and digits that are not easily confused; ten of them hold 49 bits. */
const RECOVERY_ALPHABET = '23456789abcdefghjkmnpqrstvwxyz';
const RECOVERY_LENGTH = 10;

/** An authenticator app whose first code is not confirmed yet. */
export interface Enrollment {
  /** Base32, for apps that cannot read the QR code. */
  readonly secret: string;
  /** `otpauth://` address that the app reads from a QR code. */
  readonly uri: string;
}

const hash = (deps: Dependencies, userId: string, code: string) =>
  createHmac('sha256', deps.codeKey).update(`recovery|${userId}|${code}`).digest('hex');

const totp = (secret: Secret, email: string) =>
  new TOTP({ issuer: 'Paydesk', label: email, algorithm: 'SHA1', digits: DIGITS, period: PERIOD_SECONDS, secret });

async function openSecret(deps: Dependencies, tenantId: string, sealed: string): Promise<Secret> {
  return Secret.fromBase32(await deps.secrets.open(tenantId, PURPOSE, sealed));
}

/** Returns the time step of a correct, unused code; otherwise null. A code of the step before or after is accepted too. */
function stepOf(secret: Secret, code: string, lastStep: number): number | null {
  const now = Date.now();
  const delta = totp(secret, '').validate({ token: code, timestamp: now, window: 1 });
  if (delta === null) return null;
  const step = Math.floor(now / (PERIOD_SECONDS * 1_000)) + delta;
  return step > lastStep ? step : null;
}

/** Replaces the user's recovery codes and returns the new ones. Only their hashes are stored. */
export async function renewRecoveryCodes(deps: Dependencies, work: Work, user: Pick<UserRow, 'tenant_id' | 'id'>): Promise<string[]> {
  await work.delete(RECOVERY_CODES, { user_id: user.id });
  const codes = Array.from({ length: RECOVERY_CODE_COUNT }, newRecoveryCode);
  for (const code of codes)
    work.insert(RECOVERY_CODES, { tenant_id: user.tenant_id, user_id: user.id, hash: hash(deps, user.id, code), used_at: null });
  return codes.map((code) => `${code.slice(0, 5)}-${code.slice(5)}`);
}

/** Starts an enrollment and replaces an unconfirmed one. The present method stays until the first code is confirmed. */
export async function beginEnrollment(deps: Dependencies, user: UserRow): Promise<Enrollment> {
  const secret = new Secret({ size: SECRET_BYTES });
  const sealed = await deps.secrets.seal(user.tenant_id, PURPOSE, secret.base32);
  await deps.database.unitOfWork.transaction(user.tenant_id, async (work) => {
    await work.lockOne(USERS, { id: user.id });
    const row = await work.one(AUTHENTICATORS, { user_id: user.id });
    const pending = { pending_secret: sealed, created_at: isoTime(Date.now()) };
    if (row) await work.update(AUTHENTICATORS, { user_id: user.id }, pending);
    else work.insert(AUTHENTICATORS, { tenant_id: user.tenant_id, user_id: user.id, secret: null, last_step: 0, ...pending });
  });
  return { secret: secret.base32, uri: totp(secret, user.email).toString() };
}

/**
 * Confirms an enrollment with the first code, in the caller's unit of work.
 * @throws RESOURCE_CONFLICT without an enrollment; VALIDATION_ERROR on `code`.
 */
export async function confirmEnrollment(
  deps: Dependencies,
  work: Work,
  user: Pick<UserRow, 'tenant_id' | 'id'>,
  code: string,
): Promise<void> {
  const row = await work.lockOne(AUTHENTICATORS, { user_id: user.id });
  if (!row?.pending_secret)
    throw new ServiceError('RESOURCE_CONFLICT', 'No authenticator app is being set up. Start again.', {
      details: { reason: 'not_enrolling' },
    });
  const secret = await openSecret(deps, user.tenant_id, row.pending_secret);
  const step = stepOf(secret, digitsOf(code), 0);
  if (step === null)
    throw new ServiceError('VALIDATION_ERROR', 'This code is wrong. Check that the clock of your phone is set automatically.', {
      field: 'code',
    });
  await work.update(AUTHENTICATORS, { user_id: user.id }, { secret: row.pending_secret, pending_secret: null, last_step: step });
}

/**
 * Uses a code of the user's authenticator app, or a recovery code, in the caller's unit of work. Each code works once.
 * @returns null for a wrong or used code.
 */
export async function claimAuthenticatorCode(
  deps: Dependencies,
  work: Work,
  tenantId: string,
  userId: string,
  code: string,
): Promise<'app' | 'recovery-code' | null> {
  const digits = digitsOf(code);
  if (digits.length === DIGITS) {
    const row = await work.lockOne(AUTHENTICATORS, { user_id: userId });
    if (!row?.secret) return null;
    const step = stepOf(await openSecret(deps, tenantId, row.secret), digits, row.last_step);
    if (step === null) return null;
    await work.update(AUTHENTICATORS, { user_id: userId }, { last_step: step });
    return 'app';
  }
  const recovery = await work.lockOne(RECOVERY_CODES, { user_id: userId, hash: hash(deps, userId, normalized(code)) });
  if (!recovery || recovery.used_at !== null) return null;
  await work.update(RECOVERY_CODES, { user_id: userId, hash: recovery.hash }, { used_at: isoTime(Date.now()) });
  return 'recovery-code';
}

/** Returns the number of recovery codes that the user can still use. */
export async function recoveryCodesLeft(deps: Dependencies, tenantId: string, userId: string): Promise<number> {
  const rows = await deps.database.read(tenantId).find(RECOVERY_CODES, { user_id: userId });
  return rows.filter(({ used_at }) => used_at === null).length;
}

/** Removes the authenticator app of a user; with `all`, the recovery codes too. */
export async function removeAuthenticator(work: Work, userId: string, scope: 'app' | 'all'): Promise<void> {
  await work.delete(AUTHENTICATORS, { user_id: userId });
  if (scope === 'all') await work.delete(RECOVERY_CODES, { user_id: userId });
}

const digitsOf = (code: string) => (/^[\d\s]+$/.test(code) ? code.replace(/\s/g, '') : '');
const normalized = (code: string) => code.toLowerCase().replace(/[\s-]/g, '');
const newRecoveryCode = () =>
  Array.from({ length: RECOVERY_LENGTH }, () => RECOVERY_ALPHABET.charAt(randomInt(RECOVERY_ALPHABET.length))).join('');
