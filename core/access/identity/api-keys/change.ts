import type { Work } from '#core/database';
import { type Actor, isId, isoTime, ServiceError } from '#core/kernel';
import { isWithinRights, type Rights } from '#shared/api-key-rights';
import type { PersonRights } from '../access-dependencies.ts';
import { accessChange } from '../access-dependencies.ts';
import { permissionsIn } from '../custom-roles.ts';
import type { Dependencies } from '../dependencies.ts';
import { storedNetworks } from '../networks.ts';
import { storedOrigins } from '../origins.ts';
import type { ApiKey } from '../records.ts';
import { checkGrant, checkHolds } from '../roles.ts';
import { API_KEYS, type ApiKeyRow, USERS } from '../schema.ts';
import { parseSpendingLimits, type SpendingLimitsInput } from '../spending.ts';
import { auditFields, permissionsOfKey, rowOf, toApiKey } from './key.ts';

export interface ApiKeyChange {
  readonly name?: string;
  readonly permissions?: readonly string[];
  readonly expiresAt?: string | null;
  /** Null removes the limits. */
  readonly spendingLimits?: SpendingLimitsInput | null;
  /** Replaces all origins. */
  readonly allowedOrigins?: readonly string[];
  /** Replaces all addresses. */
  readonly allowedAddresses?: readonly string[];
}

export function futureTime(expiresAt: string): string {
  const at = /^\d{4}-\d\d-\d\d/.test(expiresAt) ? Date.parse(expiresAt) : Number.NaN;
  if (!Number.isFinite(at)) throw new ServiceError('INVALID_DATE', '`expiresAt` must be an ISO 8601 time.', { field: 'expiresAt' });
  if (at <= Date.now()) throw new ServiceError('INVALID_DATE', '`expiresAt` must be in the future.', { field: 'expiresAt' });
  return isoTime(at);
}

/** Returns the keys that are not revoked and that a person made or last extended, because the person may know them. */
async function keysOf(work: Work, userId: string): Promise<ApiKeyRow[]> {
  const made = await work.find(API_KEYS, { creator_id: userId, revoked_at: null });
  const extended = await work.find(API_KEYS, { changer_id: userId, revoked_at: null });
  return [...made, ...extended.filter(({ creator_id }) => creator_id !== userId)];
}

/**
 * Checks in the unit of work that creates a key or a link that the caller still holds its rights. Locks the caller, so that a reduction of the caller's
 * rights either comes first or finds the key or link. @throws ServiceError PERMISSION_DENIED, UNAUTHORIZED.
 */
export async function checkStillHolds(work: Work, actor: Actor, key: Rights): Promise<void> {
  if (!isId('usr', actor.credentialId)) return;
  const person = await work.lockOne(USERS, { id: actor.credentialId });
  if (!person) throw new ServiceError('UNAUTHORIZED', 'This user was removed.');
  const rights = { permissions: await permissionsIn(work, person), merchantId: person.merchant_id };
  if (!isWithinRights(key, rights))
    throw new ServiceError(
      'PERMISSION_DENIED',
      'Your rights were reduced at the same time, so you can no longer give these to a key or a link.',
      { details: { reason: 'rights_reduced' } },
    );
}

/**
 * Revokes the valid keys that people made or last extended and that may do more than their remaining rights, except those to keep. @throws
 * ServiceError VALIDATION_ERROR on `keepApiKeyIds` for a key that none of these people made or extended.
 */
export async function revokeBeyond(
  deps: Dependencies,
  work: Work,
  actor: Actor,
  people: readonly PersonRights[],
  keepApiKeyIds: readonly string[],
): Promise<void> {
  const made: { row: ApiKeyRow; rights: Rights | null }[] = [];
  for (const { userId, rights } of people) for (const row of await keysOf(work, userId)) made.push({ row, rights });
  const unknown = keepApiKeyIds.find((id) => !made.some(({ row }) => row.id === id));
  if (unknown !== undefined)
    throw new ServiceError('VALIDATION_ERROR', `\`keepApiKeyIds\` names ${unknown.slice(0, 60)}, which is no valid key of the person.`, {
      field: 'keepApiKeyIds',
    });
  const revoked_at = isoTime(Date.now());
  const revoked = new Set<string>();
  for (const { row, rights } of made) {
    const key = { permissions: permissionsOfKey(row), merchantId: row.merchant_id };
    if (revoked.has(row.id) || keepApiKeyIds.includes(row.id) || isWithinRights(key, rights)) continue;
    revoked.add(row.id);
    await work.update(API_KEYS, { id: row.id }, { revoked_at });
    deps.audit(work, {
      actor,
      action: 'api_key.revoked',
      resource: `api-keys/${row.id}`,
      merchantId: row.merchant_id,
      before: auditFields(toApiKey(deps, row)),
      after: null,
    });
  }
  work.afterCommit(() => {
    deps.caches.apiKeys.clear();
    deps.caches.origins.clear();
  });
}

/**
 * Changes name, permissions, expiry, spending limits, origins or addresses, effective with the next request. @throws ServiceError PERMISSION_DENIED for a change
 * of anything but the name of a key with permissions that the caller lacks.
 */
export async function updateApiKey(deps: Dependencies, actor: Actor, id: string, input: ApiKeyChange): Promise<ApiKey> {
  const before = await rowOf(deps, actor, id);
  if (before.revoked_at !== null)
    throw new ServiceError('RESOURCE_CONFLICT', 'This API key is revoked.', { details: { reason: 'revoked' } });
  const set: Partial<ApiKeyRow> = {};
  if (input.name !== undefined) set.name = input.name;
  if (input.permissions !== undefined) set.permissions = JSON.stringify(checkGrant(actor, input.permissions));
  if (input.expiresAt !== undefined) set.expires_at = input.expiresAt === null ? null : futureTime(input.expiresAt);
  if (input.spendingLimits !== undefined) set.spending_limits = storedLimits(input.spendingLimits);
  if (input.allowedOrigins !== undefined) set.allowed_origins = storedOrigins(input.allowedOrigins);
  if (input.allowedAddresses !== undefined) set.allowed_addresses = storedNetworks(input.allowedAddresses);
  const after = { ...before, ...set };
  if (isExtension(set)) checkHolds(actor, permissionsOfKey(after));
  if (Object.keys(set).length > 0) await writeChange(deps, actor, before, set, 'api_key.updated', after);
  return toApiKey(deps, after);
}

/** Revokes a key immediately and permanently. */
export async function revokeApiKey(deps: Dependencies, actor: Actor, id: string): Promise<void> {
  const before = await rowOf(deps, actor, id);
  if (before.revoked_at !== null) return;
  await writeChange(deps, actor, before, { revoked_at: isoTime(Date.now()) }, 'api_key.revoked', before);
}

async function writeChange(deps: Dependencies, actor: Actor, before: ApiKeyRow, set: Partial<ApiKeyRow>, action: string, after: ApiKeyRow) {
  const { id, merchant_id: merchantId } = before;
  const resource = `api-keys/${id}`;
  const fieldsBefore = auditFields(toApiKey(deps, before));
  const fieldsAfter = auditFields(toApiKey(deps, after));
  await deps.database.unitOfWork.transaction(actor.tenantId, async (work) => {
    // A revocation takes effect immediately: a leaked key must not wait for a second person.
    const isExtended = action === 'api_key.updated' && isExtension(set);
    if (isExtended) {
      await deps.checkApproval(work, actor, accessChange(resource, merchantId, action, fieldsBefore, fieldsAfter));
      if (set.permissions !== undefined) await checkStillHolds(work, actor, { permissions: permissionsOfKey(after), merchantId });
    }
    await work.update(API_KEYS, { id }, isExtended ? { ...set, changer_id: actor.credentialId } : set);
    const shownAfter = action === 'api_key.revoked' ? null : fieldsAfter;
    deps.audit(work, { actor, action, resource, merchantId, before: fieldsBefore, after: shownAfter });
  });
  deps.caches.apiKeys.delete(before.hash);
  deps.caches.origins.clear();
}

/** Returns true for a change by which a key may do more, or for longer. */
const isExtension = (set: Partial<ApiKeyRow>): boolean => Object.keys(set).some((column) => column !== 'name');

export const storedLimits = (input: SpendingLimitsInput | null | undefined) =>
  input == null ? null : JSON.stringify(parseSpendingLimits(input));
