import { type Condition, conditionsOn, lit, newestPage, type Page, type PageRequest } from '#core/database';
import { type Actor, ServiceError } from '#core/kernel';
import type { Dependencies } from '../dependencies.ts';
import { storedEmail } from '../email-addresses.ts';
import type { User } from '../records.ts';
import { checkHolds } from '../roles.ts';
import { type TwoFactor, USER_PINS, USERS, type UserRow } from '../schema.ts';

/** Refusal of everything that needs a user with a password in Paydesk. */
export const signsInAtCompany = () =>
  new ServiceError('RESOURCE_CONFLICT', 'This user signs in with the company account and has no password.', {
    details: { reason: 'company_sign_in' },
  });

export async function toUser(deps: Dependencies, row: UserRow): Promise<User> {
  const role = await deps.access.roles.find(row.tenant_id, row.role);
  return {
    id: row.id,
    userId: row.id,
    email: row.email,
    name: row.name,
    language: row.language,
    phone: row.phone,
    role: role?.name ?? row.role,
    permissions: [...(await deps.access.permissionsOf(row))],
    ownPermissions: row.permissions !== null,
    merchantId: row.merchant_id,
    twoFactor: row.two_factor,
    hasPin: (await deps.database.read(row.tenant_id).one(USER_PINS, { user_id: row.id })) !== null,
    status: row.locked_until_ms > Date.now() ? 'locked' : row.password_hash === '' ? 'invited' : 'active',
    lastSeenAt: row.last_seen_at,
    createdAt: row.created_at,
  };
}

/** Returns the row of a user, whatever the caller's permissions. @throws ServiceError NOT_FOUND. */
export async function userRow(deps: Dependencies, tenantId: string, userId: string): Promise<UserRow> {
  const row = await deps.database.read(tenantId).one(USERS, { id: userId });
  if (!row) throw new ServiceError('NOT_FOUND', 'No user has this ID.');
  return row;
}

export async function roleFor(deps: Dependencies, actor: Actor, name: string): Promise<string> {
  const role = await deps.access.roles.find(actor.tenantId, name);
  if (!role) throw new ServiceError('VALIDATION_ERROR', `There is no role named ${name.slice(0, 60)}.`, { field: 'role' });
  checkHolds(actor, role.permissions, 'role');
  return role.id;
}

/** Returns a user whom the caller may read: of the caller's tenant and, for a merchant-bound caller, of that merchant. */
async function visibleUser(deps: Dependencies, actor: Actor, userId: string, merchantId?: string): Promise<UserRow> {
  if (merchantId !== undefined) await deps.checkMerchant(actor, merchantId);
  const row = await deps.database.read(actor.tenantId).one(USERS, { id: userId });
  const isElsewhere = merchantId !== undefined && row?.merchant_id != null && row.merchant_id !== merchantId;
  if (!row || isElsewhere) throw new ServiceError('NOT_FOUND', 'No user has this ID.');
  if (actor.merchantId !== null && row.merchant_id !== actor.merchantId)
    throw new ServiceError('MERCHANT_NOT_AUTHORIZED', 'This user has access to more than your merchant.');
  return row;
}

/** Returns a user whom the caller may manage: same as for reading, and without a permission that the caller lacks. */
export async function managedUser(deps: Dependencies, actor: Actor, userId: string, merchantId?: string): Promise<UserRow> {
  const row = await visibleUser(deps, actor, userId, merchantId);
  checkHolds(actor, await deps.access.permissionsOf(row));
  return row;
}

export function checkChannel(channel: TwoFactor, phone: string | null): void {
  if (channel === 'sms' && phone === null)
    throw new ServiceError('VALIDATION_ERROR', 'Codes by text message require a phone number.', { field: 'channel' });
}

export const auditFields = ({ email, name, language, role, permissions, merchantId, phone, twoFactor }: User) => ({
  email,
  name,
  language,
  role,
  permissions,
  merchantId,
  phone,
  twoFactor,
});

const user = conditionsOn(USERS);

/** Users of whom screens show the name in place of the address. */
const NAMED_MAX = 500;

/** Returns the users of a merchant and those of the whole tenant. */
export async function listUsers(
  deps: Dependencies,
  actor: Actor,
  merchantId: string,
  { status }: { readonly status?: User['status'] },
  pageRequest: PageRequest,
): Promise<Page<User>> {
  await deps.checkMerchant(actor, merchantId);
  const reach = user.or([user('merchant_id', '=', merchantId), user('merchant_id', 'is', null)]);
  const found = await newestPage(deps.database.read(actor.tenantId), USERS, 'usr', {}, pageRequest, [reach, ...statusConditions(status)]);
  return { ...found, items: await Promise.all(found.items.map((row) => toUser(deps, row))) };
}

/** Returns the user of a session, whatever the user's permissions. */
export const selfUser = async (deps: Dependencies, tenantId: string, userId: string): Promise<User> =>
  toUser(deps, await userRow(deps, tenantId, userId));

/** Returns the newest users with a name whom the caller meets in records: of the merchant and of all merchants; without reports, only the caller. */
export async function namedUsers(deps: Dependencies, actor: Actor, userId: string): Promise<readonly { email: string; name: string }[]> {
  const reach = actor.merchantId === null ? [] : [user.or([user('merchant_id', '=', actor.merchantId), user('merchant_id', 'is', null)])];
  const scope = actor.permissions.has('reporting:read') ? reach : [user('id', '=', userId)];
  const request = { page: 1, limit: NAMED_MAX };
  const { items } = await newestPage(deps.database.read(actor.tenantId), USERS, 'usr', {}, request, [
    user('name', 'is not', null),
    ...scope,
  ]);
  return items.map(({ email, name }) => ({ email, name: name ?? '' }));
}

/** Returns the ID of the user with an email address. */
export async function userIdOf(deps: Dependencies, tenantId: string, email: string): Promise<string | undefined> {
  return (await deps.database.read(tenantId).one(USERS, { email: storedEmail(email) }))?.id;
}

export async function getUser(deps: Dependencies, actor: Actor, userId: string): Promise<User> {
  return toUser(deps, await visibleUser(deps, actor, userId));
}

/** Returns the conditions for users of a status; empty without a status. */
function statusConditions(status: User['status'] | undefined): Condition[] {
  if (status === undefined) return [];
  const now = Date.now();
  if (status === 'locked') return [user('locked_until_ms', '>', now)];
  return [user('locked_until_ms', '<=', now), user('password_hash', status === 'invited' ? '=' : '<>', lit(''))];
}
