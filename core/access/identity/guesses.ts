import type { Work } from '#core/database';
import { ServiceError } from '#core/kernel';
import type { Dependencies, LoginContext } from './dependencies.ts';
import { USERS, type UserRow } from './schema.ts';
import { actorOf } from './user-row.ts';

/** Wrong passwords and codes that lock a user for 30 minutes of real time. */
const WRONG_MAX = 10;
export const LOCK_MINUTES = 30;
const LOCK_MS = LOCK_MINUTES * 60_000;
/**
 * Part of a lock in which one password is checked, so that its owner learns about the lock. It is counted for the user and not for an address,
 * because a guesser may have many addresses: at most three more guesses for each lock.
 */
const LOCKED_CHECK_MS = 10 * 60_000;

/**
 * Use of a password or code. Anyone who knows an email address can lock its sign-ins, so that confirmations, which only a running session can
 * try, are counted apart.
 */
type GuessKind = 'sign-in' | 'confirmation';

const COUNTERS = {
  'sign-in': ['failed_logins', 'locked_until_ms'],
  confirmation: ['failed_confirmations', 'confirmations_locked_until_ms'],
} as const satisfies Record<GuessKind, readonly (keyof UserRow)[]>;

/** Reasons for a sign-in that fails at the password; all others concern the second factor. */
const PASSWORD_REASONS: ReadonlySet<string> = new Set(['unknown', 'locked', 'password']);

/**
 * Result of counting a guess. `last`: the user is locked if it is wrong. `locked`: it must not be checked. `locked-checked`: it may be checked, and
 * only a right one may be answered differently; it signs nobody in.
 */
export type ClaimedGuess = 'counted' | 'last' | 'locked' | 'locked-checked';

/**
 * Counts a guess as wrong before it is checked, under the lock of the user, so that guesses sent at once are limited as well. With
 * `isCheckedInLock`, one guess in each part of a lock is `locked-checked`; the count above ten is the part of the last one.
 */
export const claimGuess = (
  deps: Dependencies,
  tenantId: string,
  userId: string,
  kind: GuessKind,
  isCheckedInLock = false,
): Promise<ClaimedGuess> =>
  deps.database.unitOfWork.transaction(tenantId, async (work) => {
    const [failed, lockedUntil] = COUNTERS[kind];
    const row = await work.lockOne(USERS, { id: userId });
    const now = Date.now();
    if (row === null) return 'counted';
    if (row[lockedUntil] > now) {
      const part = WRONG_MAX + 1 + Math.floor((now - row[lockedUntil] + LOCK_MS) / LOCKED_CHECK_MS);
      if (!isCheckedInLock || row[failed] >= part) return 'locked';
      await work.update(USERS, { id: userId }, { [failed]: part });
      return 'locked-checked';
    }
    const count = row[lockedUntil] > 0 ? 1 : row[failed] + 1;
    const isLast = count >= WRONG_MAX;
    await work.update(USERS, { id: userId }, { [failed]: count, [lockedUntil]: isLast ? now + LOCK_MS : 0 });
    return isLast ? 'last' : 'counted';
  });

/**
 * Locks a user whose password or PIN was checked. @throws ServiceError INVALID_CREDENTIALS if the user was removed, or the password or the second factor
 * was changed since the user was read: checking a password takes long, and the change has ended all sign-ins.
 */
export async function lockVerified(work: Work, { id, password_hash, two_factor }: UserRow): Promise<UserRow> {
  const row = await work.lockOne(USERS, { id });
  if (row?.password_hash !== password_hash || row.two_factor !== two_factor) throw invalidCredentials();
  return row;
}

/** Takes back the count of a right password whose sign-in still needs a code. Wrong codes of earlier attempts stay counted. */
export async function releaseGuess(work: Work, user: UserRow): Promise<void> {
  const row = await lockVerified(work, user);
  const failed_logins = Math.max(0, Math.min(row.failed_logins, WRONG_MAX) - 1);
  await work.update(USERS, { id: user.id }, { failed_logins, ...(failed_logins < WRONG_MAX && { locked_until_ms: 0 }) });
}

/** Ends the count after a right guess. */
export async function resetGuesses(work: Work, userId: string, kind: GuessKind): Promise<void> {
  const [failed, lockedUntil] = COUNTERS[kind];
  await work.update(USERS, { id: userId }, { [failed]: 0, [lockedUntil]: 0 });
}

export const invalidCredentials = () => new ServiceError('INVALID_CREDENTIALS', 'The email address or the password is wrong.');

/** Records a refused password or code, which was counted before it was checked. */
export async function recordFailure(
  deps: Dependencies,
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
  await deps.database.unitOfWork.transaction(tenantId, async (work) => {
    const action = PASSWORD_REASONS.has(reason) ? 'session.refused' : 'session.code_refused';
    deps.audit(work, { actor, action, resource: user ? `users/${user.id}` : 'users', after: { reason, ...more } });
    if (user && claimed === 'last')
      deps.audit(work, { actor, action: 'user.locked', resource: `users/${user.id}`, after: { minutes: LOCK_MINUTES, ...more } });
  });
  throw refused;
}
