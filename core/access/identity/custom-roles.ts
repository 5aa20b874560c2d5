import { type Cache, type Page, type PageRequest, pageOf, queriesOn, TENANT, UniqueViolation, type Work } from '#core/database';
import { type Actor, isoTime, newId, type Permission, ServiceError } from '#core/kernel';
import { type AccessDependencies, accessChange } from './access-dependencies.ts';
import { isAllowedAddress, networksOf, storedNetworks } from './networks.ts';
import type { RoleRecord } from './records.ts';
import { checkGrant, checkHolds, permissionsFrom, permissionsOfRole, ROLES } from './roles.ts';
import { ROLE_ROWS, type RoleRow, TENANTS, USERS, type UserRow } from './schema.ts';

const BUILT_IN: readonly RoleRecord[] = Object.entries(ROLES).map(([name, permissions]) => ({
  id: name,
  name,
  permissions,
  allowedAddresses: [],
  builtIn: true,
}));

export interface RoleInput {
  readonly name?: string;
  readonly permissions?: readonly string[];
  readonly allowedAddresses?: readonly string[];
}

/** API keys that stay valid although their maker loses rights that they have. */
export interface KeptKeys {
  readonly keepApiKeyIds?: readonly string[];
}

/** Dependencies with the custom roles of each tenant in the memory of this process. */
export interface RoleDependencies extends AccessDependencies {
  readonly customRoles: Cache<RoleRow[]>;
}

/** Returns the built-in roles, which cannot be changed, and the custom roles of a tenant in the order of their creation. */
async function rolesOf({ database, customRoles }: RoleDependencies, tenantId: string): Promise<RoleRecord[]> {
  const read = () => database.read(tenantId).find(ROLE_ROWS, { tenant_id: tenantId }, { orderBy: [['id', 'asc']] });
  return [...BUILT_IN, ...(await customRoles.through(tenantId, read)).map(toRecord)];
}

/** Returns the first match among the cached roles, or among all roles if another workstation may have created it. */
async function firstRole(
  deps: RoleDependencies,
  tenantId: string,
  ...tests: ((role: RoleRecord) => boolean)[]
): Promise<RoleRecord | undefined> {
  const firstMatch = (roles: RoleRecord[]) => tests.map((test) => roles.find(test)).find((role) => role !== undefined);
  const known = firstMatch(await rolesOf(deps, tenantId));
  if (known) return known;
  deps.customRoles.delete(tenantId);
  return firstMatch(await rolesOf(deps, tenantId));
}

export const findRole = (deps: RoleDependencies, tenantId: string, idOrName: string): Promise<RoleRecord | undefined> =>
  firstRole(
    deps,
    tenantId,
    ({ id }) => id === idOrName,
    ({ name }) => name.toLowerCase() === idOrName.toLowerCase(),
  );

export async function getRole(deps: RoleDependencies, tenantId: string, id: string): Promise<RoleRecord> {
  const role = await firstRole(deps, tenantId, (one) => one.id === id);
  if (!role) throw new ServiceError('NOT_FOUND', 'This role does not exist.');
  return role;
}

export const listRoles = async (deps: RoleDependencies, actor: Actor, pageRequest: PageRequest): Promise<Page<RoleRecord>> =>
  pageOf(await rolesOf(deps, actor.tenantId), pageRequest, ({ id }) => id);

/** Returns the permissions of a user's role; none for a deleted role. */
export async function rolePermissions(deps: RoleDependencies, tenantId: string, role: string): Promise<ReadonlySet<Permission>> {
  if (role in ROLES) return permissionsOfRole(role);
  return new Set((await findRole(deps, tenantId, role))?.permissions ?? []);
}

/** Returns the addresses and networks from which users of a role may work; empty for all. */
export async function roleAddresses(deps: RoleDependencies, tenantId: string, role: string): Promise<readonly string[]> {
  return role in ROLES ? [] : ((await findRole(deps, tenantId, role))?.allowedAddresses ?? []);
}

export async function createRole(
  deps: RoleDependencies,
  actor: Actor,
  input: RoleInput & Required<Pick<RoleInput, 'name' | 'permissions'>>,
): Promise<RoleRecord> {
  const permissions = checkGrant(actor, input.permissions);
  refuseBuiltInName(input.name);
  const now = Date.now();
  const createdAt = isoTime(now);
  const row: RoleRow = {
    tenant_id: actor.tenantId,
    id: newId('rol', now),
    name: input.name,
    permissions: JSON.stringify(permissions),
    allowed_addresses: storedNetworks(input.allowedAddresses),
    created_at: createdAt,
    updated_at: createdAt,
  };
  await withUniqueName(input.name, () =>
    deps.database.unitOfWork.transaction(actor.tenantId, async (work) => {
      await deps.checkApproval(work, actor, accessChange('roles', null, 'role.created', null, auditFields(toRecord(row))));
      work.insert(ROLE_ROWS, row);
      deps.audit(work, { actor, action: 'role.created', resource: `roles/${row.id}`, after: auditFields(toRecord(row)) });
    }),
  );
  deps.customRoles.delete(actor.tenantId);
  return toRecord(row);
}

export async function updateRole(
  deps: RoleDependencies,
  actor: Actor,
  id: string,
  { keepApiKeyIds = [], ...input }: RoleInput & KeptKeys,
): Promise<RoleRecord> {
  const before = await getRole(deps, actor.tenantId, id);
  refuseBuiltIn(before);
  checkHolds(actor, before.permissions);
  if (input.name !== undefined) refuseBuiltInName(input.name);
  const after = {
    name: input.name ?? before.name,
    permissions: input.permissions === undefined ? before.permissions : checkGrant(actor, input.permissions),
    allowedAddresses: input.allowedAddresses ?? before.allowedAddresses,
  };
  const allowed_addresses = storedNetworks(after.allowedAddresses);
  await withUniqueName(after.name, () =>
    deps.database.unitOfWork.transaction(actor.tenantId, async (work) => {
      const fields = auditFields(before);
      await deps.checkApproval(work, actor, accessChange(`roles/${id}`, null, 'role.updated', fields, after));
      const set = {
        name: after.name,
        permissions: JSON.stringify(after.permissions),
        allowed_addresses,
        updated_at: isoTime(Date.now()),
      };
      await work.update(ROLE_ROWS, { id }, set);
      await refuseOwnLockOut(work, actor, id, networksOf({ allowed_addresses }));
      const people = await work.find(USERS, { role: id, permissions: null });
      const rights = people.map((row) => ({ userId: row.id, rights: { permissions: after.permissions, merchantId: row.merchant_id } }));
      await deps.revokeKeysBeyond(work, actor, rights, keepApiKeyIds);
      deps.audit(work, {
        actor,
        action: 'role.updated',
        resource: `roles/${id}`,
        before: fields,
        after,
      });
    }),
  );
  deps.customRoles.delete(actor.tenantId);
  deps.accessChanged(actor.tenantId);
  return { id, ...after, allowedAddresses: networksOf({ allowed_addresses }), builtIn: false };
}

/** Removes a role without users. @throws ServiceError RESOURCE_CONFLICT with the number of users. */
export async function removeRole(deps: RoleDependencies, actor: Actor, id: string): Promise<void> {
  const role = await getRole(deps, actor.tenantId, id);
  refuseBuiltIn(role);
  checkHolds(actor, role.permissions);
  await deps.database.unitOfWork.transaction(actor.tenantId, async (work) => {
    // Keeps the role from being assigned while it is removed.
    await work.lockOne(TENANTS, { id: actor.tenantId });
    const counted = await work.row(
      queriesOn(USERS)
        .selectFrom('users')
        .select(({ fn }) => fn.countAll<number>().as('n'))
        .where('tenant_id', '=', TENANT)
        .where('role', '=', id),
    );
    const users = Number(counted?.n ?? 0);
    if (users > 0) {
      throw new ServiceError('RESOURCE_CONFLICT', `${users} users have this role. Give them another role first.`, {
        details: { reason: 'in_use', users },
      });
    }
    const fields = auditFields(role);
    await deps.checkApproval(work, actor, accessChange(`roles/${id}`, null, 'role.deleted', fields, null));
    await work.delete(ROLE_ROWS, { id });
    deps.audit(work, {
      actor,
      action: 'role.deleted',
      resource: `roles/${id}`,
      before: fields,
    });
  });
  deps.customRoles.delete(actor.tenantId);
}

/**
 * Returns the permissions of a user in a unit of work. A custom role is locked, so that a change of its permissions waits for the end of the unit, or
 * was committed before.
 */
export async function permissionsIn(work: Work, { role, permissions }: UserRow): Promise<ReadonlySet<Permission>> {
  if (permissions !== null) return permissionsFrom(JSON.parse(permissions) as string[]);
  if (role in ROLES) return permissionsOfRole(role);
  const row = await work.lockOne(ROLE_ROWS, { id: role });
  return permissionsFrom(JSON.parse(row?.permissions ?? '[]') as string[]);
}

function refuseBuiltIn(role: RoleRecord): void {
  if (role.builtIn) throw new ServiceError('FORBIDDEN', `${role.name} is a built-in role. Copy it to change it.`);
}

function refuseBuiltInName(name: string): void {
  if (BUILT_IN.some((role) => role.name === name.toLowerCase())) throw nameTaken(name);
}

const auditFields = ({ name, permissions, allowedAddresses }: RoleRecord) => ({ name, permissions, allowedAddresses });

/** @throws ServiceError VALIDATION_ERROR if the caller has the role and works from an address that it would no longer allow. */
async function refuseOwnLockOut(work: Work, { credentialId, ip }: Actor, role: string, networks: readonly string[]): Promise<void> {
  if (isAllowedAddress(networks, ip) || (await work.one(USERS, { id: credentialId, role })) === null) return;
  throw new ServiceError('VALIDATION_ERROR', `You work from ${ip}, which these addresses do not contain, so you would lock yourself out.`, {
    field: 'allowedAddresses',
  });
}

function toRecord(row: RoleRow): RoleRecord {
  return {
    id: row.id,
    name: row.name,
    permissions: [...permissionsFrom(JSON.parse(row.permissions) as string[])],
    allowedAddresses: networksOf(row),
    builtIn: false,
  };
}

function nameTaken(name: string): ServiceError {
  return new ServiceError('RESOURCE_CONFLICT', `A role named ${name} already exists.`, { field: 'name' });
}

async function withUniqueName<Result>(name: string, write: () => Promise<Result>): Promise<Result> {
  try {
    return await write();
  } catch (error) {
    if (error instanceof UniqueViolation) throw nameTaken(name);
    throw error;
  }
}
