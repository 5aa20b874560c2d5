import type { KeyObject } from 'node:crypto';
import { lit, queriesOn, type Read, sql, TENANT, type Work, type Writer } from '#core/database';
import { isoTime, newId, ServiceError } from '#core/kernel';
import type { AccountHolder } from '#shared/channels';
import type { Dependencies } from './dependencies.ts';
import { OWNER_KEYS, type OwnerKeyRow, VAULT, type VaultRow } from './schema.ts';
import { keyedHash, open, seal } from './sealing.ts';
import { last4Of, type Source } from './source.ts';

/** A sealed card or bank account, to be written together with its payment. */
export interface SealedSource {
  readonly token: string;
  readonly row: VaultRow;
}

/** `key_version` of an entry that an owner's key encrypts. */
export const OWNER_KEY_VERSION = 0;

/** Number of characters of a fingerprint that are shown. */
export const FINGERPRINT_LENGTH = 32;

/** Owner or merchant of an encrypted entry, or of its charge. */
export interface EntryScope {
  readonly owner?: string;
  /** null for every merchant of the tenant. */
  readonly merchantId: string | null;
}

type EntryKey = Pick<VaultRow, 'tenant_id' | 'id' | 'kind' | 'owner' | 'key_version'>;

export const entryContext = ({ tenant_id, id, kind, owner, key_version }: EntryKey) => `${tenant_id}|${id}|${kind}|${owner ?? key_version}`;

/**
 * Encrypts a source; the caller writes the entry in its own unit of work. With an owner, it uses the owner's key, which `read` finds if the owner is
 * created in the same unit of work.
 */
export async function sealSource(
  deps: Dependencies,
  tenantId: string,
  source: Source,
  { owner, merchantId }: EntryScope,
  read: Read = deps.database.read(tenantId),
): Promise<SealedSource> {
  const now = deps.clockOf(tenantId).now();
  const kind = source.kind === 'ach' ? 'ach' : 'card';
  const current = await deps.keys.current(tenantId);
  const key = owner === undefined ? current.key : await deps.ownerKeys.keyOf(read, tenantId, owner);
  if (key === null) throw customerNotFound(owner ?? '');
  const scope: EntryKey = {
    tenant_id: tenantId,
    id: newId('tok', now),
    kind,
    owner: owner ?? null,
    key_version: owner === undefined ? current.version : OWNER_KEY_VERSION,
  };
  const row: VaultRow = {
    ...scope,
    merchant_id: merchantId,
    sealed: seal(key, entryContext(scope), secretIn(source)),
    fingerprint: keyedHash(current.fingerprintKey, identityOf(source)),
    brand: source.kind === 'ach' ? null : source.brand,
    bin: source.kind === 'card' ? source.number.slice(0, 6) : null,
    last4: last4Of(source),
    // A processor may not say when a card in its vault expires.
    expiry_month: source.kind === 'ach' ? null : source.expiryMonth || null,
    expiry_year: source.kind === 'ach' ? null : source.expiryYear || null,
    account_type: source.kind === 'ach' ? source.accountType : null,
    gateway_id: source.kind === 'card-at-gateway' ? source.gatewayId : null,
    created_at: isoTime(now),
  };
  return { token: scope.id, row };
}

async function keyFor(deps: Dependencies, { tenant_id, owner, key_version }: EntryKey): Promise<KeyObject | null> {
  if (owner !== null) return deps.ownerKeys.keyOf(deps.database.read(tenant_id), tenant_id, owner);
  return (await deps.keys.ofVersion(tenant_id, key_version)).key;
}

export async function secretOf(deps: Dependencies, row: VaultRow): Promise<string> {
  const key = await keyFor(deps, row);
  if (key === null) throw entryNotFound();
  return open(key, entryContext(row), row.sealed).toString();
}

export async function sourceOf(deps: Dependencies, row: VaultRow): Promise<Source> {
  const secret = await secretOf(deps, row);
  if (row.kind === 'card') {
    const { gateway_id: gatewayId, last4 } = row;
    const card = { expiryMonth: row.expiry_month ?? '', expiryYear: row.expiry_year ?? '', brand: row.brand ?? '' };
    return gatewayId === null
      ? { kind: 'card', number: secret, ...card }
      : { kind: 'card-at-gateway', gatewayId, reference: secret, last4, ...card };
  }
  const [accountNumber, routingNumber, accountHolderName, holder = 'person'] = JSON.parse(secret) as [
    string,
    string,
    string,
    AccountHolder?,
  ];
  return { kind: 'ach', accountNumber, routingNumber, accountType: row.account_type ?? '', accountHolderName, holder };
}

export async function entryOf(deps: Dependencies, tenantId: string, token: string): Promise<VaultRow> {
  const row = await deps.database.read(tenantId).one(VAULT, { id: token });
  if (!row) throw entryNotFound();
  return row;
}

/**
 * Locks the owner of a sealed source before it is inserted. Without the lock, an entry could be written after the removal of its owner, which destroys
 * all its entries. @throws CUSTOMER_NOT_FOUND if the owner's key was destroyed since.
 */
export async function lockOwner(work: Work, { row }: SealedSource): Promise<void> {
  if (row.owner !== null && !(await work.lockOne(OWNER_KEYS, { owner: row.owner }))) throw customerNotFound(row.owner);
}

/** Writes a sealed source, under the lock of its owner if it has one. @throws CUSTOMER_NOT_FOUND if the owner's key was destroyed since. */
export async function writeSource(work: Work, sealed: SealedSource): Promise<void> {
  await lockOwner(work, sealed);
  work.insert(VAULT, sealed.row);
}

/** Writes a sealed source that has no owner, or whose owner is locked, together with its payment. */
export const insertSource = (writer: Writer, sealed: SealedSource): void => writer.insert(VAULT, sealed.row);

export const insertOwner = (writer: Writer, key: OwnerKeyRow): void => writer.insert(OWNER_KEYS, key);

/** Returns true if a token can still be opened. */
export const hasToken = async (read: Read, token: string): Promise<boolean> => (await read.one(VAULT, { id: token })) !== null;

/** Destroys every entry of an owner with a number, by its fingerprint, so that none of the tokens can be charged. */
export async function destroyEntries(deps: Dependencies, work: Work, owner: string, fingerprint: string): Promise<void> {
  await work.execute(
    queriesOn(VAULT)
      .deleteFrom('vault_entries')
      .where('tenant_id', '=', TENANT)
      .where('owner', '=', owner)
      .where(sql<boolean>`substr(fingerprint, 1, ${lit(FINGERPRINT_LENGTH)}) = ${fingerprint}`),
  );
  work.afterCommit(() => void deps.database.purgeDeletedRows());
}

/**
 * Destroys an owner's key and every entry of the owner, so that none of the tokens can be opened. Bytes that outlive their rows (on
 * PostgreSQL until VACUUM and the recycling of its log, in backups as long as those are kept) can be decrypted only with a copy of the
 * key. Older bytes of a token that was assigned to the owner later are encrypted with the tenant's data key, and can be decrypted as long as that is kept.
 */
export async function destroyOwner(deps: Dependencies, work: Work, owner: string): Promise<number> {
  await work.delete(OWNER_KEYS, { owner });
  const destroyed = await work.delete(VAULT, { owner });
  work.afterCommit(() => void deps.database.purgeDeletedRows());
  return destroyed;
}

/** Returns a fingerprint that is equal for equal numbers within a tenant. */
export const fingerprintOf = async (deps: Dependencies, tenantId: string, source: Source): Promise<string> =>
  keyedHash((await deps.keys.current(tenantId)).fingerprintKey, identityOf(source));

function customerNotFound(customerId: string): ServiceError {
  return new ServiceError('CUSTOMER_NOT_FOUND', 'This customer no longer exists.', { details: { customerId } });
}

export function entryNotFound(): ServiceError {
  return new ServiceError('NOT_FOUND', 'There is no stored card or account with this token.', { field: 'token' });
}

/** Returns the part of a source that is sealed. */
function secretIn(source: Source): string {
  if (source.kind === 'card') return source.number;
  if (source.kind === 'card-at-gateway') return source.reference;
  return JSON.stringify([source.accountNumber, source.routingNumber, source.accountHolderName, source.holder]);
}

/** Returns the value by which two cards or accounts are the same. A gateway's reference says nothing about the number. */
function identityOf(source: Source): string {
  if (source.kind === 'card') return source.number;
  return source.kind === 'ach' ? `${source.routingNumber}/${source.accountNumber}` : `${source.gatewayId}/${source.reference}`;
}
