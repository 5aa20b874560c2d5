import { type Actor, ServiceError } from '#core/kernel';
import type { Language } from '#shared/languages';
import type { Dependencies } from '../dependencies.ts';
import { nameOf } from '../email-addresses.ts';
import { endSessions } from '../end-sessions.ts';
import { hashPassword, type IsConfirmed } from '../passwords.ts';
import type { User } from '../records.ts';
import { USERS } from '../schema.ts';
import { NO_PASSWORD } from '../user-row.ts';
import { changeUser } from './change.ts';
import { signsInAtCompany, userRow } from './user.ts';

/** Changes the caller's own name; null or an empty text removes it. */
export async function setOwnName(deps: Dependencies, actor: Actor, userId: string, name: string | null): Promise<User> {
  return changeUser(deps, actor, await userRow(deps, actor.tenantId, userId), { name: nameOf(name) }, 'user.updated');
}

/** Changes the language of the caller's own screens; null leaves it to the computer. */
export async function setOwnLanguage(deps: Dependencies, actor: Actor, userId: string, language: Language | null): Promise<User> {
  return changeUser(deps, actor, await userRow(deps, actor.tenantId, userId), { language }, 'user.updated');
}

/**
 * Changes the caller's own password, which the caller has confirmed, and ends every other session of the user. @throws ServiceError
 * VALIDATION_ERROR on `newPassword`, and on `currentPassword` if the password was changed since it was confirmed.
 */
export async function changePassword(
  deps: Dependencies,
  actor: Actor,
  userId: string,
  sessionId: string | null,
  newPassword: string,
  isConfirmed: IsConfirmed,
): Promise<void> {
  const before = await deps.database.read(actor.tenantId).one(USERS, { id: userId });
  if (!before) throw new ServiceError('NOT_FOUND', 'No user has this ID.');
  if (before.password_hash === NO_PASSWORD) throw signsInAtCompany();
  const password_hash = await hashPassword(newPassword, 'newPassword');
  await changeUser(deps, actor, before, { password_hash }, 'password.changed', async (work) => {
    const locked = await work.lockOne(USERS, { id: userId });
    // A request with the former password that arrived before the last change must not undo it.
    if (locked === null || !isConfirmed(locked))
      throw new ServiceError('VALIDATION_ERROR', 'The password was changed at the same time. Confirm with the new one.', {
        field: 'currentPassword',
      });
    await endSessions(deps, work, { tenantId: actor.tenantId, userId, butSessionId: sessionId, reason: 'password-changed' });
  });
}
