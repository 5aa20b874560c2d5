import type { Work } from '#core/database';
import { type Actor, type Caller, ServiceError } from '#core/kernel';
import { type CardInput, checkCard } from './checks.ts';
import type { Dependencies } from './dependencies.ts';
import {
  type EntryScope,
  entryContext,
  entryNotFound,
  entryOf,
  FINGERPRINT_LENGTH,
  OWNER_KEY_VERSION,
  sealSource,
  secretOf,
  sourceOf,
} from './entries.ts';
import type { TokenDetails } from './records.ts';
import { VAULT, type VaultRow } from './schema.ts';
import { seal } from './sealing.ts';
import type { Source } from './source.ts';

/** Returns the entry of a token from a request, after a check of the caller, and the merchant to which it belongs. */
async function entryFor(deps: Dependencies, actor: Caller, token: string) {
  const row = await entryOf(deps, actor.tenantId, token);
  if (row.owner !== null) return { row, merchantId: await deps.merchantOfOwner(deps.database.read(actor.tenantId), actor, row.owner) };
  checkMerchant(actor, row.merchant_id, actor.merchantId);
  return { row, merchantId: row.merchant_id };
}

/**
 * Seals the entry of a token for an owner, so that it is destroyed with the owner. @throws ServiceError NOT_FOUND; RESOURCE_CONFLICT if it belongs
 * to another owner; MERCHANT_NOT_AUTHORIZED or VALIDATION_ERROR if it belongs to another merchant than the owner.
 */
export async function assignToOwner(deps: Dependencies, work: Work, actor: Caller, token: string, owner: string): Promise<TokenDetails> {
  const row = await work.lockOne(VAULT, { id: token });
  if (!row) throw entryNotFound();
  if (row.owner === owner) return detailsOf(row);
  if (row.owner !== null) throw tokenOfOtherCustomer();
  if (row.merchant_id !== null) checkMerchant(actor, row.merchant_id, await deps.merchantOfOwner(work, actor, owner));
  const key = await deps.ownerKeys.keyOf(work, actor.tenantId, owner);
  if (key === null) throw entryNotFound();
  const next = { ...row, owner, key_version: OWNER_KEY_VERSION };
  const sealed = seal(key, entryContext(next), await secretOf(deps, row));
  await work.update(VAULT, { id: token }, { owner, key_version: OWNER_KEY_VERSION, sealed });
  return detailsOf(next);
}

/** Returns the card or account of a token, for one charge. @throws ServiceError NOT_FOUND with field `token`. */
export const openToken = async (deps: Dependencies, tenantId: string, token: string): Promise<Source> =>
  sourceOf(deps, await entryOf(deps, tenantId, token));

/**
 * Same as `open()`, with a check of the caller and of the merchant that charges it. @throws ServiceError MERCHANT_NOT_AUTHORIZED for a token of a
 * merchant to which the caller has no access; VALIDATION_ERROR for one of another merchant than `merchantId`; RESOURCE_CONFLICT if `owner` is given
 * and the token belongs to another owner.
 */
export async function openTokenFor(deps: Dependencies, actor: Caller, token: string, { owner, merchantId }: EntryScope): Promise<Source> {
  const { row, merchantId: merchantOfToken } = await entryFor(deps, actor, token);
  checkMerchant(actor, merchantOfToken, merchantId);
  if (owner !== undefined && row.owner !== null && row.owner !== owner) throw tokenOfOtherCustomer();
  return sourceOf(deps, row);
}

/** Returns the merchant of a token, or of the customer to whom it belongs; null for every merchant. @throws ServiceError NOT_FOUND, MERCHANT_NOT_AUTHORIZED */
export const merchantOf = async (deps: Dependencies, actor: Caller, token: string): Promise<string | null> =>
  (await entryFor(deps, actor, token)).merchantId;

export async function tokenizeCard(deps: Dependencies, actor: Actor, input: CardInput): Promise<TokenDetails> {
  const sealed = await sealSource(deps, actor.tenantId, checkCard(input, deps.clockOf(actor.tenantId).now()), {
    merchantId: actor.merchantId,
  });
  const { token, row } = sealed;
  await deps.database.unitOfWork.writeBatch(actor.tenantId, (batch) => {
    batch.insert(VAULT, row);
    const after = { brand: row.brand, last4: row.last4 };
    deps.audit(batch, { actor, action: 'card.tokenized', resource: `cards/${token}`, merchantId: actor.merchantId, after });
  });
  return detailsOf(sealed.row);
}

export async function describeToken(deps: Dependencies, actor: Actor, token: string): Promise<TokenDetails> {
  return detailsOf((await entryFor(deps, actor, token)).row);
}

/** Checks that a merchant may use a token; null is every merchant. A caller of all merchants is authorized, so its request is wrong instead. */
function checkMerchant(actor: Pick<Actor, 'merchantId'>, merchantOfToken: string | null, merchantId: string | null): void {
  if (merchantOfToken === null || merchantId === null || merchantOfToken === merchantId) return;
  const code = actor.merchantId === null ? 'VALIDATION_ERROR' : 'MERCHANT_NOT_AUTHORIZED';
  throw new ServiceError(code, 'This token belongs to another merchant.', {
    field: 'token',
    details: { reason: 'token_of_another_merchant' },
  });
}

function tokenOfOtherCustomer(): ServiceError {
  return new ServiceError('RESOURCE_CONFLICT', 'This token belongs to another customer.', { field: 'token' });
}

function detailsOf(row: VaultRow): TokenDetails {
  return {
    token: row.id,
    kind: row.kind,
    brand: row.brand,
    last4: row.last4,
    expiryMonth: row.expiry_month,
    expiryYear: row.expiry_year,
    accountType: row.account_type,
    maskedNumber: `${row.bin ?? ''}${'*'.repeat(6)}${row.last4}`,
    fingerprint: row.fingerprint.slice(0, FINGERPRINT_LENGTH),
    gatewayId: row.gateway_id,
  };
}
