import {
  type Condition,
  conditionsOn,
  lit,
  newestPage,
  type Page,
  type PageRequest,
  queriesOn,
  TENANT,
  UniqueViolation,
  type Work,
} from '#core/database';
import { type Actor, isoTime, type Permission, ServiceError } from '#core/kernel';
import type { Language } from '#shared/languages';
import type { Authenticators } from './authenticators.ts';
import { COMPANY_IDENTITIES } from './company/schema.ts';
import { type KeptKeys, permissionsIn } from './custom-roles.ts';
import type { Dependencies } from './dependencies.ts';
import { looksLike, nameOf, newUserEmail, storedEmail } from './email-addresses.ts';
import type { PasswordLinks } from './password-links.ts';
import { hashPassword, type IsConfirmed } from './passwords.ts';
import type { User } from './records.ts';
import { checkGrant, checkHolds } from './roles.ts';
import { PASSWORD_TOKENS, TENANTS, type TwoFactor, USER_PINS, USERS, type UserRow } from './schema.ts';
import { endSessions } from './sessions.ts';
import { accessChange } from './user-access.ts';
import { NO_PASSWORD, newUserRow } from './user-row.ts';

const user = conditionsOn(USERS);

/** Users of whom screens show the name in place of the address. */
const NAMED_MAX = 500;

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

export interface UserChange {
  readonly name?: string | null;
  readonly role?: string;
  readonly permissions?: readonly string[] | null;
  readonly phone?: string | null;
  readonly allMerchants?: boolean;
}

export type Users = ReturnType<typeof createUsers>;

/** Refusal of everything that needs a user with a password in Paydesk. */
const signsInAtCompany = () =>
  new ServiceError('RESOURCE_CONFLICT', 'This user signs in with the company account and has no password.', {
    details: { reason: 'company_sign_in' },
  });

export function createUsers(deps: Dependencies, links: PasswordLinks, authenticators: Authenticators) {
  const { database, audit } = deps;
  const { roles, permissionsOf } = deps.access;

  async function toUser(row: UserRow): Promise<User> {
    const role = await roles.find(row.tenant_id, row.role);
    return {
      id: row.id,
      userId: row.id,
      email: row.email,
      name: row.name,
      language: row.language,
      phone: row.phone,
      role: role?.name ?? row.role,
      permissions: [...(await permissionsOf(row))],
      ownPermissions: row.permissions !== null,
      merchantId: row.merchant_id,
      twoFactor: row.two_factor,
      hasPin: (await database.read(row.tenant_id).one(USER_PINS, { user_id: row.id })) !== null,
      status: row.locked_until_ms > Date.now() ? 'locked' : row.password_hash === '' ? 'invited' : 'active',
      lastSeenAt: row.last_seen_at,
      createdAt: row.created_at,
    };
  }

  /** Returns the row of a user, whatever the caller's permissions. @throws ServiceError NOT_FOUND. */
  async function ownRow(tenantId: string, userId: string): Promise<UserRow> {
    const row = await database.read(tenantId).one(USERS, { id: userId });
    if (!row) throw new ServiceError('NOT_FOUND', 'No user has this ID.');
    return row;
  }

  async function roleFor(actor: Actor, name: string): Promise<string> {
    const role = await roles.find(actor.tenantId, name);
    if (!role) throw new ServiceError('VALIDATION_ERROR', `There is no role named ${name.slice(0, 60)}.`, { field: 'role' });
    checkHolds(actor, role.permissions, 'role');
    return role.id;
  }

  /** Returns a user whom the caller may read: of the caller's tenant and, for a merchant-bound caller, of that merchant. */
  async function visibleRow(actor: Actor, userId: string, merchantId?: string): Promise<UserRow> {
    if (merchantId !== undefined) await deps.checkMerchant(actor, merchantId);
    const row = await database.read(actor.tenantId).one(USERS, { id: userId });
    const isElsewhere = merchantId !== undefined && row?.merchant_id != null && row.merchant_id !== merchantId;
    if (!row || isElsewhere) throw new ServiceError('NOT_FOUND', 'No user has this ID.');
    if (actor.merchantId !== null && row.merchant_id !== actor.merchantId)
      throw new ServiceError('MERCHANT_NOT_AUTHORIZED', 'This user has access to more than your merchant.');
    return row;
  }

  /** Returns a user whom the caller may manage: same as `reached()`, and without a permission that the caller lacks. */
  async function managed(actor: Actor, userId: string, merchantId?: string): Promise<UserRow> {
    const row = await visibleRow(actor, userId, merchantId);
    checkHolds(actor, await permissionsOf(row));
    return row;
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

  function checkChannel(channel: TwoFactor, phone: string | null): void {
    if (channel === 'sms' && phone === null)
      throw new ServiceError('VALIDATION_ERROR', 'Codes by text message require a phone number.', { field: 'channel' });
  }

  /**
   * Returns true if the response to the creator contains the password link. On a live account only the user gets it, except for an
   * invitation while email is not set up, because nobody could be invited otherwise.
   */
  async function isLinkShown(user: UserRow, purpose: 'invite' | 'reset'): Promise<boolean> {
    const { tenant_id: tenantId } = user;
    if (await deps.access.hidesLinks(user)) return false;
    if (deps.tenants.environmentOf(tenantId) === 'sandbox') return true;
    return purpose === 'invite' && !(await deps.delivers(tenantId, 'email'));
  }

  /** Returns true if a user without own permissions has exactly these. */
  async function hasFromRole(row: UserRow, permissions: readonly string[] | null | undefined): Promise<boolean> {
    if (row.permissions !== null || permissions == null) return false;
    const present = await permissionsOf(row);
    return present.size === new Set(permissions).size && permissions.every((each) => present.has(each as Permission));
  }

  const auditFields = ({ email, name, language, role, permissions, merchantId, phone, twoFactor }: User) => ({
    email,
    name,
    language,
    role,
    permissions,
    merchantId,
    phone,
    twoFactor,
  });

  /**
   * Writes a change of a user with its audit entry, and revokes the user's API keys beyond the remaining rights. `alsoWrite` adds records to the same
   * unit of work.
   * @throws RESOURCE_CONFLICT if the permissions of the user changed since `before` was read, because the caller's were checked against
   * those.
   */
  async function change(
    actor: Actor,
    before: UserRow,
    set: Partial<UserRow>,
    action: string,
    alsoWrite?: (work: Work) => Promise<void>,
    { keepApiKeyIds = [] }: KeptKeys = {},
  ): Promise<User> {
    const userBefore = await toUser(before);
    const after = { ...before, ...set };
    const userAfter = await toUser(after);
    const hasOtherRights =
      after.role !== before.role || after.permissions !== before.permissions || after.merchant_id !== before.merchant_id;
    const isReset = actor.credentialId !== before.id && after.two_factor !== before.two_factor;
    const givesAccess = isReset || after.phone !== before.phone || LINK_ACTIONS.has(action);
    await database.unitOfWork.transaction(actor.tenantId, async (work) => {
      if (before.role === 'owner' && after.role !== 'owner') await keepAnOwner(work, before);
      const locked = await work.lockOne(USERS, { id: before.id });
      if (locked?.role !== before.role || locked.permissions !== before.permissions || locked.merchant_id !== before.merchant_id)
        throw new ServiceError('RESOURCE_CONFLICT', 'This user was changed at the same time. Load the user again and repeat the change.', {
          details: { reason: 'changed' },
        });
      if (hasOtherRights || givesAccess)
        await deps.checkApproval(work, actor, accessChange(before, action, auditFields(userBefore), auditFields(userAfter)));
      await alsoWrite?.(work);
      if (Object.keys(set).length > 0) await work.update(USERS, { id: before.id }, set);
      if (hasOtherRights) {
        const rights = { permissions: await permissionsIn(work, after), merchantId: after.merchant_id };
        await deps.revokeKeysBeyond(work, actor, [{ userId: before.id, rights }], keepApiKeyIds);
      }
      work.afterCommit(() => deps.accessChanged(actor.tenantId));
      audit(work, {
        actor,
        action,
        resource: `users/${before.id}`,
        merchantId: before.merchant_id,
        before: auditFields(userBefore),
        after: auditFields(userAfter),
      });
    });
    return userAfter;
  }

  return {
    managed,
    change,
    checkChannel,
    /** Returns the users of a merchant and those of the whole tenant. */
    async page(
      actor: Actor,
      merchantId: string,
      { status }: { readonly status?: User['status'] },
      pageRequest: PageRequest,
    ): Promise<Page<User>> {
      await deps.checkMerchant(actor, merchantId);
      const reach = user.or([user('merchant_id', '=', merchantId), user('merchant_id', 'is', null)]);
      const found = await newestPage(database.read(actor.tenantId), USERS, 'usr', {}, pageRequest, [reach, ...statusConditions(status)]);
      return { ...found, items: await Promise.all(found.items.map(toUser)) };
    },
    row: ownRow,
    /** Returns the user of a session, whatever the user's permissions. */
    self: async (tenantId: string, userId: string): Promise<User> => toUser(await ownRow(tenantId, userId)),
    /** Returns the newest users with a name whom the caller meets in records: of the merchant and of all merchants; without reports, only the caller. */
    async named(actor: Actor, userId: string): Promise<readonly { email: string; name: string }[]> {
      const reach =
        actor.merchantId === null ? [] : [user.or([user('merchant_id', '=', actor.merchantId), user('merchant_id', 'is', null)])];
      const scope = actor.permissions.has('reporting:read') ? reach : [user('id', '=', userId)];
      const request = { page: 1, limit: NAMED_MAX };
      const { items } = await newestPage(database.read(actor.tenantId), USERS, 'usr', {}, request, [
        user('name', 'is not', null),
        ...scope,
      ]);
      return items.map(({ email, name }) => ({ email, name: name ?? '' }));
    },
    /** Changes the caller's own name; null or an empty text removes it. */
    async setOwnName(actor: Actor, userId: string, name: string | null): Promise<User> {
      return change(actor, await ownRow(actor.tenantId, userId), { name: nameOf(name) }, 'user.updated');
    },
    /** Changes the language of the caller's own screens; null leaves it to the computer. */
    async setOwnLanguage(actor: Actor, userId: string, language: Language | null): Promise<User> {
      return change(actor, await ownRow(actor.tenantId, userId), { language }, 'user.updated');
    },
    /** Returns the ID of the user with an email address. */
    async idOf(tenantId: string, email: string): Promise<string | undefined> {
      return (await database.read(tenantId).one(USERS, { email: storedEmail(email) }))?.id;
    },
    /** Checks that the caller may manage the user. @throws ServiceError NOT_FOUND, MERCHANT_NOT_AUTHORIZED, PERMISSION_DENIED. */
    async checkManages(actor: Actor, userId: string): Promise<void> {
      await managed(actor, userId);
    },
    async get(actor: Actor, userId: string): Promise<User> {
      return toUser(await visibleRow(actor, userId));
    },
    /**
     * Creates a user of one merchant, or of all with `allMerchants`. Without a password, an invitation is sent; `isLinkShown()` decides
     * whether its link is returned.
     */
    async create(actor: Actor, merchantId: string, input: NewUser): Promise<User & { readonly inviteUrl?: string }> {
      await deps.checkMerchant(actor, merchantId);
      const role = await roleFor(actor, input.role);
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
      const link = input.password === undefined ? await links.prepare(row, 'invite') : null;
      const user = await toUser(row);
      try {
        await database.unitOfWork.transaction(actor.tenantId, async (work) => {
          await deps.checkApproval(work, actor, accessChange(row, 'user.created', null, auditFields(user)));
          await refuseLookAlike(work, row);
          work.insert(USERS, row);
          await link?.write(work);
          audit(work, {
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
      return link && (await isLinkShown(row, 'invite')) ? { ...user, inviteUrl: link.url } : user;
    },
    /** Changes a user's name, role, permissions, phone or merchants, effective with the next request. */
    async update(actor: Actor, merchantId: string, userId: string, input: UserChange & KeptKeys): Promise<User> {
      const before = await managed(actor, userId, merchantId);
      const role = input.role === undefined ? before.role : await roleFor(actor, input.role);
      const set: Partial<UserRow> = {};
      if (input.name !== undefined) set.name = nameOf(input.name);
      if (input.role !== undefined) set.role = role;
      // The permissions of the role, as a response shows them, do not become the user's own.
      const isUnchanged = input.role === undefined || role === before.role ? await hasFromRole(before, input.permissions) : false;
      if (input.permissions !== undefined && !isUnchanged)
        set.permissions = input.permissions === null ? null : JSON.stringify(checkGrant(actor, input.permissions));
      if (role === 'owner') set.permissions = null;
      if (input.phone !== undefined) set.phone = input.phone;
      if (input.allMerchants !== undefined || role === 'owner') {
        const isForAll = role === 'owner' || input.allMerchants === true;
        if (isForAll && actor.merchantId !== null)
          throw new ServiceError(
            'MERCHANT_NOT_AUTHORIZED',
            "You have access to one merchant, so you can't create a user of all merchants.",
            {
              field: 'allMerchants',
            },
          );
        set.merchant_id = isForAll ? null : merchantId;
      }
      checkChannel(before.two_factor, set.phone === undefined ? before.phone : set.phone);
      return change(actor, before, set, 'user.updated', undefined, input);
    },
    /** Removes a user, ends its sessions and revokes its API keys except those to keep; the last owner stays (RESOURCE_CONFLICT). */
    async remove(actor: Actor, merchantId: string, userId: string, { keepApiKeyIds = [] }: KeptKeys = {}): Promise<void> {
      const row = await managed(actor, userId, merchantId);
      const userBefore = await toUser(row);
      await database.unitOfWork.transaction(actor.tenantId, async (work) => {
        await keepAnOwner(work, row);
        await deps.checkApproval(work, actor, accessChange(row, 'user.deleted', auditFields(userBefore), null));
        // A key that the user makes at the same moment is either made before, or refused because the user is gone.
        await work.lockOne(USERS, { id: userId });
        await deps.revokeKeysBeyond(work, actor, [{ userId, rights: null }], keepApiKeyIds);
        await endSessions(deps, work, { tenantId: actor.tenantId, userId, reason: 'user-removed' });
        await work.delete(PASSWORD_TOKENS, { user_id: userId });
        await authenticators.remove(work, userId, 'all');
        await work.delete(USER_PINS, { user_id: userId });
        await work.delete(COMPANY_IDENTITIES, { user_id: userId });
        await work.delete(USERS, { id: userId });
        audit(work, {
          actor,
          action: 'user.deleted',
          resource: `users/${userId}`,
          merchantId: row.merchant_id,
          before: auditFields(userBefore),
        });
      });
    },
    /** Sets permissions of a user that replace those of the role; null restores those of the role. */
    async setPermissions(actor: Actor, userId: string, permissions: readonly string[] | null, kept: KeptKeys = {}): Promise<User> {
      const before = await managed(actor, userId);
      const granted = permissions === null ? null : checkGrant(actor, permissions);
      if (before.role === 'owner' && granted !== null)
        throw new ServiceError('RESOURCE_CONFLICT', 'Owners always have all permissions. Change the role first.', {
          details: { reason: 'owner' },
        });
      return change(
        actor,
        before,
        { permissions: granted === null ? null : JSON.stringify(granted) },
        'user.permissions_changed',
        undefined,
        kept,
      );
    },
    /**
     * Sends a link to set a password: another invitation, or after a forgotten password. @throws ServiceError RESOURCE_CONFLICT for a user
     * with a password while email is not set up.
     */
    async invite(actor: Actor, merchantId: string, userId: string): Promise<{ readonly sent: true; readonly inviteUrl?: string }> {
      const row = await managed(actor, userId, merchantId);
      if (row.password_hash === NO_PASSWORD) throw signsInAtCompany();
      const purpose = row.password_hash === '' ? 'invite' : 'reset';
      const isShown = await isLinkShown(row, purpose);
      if (!isShown && !(await deps.delivers(actor.tenantId, 'email')))
        throw new ServiceError('RESOURCE_CONFLICT', 'Email is not set up on this account yet, so the link could not reach the user.', {
          details: { reason: 'no_delivery' },
        });
      const link = await links.prepare(row, purpose);
      await change(actor, row, {}, purpose === 'invite' ? 'user.invited' : 'user.password_link_made', (work) => link.write(work));
      return { sent: true, ...(isShown ? { inviteUrl: link.url } : {}) };
    },
    /** Allows a user, for a week, to connect an account of the company's provider that has the same verified email address. */
    async allowCompanyAccount(actor: Actor, userId: string): Promise<{ readonly allowedUntil: string }> {
      const row = await managed(actor, userId);
      const untilMs = Date.now() + COMPANY_LINK_MS;
      await change(actor, row, { company_link_until_ms: untilMs }, 'user.company_account_allowed');
      return { allowedUntil: isoTime(untilMs) };
    },
    /**
     * Changes the caller's own password, which the caller has confirmed, and ends every other session of the user. @throws ServiceError
     * VALIDATION_ERROR on `newPassword`, and on `currentPassword` if the password was changed since it was confirmed.
     */
    async changePassword(
      actor: Actor,
      userId: string,
      sessionId: string | null,
      newPassword: string,
      isConfirmed: IsConfirmed,
    ): Promise<void> {
      const before = await database.read(actor.tenantId).one(USERS, { id: userId });
      if (!before) throw new ServiceError('NOT_FOUND', 'No user has this ID.');
      if (before.password_hash === NO_PASSWORD) throw signsInAtCompany();
      const password_hash = await hashPassword(newPassword, 'newPassword');
      await change(actor, before, { password_hash }, 'password.changed', async (work) => {
        const locked = await work.lockOne(USERS, { id: userId });
        // A request with the former password that arrived before the last change must not undo it.
        if (locked === null || !isConfirmed(locked))
          throw new ServiceError('VALIDATION_ERROR', 'The password was changed at the same time. Confirm with the new one.', {
            field: 'currentPassword',
          });
        await endSessions(deps, work, { tenantId: actor.tenantId, userId, butSessionId: sessionId, reason: 'password-changed' });
      });
    },
  };
}

/** Actions that make a password link, with which another person could sign in as the user. */
const LINK_ACTIONS: ReadonlySet<string> = new Set(['user.invited', 'user.password_link_made', 'user.company_account_allowed']);

/** Time for which a user may connect an account of the company's provider. */
const COMPANY_LINK_MS = 7 * 86_400_000;

/** Returns the conditions for users of a status; empty without a status. */
function statusConditions(status: User['status'] | undefined): Condition[] {
  if (status === undefined) return [];
  const now = Date.now();
  if (status === 'locked') return [user('locked_until_ms', '>', now)];
  return [user('locked_until_ms', '<=', now), user('password_hash', status === 'invited' ? '=' : '<>', lit(''))];
}
