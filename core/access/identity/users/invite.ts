import { UniqueViolation, type Work } from '#core/database';
import { type Actor, isoTime, ServiceError } from '#core/kernel';
import { accessChange } from '../access-dependencies.ts';
import type { Dependencies } from '../dependencies.ts';
import { looksLike, nameOf, newUserEmail } from '../email-addresses.ts';
import { preparePasswordLink } from '../password-links.ts';
import { hashPassword } from '../passwords.ts';
import type { CreatedUser } from '../records.ts';
import { checkGrant } from '../roles.ts';
import { TENANTS, USERS, type UserRow } from '../schema.ts';
import { NO_PASSWORD, newUserRow } from '../user-row.ts';
import { changeUser } from './change.ts';
import { auditFields, managedUser, roleFor, signsInAtCompany, toUser } from './user.ts';

/** A user as the API shows it. */
export interface NewUser {
  readonly email: string;
  readonly name?: string | null;
  readonly role: string;
  readonly permissions?: readonly string[];
  readonly password?: string;
  readonly phone?: string;
  readonly allMerchants?: boolean;
}

/** Refuses an address that looks like that of another user. Locks the tenant, so that of two such users at once one is refused. */
async function refuseLookAlike(work: Work, { tenant_id, email }: UserRow): Promise<void> {
  await work.lockOne(TENANTS, { id: tenant_id });
  const other = (await work.find(USERS, {})).find((row) => looksLike(row.email, email));
  if (other)
    throw new ServiceError('RESOURCE_CONFLICT', `This address looks like ${other.email}, which another user has. Use another address.`, {
      field: 'email',
      details: { reason: 'look_alike' },
    });
}

/**
 * Returns true if the response to the creator contains the password link. On a live account only the user gets it, except for an
 * invitation while email is not set up, because nobody could be invited otherwise.
 */
async function isLinkShown(deps: Dependencies, user: UserRow, purpose: 'invite' | 'reset'): Promise<boolean> {
  const { tenant_id: tenantId } = user;
  if (await deps.access.hidesLinks(user)) return false;
  if (deps.tenants.environmentOf(tenantId) === 'sandbox') return true;
  return purpose === 'invite' && !(await deps.delivers(tenantId, 'email'));
}

/**
 * Creates a user of one merchant, or of all with `allMerchants`. Without a password, an invitation is sent; `isLinkShown()` decides
 * whether its link is returned.
 */
export async function createUser(deps: Dependencies, actor: Actor, merchantId: string, input: NewUser): Promise<CreatedUser> {
  await deps.checkMerchant(actor, merchantId);
  const role = await roleFor(deps, actor, input.role);
  const permissions = input.permissions === undefined ? null : checkGrant(actor, input.permissions);
  const isForAll = role === 'owner' || input.allMerchants === true;
  if (isForAll && actor.merchantId !== null)
    throw new ServiceError('MERCHANT_NOT_AUTHORIZED', "You have access to one merchant, so you can't create a user of all merchants.", {
      field: 'allMerchants',
    });
  const row = newUserRow(
    actor.tenantId,
    {
      email: newUserEmail(input.email),
      name: nameOf(input.name),
      role,
      phone: input.phone ?? null,
      permissions: permissions === null || role === 'owner' ? null : JSON.stringify(permissions),
      merchant_id: isForAll ? null : merchantId,
    },
    input.password === undefined ? '' : await hashPassword(input.password),
  );
  const link = input.password === undefined ? await preparePasswordLink(deps, row, 'invite') : null;
  const user = await toUser(deps, row);
  try {
    await deps.database.unitOfWork.transaction(actor.tenantId, async (work) => {
      await deps.checkApproval(work, actor, accessChange('users', row.merchant_id, 'user.created', null, auditFields(user)));
      await refuseLookAlike(work, row);
      work.insert(USERS, row);
      await link?.write(work);
      deps.audit(work, {
        actor,
        action: 'user.created',
        resource: `users/${row.id}`,
        merchantId: row.merchant_id,
        after: auditFields(user),
      });
    });
  } catch (error) {
    if (!(error instanceof UniqueViolation)) throw error;
    throw new ServiceError('RESOURCE_CONFLICT', 'A user with this email address already exists.', { field: 'email' });
  }
  return link && (await isLinkShown(deps, row, 'invite')) ? { ...user, inviteUrl: link.url } : user;
}

/**
 * Sends a link to set a password: another invitation, or after a forgotten password. @throws ServiceError RESOURCE_CONFLICT for a user
 * with a password while email is not set up.
 */
export async function inviteUser(
  deps: Dependencies,
  actor: Actor,
  merchantId: string,
  userId: string,
): Promise<{ readonly sent: true; readonly inviteUrl?: string }> {
  const row = await managedUser(deps, actor, userId, merchantId);
  if (row.password_hash === NO_PASSWORD) throw signsInAtCompany();
  const purpose = row.password_hash === '' ? 'invite' : 'reset';
  const isShown = await isLinkShown(deps, row, purpose);
  if (!isShown && !(await deps.delivers(actor.tenantId, 'email')))
    throw new ServiceError('RESOURCE_CONFLICT', 'Email is not set up on this account yet, so the link could not reach the user.', {
      details: { reason: 'no_delivery' },
    });
  const link = await preparePasswordLink(deps, row, purpose);
  await changeUser(deps, actor, row, {}, purpose === 'invite' ? 'user.invited' : 'user.password_link_made', (work) => link.write(work));
  return { sent: true, ...(isShown ? { inviteUrl: link.url } : {}) };
}

/** Allows a user, for a week, to connect an account of the company's provider that has the same verified email address. */
export async function allowCompanyAccount(deps: Dependencies, actor: Actor, userId: string): Promise<{ readonly allowedUntil: string }> {
  const row = await managedUser(deps, actor, userId);
  const untilMs = Date.now() + COMPANY_LINK_MS;
  await changeUser(deps, actor, row, { company_link_until_ms: untilMs }, 'user.company_account_allowed');
  return { allowedUntil: isoTime(untilMs) };
}

/** Time for which a user may connect an account of the company's provider. */
const COMPANY_LINK_MS = 7 * 86_400_000;
