import { type KeyObject, randomBytes } from 'node:crypto';
import type { Record as RecordEntry } from '#core/audit';
import { type Database, UniqueViolation, type Work } from '#core/database';
import type { BankSource, CardSource, Source } from '#core/gateways';
import { type Actor, assert, type Clock, isoTime, newId, ServiceError } from '#core/kernel';
import { type BankAccountInput, type CardInput, checkBankAccount, checkCard, checkCvv } from './checks.ts';
import { DATA_KEYS, VAULT, type VaultRow } from './schema.ts';
import { deriveKey, KEY_BYTES, keyedHash, keyOf, open, seal } from './sealing.ts';

export type { BankSource, CardSource, Source } from '#core/gateways';
export type { BankAccountInput, CardInput } from './checks.ts';
export { loadMasterKey } from './master-key.ts';
export { deriveKey } from './sealing.ts';

/** Where the row of a sealed source is written, together with what is paid by it. */
export const VAULT_ENTRIES = VAULT;

export const TABLES = [DATA_KEYS, VAULT];

/** A card or account ready to be written together with what is paid by it. */
export interface SealedSource {
  readonly token: string;
  readonly row: VaultRow;
}

/** What may be shown of a token (decisions 7). */
export interface TokenDetails {
  readonly token: string;
  readonly kind: 'card' | 'ach';
  readonly brand: string | null;
  readonly last4: string;
  readonly expiryMonth: string | null;
  readonly expiryYear: string | null;
  readonly accountType: string | null;
  /** First six and last four digits, the rest masked. */
  readonly maskedNumber: string;
  /** The same for the same number within a tenant. */
  readonly fingerprint: string;
}

/** Card and account numbers, encrypted under a key of their tenant (design, rule 8). Security codes never come here to stay. */
export interface Vault {
  checkCard(tenantId: string, input: CardInput): CardSource;
  checkBankAccount(input: BankAccountInput): BankSource;
  checkCvv(cvv: string): string;
  /** Encrypts; the caller writes the row to VAULT_ENTRIES in its own unit of work. */
  seal(tenantId: string, source: Source): Promise<SealedSource>;
  /** The same for the same number within a tenant. */
  fingerprintOf(tenantId: string, source: Source): Promise<string>;
  /** Seals a secret that is no card, such as a webhook's, for its tenant and purpose: nobody else's text opens as it. */
  sealText(tenantId: string, purpose: string, text: string): Promise<string>;
  openText(tenantId: string, purpose: string, sealed: string): Promise<string>;
  /** The number behind a token, for one charge. NOT_FOUND with field `token`. */
  open(tenantId: string, token: string): Promise<Source>;
  tokenizeCard(by: Actor, input: CardInput): Promise<TokenDetails>;
  describe(by: Actor, token: string): Promise<TokenDetails>;
  /**
   * Makes a new data key for a tenant and puts every entry under it. The key before stays until the next rotation, since a sale under way
   * may still be written under it; older ones are destroyed. Answers how many entries moved.
   */
  rotateDataKey(tenantId: string): Promise<number>;
  /** Wraps all data keys with another master key. The vault goes on with it. */
  rotateMasterKey(next: Buffer): Promise<void>;
}

interface DataKey {
  readonly version: number;
  readonly key: KeyObject;
  readonly fingerprintKey: KeyObject;
}

const REWRAP_BLOCK = 200;
/** The key of a tenant's fingerprints. It is never replaced, so that fingerprints stay comparable over rotations. */
const FINGERPRINT_VERSION = 0;

export interface VaultNeeds {
  readonly database: Database;
  readonly masterKey: Buffer;
  readonly clockOf: (tenantId: string) => Clock;
  readonly audit: RecordEntry;
}

export function createVault({ database, masterKey, clockOf, audit }: VaultNeeds): Vault {
  let master = keyOf(masterKey);
  /** Unwrapped keys by tenant, newest version under `current`. */
  const keys = new Map<string, { current: DataKey; byVersion: Map<number, DataKey> }>();

  const keyContext = (tenantId: string, version: number) => `data-key|${tenantId}|${version}`;
  const entryContext = (row: Pick<VaultRow, 'tenant_id' | 'id' | 'kind' | 'key_version'>) =>
    `${row.tenant_id}|${row.id}|${row.kind}|${row.key_version}`;

  async function keysOf(tenantId: string) {
    const known = keys.get(tenantId);
    if (known) return known;
    const rows = await database.read(tenantId).find(DATA_KEYS, { tenant_id: tenantId }, { orderBy: [['version', 'asc']] });
    if (rows.length === 0) {
      await addKeys(tenantId, FINGERPRINT_VERSION, 1).catch((error: unknown) => {
        if (!(error instanceof UniqueViolation)) throw error;
      });
      return keysOf(tenantId);
    }
    const byVersion = new Map<number, DataKey>();
    let fingerprintKey: KeyObject | undefined;
    for (const { version, wrapped } of rows) {
      const key = keyOf(open(master, keyContext(tenantId, version), wrapped));
      if (version === FINGERPRINT_VERSION) fingerprintKey = key;
      else if (fingerprintKey) byVersion.set(version, { version, key, fingerprintKey });
    }
    const current = [...byVersion.values()].at(-1);
    assert(current, 'a tenant has a fingerprint key and a data key');
    const loaded = { current, byVersion };
    keys.set(tenantId, loaded);
    return loaded;
  }

  /** Made from the key that outlives rotations, so that texts need no sealing anew. */
  async function textKeyOf(tenantId: string): Promise<KeyObject> {
    const { current } = await keysOf(tenantId);
    return deriveKey(current.fingerprintKey.export(), `texts/${tenantId}`);
  }

  async function addKeys(tenantId: string, ...versions: number[]): Promise<void> {
    const created_at = isoTime(clockOf(tenantId).now());
    await database.unitOfWork.run(tenantId, async (work) => {
      for (const version of versions) {
        const wrapped = seal(master, keyContext(tenantId, version), randomBytes(KEY_BYTES));
        await work.insert(DATA_KEYS, { tenant_id: tenantId, version, wrapped, created_at });
      }
    });
  }

  async function sealSource(tenantId: string, source: Source): Promise<SealedSource> {
    const { current } = await keysOf(tenantId);
    const now = clockOf(tenantId).now();
    const token = newId('tok', now);
    const { kind } = source;
    const number = kind === 'card' ? source.number : source.accountNumber;
    const secret = kind === 'card' ? number : JSON.stringify([number, source.routingNumber, source.accountHolderName]);
    const row: VaultRow = {
      tenant_id: tenantId,
      id: token,
      kind,
      key_version: current.version,
      sealed: seal(current.key, entryContext({ tenant_id: tenantId, id: token, kind, key_version: current.version }), secret),
      fingerprint: fingerprint(current, source),
      brand: kind === 'card' ? source.brand : null,
      bin: kind === 'card' ? number.slice(0, 6) : null,
      last4: number.slice(-4),
      expiry_month: kind === 'card' ? source.expiryMonth : null,
      expiry_year: kind === 'card' ? source.expiryYear : null,
      account_type: kind === 'card' ? null : source.accountType,
      created_at: isoTime(now),
    };
    return { token, row };
  }

  async function secretOf(row: VaultRow): Promise<string> {
    const known = (await keysOf(row.tenant_id)).byVersion.get(row.key_version);
    if (known) return open(known.key, entryContext(row), row.sealed).toString();
    // Another server rotated the key meanwhile.
    keys.delete(row.tenant_id);
    const fresh = (await keysOf(row.tenant_id)).byVersion.get(row.key_version);
    assert(fresh, 'an entry names a data key that exists');
    return open(fresh.key, entryContext(row), row.sealed).toString();
  }

  async function entryOf(tenantId: string, token: string): Promise<VaultRow> {
    const row = await database.read(tenantId).one(VAULT, { id: token });
    if (!row) throw new ServiceError('NOT_FOUND', 'There is no stored card or account with this token.', { field: 'token' });
    return row;
  }

  return {
    checkCard: (tenantId, input) => checkCard(input, clockOf(tenantId).now()),
    checkBankAccount,
    checkCvv,
    seal: sealSource,
    fingerprintOf: async (tenantId, source) => fingerprint((await keysOf(tenantId)).current, source),
    sealText: async (tenantId, purpose, text) => seal(await textKeyOf(tenantId), `${tenantId}|${purpose}`, text),
    openText: async (tenantId, purpose, sealed) => open(await textKeyOf(tenantId), `${tenantId}|${purpose}`, sealed).toString(),
    async open(tenantId, token) {
      const row = await entryOf(tenantId, token);
      const secret = await secretOf(row);
      if (row.kind === 'card') {
        const { expiry_month, expiry_year, brand } = row;
        return { kind: 'card', number: secret, expiryMonth: expiry_month ?? '', expiryYear: expiry_year ?? '', brand: brand ?? '' };
      }
      const [accountNumber, routingNumber, accountHolderName] = JSON.parse(secret) as [string, string, string];
      return { kind: 'ach', accountNumber, routingNumber, accountType: row.account_type ?? '', accountHolderName };
    },
    async tokenizeCard(by, input) {
      const sealed = await sealSource(by.tenantId, checkCard(input, clockOf(by.tenantId).now()));
      const { token, row } = sealed;
      await database.unitOfWork.record(by.tenantId, (batch) => {
        batch.insert(VAULT, row);
        const after = { brand: row.brand, last4: row.last4 };
        audit(batch, { by, action: 'card.tokenized', resource: `cards/${token}`, merchantId: by.merchantId, after });
      });
      return detailsOf(sealed.row);
    },
    async describe(by, token) {
      return detailsOf(await entryOf(by.tenantId, token));
    },
    async rotateDataKey(tenantId) {
      const before = await keysOf(tenantId);
      await addKeys(tenantId, before.current.version + 1);
      keys.delete(tenantId);
      const { current } = await keysOf(tenantId);
      let moved = 0;
      for (;;) {
        const count = await database.unitOfWork.run(tenantId, (work) => rewrap(work, current));
        moved += count;
        if (count < REWRAP_BLOCK) break;
      }
      await database.unitOfWork.run(tenantId, (work) =>
        work.run('DELETE FROM data_keys WHERE tenant_id = :tenantId AND version > :fingerprint AND version < :before', {
          fingerprint: FINGERPRINT_VERSION,
          before: before.current.version,
        }),
      );
      keys.delete(tenantId);
      return moved;
    },
    async rotateMasterKey(next) {
      const nextKey = keyOf(next);
      await database.unitOfWork.run(null, async (work) => {
        for (const row of await work.all<{ tenant_id: string; version: number; wrapped: string }>(
          'SELECT tenant_id, version, wrapped FROM data_keys',
        )) {
          const context = keyContext(row.tenant_id, row.version);
          const wrapped = seal(nextKey, context, open(master, context, row.wrapped));
          await work.update(DATA_KEYS, { tenant_id: row.tenant_id, version: row.version }, { wrapped });
        }
      });
      master = nextKey;
      keys.clear();
    },
  };

  /** Puts one block of entries of older versions under the present key. */
  async function rewrap(work: Work, current: DataKey): Promise<number> {
    const rows = await work.all<VaultRow>(
      `SELECT ${VAULT.columns.join(', ')} FROM vault_entries WHERE tenant_id = :tenantId AND key_version < :version ORDER BY key_version, id LIMIT ${REWRAP_BLOCK}`,
      { version: current.version },
    );
    for (const row of rows) {
      const next = { ...row, key_version: current.version };
      const sealed = seal(current.key, entryContext(next), await secretOf(row));
      await work.update(VAULT, { id: row.id }, { sealed, key_version: current.version });
    }
    return rows.length;
  }
}

function fingerprint({ fingerprintKey }: DataKey, source: Source): string {
  return keyedHash(fingerprintKey, source.kind === 'card' ? source.number : `${source.routingNumber}/${source.accountNumber}`);
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
    fingerprint: row.fingerprint.slice(0, 32),
  };
}
