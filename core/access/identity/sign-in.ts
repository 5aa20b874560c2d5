import { createHmac } from 'node:crypto';
import type { Work } from '#core/database';
import { isoTime, newId, ServiceError } from '#core/kernel';
import { SIGN_IN_CODE } from '#core/records/notifications';
import type { CheckAddress } from './address-check.ts';
import type { Authenticators } from './authenticators.ts';
import { type CodeMessage, type CodeScope, type Codes, WrongCode } from './codes.ts';
import { type CompanySession, NO_COMPANY } from './company/session.ts';
import type { CompanySettingsStore } from './company/settings.ts';
import type { Dependencies, LoginContext } from './dependencies.ts';
import { storedEmail } from './email-addresses.ts';
import { type ClaimedGuess, createGuesses, LOCK_MINUTES } from './guesses.ts';
import { type IsConfirmed, verifyPassword } from './passwords.ts';
import type { Pins } from './pins.ts';
import type { OtpRequired, SentCode, SignedIn } from './records.ts';
import { SESSIONS, type SessionRow, USERS, type UserRow } from './schema.ts';
import { endSessions } from './sessions.ts';
import type { SigningKeys } from './signing-keys.ts';
import { ACCESS_TOKEN_SECONDS, hashSecret, REFRESH_TOKEN_MS, readAccessToken, signAccessToken } from './tokens.ts';

/** Idle time after which a session of the screens is not refreshed. */
const IDLE_MS = 15 * 60_000;
/** Time after the last sign-in with a password during which people may switch with their PINs. */
const PIN_SESSIONS_MS = 12 * 3_600_000;
const USER_AGENT_MAX = 300;
/** Reasons for a sign-in that fails at the password; all others concern the second factor. */
const PASSWORD_REASONS: ReadonlySet<string> = new Set(['unknown', 'locked', 'password']);

/** Credentials with which a signed-in user confirms a sensitive operation. */
export interface Confirmation {
  readonly password: string;
  /** A code of the authenticator app, or a recovery code. */
  readonly code: string | undefined;
}

const invalidCredentials = () => new ServiceError('INVALID_CREDENTIALS', 'The email address or the password is wrong.');
const invalidRefresh = (message = 'The refresh token is not valid. Sign in again.') => new ServiceError('TOKEN_INVALID', message);

/**
 * Passwords, second factors and rotating refresh tokens. All times are real time, so that a tenant's test clock ends no
 * session.
 */
export function createSignIn(
  deps: Dependencies,
  keys: SigningKeys,
  codes: Codes,
  authenticators: Authenticators,
  pins: Pins,
  company: {
    readonly settings: Pick<CompanySettingsStore, 'rowOf'>;
    /** Asks the provider about the account of a session that is refreshed. @throws ServiceError TOKEN_INVALID. */
    readonly recheck: (session: SessionRow, context: LoginContext) => Promise<void>;
  },
  roleName: (tenantId: string, role: string) => Promise<string>,
  checkAddress: CheckAddress,
) {
  const { database, audit } = deps;
  const guesses = createGuesses(deps);

  /**
   * Returns the scope of sign-in codes: those of any tenant, because the code itself identifies the tenant. A recovery code replaces each
   * kind of code.
   */
  const signIns = (context: LoginContext): CodeScope => ({
    purpose: 'sign-in',
    tenantId: null,
    async accepts(work, row, code) {
      const used = await authenticators.use(work, row.tenant_id, row.subject, code);
      if (used === 'recovery-code') {
        const user = await work.one(USERS, { id: row.subject });
        audit(work, { actor: actorOf(row.tenant_id, user, context), action: 'user.recovery_code_used', resource: `users/${row.subject}` });
      }
      return used === 'recovery-code' || (used === 'app' && row.channel === 'totp');
    },
  });

  async function answer(user: UserRow, sessionId: string, refreshToken: string): Promise<SignedIn> {
    const { tenant_id: tenantId, id: userId, email } = user;
    const token = await signAccessToken(await keys.current(tenantId), { tenantId, userId, sessionId });
    const role = await roleName(tenantId, user.role);
    return { token, refreshToken, tokenType: 'Bearer', expiresIn: ACCESS_TOKEN_SECONDS, user: { userId, email, role, tenantId } };
  }

  /**
   * Returns the refresh token of a session's generation. Its secret is derived from the session ID and the generation, so that every token
   * ever issued can be recognized.
   */
  function refreshTokenOf(sessionId: string, generation: number): { readonly secret: string; readonly hash: string } {
    const mac = createHmac('sha256', deps.codeKey).update(`refresh|${sessionId}|${generation}`).digest('base64url');
    const secret = `${sessionId}.${generation}.${mac}`;
    return { secret, hash: hashSecret(secret) };
  }

  const generationOf = (refreshToken: string) => Number(/^[^.]+\.(\d{1,9})\./.exec(refreshToken)?.[1] ?? 0);

  const actorOf = (tenantId: string, user: UserRow | null, context: LoginContext) => ({
    tenantId,
    credentialId: user?.id ?? 'nobody',
    name: user?.email ?? 'nobody',
    ip: context.ip,
    requestId: context.requestId,
    userAgent: context.userAgent,
  });

  const sessionResource = (id: string) => `user-sessions/${id}`;

  /** Returns the answer to a right password during a lock. Wrong ones, and those that are not checked, get `invalidCredentials`. */
  async function lockedSignIn({ tenant_id, id }: UserRow): Promise<ServiceError> {
    const user = await database.read(tenant_id).one(USERS, { id });
    const lockedUntil = isoTime(Math.max(user?.locked_until_ms ?? 0, Date.now()));
    const message = `Sign-ins of this user are locked until ${lockedUntil} after too many wrong passwords or codes. Sign in again then, or request a link to set a new password, which ends the lock.`;
    return new ServiceError('INVALID_CREDENTIALS', message, { details: { reason: 'locked', lockedUntil } });
  }

  /** Records a refused password or code, which was counted before it was checked. */
  async function recordFailure(
    tenantId: string,
    user: UserRow | null,
    context: LoginContext,
    {
      reason,
      claimed,
      refused = invalidCredentials(),
      ...more
    }: { readonly reason: string; readonly claimed: ClaimedGuess; readonly refused?: ServiceError; readonly isConfirmation?: true },
  ): Promise<never> {
    if (tenantId === '') throw refused;
    const actor = actorOf(tenantId, user, context);
    await database.unitOfWork.transaction(tenantId, async (work) => {
      const action = PASSWORD_REASONS.has(reason) ? 'session.refused' : 'session.code_refused';
      audit(work, { actor, action, resource: user ? `users/${user.id}` : 'users', after: { reason, ...more } });
      if (user && claimed === 'last')
        audit(work, { actor, action: 'user.locked', resource: `users/${user.id}`, after: { minutes: LOCK_MINUTES, ...more } });
    });
    throw refused;
  }

  /**
   * Checks that a user may sign in with a password. Where company sign-in is required, only the break-glass owner may, and each use is a security event.
   * @throws ServiceError INVALID_CREDENTIALS.
   */
  async function checkPasswordAllowed(user: UserRow, context: LoginContext): Promise<void> {
    const settings = await company.settings.rowOf(user.tenant_id);
    if (settings?.is_required !== 1) return;
    const actor = actorOf(user.tenant_id, user, context);
    const isBreakGlass = settings.break_glass_user_id === user.id && user.role === 'owner' && user.two_factor === 'totp';
    await database.unitOfWork.transaction(user.tenant_id, async (work) =>
      isBreakGlass
        ? audit(work, { actor, action: 'session.break_glass_used', resource: `users/${user.id}` })
        : audit(work, { actor, action: 'session.refused', resource: `users/${user.id}`, after: { reason: 'company_sign_in_required' } }),
    );
    if (!isBreakGlass)
      throw new ServiceError('INVALID_CREDENTIALS', 'This account requires the sign-in of the company. Passwords are not accepted.', {
        details: { reason: 'company_sign_in_required' },
      });
  }

  /** Returns true if a session that began with a password has to end, because company sign-in is required since. */
  async function isPasswordRefused({ tenant_id, user_id, company_identity_id, by_pin }: SessionRow): Promise<boolean> {
    if (company_identity_id !== null || by_pin === 1) return false;
    const settings = await company.settings.rowOf(tenant_id);
    return settings?.is_required === 1 && settings.break_glass_user_id !== user_id;
  }

  /** Starts a session. `by` is the session that the person takes over with a PIN. */
  async function startSession(
    user: UserRow,
    context: LoginContext,
    by: PinOrigin | null = null,
    atProvider: CompanySession = NO_COMPANY,
  ): Promise<SignedIn> {
    const allowedAddresses = await deps.access.roles.addressesOf(user.tenant_id, user.role);
    const credential = { tenantId: user.tenant_id, credentialId: user.id, name: user.email, merchantId: user.merchant_id };
    await checkAddress({ ...credential, kind: 'user', allowedAddresses }, context);
    const now = Date.now();
    const sessionId = newId('ses', now);
    const { secret, hash } = refreshTokenOf(sessionId, 1);
    const userAgent = context.userAgent?.slice(0, USER_AGENT_MAX) ?? null;
    await database.unitOfWork.transaction(user.tenant_id, async (work) => {
      await work.update(USERS, { id: user.id }, { last_seen_at: isoTime(now) });
      // A PIN is no proof that the person knows the password.
      if (by === null) await guesses.reset(work, user.id, 'sign-in');
      const isKnownDevice = await hasUsed(work, user.id, userAgent);
      if (by !== null) {
        const current = await work.lockOne(SESSIONS, { id: by.sessionId });
        if (current?.revoked_at !== null) throw sessionEnded();
        await endSessions(deps, work, { tenantId: user.tenant_id, sessionId: by.sessionId, reason: 'switched' });
      }
      work.insert(SESSIONS, {
        tenant_id: user.tenant_id,
        id: sessionId,
        user_id: user.id,
        refresh_hash: hash,
        expires_ms: by === null ? now + REFRESH_TOKEN_MS : by.expiresMs,
        revoked_at: null,
        end_reason: null,
        kind: context.kind,
        by_pin: by === null ? 0 : 1,
        merchant_id: by === null ? null : by.merchantId,
        ip: context.ip,
        user_agent: userAgent,
        ...atProvider,
        last_seen_ms: now,
        created_at: isoTime(now),
      });
      const actor = actorOf(user.tenant_id, user, context);
      if (!isKnownDevice)
        audit(work, { actor, action: 'session.new_device', resource: sessionResource(sessionId), after: { kind: context.kind } });
      const after = {
        kind: context.kind,
        ...(by !== null && { pin: true, previousUser: by.userName }),
        ...(atProvider.company_identity_id !== null && { company: true }),
      };
      audit(work, { actor, action: 'session.started', resource: sessionResource(sessionId), after });
    });
    return answer(user, sessionId, secret);
  }

  /** Returns true if one of the user's sessions that are still stored has the same user agent. */
  async function hasUsed(work: Work, userId: string, userAgent: string | null): Promise<boolean> {
    return (await work.find(SESSIONS, { user_id: userId, user_agent: userAgent }, { limit: 1 })).length > 0;
  }

  async function signOut(session: SessionRow, context: LoginContext): Promise<string | null> {
    if (session.revoked_at !== null) return null;
    await database.unitOfWork.transaction(session.tenant_id, async (work) => {
      await endSessions(deps, work, { tenantId: session.tenant_id, sessionId: session.id, reason: 'signed-out' });
      const actor = actorOf(session.tenant_id, await work.one(USERS, { id: session.user_id }), context);
      audit(work, { actor, action: 'session.ended', resource: sessionResource(session.id), after: { reason: 'signed-out' } });
    });
    return session.id;
  }

  async function sessionOf(refreshToken: string): Promise<SessionRow | null> {
    const [sessionId = ''] = refreshToken.split('.');
    const [row] = await database.readAcrossTenants().find(SESSIONS, { id: sessionId }, { limit: 1 });
    return row ?? null;
  }

  return {
    /**
     * Signs a user in, or sends a code if the user has a second factor. @throws ServiceError INVALID_CREDENTIALS, which does not reveal
     * what was wrong, except the lock to the sender of a right password: one password in ten minutes of a lock is checked.
     */
    async login(tenantId: string, email: string, password: string, context: LoginContext): Promise<SignedIn | OtpRequired> {
      const user = await database.read(tenantId).one(USERS, { email: storedEmail(email) });
      const claimed = await guesses.claim(tenantId, user?.id ?? 'nobody', 'sign-in', true);
      const isLocked = claimed === 'locked' || claimed === 'locked-checked';
      const isRight = await verifyPassword((claimed !== 'locked' && user?.password_hash) || null, password);
      if (!user || !isRight || isLocked) {
        const refused = user && isRight ? await lockedSignIn(user) : invalidCredentials();
        return recordFailure(tenantId, user, context, { reason: !user ? 'unknown' : isLocked ? 'locked' : 'password', claimed, refused });
      }
      await checkPasswordAllowed(user, context);
      if (user.two_factor === 'off') return startSession(user, context);
      const channel = user.two_factor;
      await database.unitOfWork.transaction(tenantId, (work) => guesses.release(work, user.id));
      const auditCode = (work: Work) =>
        audit(work, {
          actor: actorOf(tenantId, user, context),
          action: 'session.code_sent',
          resource: `users/${user.id}`,
          after: { channel },
        });
      if (channel === 'totp')
        return { otpRequired: true, ...(await codes.expect(tenantId, user.id, auditCode)), channel, destination: null };
      const destination = channel === 'sms' ? (user.phone ?? '') : user.email;
      const sent = await codes.send(
        { tenantId, purpose: 'sign-in', subject: user.id, channel, destination, message: SIGN_IN_MESSAGE },
        auditCode,
      );
      return { otpRequired: true, ...sent, channel, destination: masked(destination) };
    },
    /**
     * Checks the password of a signed-in user before a sensitive operation and, where the user has an authenticator app, a code of it or a
     * recovery code. Wrong ones are counted apart from sign-ins, and lock confirmations only. Returns a check for the unit of work of the operation.
     * @throws VALIDATION_ERROR on `currentPassword` or `currentCode`; REQUIRED_FIELD_MISSING on `currentCode`.
     */
    async confirm(tenantId: string, userId: string, confirmation: Confirmation, context: LoginContext): Promise<IsConfirmed> {
      const user = await database.read(tenantId).one(USERS, { id: userId });
      const needsCode = user?.two_factor === 'totp';
      if (needsCode && !confirmation.code)
        throw new ServiceError('REQUIRED_FIELD_MISSING', '`currentCode` is required: send a code of your authenticator app.', {
          field: 'currentCode',
        });
      const claimed = await guesses.claim(tenantId, userId, 'confirmation');
      const isLocked = claimed === 'locked';
      const isRight = await verifyPassword((!isLocked && user?.password_hash) || null, confirmation.password);
      const refuse = (reason: string, field: string, message: string) =>
        recordFailure(tenantId, user, context, { reason, claimed, isConfirmation: true }).catch((cause: unknown) => {
          throw new ServiceError('VALIDATION_ERROR', message, { field, cause });
        });
      if (isLocked)
        return refuse(
          'locked',
          'currentPassword',
          `Confirmations are locked for ${LOCK_MINUTES} minutes after too many wrong passwords or codes. Sign in again instead.`,
        );
      if (!user || !isRight) return refuse('password', 'currentPassword', 'The password is wrong.');
      const isAccepted = await database.unitOfWork.transaction(tenantId, async (work) => {
        if (needsCode && (await authenticators.use(work, tenantId, userId, confirmation.code ?? '')) === null) return false;
        await guesses.reset(work, userId, 'confirmation');
        return true;
      });
      if (!isAccepted) return refuse('code', 'currentCode', 'This code is wrong or was already used. Wait for the next one in your app.');
      return ({ password_hash }) => password_hash === user.password_hash;
    },
    /** Completes a sign-in with its code. Wrong codes count like wrong passwords, so that a new sign-in does not give unlimited new attempts. */
    async verifyCode(otpId: string, code: string, context: LoginContext): Promise<SignedIn> {
      const { tenant_id: tenantId, subject } = await codes.find(signIns(context), otpId);
      const claimed = await guesses.claim(tenantId, subject, 'sign-in');
      const user = await database.read(tenantId).one(USERS, { id: subject });
      // The sender has proved the password, so the answer may name the lock. It does not depend on the code, which is not checked.
      if (!user || claimed === 'locked')
        return recordFailure(tenantId, user, context, { reason: 'locked', claimed, ...(user && { refused: await lockedSignIn(user) }) });
      try {
        await codes.verify(signIns(context), otpId, code);
      } catch (refused) {
        if (refused instanceof WrongCode) await recordFailure(tenantId, user, context, { reason: 'code', claimed }).catch(() => undefined);
        throw refused;
      }
      return startSession(user, context);
    },
    /**
     * Sends a new code that replaces the last one of a sign-in. @throws ServiceError RATE_LIMIT_EXCEEDED if requested too soon or too
     * often.
     */
    resendCode: (otpId: string): Promise<SentCode> => codes.resend({ purpose: 'sign-in', tenantId: null }, otpId, () => SIGN_IN_MESSAGE),
    /**
     * Exchanges a refresh token for new tokens. A token that was used before ends its session, because one of its two holders is not the
     * user.
     */
    async refresh(refreshToken: string, context: LoginContext): Promise<SignedIn> {
      const known = await sessionOf(refreshToken);
      if (!known || (await isPasswordRefused(known))) throw invalidRefresh();
      const hash = hashSecret(refreshToken);
      const generation = generationOf(refreshToken);
      const next = refreshTokenOf(known.id, generation + 1);
      const outcome = await database.unitOfWork.transaction(known.tenant_id, async (work) => {
        const now = Date.now();
        const session = await work.lockOne(SESSIONS, { id: known.id });
        if (!session || session.revoked_at !== null || session.expires_ms <= now) return null;
        const user = await work.one(USERS, { id: session.user_id });
        if (session.refresh_hash !== hash) {
          if (hash !== refreshTokenOf(session.id, generation).hash) return null;
          await endSessions(deps, work, { tenantId: known.tenant_id, sessionId: session.id, reason: 'token-reused' });
          const actor = actorOf(known.tenant_id, user, context);
          audit(work, { actor, action: 'session.ended', resource: sessionResource(session.id), after: { reason: 'token-reused' } });
          return null;
        }
        if (session.kind === 'screen' && session.last_seen_ms <= now - IDLE_MS) return 'idle';
        const expires_ms = session.by_pin === 1 ? session.expires_ms : now + REFRESH_TOKEN_MS;
        await work.update(SESSIONS, { id: session.id }, { refresh_hash: next.hash, expires_ms, last_seen_ms: now });
        return user && { user, session };
      });
      if (outcome === 'idle') throw invalidRefresh('This session was idle for 15 minutes. Enter the password again.');
      if (!outcome) throw invalidRefresh();
      // The refresh token is used up, so no other request asks the provider about this session at the same time.
      if (outcome.session.company_identity_id !== null && outcome.session.by_pin === 0) await company.recheck(outcome.session, context);
      return answer(outcome.user, known.id, next.secret);
    },
    /**
     * Replaces the running session of a screen by one of another person, or of the same, with that person's PIN. The new session has
     * `PIN_PERMISSIONS` only, keeps the merchant scope of the last sign-in with a password, and ends at the latest 12 hours after it.
     * @throws ServiceError VALIDATION_ERROR on `pin`; MERCHANT_NOT_AUTHORIZED for a person of another merchant; TOKEN_INVALID unless the
     * session is one of a screen and not idle.
     */
    async switchPerson(tenantId: string, sessionId: string, userId: string, pin: string, context: LoginContext): Promise<SignedIn> {
      const read = database.read(tenantId);
      const session = await read.one(SESSIONS, { id: sessionId });
      const now = Date.now();
      if (session?.kind !== 'screen' || session.revoked_at !== null || session.last_seen_ms <= now - IDLE_MS) throw sessionEnded();
      if (session.expires_ms <= now) throw sessionEnded();
      const previous = await read.one(USERS, { id: session.user_id });
      const merchantId = session.by_pin === 1 ? session.merchant_id : (previous?.merchant_id ?? null);
      const next = await read.one(USERS, { id: userId });
      if (next && next.merchant_id !== null && merchantId !== null && next.merchant_id !== merchantId)
        throw new ServiceError('MERCHANT_NOT_AUTHORIZED', 'This person works for another merchant. Sign in with the password instead.');
      const user = await pins.verify(tenantId, userId, pin, context);
      const expiresMs = session.by_pin === 1 ? session.expires_ms : now + PIN_SESSIONS_MS;
      return startSession(user, { ...context, kind: 'screen' }, { sessionId, merchantId, expiresMs, userName: previous?.email ?? '' });
    },
    /** Starts the session of a user who signed in at the provider of the company. */
    startAtProvider: (user: UserRow, context: LoginContext, atProvider: CompanySession) => startSession(user, context, null, atProvider),
    /** Ends the session of a refresh token. Returns its ID; null if the token is unknown or its session had ended. */
    async logout(refreshToken: string, context: LoginContext): Promise<string | null> {
      const session = await sessionOf(refreshToken);
      return session?.refresh_hash === hashSecret(refreshToken) ? signOut(session, context) : null;
    },
    /** Ends the session of an access token. @throws ServiceError TOKEN_INVALID, TOKEN_EXPIRED. */
    async logoutByAccessToken(token: string, context: LoginContext): Promise<string | null> {
      const { tenantId, sessionId } = await readAccessToken(keys, token);
      const session = await database.read(tenantId).one(SESSIONS, { id: sessionId });
      return session && signOut(session, context);
    },
  };
}

/** The session that a person takes over with a PIN, and the limits that the new session inherits. */
interface PinOrigin {
  readonly sessionId: string;
  readonly merchantId: string | null;
  readonly expiresMs: number;
  readonly userName: string;
}

const sessionEnded = () => new ServiceError('TOKEN_INVALID', 'The session of this workstation has ended. Sign in with the password.');

const SIGN_IN_MESSAGE: CodeMessage = { merchantId: null, texts: SIGN_IN_CODE };

/** Returns a masked address that its owner recognizes, such as `j•••@shop.example` or `•••••0142`. */
function masked(destination: string): string {
  const at = destination.indexOf('@');
  return at > 0 ? `${destination.slice(0, 1)}•••${destination.slice(at)}` : `•••••${destination.slice(-4)}`;
}
