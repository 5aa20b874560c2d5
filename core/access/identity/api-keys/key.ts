import { type Actor, type Clock, isoTime, type Permission, ServiceError } from '#core/kernel';
import type { Dependencies } from '../dependencies.ts';
import { networksOf } from '../networks.ts';
import { originsOf } from '../origins.ts';
import type { ApiKey } from '../records.ts';
import { API_KEY_PERMISSIONS, permissionsFrom } from '../roles.ts';
import { API_KEYS, type ApiKeyRow, type Tier } from '../schema.ts';
import { showSpendingLimits } from '../spending.ts';

export const unauthorized = () => new ServiceError('UNAUTHORIZED', 'The API key is not valid.');

export async function rowOf(deps: Dependencies, actor: Actor, id: string): Promise<ApiKeyRow> {
  const row = await deps.database.read(actor.tenantId).one(API_KEYS, { id });
  if (!row) throw new ServiceError('NOT_FOUND', 'No API key has this ID.');
  if (actor.merchantId !== null && row.merchant_id !== actor.merchantId)
    throw new ServiceError('MERCHANT_NOT_AUTHORIZED', 'This API key belongs to another merchant.');
  return row;
}

export const toApiKey = (deps: Dependencies, row: ApiKeyRow) => apiKeyOf(row, deps.tenants.clockOf(row.tenant_id));

export const auditFields = ({
  name,
  scope,
  merchantId,
  permissions,
  tier,
  expiresAt,
  last4,
  spendingLimits,
  allowedOrigins,
  allowedAddresses,
}: ApiKey) => ({
  name,
  scope,
  merchantId,
  permissions,
  tier,
  expiresAt,
  last4,
  spendingLimits: spendingLimits && { ...spendingLimits, movedToday: undefined },
  allowedOrigins,
  allowedAddresses,
});

/** Returns true if the key with this ID is valid. */
export async function isActiveKey(deps: Dependencies, tenantId: string, id: string): Promise<boolean> {
  const row = await deps.database.read(tenantId).one(API_KEYS, { id });
  return row !== null && toApiKey(deps, row).status === 'active';
}

const permissionsByList = new Map<string, ReadonlySet<Permission>>();

const LISTS_MAX = 1_000;

/** Returns the permissions of a key. Lists that were read before are remembered, because every request needs those of its key. */
export function permissionsOfKey({ permissions: list }: ApiKeyRow): ReadonlySet<Permission> {
  if (list === null) return API_KEY_PERMISSIONS;
  const known = permissionsByList.get(list);
  if (known !== undefined) return known;
  if (permissionsByList.size >= LISTS_MAX) permissionsByList.clear();
  const permissions = permissionsFrom(JSON.parse(list) as string[]);
  permissionsByList.set(list, permissions);
  return permissions;
}

function apiKeyOf(row: ApiKeyRow, clock: Clock): ApiKey {
  const expired = row.expires_at !== null && row.expires_at <= isoTime(Date.now());
  return {
    id: row.id,
    keyId: row.id,
    name: row.name,
    scope: row.scope,
    merchantId: row.merchant_id,
    permissions: [...permissionsOfKey(row)],
    tier: row.tier as Tier | null,
    last4: row.last4,
    status: row.revoked_at !== null ? 'revoked' : expired ? 'expired' : 'active',
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    lastUsedAt: row.last_used_at,
    spendingLimits: showSpendingLimits(row, clock),
    allowedOrigins: originsOf(row),
    allowedAddresses: networksOf(row),
    createdBy: row.created_by,
    createdById: row.creator_id,
    isCreatorRemoved: false,
    createdAt: row.created_at,
  };
}
