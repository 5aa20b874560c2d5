import { type KeyObject, randomBytes } from 'node:crypto';
import { type Database, UniqueViolation, type Work } from '#core/database';
import { assert, isoTime, newId, ServiceError } from '#core/kernel';
import { keyIdOf } from './key-id.ts';
import { GivenKey, type KeyStore, newMasterKey } from './key-store.ts';
import { WrongKey } from './lock.ts';
import { MASTER_KEYS, type MasterKeyRow } from './schema.ts';
import { INSTALLATION_CONTEXT, KEY_BYTES, keyOf, open, seal } from './sealing.ts';

interface MasterKey {
  readonly id: string;
  readonly bytes: Buffer;
  readonly key: KeyObject;
}

/** Unwraps data with the current master key and wraps it with the new one. */
export type Rewrap = (context: string, wrapped: string) => string;

const CURRENT = { id: 'current' } as const;

/**
 * The master key of a running server. While it is being replaced there are two keys. The database states which of them wraps its rows; new rows are
 * wrapped with that one.
 */
export class KeyRing {
  readonly store: KeyStore;
  readonly #database: Database;
  readonly #masters = new Map<string, MasterKey>();
  #current: MasterKey;
  /**
   * Installation key. Long-lived keys (audit chain, code hashes, demo credentials) derive from it, so they stay the same when the
   * master key is replaced.
   */
  readonly installation: Buffer;
  /** ID of the installation, which its other parts repeat. */
  readonly installationId: string;
  /** Exchanges of this process, one after the other: SQLite would commit two of them together, after the first one's old key was removed. */
  #lastExchange: Promise<unknown> = Promise.resolve();

  private constructor(database: Database, store: KeyStore, current: Buffer, installation: Buffer, installationId: string) {
    this.#database = database;
    this.store = store;
    this.#current = this.#add(current);
    this.installation = installation;
    this.installationId = installationId;
  }

  /** Creates a key ring for a master key of which the database stores nothing, such as for a temporary database. */
  static given(database: Database, masterKey: Buffer): KeyRing {
    return new KeyRing(database, new GivenKey(masterKey), masterKey, masterKey, '');
  }

  /**
   * Opens an installation, or creates it. If a replacement of the master key was interrupted, it is completed: the key that wraps the rows of the
   * database is kept, and the other one is removed. @throws WrongKey
   */
  static async open(database: Database, store: KeyStore): Promise<KeyRing> {
    const found = await store.keys();
    const keys = found.length > 0 ? found : [await store.createFirst()];
    const row = await installationRow(database, keys[0] as Buffer);
    const isCurrent = (key: Buffer) => keyIdOf(key) === row.key_id;
    // An exchange may have ended between the two readings.
    const current = keys.find(isCurrent) ?? (await store.keys()).find(isCurrent);
    if (!current) throw new WrongKey(store.place);
    const installation = open(keyOf(current), INSTALLATION_CONTEXT, row.wrapped);
    const ring = new KeyRing(database, store, current, installation, row.installation_id);
    if (keys.length > 1) await ring.#keepCurrentOnly();
    return ring;
  }

  get keyId(): string {
    return this.#current.id;
  }

  get masterKey(): Buffer {
    return this.#current.bytes;
  }

  /** Stores beside the master key that it belongs to this installation, once the installation has an account. */
  async bindKey(): Promise<void> {
    const known = await this.store.installation();
    const mark = { keyId: this.#current.id, installationId: this.installationId };
    if (known?.keyId !== mark.keyId || known.installationId !== mark.installationId) await this.store.bind(mark);
  }

  /** Unwraps data that one of the known master keys has wrapped. */
  unwrap(context: string, wrapped: string): Buffer {
    let refusal: unknown;
    for (const { key } of [this.#current, ...this.#masters.values()]) {
      try {
        return open(key, context, wrapped);
      } catch (error) {
        refusal = error;
      }
    }
    throw refusal;
  }

  /** Wraps with the current key of the database, which cannot be replaced until the unit of work ends. */
  async wrap(work: Work, context: string, plain: Buffer): Promise<string> {
    const row = await work.lockOne(MASTER_KEYS, CURRENT);
    const master = row ? await this.#find(row.key_id) : this.#current;
    return seal(master.key, context, plain);
  }

  /** Returns the row of the current master key; null if the database has none. */
  row(): Promise<MasterKeyRow | null> {
    return this.#database.readAcrossTenants().one(MASTER_KEYS, CURRENT);
  }

  /**
   * Switches to a key that another workstation brought into use and that this one has received since. @throws ServiceError
   * SERVICE_UNAVAILABLE if it has not.
   */
  async refresh(): Promise<void> {
    const row = await this.row();
    if (row && row.key_id !== this.#current.id) await this.#use(row.key_id);
  }

  /**
   * Creates a new master key and wraps everything from `rewrap` with it in one unit of work. The new key is on disk beside the old one
   * before it is used, and the old one is removed afterwards. Keys are stored and removed only while the row of the master key is locked, so that no
   * other process removes the key that comes into use. Returns the ID of the new key. @throws ServiceError RESOURCE_CONFLICT if it
   * cannot be stored.
   */
  exchange(rewrap: (work: Work, rewrapWithNewKey: Rewrap) => Promise<void>): Promise<string> {
    const result = this.#lastExchange.then(() => this.#exchange(rewrap));
    this.#lastExchange = result.catch(() => {});
    return result;
  }

  /** Records that a recovery file of the current master key was saved. @throws ServiceError RESOURCE_CONFLICT if it belongs to another key. */
  async recordRecoveryFile(work: Work, keyId: string, at: string): Promise<void> {
    const updatedRows = await work.update(MASTER_KEYS, { ...CURRENT, key_id: keyId }, { recovery_saved_at: at });
    if (updatedRows !== 1)
      throw new ServiceError('RESOURCE_CONFLICT', 'The master key was exchanged in the meantime. Create the recovery file again.');
  }

  async #exchange(rewrap: (work: Work, rewrapWithNewKey: Rewrap) => Promise<void>): Promise<string> {
    try {
      await this.#database.unitOfWork.transaction(null, async (work) => {
        const row = await this.#lockRow(work);
        const from = await this.#find(row.key_id);
        // An earlier replacement may not have moved its key into place. That must be done before another key is stored.
        await this.store.keepOnly(from.bytes);
        const next = this.#add(newMasterKey());
        await this.store.storeNext(next.bytes).catch((cause: unknown) => {
          throw new ServiceError('RESOURCE_CONFLICT', `The new key can't be stored beside the present one (${this.store.place}).`, {
            cause,
          });
        });
        const rewrapWithNewKey: Rewrap = (context, wrapped) => seal(next.key, context, open(from.key, context, wrapped));
        await rewrap(work, rewrapWithNewKey);
        const set = {
          key_id: next.id,
          wrapped: rewrapWithNewKey(INSTALLATION_CONTEXT, row.wrapped),
          since: isoTime(Date.now()),
          recovery_saved_at: null,
        };
        await work.update(MASTER_KEYS, CURRENT, set);
      });
    } catch (error) {
      // A lost connection may have committed nevertheless: only the database knows which key is valid.
      await this.#settle().catch(() => {});
      throw error;
    }
    await this.#settle();
    return this.keyId;
  }

  async #settle(): Promise<void> {
    await this.#keepCurrentOnly();
    await this.bindKey();
  }

  /** Keeps the key that the database uses and drops the other one. */
  async #keepCurrentOnly(): Promise<void> {
    await this.#database.unitOfWork.transaction(null, async (work) => {
      const { key_id } = await this.#lockRow(work);
      await this.#use(key_id);
      await this.store.keepOnly(this.#current.bytes);
    });
  }

  async #lockRow(work: Work): Promise<MasterKeyRow> {
    const row = await work.lockOne(MASTER_KEYS, CURRENT);
    assert(row, 'an installation has a row for its master key');
    return row;
  }

  #add(bytes: Buffer): MasterKey {
    const master = { id: keyIdOf(bytes), bytes, key: keyOf(bytes) };
    this.#masters.set(master.id, master);
    return master;
  }

  /** Returns a master key of the store. @throws ServiceError SERVICE_UNAVAILABLE if the store does not have it. */
  async #find(keyId: string): Promise<MasterKey> {
    if (!this.#masters.has(keyId)) for (const key of await this.store.keys()) this.#add(key);
    const master = this.#masters.get(keyId);
    if (!master) throw masterKeyExchanged();
    return master;
  }

  async #use(keyId: string): Promise<void> {
    const master = await this.#find(keyId);
    this.#masters.clear();
    this.#masters.set(master.id, master);
    this.#current = master;
  }
}

function masterKeyExchanged(): ServiceError {
  return new ServiceError(
    'SERVICE_UNAVAILABLE',
    'Another workstation exchanged the master key of this database. Copy the new key to this workstation and start it again.',
  );
}

/** Returns the installation key for a master key, to inspect a database without working on it. @throws WrongKey. */
export async function installationKeyOf(database: Database, masterKey: Buffer): Promise<Buffer> {
  const row = await database.readAcrossTenants().one(MASTER_KEYS, CURRENT);
  if (!row) return masterKey;
  if (row.key_id !== keyIdOf(masterKey)) throw new WrongKey('use');
  return open(keyOf(masterKey), INSTALLATION_CONTEXT, row.wrapped);
}

/** Returns the row of the master key; the first caller creates it. */
async function installationRow(database: Database, masterKey: Buffer): Promise<MasterKeyRow> {
  const known = await database.readAcrossTenants().one(MASTER_KEYS, CURRENT);
  if (known) return known;
  const row: MasterKeyRow = {
    ...CURRENT,
    key_id: keyIdOf(masterKey),
    wrapped: seal(keyOf(masterKey), INSTALLATION_CONTEXT, randomBytes(KEY_BYTES)),
    since: isoTime(Date.now()),
    recovery_saved_at: null,
    installation_id: newId('ins', Date.now()),
  };
  try {
    await database.unitOfWork.transaction(null, async (work) => work.insert(MASTER_KEYS, row));
    return row;
  } catch (error) {
    if (!(error instanceof UniqueViolation)) throw error;
    return installationRow(database, masterKey);
  }
}
