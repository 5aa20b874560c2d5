import type { KeyObject } from 'node:crypto';
import { type Database, lit, queriesOn, type Read, sql, TENANT, type Work, type Writer } from '#core/database';
import { type Actor, type Clock, isoTime, newId, ServiceError } from '#core/kernel';
import type { RecordAudit } from '#core/records/audit';
import type { AccountHolder } from '#shared/channels';
import { type BankAccountInput, type CardInput, checkBankAccount, checkCard, checkCvv } from './checks.ts';
import { DataKeys } from './data-keys.ts';
import type { KeyRing } from './key-ring.ts';
import { OwnerKeys } from './owner-keys.ts';
import type { TokenDetails } from './records.ts';
import { DATA_KEYS, MASTER_KEYS, OWNER_KEYS, type OwnerKeyRow, VAULT, type VaultRow } from './schema.ts';
import { deriveKey, keyedHash, open, seal } from './sealing.ts';
import { type BankSource, type CardSource, last4Of, type Source } from './source.ts';

export { type BankAccountInput, brandOfDigits, type CardInput } from './checks.ts';
export { keyIdOf } from './key-id.ts';
export { createKeyManagement, type KeyManagement } from './key-management.ts';
export { installationKeyOf, KeyRing } from './key-ring.ts';
export { DESKTOP_KEY_FILE, GivenKey, KeyFile, type KeyMark, type KeyStore, newMasterKey } from './key-store.ts';
export { lockOf, MissingKey, WrongKey } from './lock.ts';
export { loadMasterKey } from './master-key.ts';
export { checkPassphrase, newRecoveryCode, PassphraseKey } from './passphrase.ts';
export { READABLE_CARDS } from './read-model.ts';
export { CardToken, TokenDetails } from './records.ts';
export { makeRecoveryFile, openRecoveryFile, RECOVERY_FILE_NAME, recoveryFileKeyId } from './recovery.ts';
export type { OwnerKeyRow } from './schema.ts';
export { deriveKey } from './sealing.ts';
export { type BankSource, type CardAtGateway, type CardSource, last4Of, numberOf, type Source } from './source.ts';

export const TABLES = [MASTER_KEYS, DATA_KEYS, OWNER_KEYS, VAULT];

/** A sealed card or bank account, to be written together with its payment. */
export interface SealedSource {
  readonly token: string;
  readonly row: VaultRow;
}

/** Encryption of texts with the key of one owner. */
export interface Box {
  seal(purpose: string, text: string): string;
  open(purpose: string, sealed: string): string;
}

/** Card and account numbers, encrypted with a key of their tenant or of an owner within it. Security codes are never stored. */
export interface Vault {
  checkCard(tenantId: string, input: CardInput): CardSource;
  checkBankAccount(input: BankAccountInput): BankSource;
  checkCvv(cvv: string, field: string, brand: string): string;
  /**
   * Encrypts a source; the caller writes the entry in its own unit of work. With an owner, it uses the owner's key, which `read` finds if the owner is
   * created in the same unit of work.
   */
  seal(tenantId: string, source: Source, scope: EntryScope, read?: Read): Promise<SealedSource>;
  /** Writes a sealed source, under the lock of its owner if it has one. @throws CUSTOMER_NOT_FOUND if the owner's key was destroyed since. */
  write(work: Work, sealed: SealedSource): Promise<void>;
  /** Writes a sealed source that has no owner, or whose owner is locked, together with its payment. */
  insert(writer: Writer, sealed: SealedSource): void;
  /** Locks the owner of a sealed source before it is inserted. @throws CUSTOMER_NOT_FOUND if the owner's key was destroyed since. */
  lockOwner(work: Work, sealed: SealedSource): Promise<void>;
  /** Creates the key of a new owner, to be written together with the owner. */
  newOwner(tenantId: string, owner: string): Promise<OwnerKeyRow>;
  insertOwner(writer: Writer, key: OwnerKeyRow): void;
  /** Returns true if a token can still be opened. */
  has(read: Read, token: string): Promise<boolean>;
  /**
   * Seals the entry of a token for an owner, so that it is destroyed with the owner. @throws ServiceError NOT_FOUND; RESOURCE_CONFLICT if it belongs
   * to another owner; MERCHANT_NOT_AUTHORIZED or VALIDATION_ERROR if it belongs to another merchant than the owner.
   */
  assignToOwner(work: Work, actor: Caller, token: string, owner: string): Promise<TokenDetails>;
  /** Destroys every entry of an owner with a number, by its fingerprint, so that none of the tokens can be charged. */
  destroy(work: Work, owner: string, fingerprint: string): Promise<void>;
  /**
   * Destroys an owner's key and every entry of the owner, so that none of the tokens can be opened. Bytes that outlive their rows (on
   * PostgreSQL until VACUUM and the recycling of its log, in backups as long as those are kept) can be decrypted only with a copy of the
   * key. Older bytes of a token that was assigned to the owner later are encrypted with the tenant's data key, and can be decrypted as long as that is kept.
   */
  destroyOwner(work: Work, owner: string): Promise<number>;
  /** Returns a fingerprint that is equal for equal numbers within a tenant. */
  fingerprintOf(tenantId: string, source: Source): Promise<string>;
  /**
   * Encrypts a secret other than a card, such as that of a webhook, for its tenant and purpose. A text of another tenant or purpose cannot
   * be decrypted in its place.
   */
  sealText(tenantId: string, purpose: string, text: string): Promise<string>;
  openText(tenantId: string, purpose: string, sealed: string): Promise<string>;
  /** Returns a key for keyed hashes of a tenant's texts with one purpose. It derives from a key that rotations keep. */
  hashKey(tenantId: string, purpose: string): Promise<KeyObject>;
  /**
   * Returns functions that encrypt and decrypt texts with an owner's key, so that they are destroyed with the owner. A text is bound to its purpose.
   * Null if the owner does not exist any more.
   */
  boxOf(read: Read, tenantId: string, owner: string): Promise<Box | null>;
  /** Returns the card or account of a token, for one charge. @throws ServiceError NOT_FOUND with field `token`. */
  open(tenantId: string, token: string): Promise<Source>;
  /**
   * Same as `open()`, with a check of the caller and of the merchant that charges it. @throws ServiceError MERCHANT_NOT_AUTHORIZED for a token of a
   * merchant to which the caller has no access; VALIDATION_ERROR for one of another merchant than `merchantId`; RESOURCE_CONFLICT if `owner` is given
   * and the token belongs to another owner.
   */
  openFor(actor: Caller, token: string, charge: EntryScope): Promise<Source>;
  /** Returns the merchant of a token, or of the customer to whom it belongs; null for every merchant. @throws ServiceError NOT_FOUND, MERCHANT_NOT_AUTHORIZED */
  merchantOf(actor: Caller, token: string): Promise<string | null>;
  tokenizeCard(actor: Actor, input: CardInput): Promise<TokenDetails>;
  describe(actor: Actor, token: string): Promise<TokenDetails>;
  /**
   * Creates a new data key for a tenant and re-encrypts every entry and every owner's key. Former keys stay as long as a sale in progress on
   * any workstation may still use them. Returns the number of re-encrypted entries. @throws ServiceError RESOURCE_CONFLICT while another
   * workstation does so.
   */
  rotateDataKey(tenantId: string): Promise<number>;
  /**
   * Returns false if the tenant has no data key, because nothing is encrypted yet. `account` names the tenant in the error. @throws ServiceError
   * RESOURCE_CONFLICT if the data key is less than two minutes old, so that every server knows of one key before the next.
   */
  checkRenewable(tenantId: string, account?: string): Promise<boolean>;
  /**
   * Creates a new data key for all new data; `finishRotation` re-encrypts the rest. @throws ServiceError RESOURCE_CONFLICT right after
   * another rotation.
   */
  renewDataKey(tenantId: string): Promise<number>;
  /** Re-encrypts everything that is not with the current data key and destroys unused keys. Can run at any time and repeatedly. */
  finishRotation(tenantId: string): Promise<void>;
  /** Creates a new master key and wraps all data keys with it; the old one becomes useless. Returns the ID of the new key. */
  rotateMasterKey(note?: (work: Work) => void): Promise<string>;
}

const REWRAP_BLOCK = 200;
/** `key_version` of an entry that an owner's key encrypts. */
const OWNER_KEY_VERSION = 0;
/** Number of characters of a fingerprint that are shown. */
const FINGERPRINT_LENGTH = 32;

type Caller = Pick<Actor, 'tenantId' | 'merchantId'>;

/** Owner or merchant of an encrypted entry, or of its charge. */
interface EntryScope {
  readonly owner?: string;
  /** null for every merchant of the tenant. */
  readonly merchantId: string | null;
}

interface VaultDependencies {
  readonly database: Database;
  readonly keyRing: KeyRing;
  readonly clockOf: (tenantId: string) => Clock;
  readonly audit: RecordAudit;
  /** Returns the merchant of an owner. @throws ServiceError MERCHANT_NOT_AUTHORIZED if the caller has no access to it. */
  readonly merchantOfOwner: (read: Read, actor: Caller, owner: string) => Promise<string>;
}

type EntryKey = Pick<VaultRow, 'tenant_id' | 'id' | 'kind' | 'owner' | 'key_version'>;

const entryContext = ({ tenant_id, id, kind, owner, key_version }: EntryKey) => `${tenant_id}|${id}|${kind}|${owner ?? key_version}`;

export function createVault({ database, keyRing, clockOf, audit, merchantOfOwner }: VaultDependencies): Vault {
  const keys = new DataKeys(database, keyRing, clockOf);
  const ownerKeys = new OwnerKeys(keys);

  async function sealSource(
    tenantId: string,
    source: Source,
    { owner, merchantId }: EntryScope,
    read: Read = database.read(tenantId),
  ): Promise<SealedSource> {
    const now = clockOf(tenantId).now();
    const kind = source.kind === 'ach' ? 'ach' : 'card';
    const current = await keys.current(tenantId);
    const key = owner === undefined ? current.key : await ownerKeys.keyOf(read, tenantId, owner);
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

  async function keyFor({ tenant_id, owner, key_version }: EntryKey): Promise<KeyObject | null> {
    if (owner !== null) return ownerKeys.keyOf(database.read(tenant_id), tenant_id, owner);
    return (await keys.ofVersion(tenant_id, key_version)).key;
  }

  async function secretOf(row: VaultRow): Promise<string> {
    const key = await keyFor(row);
    if (key === null) throw entryNotFound();
    return open(key, entryContext(row), row.sealed).toString();
  }

  async function sourceOf(row: VaultRow): Promise<Source> {
    const secret = await secretOf(row);
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

  async function entryOf(tenantId: string, token: string): Promise<VaultRow> {
    const row = await database.read(tenantId).one(VAULT, { id: token });
    if (!row) throw entryNotFound();
    return row;
  }

  /** Locks the owner of an entry. Without the lock, an entry could be written after the removal of its owner, which destroys all its entries. */
  async function holdOwner(work: Work, { row }: SealedSource): Promise<void> {
    if (row.owner !== null && !(await work.lockOne(OWNER_KEYS, { owner: row.owner }))) throw customerNotFound(row.owner);
  }

  /** Returns the entry of a token from a request, after a check of the caller, and the merchant to which it belongs. */
  async function entryFor(actor: Caller, token: string): Promise<{ readonly row: VaultRow; readonly merchantId: string | null }> {
    const row = await entryOf(actor.tenantId, token);
    if (row.owner !== null) return { row, merchantId: await merchantOfOwner(database.read(actor.tenantId), actor, row.owner) };
    checkMerchant(actor, row.merchant_id, actor.merchantId);
    return { row, merchantId: row.merchant_id };
  }

  /** Re-encrypts one block of entries of older versions with the current key. */
  async function reencryptBlock(work: Work, tenantId: string): Promise<number> {
    const current = await keys.current(tenantId);
    const rows = await work.rows(
      queriesOn(VAULT)
        .selectFrom('vault_entries')
        .selectAll()
        .where('tenant_id', '=', TENANT)
        .where('owner', 'is', null)
        .where('key_version', '<', current.version)
        .orderBy('key_version')
        .orderBy('id')
        .limit(REWRAP_BLOCK),
    );
    for (const row of rows) {
      const next = { ...row, key_version: current.version };
      const sealed = seal(current.key, entryContext(next), await secretOf(row));
      // Only unchanged entries, because one may have been assigned to an owner in the meantime.
      await work.update(VAULT, { id: row.id, owner: null, key_version: row.key_version }, { sealed, key_version: current.version });
    }
    return rows.length;
  }

  /** Runs a step block by block, each in its own unit of work. Returns the number of rows. */
  async function runInBlocks(tenantId: string, step: (work: Work) => Promise<number>): Promise<number> {
    let reencrypted = 0;
    for (;;) {
      const count = await database.unitOfWork.transaction(tenantId, step);
      reencrypted += count;
      if (count < REWRAP_BLOCK) return reencrypted;
    }
  }

  /** Re-encrypts entries of older data keys with the current one. Returns their number. */
  async function reencryptOldEntries(tenantId: string): Promise<number> {
    const reencrypted = await runInBlocks(tenantId, (work) => reencryptBlock(work, tenantId));
    await runInBlocks(tenantId, (work) => ownerKeys.rewrap(work, tenantId, REWRAP_BLOCK));
    return reencrypted;
  }

  async function destroyUnusedKeys(tenantId: string): Promise<void> {
    const version = await keys.destroyableBefore(tenantId);
    if (version !== null) await keys.destroyBefore(tenantId, version);
  }

  return {
    checkCard: (tenantId, input) => checkCard(input, clockOf(tenantId).now()),
    checkBankAccount,
    checkCvv,
    seal: sealSource,
    async write(work, sealed) {
      await holdOwner(work, sealed);
      work.insert(VAULT, sealed.row);
    },
    lockOwner: holdOwner,
    newOwner: (tenantId, owner) => ownerKeys.create(tenantId, owner),
    async assignToOwner(work, actor, token, owner) {
      const row = await work.lockOne(VAULT, { id: token });
      if (!row) throw entryNotFound();
      if (row.owner === owner) return detailsOf(row);
      if (row.owner !== null) throw tokenOfOtherCustomer();
      if (row.merchant_id !== null) checkMerchant(actor, row.merchant_id, await merchantOfOwner(work, actor, owner));
      const key = await ownerKeys.keyOf(work, actor.tenantId, owner);
      if (key === null) throw entryNotFound();
      const next = { ...row, owner, key_version: OWNER_KEY_VERSION };
      const sealed = seal(key, entryContext(next), await secretOf(row));
      await work.update(VAULT, { id: token }, { owner, key_version: OWNER_KEY_VERSION, sealed });
      return detailsOf(next);
    },
    insert: (writer, sealed) => writer.insert(VAULT, sealed.row),
    insertOwner: (writer, key) => writer.insert(OWNER_KEYS, key),
    has: async (read, token) => (await read.one(VAULT, { id: token })) !== null,
    async destroy(work, owner, fingerprint) {
      await work.execute(
        queriesOn(VAULT)
          .deleteFrom('vault_entries')
          .where('tenant_id', '=', TENANT)
          .where('owner', '=', owner)
          .where(sql<boolean>`substr(fingerprint, 1, ${lit(FINGERPRINT_LENGTH)}) = ${fingerprint}`),
      );
      work.afterCommit(() => void database.purgeDeletedRows());
    },
    async destroyOwner(work, owner) {
      await work.delete(OWNER_KEYS, { owner });
      const destroyed = await work.delete(VAULT, { owner });
      work.afterCommit(() => void database.purgeDeletedRows());
      return destroyed;
    },
    fingerprintOf: async (tenantId, source) => keyedHash((await keys.current(tenantId)).fingerprintKey, identityOf(source)),
    sealText: async (tenantId, purpose, text) => seal(await keys.forTexts(tenantId), `${tenantId}|${purpose}`, text),
    openText: async (tenantId, purpose, sealed) => open(await keys.forTexts(tenantId), `${tenantId}|${purpose}`, sealed).toString(),
    hashKey: async (tenantId, purpose) => deriveKey((await keys.forTexts(tenantId)).export(), `hashes/${purpose}`),
    async boxOf(read, tenantId, owner) {
      const key = await ownerKeys.keyOf(read, tenantId, owner);
      if (key === null) return null;
      const contextOf = (purpose: string) => `${tenantId}|${owner}|${purpose}`;
      return {
        seal: (purpose, text) => seal(key, contextOf(purpose), text),
        open: (purpose, sealed) => open(key, contextOf(purpose), sealed).toString(),
      };
    },
    open: async (tenantId, token) => sourceOf(await entryOf(tenantId, token)),
    async openFor(actor, token, { owner, merchantId }) {
      const { row, merchantId: merchantOfToken } = await entryFor(actor, token);
      checkMerchant(actor, merchantOfToken, merchantId);
      if (owner !== undefined && row.owner !== null && row.owner !== owner) throw tokenOfOtherCustomer();
      return sourceOf(row);
    },
    merchantOf: async (actor, token) => (await entryFor(actor, token)).merchantId,
    async tokenizeCard(actor, input) {
      const sealed = await sealSource(actor.tenantId, checkCard(input, clockOf(actor.tenantId).now()), { merchantId: actor.merchantId });
      const { token, row } = sealed;
      await database.unitOfWork.writeBatch(actor.tenantId, (batch) => {
        batch.insert(VAULT, row);
        const after = { brand: row.brand, last4: row.last4 };
        audit(batch, { actor, action: 'card.tokenized', resource: `cards/${token}`, merchantId: actor.merchantId, after });
      });
      return detailsOf(sealed.row);
    },
    async describe(actor, token) {
      return detailsOf((await entryFor(actor, token)).row);
    },
    async rotateDataKey(tenantId) {
      await keys.renew(tenantId);
      const reencrypted = await reencryptOldEntries(tenantId);
      await destroyUnusedKeys(tenantId);
      return reencrypted;
    },
    checkRenewable: (tenantId, account) => keys.checkRenewable(tenantId, account),
    async renewDataKey(tenantId) {
      await keys.checkRenewable(tenantId);
      return (await keys.renew(tenantId)).version;
    },
    async finishRotation(tenantId) {
      if ((await keys.destroyableBefore(tenantId)) === null) return;
      await reencryptOldEntries(tenantId);
      await destroyUnusedKeys(tenantId);
    },
    rotateMasterKey: (note) =>
      keyRing.exchange(async (work, again) => {
        await keys.rewrapAll(work, again);
        note?.(work);
      }),
  };
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

function customerNotFound(customerId: string): ServiceError {
  return new ServiceError('CUSTOMER_NOT_FOUND', 'This customer no longer exists.', { details: { customerId } });
}

function tokenOfOtherCustomer(): ServiceError {
  return new ServiceError('RESOURCE_CONFLICT', 'This token belongs to another customer.', { field: 'token' });
}

function entryNotFound(): ServiceError {
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
