import { createHmac } from 'node:crypto';
import type { Work } from '#core/database';
import { type Actor, isoTime, type Permission, ServiceError } from '#core/kernel';
import { PIN_REMOVED_TEXT } from '#core/records/notifications';
import { accessChange } from './access-dependencies.ts';
import type { Dependencies, LoginContext } from './dependencies.ts';
import { hashSecretSlowly, verifyPassword } from './passwords.ts';
import { SESSIONS, USER_PINS, USERS, type UserRow } from './schema.ts';
import { sessionEnded } from './start-session.ts';
import { actorOf } from './user-row.ts';
import { managedUser, userRow } from './users/user.ts';

/** Wrong PINs in a row after which a user's PIN is locked, and locks in a row after which it is removed. */
const ATTEMPTS_MAX = 5;
const LOCKS_MAX = 3;
const LOCK_MINUTES = 15;
const LOCK_MS = LOCK_MINUTES * 60_000;
const PIN = /^\d{4,8}$/;
/** Fewest digits of the PIN of a person who can change access. */
const DIGITS_OF_ADMINISTRATORS = 6;
const CHANGE_ACCESS: readonly Permission[] = ['users:write', 'roles:write', 'api-keys:write'];

/** Returns true for a PIN that is guessed first: one digit repeated, a row of digits, a pair repeated, or a year of birth. */
export function isTrivialPin(pin: string): boolean {
  const steps = new Set([...pin].slice(1).map((digit, index) => (Number(digit) - Number(pin[index]) + 10) % 10));
  const isRow = steps.size === 1 && (steps.has(0) || steps.has(1) || steps.has(9));
  const half = pin.slice(0, 2);
  const isPair = pin.length % 2 === 0 && pin === half.repeat(pin.length / 2);
  return isRow || isPair || /^(19|20)\d\d$/.test(pin);
}

/** Checks a new PIN. @throws ServiceError VALIDATION_ERROR on `pin`. */
function checkPin(pin: string): void {
  const refuse = (message: string, reason: string) => {
    throw new ServiceError('VALIDATION_ERROR', message, { field: 'pin', details: { reason } });
  };
  if (!PIN.test(pin)) refuse('The PIN must have 4 to 8 digits.', 'pin_format');
  if (isTrivialPin(pin)) refuse('This PIN is easy to guess. Choose one without a simple pattern.', 'pin_trivial');
}

const tooShort = () =>
  new ServiceError(
    'VALIDATION_ERROR',
    `The PIN of a person who can change users, roles or API keys must have at least ${DIGITS_OF_ADMINISTRATORS} digits. Set another one in Your account.`,
    { field: 'pin', details: { reason: 'pin_too_short' } },
  );

const keyed = (deps: Dependencies, tenantId: string, userId: string, pin: string) =>
  createHmac('sha256', deps.codeKey).update(`pin|${tenantId}|${userId}|${pin}`).digest('base64url');

/** Counts an attempt before it is checked, so that parallel guesses are limited as well. Returns the stored hash, and what remains. */
async function claimAttempt(deps: Dependencies, tenantId: string, userId: string) {
  return deps.database.unitOfWork.transaction(tenantId, async (work) => {
    const row = await work.lockOne(USER_PINS, { user_id: userId });
    if (!row) return { hash: null, isLocked: false, remaining: ATTEMPTS_MAX - 1 };
    const now = Date.now();
    if (row.locked_until_ms > now) return { hash: row.hash, isLocked: true, remaining: 0 };
    const attempts = row.locked_until_ms > 0 ? 1 : row.attempts + 1;
    const isLast = attempts >= ATTEMPTS_MAX;
    const locks = row.locks + Number(isLast);
    await work.update(USER_PINS, { user_id: userId }, { attempts, locks, locked_until_ms: isLast ? now + LOCK_MS : 0 });
    return { hash: row.hash, isLocked: false, remaining: ATTEMPTS_MAX - attempts };
  });
}

const isTooShort = async (deps: Dependencies, user: UserRow, digits: number) =>
  digits < DIGITS_OF_ADMINISTRATORS && (await deps.access.permissionsOf(user).then((held) => CHANGE_ACCESS.some((each) => held.has(each))));

/** Removes a PIN that was locked several times in a row, because someone tries to guess it, and tells its owner. */
async function removeGuessed(deps: Dependencies, work: Work, user: UserRow, context: LoginContext): Promise<void> {
  const row = await work.lockOne(USER_PINS, { user_id: user.id });
  if (row === null || row.locks < LOCKS_MAX) return;
  await work.delete(USER_PINS, { user_id: user.id });
  const { email: to, tenant_id: tenantId } = user;
  const atMs = deps.tenants.clockOf(tenantId).now();
  await deps.notify(work, { tenantId, merchantId: null, channel: 'email', to, ...PIN_REMOVED_TEXT, atMs, cause: 'event' });
  const after = { reason: 'locks', locks: row.locks };
  deps.audit(work, {
    actor: actorOf(user.tenant_id, user, context),
    action: 'user.pin_removed',
    resource: `users/${user.id}`,
    merchantId: user.merchant_id,
    after,
  });
}

async function remove(deps: Dependencies, actor: Actor, { id, email, merchant_id: merchantId }: UserRow): Promise<void> {
  const resource = `users/${id}`;
  await deps.database.unitOfWork.transaction(actor.tenantId, async (work) => {
    if (actor.credentialId !== id)
      await deps.checkApproval(work, actor, accessChange(resource, merchantId, 'user.pin_removed', { email }, { email }));
    if ((await work.delete(USER_PINS, { user_id: id })) === 0) throw new ServiceError('NOT_FOUND', 'This user has no PIN.');
    deps.audit(work, { actor, action: 'user.pin_removed', resource, merchantId });
  });
}

/**
 * Sets the caller's own PIN, which the caller has confirmed with the password. @throws ServiceError VALIDATION_ERROR on `pin`; TOKEN_INVALID if the session
 * has ended since, such as by a new password of a person whose former one was known to others.
 */
export async function setPin(deps: Dependencies, actor: Actor, userId: string, sessionId: string | null, pin: string): Promise<void> {
  checkPin(pin);
  const user = await userRow(deps, actor.tenantId, userId);
  if (await isTooShort(deps, user, pin.length)) throw tooShort();
  const hash = await hashSecretSlowly(keyed(deps, actor.tenantId, userId, pin));
  await deps.database.unitOfWork.transaction(actor.tenantId, async (work) => {
    await work.lockOne(USERS, { id: userId });
    const session = await work.one(SESSIONS, { id: sessionId ?? '' });
    if (session?.revoked_at !== null) throw sessionEnded();
    await work.delete(USER_PINS, { user_id: userId });
    const created_at = isoTime(Date.now());
    const counts = { attempts: 0, locked_until_ms: 0, locks: 0 };
    work.insert(USER_PINS, { tenant_id: actor.tenantId, user_id: userId, hash, ...counts, created_at });
    deps.audit(work, { actor, action: 'user.pin_set', resource: `users/${userId}` });
  });
}

/** Removes the caller's own PIN. @throws ServiceError NOT_FOUND without one. */
export async function removeOwnPin(deps: Dependencies, actor: Actor, userId: string): Promise<void> {
  const user = await deps.database.read(actor.tenantId).one(USERS, { id: userId });
  if (user) await remove(deps, actor, user);
}

/** Removes the PIN of a user whom the caller may manage. */
export async function removePinOf(deps: Dependencies, actor: Actor, merchantId: string, userId: string): Promise<void> {
  await remove(deps, actor, await managedUser(deps, actor, userId, merchantId));
}

/**
 * Checks the PIN of a user. @throws ServiceError VALIDATION_ERROR on `pin` with `details.reason` `pin_wrong` or `pin_locked`. A user
 * without a PIN is answered like a wrong one.
 */
export async function verifyPin(
  deps: Dependencies,
  tenantId: string,
  userId: string,
  pin: string,
  context: LoginContext,
): Promise<UserRow> {
  const user = await deps.database.read(tenantId).one(USERS, { id: userId });
  const { hash, isLocked, remaining } = await claimAttempt(deps, tenantId, userId);
  const isRight = await verifyPassword(isLocked ? null : hash, keyed(deps, tenantId, userId, pin));
  // A PIN that was removed or changed while it was checked is wrong.
  const isValid =
    isRight &&
    (await deps.database.unitOfWork.transaction(tenantId, (work) =>
      work.update(USER_PINS, { user_id: userId, hash: hash ?? '' }, { attempts: 0, locked_until_ms: 0, locks: 0 }),
    )) === 1;
  if (user && isValid) {
    // The person may have got the right to change access after setting the PIN.
    if (await isTooShort(deps, user, pin.length)) throw tooShort();
    return user;
  }
  if (user) {
    await deps.database.unitOfWork.transaction(tenantId, async (work) => {
      const entry = { actor: actorOf(user.tenant_id, user, context), resource: `users/${user.id}`, merchantId: user.merchant_id };
      deps.audit(work, { ...entry, action: 'user.pin_refused', after: { reason: isLocked ? 'locked' : 'wrong' } });
      if (!isLocked && hash !== null && remaining === 0)
        deps.audit(work, { ...entry, action: 'user.pin_locked', after: { minutes: LOCK_MINUTES } });
      if (!isLocked && remaining === 0) await removeGuessed(deps, work, user, context);
    });
  }
  const isNowLocked = isLocked || remaining === 0;
  throw new ServiceError(
    'VALIDATION_ERROR',
    isNowLocked ? `This PIN is locked for ${LOCK_MINUTES} minutes after ${ATTEMPTS_MAX} wrong attempts.` : 'The PIN is wrong.',
    { field: 'pin', details: { reason: isNowLocked ? 'pin_locked' : 'pin_wrong' } },
  );
}
