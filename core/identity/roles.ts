import { type Actor, AREAS, type Area, type Permission, ServiceError } from '#core/kernel';

const everything = (areas: readonly Area[]): Permission[] => areas.flatMap((area): Permission[] => [`${area}:read`, `${area}:write`]);
const readings = (areas: readonly Area[]): Permission[] => areas.map((area): Permission => `${area}:read`);
const without = (...left: Area[]) => AREAS.filter((area) => !left.includes(area));

/** The built-in roles and what they may do (decisions 11). */
export const ROLES = {
  owner: everything(AREAS),
  admin: everything(AREAS),
  manager: everything(without('users', 'roles', 'api-keys')),
  cashier: [...everything(['transactions', 'refunds', 'customers', 'notifications']), 'invoices:read'],
  accountant: [
    ...everything(['settlement', 'reporting']),
    ...readings(['transactions', 'refunds', 'customers', 'recurring', 'invoices', 'merchants']),
  ],
  viewer: readings(without('users', 'roles', 'api-keys', 'audit', 'settings')),
} as const satisfies Record<string, readonly Permission[]>;

export type Role = keyof typeof ROLES;

export function permissionsOfRole(role: string): ReadonlySet<Permission> {
  return new Set(Object.hasOwn(ROLES, role) ? ROLES[role as Role] : []);
}

/** What an API key may do when its permissions are not narrowed: all but the people and keys of the tenant. */
export const API_KEY_PERMISSIONS: ReadonlySet<Permission> = new Set(everything(without('users', 'roles', 'api-keys')));

const KNOWN: ReadonlySet<string> = new Set(everything(AREAS));

/** A permission's name in full; an area's alone grants both of its permissions (decisions 3). */
function spelledOut(entry: string): string[] {
  return entry.includes(':') ? [entry] : [`${entry}:read`, `${entry}:write`];
}

/** Reads a kept list of permissions. */
export function permissionsFrom(list: readonly string[]): ReadonlySet<Permission> {
  return new Set(list.flatMap(spelledOut).filter((entry): entry is Permission => KNOWN.has(entry)));
}

/**
 * Reads a list of permissions that somebody wants to give: VALIDATION_ERROR for an unknown one, PERMISSION_DENIED for one that the giver
 * does not have, since nobody may make another mightier than oneself.
 */
export function checkGrant(by: Pick<Actor, 'permissions'>, list: readonly string[]): Permission[] {
  const unknown = list.find((entry) => spelledOut(entry).some((permission) => !KNOWN.has(permission)));
  if (unknown !== undefined) {
    throw new ServiceError('VALIDATION_ERROR', `${unknown.slice(0, 60)} is no permission; write an area, area:read or area:write.`, {
      field: 'permissions',
      details: { areas: AREAS },
    });
  }
  const granted = [...permissionsFrom(list)];
  const missing = granted.find((permission) => !by.permissions.has(permission));
  if (missing !== undefined)
    throw new ServiceError('PERMISSION_DENIED', `You cannot give ${missing}, which you do not have.`, { field: 'permissions' });
  return granted;
}
