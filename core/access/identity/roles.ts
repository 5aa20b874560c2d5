import { type Actor, type GrantablePermission, OWNER_PERMISSIONS, type Permission, ServiceError } from '#core/kernel';
import { AREAS, type Area, rightsOf } from '#shared/permission-areas';

const allPermissions = (areas: readonly Area[]): GrantablePermission[] =>
  areas.flatMap((area) => rightsOf(area).map((right) => `${area}:${right}` as GrantablePermission));
const readPermissions = (areas: readonly Area[]): GrantablePermission[] =>
  allPermissions(areas).filter((permission) => permission.endsWith(':read'));
const withoutExport = (permissions: readonly GrantablePermission[]) => permissions.filter((permission) => !permission.endsWith(':export'));
const without = (...excluded: Area[]) => AREAS.filter((area) => !excluded.includes(area));

/** The built-in roles and their permissions. `owner` alone holds the owner permissions. */
export const ROLES = {
  owner: [...allPermissions(AREAS), ...OWNER_PERMISSIONS],
  admin: allPermissions(AREAS),
  // A merchant holds the money and records of all its users, so a manager does not close it.
  manager: allPermissions(without('users', 'roles', 'api-keys')).filter((permission) => permission !== 'merchants:close'),
  // A cashier returns money by refunds of payments only, takes no list of customers or payments away, and counts the drawer without seeing the expected
  // amount, which requires `shifts:manage`.
  cashier: [
    ...withoutExport(allPermissions(['transactions', 'refunds', 'customers', 'notifications', 'tenders'])),
    'invoices:read',
    'items:read',
    // A cashier sells and blocks gift cards. Giving money without a payment needs an approval.
    'gift-cards:read',
    'gift-cards:write',
    // A manager decides about payments that were declined.
    'queued-payments:read',
    'queued-payments:write',
    'shifts:read',
    'shifts:write',
    'terminals:read',
  ],
  accountant: [
    ...allPermissions(['disputes', 'settlement', 'reporting']),
    ...readPermissions([
      'transactions',
      'refunds',
      'customers',
      'recurring',
      'invoices',
      'items',
      'tenders',
      'gift-cards',
      'queued-payments',
      'shifts',
      'merchants',
    ]),
    'transactions:export',
    'customers:export',
    'items:export',
    'tenders:export',
    'shifts:export',
  ],
  viewer: readPermissions(without('users', 'roles', 'api-keys', 'audit', 'settings')),
} as const satisfies Record<string, readonly Permission[]>;

/**
 * Permissions that a session by PIN keeps, and with which a person approves by PIN: to sell, take cash, print, look up, and decide about money.
 * A PIN is typed in front of others, so nothing else is possible with it, and a new permission is not unless it is added here.
 */
export const PIN_PERMISSIONS: ReadonlySet<Permission> = new Set<Permission>([
  ...readPermissions([
    'transactions',
    'refunds',
    'customers',
    'recurring',
    'invoices',
    'items',
    'tenders',
    'gift-cards',
    'queued-payments',
    'shifts',
    'terminals',
    'disputes',
    'approvals',
    'settlement',
    'reporting',
    'merchants',
    'notifications',
  ]),
  'transactions:write',
  'refunds:write',
  'credits:write',
  'customers:write',
  'recurring:write',
  'invoices:write',
  'tenders:write',
  'tenders:refund',
  'gift-cards:write',
  'queued-payments:write',
  'queued-payments:release',
  'shifts:write',
  'shifts:manage',
  'disputes:write',
  'approvals:write',
  'notifications:write',
]);

export type Role = keyof typeof ROLES;

export function permissionsOfRole(role: string): ReadonlySet<Permission> {
  return new Set(Object.hasOwn(ROLES, role) ? ROLES[role as Role] : []);
}

/** Default permissions of an API key on a sandbox account: all but users and keys of the tenant. */
export const API_KEY_PERMISSIONS: ReadonlySet<Permission> = new Set(allPermissions(without('users', 'roles', 'api-keys')));

/**
 * Default permissions of an API key on a live account. Unlinked credits pay out money that no payment limits, and a webhook endpoint receives the events of
 * every customer, so `credits:write` and `webhooks:write` must be named; so must `gift-cards:manage`, which gives money without a payment.
 */
export const LIVE_API_KEY_PERMISSIONS: ReadonlySet<Permission> = new Set(
  allPermissions(without('users', 'roles', 'api-keys', 'credits')).filter(
    (permission) => permission !== 'webhooks:write' && permission !== 'gift-cards:manage',
  ),
);

const GRANTABLE: ReadonlySet<string> = new Set(allPermissions(AREAS));

/** Returns the permissions of an entry. The name of an area means all of its permissions. */
function expandArea(entry: string): string[] {
  return entry.includes(':') ? [entry] : rightsOf(entry as Area).map((right) => `${entry}:${right}`);
}

/** Reads a stored list of permissions. Unknown entries and owner permissions are dropped, so no stored list can hold one. */
export function permissionsFrom(list: readonly string[]): ReadonlySet<Permission> {
  return new Set(list.flatMap(expandArea).filter((entry): entry is GrantablePermission => GRANTABLE.has(entry)));
}

/** Returns true if the caller holds every permission of the list. */
export const holdsAll = (actor: Pick<Actor, 'permissions'>, permissions: Iterable<Permission>): boolean =>
  firstMissing(actor, permissions) === undefined;

function firstMissing(actor: Pick<Actor, 'permissions'>, permissions: Iterable<Permission>): Permission | undefined {
  return [...permissions].find((permission) => !actor.permissions.has(permission));
}

/**
 * Checks that a caller holds all of the permissions. It decides who may grant a role and who may manage a user: callers cannot grant
 * permissions that they lack, nor manage users who hold more. Owners are covered because only they hold `owner:users`. @throws
 * PERMISSION_DENIED
 */
export function checkHolds(actor: Pick<Actor, 'permissions'>, permissions: Iterable<Permission>, field?: string): void {
  const missing = firstMissing(actor, permissions);
  if (missing === undefined) return;
  const message = isOwnerPermission(missing)
    ? 'Only an owner can grant the owner role or change an owner. Ask an owner to do this.'
    : `This requires the permission ${missing}, which you do not have. Ask someone who has it.`;
  throw new ServiceError('PERMISSION_DENIED', message, { field, details: { permission: missing } });
}

const isOwnerPermission = (entry: string) => entry === 'owner' || entry.startsWith('owner:');

/**
 * Reads a list of permissions to grant to a role, a user or an API key.
 * @throws VALIDATION_ERROR for an unknown permission and for an owner permission; PERMISSION_DENIED for one that the caller lacks.
 */
export function checkGrant(actor: Pick<Actor, 'permissions'>, list: readonly string[]): Permission[] {
  const unknown = list.find((entry) => expandArea(entry).some((permission) => !GRANTABLE.has(permission)));
  if (unknown !== undefined) {
    const message = isOwnerPermission(unknown)
      ? `\`${unknown.slice(0, 60)}\` belongs to the owner role only and cannot be granted. Give the user the role owner instead.`
      : `\`${unknown.slice(0, 60)}\` is not a permission. Send an area, area:read or area:write.`;
    throw new ServiceError('VALIDATION_ERROR', message, { field: 'permissions', details: { areas: AREAS } });
  }
  const granted = [...permissionsFrom(list)];
  checkHolds(actor, granted, 'permissions');
  return granted;
}
