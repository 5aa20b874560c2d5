import { type Actor, isoTime, ServiceError } from '#core/kernel';
import { accessChange } from '../access-dependencies.ts';
import type { Dependencies } from '../dependencies.ts';
import { USERS } from '../schema.ts';
import type { ProviderSettings } from './provider.ts';
import type { CompanySettings, GroupRule } from './records.ts';
import { COMPANY_SETTINGS, type CompanySettingsRow } from './schema.ts';

export const SETTINGS_ID = 'company';
const SECRET_PURPOSE = 'company-sign-in';
const GROUPS_SEEN_MAX = 200;

export interface CompanySettingsInput {
  readonly isOn: boolean;
  readonly name: string;
  readonly issuer: string;
  readonly clientId: string;
  /** The secret of a confidential client; absent to keep the present one, null for a public client. */
  readonly clientSecret?: string | null;
  readonly groupsClaim: string;
  readonly domain?: string | null;
  readonly address?: string | null;
  readonly groups: readonly GroupRule[];
  readonly isRequired: boolean;
  readonly breakGlassUserId?: string | null;
}

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

const invalid = (field: string, message: string) => new ServiceError('VALIDATION_ERROR', message, { field });

export const settingsRow = (deps: Dependencies, tenantId: string): Promise<CompanySettingsRow | null> =>
  deps.database.read(tenantId).one(COMPANY_SETTINGS, { id: SETTINGS_ID });

export const addressOf = (deps: Dependencies, row: Pick<CompanySettingsRow, 'address'> | null, path: string) =>
  row?.address === null || row?.address === undefined ? deps.pageUrl(path) : `${row.address}${path}`;

function toSettings(deps: Dependencies, tenantId: string, row: CompanySettingsRow | null): CompanySettings {
  return {
    isOn: row?.is_on === 1,
    name: row?.name ?? '',
    issuer: row?.issuer ?? '',
    clientId: row?.client_id ?? '',
    hasSecret: row !== null && row.secret !== null,
    groupsClaim: row?.groups_claim ?? 'groups',
    domain: row?.domain ?? null,
    address: row?.address ?? null,
    groups: JSON.parse(row?.groups ?? '[]') as GroupRule[],
    isRequired: row?.is_required === 1,
    breakGlassUserId: row?.break_glass_user_id ?? null,
    seenGroups: JSON.parse(row?.seen_groups ?? '[]') as string[],
    redirectUri: addressOf(deps, row, '/company-sign-in'),
    logoutUri: addressOf(deps, row, `/company-sign-in/logout/${tenantId}`),
    updatedAt: row?.updated_at ?? null,
  };
}

/** Returns an address without a slash at its end. @throws VALIDATION_ERROR unless it uses https, or http on this computer where that is allowed. */
function checkAddress(text: string, field: string, allowsHttp: boolean): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isPlain = url?.protocol === 'http:' && LOOPBACK.test(url.hostname) && allowsHttp;
  if (url === null || (url.protocol !== 'https:' && !isPlain) || url.username !== '' || url.search !== '' || url.hash !== '')
    throw invalid(field, `\`${field}\` must be an address that begins with https://, without a query.`);
  return text.replace(/\/$/, '');
}

/** Returns the rules with the IDs of their roles. */
async function checkGroups(deps: Dependencies, actor: Actor, rules: readonly GroupRule[]): Promise<GroupRule[]> {
  return Promise.all(
    rules.map(async ({ group, role, merchantId }, index) => {
      const found = await deps.access.roles.find(actor.tenantId, role);
      if (!found) throw invalid(`groups[${index}].role`, `There is no role named ${role.slice(0, 60)}.`);
      if (found.id === 'owner') throw invalid(`groups[${index}].role`, 'A group cannot make its members owners. Choose another role.');
      if (merchantId !== null) await deps.checkMerchant(actor, merchantId);
      return { group, role: found.id, merchantId };
    }),
  );
}

async function checkBreakGlass(deps: Dependencies, actor: Actor, userId: string | null): Promise<void> {
  const user = userId === null ? null : await deps.database.read(actor.tenantId).one(USERS, { id: userId });
  if (user?.role === 'owner' && user.password_hash.startsWith('$') && user.two_factor === 'totp') return;
  throw invalid(
    'breakGlassUserId',
    'To require company sign-in, name an owner with a password and an authenticator app, who can sign in if the provider fails.',
  );
}

const auditFields = ({ hasSecret, updatedAt: _, seenGroups: __, ...settings }: CompanySettings) => ({ ...settings, hasSecret });

/** Returns the settings that are on, with the decrypted secret; null while they are off. */
export async function activeSettings(deps: Dependencies, tenantId: string): Promise<(ProviderSettings & CompanySettingsRow) | null> {
  const row = await settingsRow(deps, tenantId);
  if (row?.is_on !== 1) return null;
  const secretText = row.secret === null ? null : await deps.secrets.open(tenantId, SECRET_PURPOSE, row.secret);
  return { ...row, secretText };
}

export const getSettings = async (deps: Dependencies, actor: Actor): Promise<CompanySettings> =>
  toSettings(deps, actor.tenantId, await settingsRow(deps, actor.tenantId));

/** Returns the accounts that have a company sign-in, for the sign-in screen. */
export async function offered(deps: Dependencies): Promise<readonly { readonly tenantId: string; readonly name: string }[]> {
  const rows = await deps.database.readAcrossTenants().find(COMPANY_SETTINGS, { is_on: 1 }, { orderBy: [['tenant_id', 'asc']], limit: 20 });
  return rows.map(({ tenant_id: tenantId, name }) => ({ tenantId, name }));
}

/** @throws ServiceError VALIDATION_ERROR, MERCHANT_NOT_FOUND, ApprovalRequired. */
export async function saveSettings(deps: Dependencies, actor: Actor, input: CompanySettingsInput): Promise<CompanySettings> {
  const { tenantId } = actor;
  const isSandbox = deps.tenants.environmentOf(tenantId) === 'sandbox';
  const issuer = checkAddress(input.issuer, 'issuer', isSandbox);
  const address = input.address == null ? null : checkAddress(input.address, 'address', true);
  const groups = await checkGroups(deps, actor, input.groups);
  if (input.isRequired && !input.isOn) throw invalid('isRequired', 'Company sign-in must be on to be required.');
  if (input.isRequired) await checkBreakGlass(deps, actor, input.breakGlassUserId ?? null);
  const stored = await settingsRow(deps, tenantId);
  // A secret belongs to the provider for which it was entered, and is never sent to another one.
  const keepsSecret = input.clientSecret === undefined && stored?.issuer === issuer;
  const secret =
    input.clientSecret != null ? await deps.secrets.seal(tenantId, SECRET_PURPOSE, input.clientSecret) : keepsSecret ? stored.secret : null;
  const row: CompanySettingsRow = {
    tenant_id: tenantId,
    id: SETTINGS_ID,
    is_on: input.isOn ? 1 : 0,
    name: input.name,
    issuer,
    client_id: input.clientId,
    secret,
    groups_claim: input.groupsClaim,
    domain: input.domain ?? null,
    address,
    groups: JSON.stringify(groups),
    seen_groups: stored?.seen_groups ?? '[]',
    is_required: input.isRequired ? 1 : 0,
    break_glass_user_id: input.breakGlassUserId ?? null,
    updated_at: isoTime(Date.now()),
  };
  await deps.database.unitOfWork.transaction(tenantId, async (work) => {
    const before = stored && auditFields(toSettings(deps, tenantId, stored));
    const after = auditFields(toSettings(deps, tenantId, row));
    await deps.checkApproval(work, actor, accessChange('company-sign-in', null, 'company_sign_in.updated', before, after));
    if ((await work.lockOne(COMPANY_SETTINGS, { id: SETTINGS_ID })) === null) work.insert(COMPANY_SETTINGS, row);
    else await work.update(COMPANY_SETTINGS, { id: SETTINGS_ID }, row);
    deps.audit(work, { actor, action: 'company_sign_in.updated', resource: 'company-sign-in', before, after });
  });
  return toSettings(deps, tenantId, row);
}

/** Adds groups to those that were seen, so that an owner can choose them. */
export async function noteGroups(deps: Dependencies, tenantId: string, groups: readonly string[]): Promise<void> {
  const row = await settingsRow(deps, tenantId);
  const seen = JSON.parse(row?.seen_groups ?? '[]') as string[];
  const all = [...new Set([...groups, ...seen])].slice(0, GROUPS_SEEN_MAX);
  if (row === null || groups.every((group) => seen.includes(group))) return;
  await deps.database.unitOfWork.transaction(tenantId, (work) =>
    work.update(COMPANY_SETTINGS, { id: SETTINGS_ID }, { seen_groups: JSON.stringify(all) }),
  );
}
