import { given, type Page, type PageRequest, pageOf, prepared, queriesOn, TENANT, type Work } from '#core/database';
import { type Caller, ServiceError } from '#core/kernel';
import type { Dependencies } from './dependencies.ts';
import { gatewaysOf } from './gateway.ts';
import { type Merchant, toMerchant } from './merchant.ts';
import { isLoopback } from './public-url.ts';
import type { ClientConfig, Fees } from './records.ts';
import { MERCHANTS, type MerchantRow } from './schema.ts';
import { type SectionName, type Sections, sectionOf } from './settings.ts';

const payerUrl = (deps: Dependencies, { publicUrl }: Pick<Merchant, 'publicUrl'>) => publicUrl ?? deps.ownUrl();

export function merchantOf(deps: Dependencies, row: MerchantRow): Merchant {
  const known = deps.merchantsByRow.get(row);
  if (known) return known;
  const stored = toMerchant(row);
  const merchant = {
    ...stored,
    get isLocalOnly() {
      return isLoopback(payerUrl(deps, stored));
    },
  };
  deps.merchantsByRow.set(row, merchant);
  return merchant;
}

export async function anyRow(deps: Dependencies, actor: Caller, merchantId?: string): Promise<MerchantRow> {
  const requested = merchantId ?? actor.merchantId ?? undefined;
  const row =
    requested === undefined
      ? (await deps.directory.rows.merchants(actor.tenantId)).find(({ deleted_at }) => deleted_at === null)
      : await deps.directory.rows.merchant(actor.tenantId, requested);
  if (!row) throw noMerchant(requested ?? '');
  if (actor.merchantId !== null && row.id !== actor.merchantId)
    throw new ServiceError('MERCHANT_NOT_AUTHORIZED', 'You have no access to this merchant.', { details: { merchantId: row.id } });
  return row;
}

/** Same as `anyRow()`, for a merchant that was not deleted. */
export async function openRow(deps: Dependencies, actor: Caller, merchantId: string): Promise<MerchantRow> {
  const row = await anyRow(deps, actor, merchantId);
  if (row.deleted_at !== null) throw noMerchant(merchantId);
  return row;
}

async function listOf(deps: Dependencies, actor: Caller, status: 'open' | 'closed'): Promise<Merchant[]> {
  const list = await deps.directory.rows.merchants(actor.tenantId);
  const isListed = ({ id, deleted_at }: MerchantRow) =>
    (deleted_at === null) === (status === 'open') && (actor.merchantId === null || id === actor.merchantId);
  return list.filter(isListed).map((row) => merchantOf(deps, row));
}

/** Returns the address of a page for the payers of a merchant. */
export const pageUrl = (deps: Dependencies, merchant: Merchant, path: string): string => payerUrl(deps, merchant) + path;

/** Returns true if a Host header names a merchant's public address. */
export async function isPublicHost(deps: Dependencies, host: string): Promise<boolean> {
  return (await deps.directory.rows.publicHosts()).has(host);
}

/**
 * Returns the merchant of a call: the named one (also a deleted one), otherwise that of the credential, otherwise the first of the
 * tenant.
 */
export async function merchantFor(deps: Dependencies, actor: Caller, merchantId?: string): Promise<Merchant> {
  return merchantOf(deps, await anyRow(deps, actor, merchantId));
}

/** Same as `merchantFor()`, for a merchant that was not deleted. */
export async function getMerchant(deps: Dependencies, actor: Caller, merchantId: string): Promise<Merchant> {
  return merchantOf(deps, await openRow(deps, actor, merchantId));
}

/** Returns the merchants that a caller may act for, oldest first. */
export async function merchantsOf(deps: Dependencies, actor: Caller): Promise<Merchant[]> {
  return listOf(deps, actor, 'open');
}

/** Returns merchants, newest first: by default the open ones. */
export async function listMerchants(
  deps: Dependencies,
  actor: Caller,
  { status = 'open' }: { readonly status?: 'open' | 'closed' },
  pageRequest: PageRequest,
): Promise<Page<Merchant>> {
  const { from = '', until } = pageRequest.created ?? {};
  const isInRange = ({ createdAt }: Merchant) => createdAt >= from && (until === undefined || createdAt < until);
  return pageOf((await listOf(deps, actor, status)).reverse().filter(isInRange), pageRequest, ({ merchantId }) => merchantId);
}

/** Returns a settings object. */
export async function getSection<Name extends SectionName>(
  deps: Dependencies,
  actor: Caller,
  merchantId: string,
  name: Name,
): Promise<Sections[Name]> {
  return sectionOf(await openRow(deps, actor, merchantId), name);
}

/** Returns the settings that a client program needs. */
export async function config(deps: Dependencies, actor: Caller): Promise<ClientConfig> {
  const row = await anyRow(deps, actor);
  const { merchantId, name, currency, timezone, country, vtSettings } = merchantOf(deps, row);
  const active = (await gatewaysOf(deps, actor.tenantId, merchantId)).filter(({ status }) => status === 'active');
  return {
    merchantId,
    name,
    environment: deps.environmentOf(actor.tenantId),
    currency,
    timezone,
    country,
    paymentMethods: vtSettings.allowedModes,
    gateways: active.map((gateway) => gateway.name),
    branding: sectionOf(row, 'branding'),
    virtualTerminal: vtSettings,
  };
}

/** Returns the fees of a merchant by payment method, also of a deleted one. */
export async function feesOf(
  deps: Dependencies,
  tenantId: string,
  merchantId: string,
): Promise<Pick<Sections['settings'], 'cardFee' | 'achFee'>> {
  const { cardFee, achFee } = sectionOf(await anyRow(deps, { tenantId, merchantId: null }, merchantId), 'settings');
  return { cardFee, achFee };
}

/** Returns the fees of the merchant of a call by payment method. */
export async function fees(deps: Dependencies, actor: Caller): Promise<Fees> {
  const row = await anyRow(deps, actor);
  const { cardFee, achFee } = sectionOf(row, 'settings');
  const { currency } = merchantOf(deps, row);
  return { card: { ...cardFee, currency }, ach: { ...achFee, currency } };
}

/** Returns the time zones of all merchants of a tenant by their IDs, also of deleted ones. */
export const zones = async (deps: Dependencies, tenantId: string): Promise<ReadonlyMap<string, string>> =>
  new Map((await deps.directory.rows.merchants(tenantId)).map(({ id, timezone }) => [id, timezone]));

/** Returns a merchant's time zone as the unit of work sees it, also of a deleted merchant. */
export async function zoneIn(work: Work, merchantId: string): Promise<string> {
  const row = await work.one(MERCHANTS, { id: merchantId });
  if (!row) throw noMerchant(merchantId);
  return row.timezone;
}

/** Returns true if a merchant is closed. */
export const isClosed = async (deps: Dependencies, tenantId: string, merchantId: string): Promise<boolean> =>
  (await deps.directory.rows.merchant(tenantId, merchantId))?.deleted_at !== null;

const CLOSED_AT = prepared(
  queriesOn(MERCHANTS).selectFrom('merchants').select('deleted_at').where('tenant_id', '=', TENANT).where('id', '=', given('merchantId')),
);

/**
 * Same as `isClosed()`, by the committed state: cached rows may be older. Not so on SQLite, where the only process clears its cache after each closing,
 * before it looks for payments that began meanwhile.
 */
export async function isClosedNow(deps: Dependencies, tenantId: string, merchantId: string): Promise<boolean> {
  if (deps.database.kind === 'sqlite') return isClosed(deps, tenantId, merchantId);
  return (await deps.database.read(tenantId).row(CLOSED_AT, { merchantId }))?.deleted_at !== null;
}

/** Returns the maximum permissions of the merchant's credentials; none after its deletion. */
export async function ceilingOf(deps: Dependencies, tenantId: string, merchantId: string): Promise<readonly string[] | null> {
  const row = await deps.directory.rows.merchant(tenantId, merchantId);
  return row && row.deleted_at === null ? merchantOf(deps, row).ceiling : [];
}

/** Returns true if webhooks may target private addresses: in a sandbox, or if a merchant of the tenant allows it. */
export async function allowsPrivateTargets(deps: Dependencies, tenantId: string): Promise<boolean> {
  if (deps.environmentOf(tenantId) === 'sandbox') return true;
  return (await deps.directory.rows.merchants(tenantId)).some(
    (row) => row.deleted_at === null && merchantOf(deps, row).allowPrivateWebhookTargets,
  );
}

export function noMerchant(merchantId: string): ServiceError {
  return new ServiceError('MERCHANT_NOT_FOUND', `There is no merchant ${merchantId.slice(0, 60)}.`, { details: { merchantId } });
}

/** Locks a merchant's row until the end of the unit of work. */
export async function lockMerchant(work: Work, merchantId: string): Promise<void> {
  await work.lockOne(MERCHANTS, { id: merchantId });
}
