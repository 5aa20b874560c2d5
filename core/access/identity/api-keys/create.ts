import { type Actor, isoTime, newId, type Permission, ServiceError } from '#core/kernel';
import { accessChange } from '../access-dependencies.ts';
import type { Dependencies } from '../dependencies.ts';
import { storedNetworks } from '../networks.ts';
import { storedOrigins } from '../origins.ts';
import type { ApiKey } from '../records.ts';
import { API_KEY_PERMISSIONS, checkGrant, LIVE_API_KEY_PERMISSIONS } from '../roles.ts';
import { API_KEYS, type ApiKeyRow, isTierWithin, type Tier } from '../schema.ts';
import type { SpendingLimitsInput } from '../spending.ts';
import { hashSecret, newSecret } from '../tokens.ts';
import { checkStillHolds, futureTime, storedLimits } from './change.ts';
import { auditFields, toApiKey } from './key.ts';

export interface NewApiKey {
  readonly name: string;
  readonly scope: 'merchant' | 'tenant';
  readonly merchantId?: string;
  readonly permissions?: readonly string[];
  readonly tier?: Tier;
  /** ISO 8601. */
  readonly expiresAt?: string;
  readonly spendingLimits?: SpendingLimitsInput | null;
  readonly allowedOrigins?: readonly string[];
  readonly allowedAddresses?: readonly string[];
}

/**
 * Returns the permissions of a new key: the named ones, or those of its creator without the permissions for users, roles and API keys, and on a
 * live account without unlinked credits.
 */
function granted(deps: Dependencies, actor: Actor, permissions: readonly string[] | undefined): Permission[] {
  if (permissions !== undefined) return checkGrant(actor, permissions);
  const byDefault = deps.tenants.environmentOf(actor.tenantId) === 'live' ? LIVE_API_KEY_PERMISSIONS : API_KEY_PERMISSIONS;
  return [...byDefault].filter((permission) => actor.permissions.has(permission));
}

/** Creates a key and returns it in clear text, which is possible only here. */
export async function createApiKey(deps: Dependencies, actor: Actor, input: NewApiKey): Promise<ApiKey & { readonly key: string }> {
  if (input.scope === 'merchant' && input.merchantId === undefined)
    throw new ServiceError('REQUIRED_FIELD_MISSING', '`merchantId` is required for a key of one merchant.', { field: 'merchantId' });
  if (input.scope === 'tenant' && actor.merchantId !== null)
    throw new ServiceError('MERCHANT_NOT_AUTHORIZED', "You have access to one merchant, so you can't create a key for the whole account.", {
      field: 'scope',
    });
  if (input.merchantId !== undefined) await deps.checkMerchant(actor, input.merchantId);
  const permissions = granted(deps, actor, input.permissions);
  const tenant = await deps.tenants.find(actor.tenantId);
  if (input.tier !== undefined && tenant && !isTierWithin(input.tier, tenant.tier))
    throw new ServiceError(
      'VALIDATION_ERROR',
      `\`tier\` must not be above the account's tier, which is ${tenant.tier}. Omit it to use the account's tier.`,
      { field: 'tier', details: { tier: tenant.tier } },
    );
  const { secret, hash } = newSecret(`pk_${tenant?.environment ?? 'sandbox'}_`);
  const row = rowFor(
    actor,
    { ...input, expiresAt: input.expiresAt === undefined ? undefined : futureTime(input.expiresAt) },
    secret,
    hash,
    permissions,
  );
  await deps.database.unitOfWork.transaction(actor.tenantId, async (work) => {
    if (row.allowed_origins !== null) work.afterCommit(() => deps.caches.origins.clear());
    const key = toApiKey(deps, row);
    const asked = accessChange('api-keys', row.merchant_id, 'api_key.created', null, auditFields({ ...key, last4: '' }));
    await deps.checkApproval(work, actor, asked);
    await checkStillHolds(work, actor, { permissions, merchantId: row.merchant_id });
    work.insert(API_KEYS, row);
    deps.audit(work, {
      actor,
      action: 'api_key.created',
      resource: `api-keys/${row.id}`,
      merchantId: row.merchant_id,
      after: auditFields(key),
    });
  });
  return { ...toApiKey(deps, row), key: secret };
}

/** Creates a given key if it is missing. Used for the demo, whose keys must be the same every time. */
export async function ensureApiKey(deps: Dependencies, tenantId: string, input: NewApiKey & { readonly key: string }): Promise<void> {
  const hash = hashSecret(input.key);
  const existing = await deps.database.read(tenantId).one(API_KEYS, { hash });
  if (existing) return;
  const row = rowFor({ tenantId, name: 'demo', credentialId: null }, input, input.key, hash, [...API_KEY_PERMISSIONS]);
  await deps.database.unitOfWork.transaction(tenantId, async (work) => work.insert(API_KEYS, row));
}

function rowFor(
  actor: Pick<Actor, 'tenantId' | 'name'> & { readonly credentialId: string | null },
  input: NewApiKey,
  secret: string,
  hash: string,
  permissions: readonly Permission[],
): ApiKeyRow {
  const now = Date.now();
  return {
    tenant_id: actor.tenantId,
    id: newId('key', now),
    name: input.name,
    scope: input.scope,
    merchant_id: input.scope === 'tenant' ? null : (input.merchantId ?? null),
    hash,
    last4: secret.slice(-4),
    permissions: JSON.stringify(permissions),
    tier: input.tier ?? null,
    expires_at: input.expiresAt ?? null,
    revoked_at: null,
    last_used_at: null,
    spending_limits: storedLimits(input.spendingLimits),
    spent_day: null,
    spent_minor: 0,
    allowed_origins: storedOrigins(input.allowedOrigins),
    allowed_addresses: storedNetworks(input.allowedAddresses),
    created_by: actor.name,
    creator_id: actor.credentialId,
    changer_id: null,
    created_at: isoTime(now),
  };
}
