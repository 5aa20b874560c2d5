import { createHash } from 'node:crypto';
import type { Work } from '#core/database';
import { isoTime } from '#core/kernel';
import { permissionsIn } from '../custom-roles.ts';
import type { Dependencies, LoginContext } from '../dependencies.ts';
import { nameOf, newUserEmail, storedEmail } from '../email-addresses.ts';
import { USER_PINS, USERS, type UserRow } from '../schema.ts';
import { actorOf, NO_PASSWORD, newUserRow } from '../user-row.ts';
import { type CompanyAccount, refused } from './provider.ts';
import type { GroupRule } from './records.ts';
import { COMPANY_IDENTITIES, type CompanySettingsRow } from './schema.ts';

export const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');

export const identityIdOf = (issuer: string, subject: string) => hashOf(`${issuer}\n${subject}`);

/** Returns the rule of the first group that grants a role. */
export const grantOf = (row: Pick<CompanySettingsRow, 'groups'>, groups: readonly string[]): GroupRule | null =>
  (JSON.parse(row.groups) as GroupRule[]).find(({ group }) => groups.includes(group)) ?? null;

/** Gives a user the role of a rule, or no permission without one, in the unit of work of the sign-in. Owners keep their role. */
export async function applyRule(
  deps: Dependencies,
  work: Work,
  user: UserRow,
  rule: GroupRule | null,
  context: Omit<LoginContext, 'kind'>,
  groups: readonly string[],
): Promise<UserRow> {
  if (user.role === 'owner') return user;
  const set =
    rule === null
      ? { role: user.role, permissions: '[]', merchant_id: user.merchant_id }
      : { role: rule.role, permissions: null, merchant_id: rule.merchantId };
  const after = { ...user, ...set };
  if (after.role === user.role && after.permissions === user.permissions && after.merchant_id === user.merchant_id) return user;
  await work.update(USERS, { id: user.id }, set);
  const actor = { ...actorOf(user.tenant_id, user, context), merchantId: null, permissions: new Set<never>() };
  const rights = { permissions: await permissionsIn(work, after), merchantId: after.merchant_id };
  await deps.revokeKeysBeyond(work, actor as never, [{ userId: user.id, rights }], []);
  // A PIN gives rights of its own accord only as long as the role does; without a role it is removed.
  if (rule === null) await work.delete(USER_PINS, { user_id: user.id });
  const fields = ({ role, merchant_id, permissions }: UserRow) => ({ role: permissions === '[]' ? null : role, merchantId: merchant_id });
  deps.audit(work, {
    actor,
    action: 'user.role_synchronized',
    resource: `users/${user.id}`,
    merchantId: after.merchant_id,
    before: fields(user),
    after: { ...fields(after), groups: groups.slice(0, 20) },
  });
  work.afterCommit(() => deps.accessChanged(user.tenant_id));
  return after;
}

/** Returns the user of an account: the one of its identity, one who may connect it, or a new one if a group grants a role. */
export async function userOf(
  deps: Dependencies,
  work: Work,
  active: CompanySettingsRow,
  account: CompanyAccount,
  context: LoginContext,
): Promise<UserRow> {
  const { tenant_id: tenantId, issuer } = active;
  const rule = grantOf(active, account.groups);
  const identity = await work.lockOne(COMPANY_IDENTITIES, { id: identityIdOf(issuer, account.subject) });
  const known = identity && (await work.lockOne(USERS, { id: identity.user_id }));
  if (known) return applyRule(deps, work, known, rule, context, account.groups);
  if (account.email === null) throw refused('no_email');
  if (account.isEmailVerified === false) throw refused('email_not_verified');
  const email = newUserEmail(account.email);
  const connect = (user: UserRow) => {
    // The user of an earlier identity was removed.
    const row = {
      tenant_id: tenantId,
      id: identityIdOf(issuer, account.subject),
      user_id: user.id,
      issuer,
      subject: account.subject,
      created_at: isoTime(Date.now()),
    };
    return identity
      ? work.update(COMPANY_IDENTITIES, { id: row.id }, { user_id: user.id })
      : Promise.resolve(work.insert(COMPANY_IDENTITIES, row));
  };
  const existing = await work.one(USERS, { email: storedEmail(email) });
  if (existing) {
    const user = await work.lockOne(USERS, { id: existing.id });
    const mayConnect = (user?.company_link_until_ms ?? 0) > Date.now() && account.isEmailVerified === true;
    if (!user || !mayConnect) throw refused('email_in_use');
    await work.update(USERS, { id: user.id }, { company_link_until_ms: null });
    await connect(user);
    deps.audit(work, {
      actor: actorOf(tenantId, user, context),
      action: 'user.company_connected',
      resource: `users/${user.id}`,
      after: { issuer },
    });
    return applyRule(deps, work, { ...user, company_link_until_ms: null }, rule, context, account.groups);
  }
  if (rule === null) throw refused('no_role');
  const user = newUserRow(tenantId, { email, name: nameOf(account.name), role: rule.role, merchant_id: rule.merchantId }, NO_PASSWORD);
  work.insert(USERS, user);
  await connect(user);
  deps.audit(work, {
    actor: actorOf(tenantId, user, context),
    action: 'user.created',
    resource: `users/${user.id}`,
    merchantId: user.merchant_id,
    after: { email, role: user.role, merchantId: user.merchant_id, by: 'company sign-in', groups: account.groups.slice(0, 20) },
  });
  return user;
}

export const hasRole = (user: UserRow) => user.role === 'owner' || user.permissions !== '[]';
