import { AREAS, type Area, type Permission } from '#core/kernel';

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
  return new Set(role in ROLES ? ROLES[role as Role] : []);
}

/** What an API key may do when its permissions are not narrowed: all but the people and keys of the tenant. */
export const API_KEY_PERMISSIONS: ReadonlySet<Permission> = new Set(everything(without('users', 'roles', 'api-keys')));

/** Reads a kept list of permissions; an area's name alone grants both of its permissions (decisions 3). */
export function permissionsFrom(list: readonly string[]): ReadonlySet<Permission> {
  const known = new Set<string>(everything(AREAS));
  return new Set(
    list
      .flatMap((entry) => (entry.includes(':') ? [entry] : [`${entry}:read`, `${entry}:write`]))
      .filter((entry): entry is Permission => known.has(entry)),
  );
}
