import { Cache } from '#core/database';
import { type Actor, bind, type Permission } from '#core/kernel';
import type { AccessDependencies } from './access-dependencies.ts';
import {
  createRole,
  findRole,
  getRole,
  listRoles,
  type RoleDependencies,
  removeRole,
  roleAddresses,
  rolePermissions,
  updateRole,
} from './custom-roles.ts';
import { holdsAll, permissionsFrom } from './roles.ts';
import { type RoleRow, USERS, type UserRow } from './schema.ts';

/** Permissions of users, and who may manage whom. */
export type UserAccess = ReturnType<typeof createUserAccess>;

export function createUserAccess(deps: AccessDependencies) {
  const { database } = deps;
  const withRoles: RoleDependencies = { ...deps, customRoles: new Cache<RoleRow[]>(database, 'roles') };
  const roles = {
    ...bind(withRoles, { find: findRole, get: getRole, page: listRoles, permissionsOf: rolePermissions, addressesOf: roleAddresses }),
    ...bind(withRoles, { create: createRole, update: updateRole, remove: removeRole }),
  };

  /** Returns the permissions of a user: the user's own if there are any, otherwise those of the role. */
  async function permissionsOf(row: UserRow): Promise<ReadonlySet<Permission>> {
    if (row.permissions !== null) return permissionsFrom(JSON.parse(row.permissions) as string[]);
    return roles.permissionsOf(row.tenant_id, row.role);
  }

  /**
   * Returns true if nobody but the user may see the user's password links and codes: changes of access need two people, and the user may be the
   * second one.
   */
  const hidesLinks = async (row: UserRow): Promise<boolean> =>
    (await permissionsOf(row)).has('approvals:write') && (await deps.needsTwoPeople(row.tenant_id));

  return {
    roles,
    permissionsOf,
    hidesLinks,
    /** Returns the owners of a tenant who can sign in, oldest first. */
    async ownersOf(tenantId: string): Promise<readonly { readonly email: string; readonly phone: string | null }[]> {
      const rows = await database.read(tenantId).find(USERS, { role: 'owner' }, { orderBy: [['id', 'asc']] });
      return rows.filter(({ password_hash }) => password_hash !== '').map(({ email, phone }) => ({ email, phone }));
    },
    /**
     * Returns true if the caller may read the links and codes of a user: the caller's own, or those of a user whom the caller may manage while one person
     * may change access. They make a session of the user, so the caller's own must have begun with the password a short time ago.
     */
    async mayReadLinks(actor: Actor, userId: string): Promise<boolean> {
      if (!actor.isSignInRecent || !holdsAll(actor, ['users:write'])) return false;
      const row = await database.read(actor.tenantId).one(USERS, { id: userId });
      if (!row || (actor.merchantId !== null && row.merchant_id !== actor.merchantId)) return false;
      if (row.id !== actor.credentialId && (await deps.needsTwoPeople(row.tenant_id))) return false;
      return holdsAll(actor, await permissionsOf(row));
    },
  };
}
