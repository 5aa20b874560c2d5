import { lit, queriesOn, TENANT, type Work } from '#core/database';
import { type Actor, type Permission, ServiceError } from '#core/kernel';
import { accessChange } from '../access-dependencies.ts';
import { removeAuthenticator } from '../authenticators.ts';
import { COMPANY_IDENTITIES } from '../company/schema.ts';
import { type KeptKeys, permissionsIn } from '../custom-roles.ts';
import type { Dependencies } from '../dependencies.ts';
import { nameOf } from '../email-addresses.ts';
import { endSessions } from '../end-sessions.ts';
import type { User } from '../records.ts';
import { checkGrant } from '../roles.ts';
import { PASSWORD_TOKENS, TENANTS, USER_PINS, USERS, type UserRow } from '../schema.ts';
import { auditFields, checkChannel, managedUser, roleFor, toUser } from './user.ts';

export interface UserChange {
  readonly name?: string | null;
  readonly role?: string;
  readonly permissions?: readonly string[] | null;
  readonly phone?: string | null;
  readonly allMerchants?: boolean;
}

/**
 * Checks that another owner remains. Locks the tenant, so that two owners cannot remove each other. @throws ServiceError
 * RESOURCE_CONFLICT.
 */
async function keepAnOwner(work: Work, row: UserRow): Promise<void> {
  if (row.role !== 'owner') return;
  await work.lockOne(TENANTS, { id: row.tenant_id });
  const others = await work.row(
    queriesOn(USERS)
      .selectFrom('users')
      .select('id')
      .where('tenant_id', '=', TENANT)
      .where('role', '=', lit('owner'))
      .where('password_hash', '<>', lit(''))
      .where('id', '<>', row.id)
      .limit(1),
  );
  if (!others)
    throw new ServiceError('RESOURCE_CONFLICT', 'This is the last owner. Make another user an owner first.', {
      details: { reason: 'last_owner' },
    });
}

/** Returns true if a user without own permissions has exactly these. */
async function hasFromRole(deps: Dependencies, row: UserRow, permissions: readonly string[] | null | undefined): Promise<boolean> {
  if (row.permissions !== null || permissions == null) return false;
  const present = await deps.access.permissionsOf(row);
  return present.size === new Set(permissions).size && permissions.every((each) => present.has(each as Permission));
}

/**
 * Writes a change of a user with its audit entry, and revokes the user's API keys beyond the remaining rights. `alsoWrite` adds records to the same
 * unit of work.
 * @throws RESOURCE_CONFLICT if the permissions of the user changed since `before` was read, because the caller's were checked against
 * those.
 */
export async function changeUser(
  deps: Dependencies,
  actor: Actor,
  before: UserRow,
  set: Partial<UserRow>,
  action: string,
  alsoWrite?: (work: Work) => Promise<void>,
  { keepApiKeyIds = [] }: KeptKeys = {},
): Promise<User> {
  const after = { ...before, ...set };
  const userAfter = await toUser(deps, after);
  const fieldsBefore = auditFields(await toUser(deps, before));
  const fieldsAfter = auditFields(userAfter);
  const { id, merchant_id: merchantId } = before;
  const resource = `users/${id}`;
  const hasOtherRights = after.role !== before.role || after.permissions !== before.permissions || after.merchant_id !== before.merchant_id;
  const isReset = actor.credentialId !== before.id && after.two_factor !== before.two_factor;
  const givesAccess = isReset || after.phone !== before.phone || LINK_ACTIONS.has(action);
  await deps.database.unitOfWork.transaction(actor.tenantId, async (work) => {
    if (before.role === 'owner' && after.role !== 'owner') await keepAnOwner(work, before);
    const locked = await work.lockOne(USERS, { id: before.id });
    if (locked?.role !== before.role || locked.permissions !== before.permissions || locked.merchant_id !== before.merchant_id)
      throw new ServiceError('RESOURCE_CONFLICT', 'This user was changed at the same time. Load the user again and repeat the change.', {
        details: { reason: 'changed' },
      });
    if (hasOtherRights || givesAccess)
      await deps.checkApproval(work, actor, accessChange(resource, merchantId, action, fieldsBefore, fieldsAfter));
    await alsoWrite?.(work);
    if (Object.keys(set).length > 0) await work.update(USERS, { id: before.id }, set);
    if (hasOtherRights) {
      const rights = { permissions: await permissionsIn(work, after), merchantId: after.merchant_id };
      await deps.revokeKeysBeyond(work, actor, [{ userId: before.id, rights }], keepApiKeyIds);
    }
    work.afterCommit(() => deps.accessChanged(actor.tenantId));
    deps.audit(work, { actor, action, resource, merchantId, before: fieldsBefore, after: fieldsAfter });
  });
  return userAfter;
}

/** Changes a user's name, role, permissions, phone or merchants, effective with the next request. */
export async function updateUser(
  deps: Dependencies,
  actor: Actor,
  merchantId: string,
  userId: string,
  input: UserChange & KeptKeys,
): Promise<User> {
  const before = await managedUser(deps, actor, userId, merchantId);
  const role = input.role === undefined ? before.role : await roleFor(deps, actor, input.role);
  const set: Partial<UserRow> = {};
  if (input.name !== undefined) set.name = nameOf(input.name);
  if (input.role !== undefined) set.role = role;
  // The permissions of the role, as a response shows them, do not become the user's own.
  const isUnchanged = input.role === undefined || role === before.role ? await hasFromRole(deps, before, input.permissions) : false;
  if (input.permissions !== undefined && !isUnchanged)
    set.permissions = input.permissions === null ? null : JSON.stringify(checkGrant(actor, input.permissions));
  if (role === 'owner') set.permissions = null;
  if (input.phone !== undefined) set.phone = input.phone;
  if (input.allMerchants !== undefined || role === 'owner') {
    const isForAll = role === 'owner' || input.allMerchants === true;
    if (isForAll && actor.merchantId !== null)
      throw new ServiceError('MERCHANT_NOT_AUTHORIZED', "You have access to one merchant, so you can't create a user of all merchants.", {
        field: 'allMerchants',
      });
    set.merchant_id = isForAll ? null : merchantId;
  }
  checkChannel(before.two_factor, set.phone === undefined ? before.phone : set.phone);
  return changeUser(deps, actor, before, set, 'user.updated', undefined, input);
}

/** Removes a user, ends its sessions and revokes its API keys except those to keep; the last owner stays (RESOURCE_CONFLICT). */
export async function removeUser(
  deps: Dependencies,
  actor: Actor,
  merchantId: string,
  userId: string,
  { keepApiKeyIds = [] }: KeptKeys = {},
): Promise<void> {
  const row = await managedUser(deps, actor, userId, merchantId);
  const userBefore = await toUser(deps, row);
  await deps.database.unitOfWork.transaction(actor.tenantId, async (work) => {
    await keepAnOwner(work, row);
    await deps.checkApproval(work, actor, accessChange(`users/${userId}`, row.merchant_id, 'user.deleted', auditFields(userBefore), null));
    // A key that the user makes at the same moment is either made before, or refused because the user is gone.
    await work.lockOne(USERS, { id: userId });
    await deps.revokeKeysBeyond(work, actor, [{ userId, rights: null }], keepApiKeyIds);
    await endSessions(deps, work, { tenantId: actor.tenantId, userId, reason: 'user-removed' });
    await work.delete(PASSWORD_TOKENS, { user_id: userId });
    await removeAuthenticator(work, userId, 'all');
    await work.delete(USER_PINS, { user_id: userId });
    await work.delete(COMPANY_IDENTITIES, { user_id: userId });
    await work.delete(USERS, { id: userId });
    deps.audit(work, {
      actor,
      action: 'user.deleted',
      resource: `users/${userId}`,
      merchantId: row.merchant_id,
      before: auditFields(userBefore),
    });
  });
}

/** Sets permissions of a user that replace those of the role; null restores those of the role. */
export async function setPermissions(
  deps: Dependencies,
  actor: Actor,
  userId: string,
  permissions: readonly string[] | null,
  kept: KeptKeys = {},
): Promise<User> {
  const before = await managedUser(deps, actor, userId);
  const granted = permissions === null ? null : checkGrant(actor, permissions);
  if (before.role === 'owner' && granted !== null)
    throw new ServiceError('RESOURCE_CONFLICT', 'Owners always have all permissions. Change the role first.', {
      details: { reason: 'owner' },
    });
  return changeUser(
    deps,
    actor,
    before,
    { permissions: granted === null ? null : JSON.stringify(granted) },
    'user.permissions_changed',
    undefined,
    kept,
  );
}

/** Actions that make a password link, with which another person could sign in as the user. */
const LINK_ACTIONS: ReadonlySet<string> = new Set(['user.invited', 'user.password_link_made', 'user.company_account_allowed']);
