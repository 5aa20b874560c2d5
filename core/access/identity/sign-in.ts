import type { Work } from '#core/database';
import { isoTime, ServiceError } from '#core/kernel';
import { SIGN_IN_CODE } from '#core/records/notifications';
import { claimAuthenticatorCode } from './authenticators.ts';
import { type CodeMessage, type CodeScope, expectCode, findCode, resendCode, sendCode, verifyCode, WrongCode } from './codes.ts';
import { settingsRow } from './company/settings.ts';
import type { Dependencies, LoginContext } from './dependencies.ts';
import { storedEmail } from './email-addresses.ts';
import { claimGuess, invalidCredentials, LOCK_MINUTES, lockVerified, recordFailure, releaseGuess, resetGuesses } from './guesses.ts';
import { type IsConfirmed, verifyPassword } from './passwords.ts';
import type { OtpRequired, SentCode, SignedIn } from './records.ts';
import { USERS, type UserRow } from './schema.ts';
import { startSession } from './start-session.ts';
import { actorOf } from './user-row.ts';

/**
 * Returns the scope of sign-in codes: those of any tenant, because the code itself identifies the tenant. A recovery code replaces each
 * kind of code.
 */
const signIns = (deps: Dependencies, context: LoginContext): CodeScope => ({
  purpose: 'sign-in',
  tenantId: null,
  async accepts(work, row, code) {
    const used = await claimAuthenticatorCode(deps, work, row.tenant_id, row.subject, code);
    if (used === 'recovery-code') {
      const user = await work.one(USERS, { id: row.subject });
      deps.audit(work, {
        actor: actorOf(row.tenant_id, user, context),
        action: 'user.recovery_code_used',
        resource: `users/${row.subject}`,
      });
    }
    return used === 'recovery-code' || (used === 'app' && row.channel === 'totp');
  },
});

/** Returns the answer to a right password during a lock. Wrong ones, and those that are not checked, get `invalidCredentials`. */
async function lockedSignIn(deps: Dependencies, { tenant_id, id }: UserRow): Promise<ServiceError> {
  const user = await deps.database.read(tenant_id).one(USERS, { id });
  const lockedUntil = isoTime(Math.max(user?.locked_until_ms ?? 0, Date.now()));
  const message = `Sign-ins of this user are locked until ${lockedUntil} after too many wrong passwords or codes. Sign in again then, or request a link to set a new password, which ends the lock.`;
  return new ServiceError('INVALID_CREDENTIALS', message, { details: { reason: 'locked', lockedUntil } });
}

/**
 * Checks that a user may sign in with a password. Where company sign-in is required, only the break-glass owner may, and each use is a security event.
 * @throws ServiceError INVALID_CREDENTIALS.
 */
async function checkPasswordAllowed(deps: Dependencies, user: UserRow, context: LoginContext): Promise<void> {
  const settings = await settingsRow(deps, user.tenant_id);
  if (settings?.is_required !== 1) return;
  const actor = actorOf(user.tenant_id, user, context);
  const isBreakGlass = settings.break_glass_user_id === user.id && user.role === 'owner' && user.two_factor === 'totp';
  await deps.database.unitOfWork.transaction(user.tenant_id, async (work) =>
    isBreakGlass
      ? deps.audit(work, { actor, action: 'session.break_glass_used', resource: `users/${user.id}` })
      : deps.audit(work, { actor, action: 'session.refused', resource: `users/${user.id}`, after: { reason: 'company_sign_in_required' } }),
  );
  if (!isBreakGlass)
    throw new ServiceError('INVALID_CREDENTIALS', 'This account requires the sign-in of the company. Passwords are not accepted.', {
      details: { reason: 'company_sign_in_required' },
    });
}

/**
 * Signs a user in, or sends a code if the user has a second factor. @throws ServiceError INVALID_CREDENTIALS, which does not reveal
 * what was wrong, except the lock to the sender of a right password: one password in ten minutes of a lock is checked.
 */
export async function login(
  deps: Dependencies,
  tenantId: string,
  email: string,
  password: string,
  context: LoginContext,
): Promise<SignedIn | OtpRequired> {
  const user = await deps.database.read(tenantId).one(USERS, { email: storedEmail(email) });
  const claimed = await claimGuess(deps, tenantId, user?.id ?? 'nobody', 'sign-in', true);
  const isLocked = claimed === 'locked' || claimed === 'locked-checked';
  const isRight = await verifyPassword((claimed !== 'locked' && user?.password_hash) || null, password);
  if (!user || !isRight || isLocked) {
    const refused = user && isRight ? await lockedSignIn(deps, user) : invalidCredentials();
    return recordFailure(deps, tenantId, user, context, { reason: !user ? 'unknown' : isLocked ? 'locked' : 'password', claimed, refused });
  }
  await checkPasswordAllowed(deps, user, context);
  if (user.two_factor === 'off') return startSession(deps, user, context);
  const channel = user.two_factor;
  await deps.database.unitOfWork.transaction(tenantId, (work) => releaseGuess(work, user));
  const auditCode = async (work: Work) => {
    await lockVerified(work, user);
    deps.audit(work, {
      actor: actorOf(tenantId, user, context),
      action: 'session.code_sent',
      resource: `users/${user.id}`,
      after: { channel },
    });
  };
  if (channel === 'totp')
    return { otpRequired: true, ...(await expectCode(deps, tenantId, user.id, auditCode)), channel, destination: null };
  const destination = channel === 'sms' ? (user.phone ?? '') : user.email;
  const sent = await sendCode(
    deps,
    { tenantId, purpose: 'sign-in', subject: user.id, channel, destination, message: SIGN_IN_MESSAGE },
    auditCode,
  );
  return { otpRequired: true, ...sent, channel, destination: masked(destination) };
}

/** Completes a sign-in with its code. Wrong codes count like wrong passwords, so that a new sign-in does not give unlimited new attempts. */
export async function verifySignInCode(deps: Dependencies, otpId: string, code: string, context: LoginContext): Promise<SignedIn> {
  const { tenant_id: tenantId, subject } = await findCode(deps, signIns(deps, context), otpId);
  const claimed = await claimGuess(deps, tenantId, subject, 'sign-in');
  const user = await deps.database.read(tenantId).one(USERS, { id: subject });
  // The sender has proved the password, so the answer may name the lock. It does not depend on the code, which is not checked.
  if (!user || claimed === 'locked')
    return recordFailure(deps, tenantId, user, context, {
      reason: 'locked',
      claimed,
      ...(user && { refused: await lockedSignIn(deps, user) }),
    });
  try {
    await verifyCode(deps, signIns(deps, context), otpId, code);
  } catch (refused) {
    if (refused instanceof WrongCode)
      await recordFailure(deps, tenantId, user, context, { reason: 'code', claimed }).catch(() => undefined);
    throw refused;
  }
  return startSession(deps, user, context);
}

/**
 * Sends a new code that replaces the last one of a sign-in. @throws ServiceError RATE_LIMIT_EXCEEDED if requested too soon or too
 * often.
 */
export const resendSignInCode = (deps: Dependencies, otpId: string): Promise<SentCode> =>
  resendCode(deps, { purpose: 'sign-in', tenantId: null }, otpId, () => SIGN_IN_MESSAGE);

const SIGN_IN_MESSAGE: CodeMessage = { merchantId: null, texts: SIGN_IN_CODE };

/** Returns a masked address that its owner recognizes, such as `j•••@shop.example` or `•••••0142`. */
function masked(destination: string): string {
  const at = destination.indexOf('@');
  return at > 0 ? `${destination.slice(0, 1)}•••${destination.slice(at)}` : `•••••${destination.slice(-4)}`;
}

/** Credentials with which a signed-in user confirms a sensitive operation. */
export interface Confirmation {
  readonly password: string;
  /** A code of the authenticator app, or a recovery code. */
  readonly code: string | undefined;
}

/**
 * Checks the password of a signed-in user before a sensitive operation and, where the user has an authenticator app, a code of it or a
 * recovery code. Wrong ones are counted apart from sign-ins, and lock confirmations only. Returns a check for the unit of work of the operation.
 * @throws VALIDATION_ERROR on `currentPassword` or `currentCode`; REQUIRED_FIELD_MISSING on `currentCode`.
 */
export async function confirmIdentity(
  deps: Dependencies,
  tenantId: string,
  userId: string,
  confirmation: Confirmation,
  context: LoginContext,
): Promise<IsConfirmed> {
  const user = await deps.database.read(tenantId).one(USERS, { id: userId });
  const needsCode = user?.two_factor === 'totp';
  if (needsCode && !confirmation.code)
    throw new ServiceError('REQUIRED_FIELD_MISSING', '`currentCode` is required: send a code of your authenticator app.', {
      field: 'currentCode',
    });
  const claimed = await claimGuess(deps, tenantId, userId, 'confirmation');
  const isLocked = claimed === 'locked';
  const isRight = await verifyPassword((!isLocked && user?.password_hash) || null, confirmation.password);
  const refuse = (reason: string, field: string, message: string) =>
    recordFailure(deps, tenantId, user, context, { reason, claimed, isConfirmation: true }).catch((cause: unknown) => {
      throw new ServiceError('VALIDATION_ERROR', message, { field, cause });
    });
  if (isLocked)
    return refuse(
      'locked',
      'currentPassword',
      `Confirmations are locked for ${LOCK_MINUTES} minutes after too many wrong passwords or codes. Sign in again instead.`,
    );
  if (!user || !isRight) return refuse('password', 'currentPassword', 'The password is wrong.');
  const isAccepted = await deps.database.unitOfWork.transaction(tenantId, async (work) => {
    if (needsCode && (await claimAuthenticatorCode(deps, work, tenantId, userId, confirmation.code ?? '')) === null) return false;
    await resetGuesses(work, userId, 'confirmation');
    return true;
  });
  if (!isAccepted) return refuse('code', 'currentCode', 'This code is wrong or was already used. Wait for the next one in your app.');
  return ({ password_hash }) => password_hash === user.password_hash;
}
