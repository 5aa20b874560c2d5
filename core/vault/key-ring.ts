import { type KeyObject, randomBytes } from 'node:crypto';
import { type Database, queriesOn, UniqueViolation, type Work } from '#core/database';
import { assert, isoTime, ServiceError } from '#core/kernel';
import { keyIdOf } from './key-id.ts';
import { GivenKey, type KeyStore, newMasterKey } from './key-store.ts';
import { WrongKey } from './lock.ts';
import { DATA_KEYS, type DataKeyRow, MASTER_KEYS, type MasterKeyRow } from './schema.ts';
import { dataKeyContext, INSTALLATION_CONTEXT, KEY_BYTES, keyOf, open, seal } from './sealing.ts';

interface Master {
  readonly id: string;
  readonly bytes: Buffer;
  readonly key: KeyObject;
}

/** Wraps data of the present master key with another one. */
export type Rewrap = (context: string, wrapped: string) => string;

const CURRENT = { id: 'current' } as const;

/**
 * The master key of a running station. While it is exchanged there are two, and the database says which of them its rows are under; what is
 * wrapped in the meantime is wrapped by that one.
 */
export class KeyRing {
  readonly store: KeyStore;
  readonly #database: Database;
  readonly #masters = new Map<string, Master>();
  #current: Master;
  /**
   * Installation key. Long-lived keys (audit chain, code hashes, demo credentials) derive from it, so they survive an exchange of the
   * master key.
   */
  readonly installation: Buffer;
  #exchanging: Promise<unknown> = Promise.resolve();

  private constructor(database: Database, store: KeyStore, current: Buffer, installation: Buffer) {
    this.#database = database;
    this.store = store;
    this.#current = this.#add(current);
    this.installation = installation;
  }

  /** A key that the database says nothing of, as for a database that lives as long as its process. */
  static given(database: Database, masterKey: Buffer): KeyRing {
    return new KeyRing(database, new GivenKey(masterKey), masterKey, masterKey);
  }

  /**
   * Opens an installation, or begins one. An exchange that was cut short is ended: the key that the database's rows are under stays, the other
   * goes. Throws WrongKey.
   */
  static async open(database: Database, store: KeyStore): Promise<KeyRing> {
    const found = await store.keys();
    const keys = found.length > 0 ? found : [await store.begin()];
    const row = await installationRow(database, await rightOf(database, keys));
    const current = keys.find((key) => keyIdOf(key) === row.key_id);
    if (!current) throw new WrongKey(store.place);
    const ring = new KeyRing(database, store, current, open(keyOf(current), INSTALLATION_CONTEXT, row.wrapped));
    if (keys.length > 1) await store.settle(current);
    return ring;
  }

  get keyId(): string {
    return this.#current.id;
  }

  get masterKey(): Buffer {
    return this.#current.bytes;
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

  /** Wraps with the database's present key, which nobody can exchange until the unit of work ends. */
  async wrap(work: Work, context: string, plain: Buffer): Promise<string> {
    const row = await work.lockOne(MASTER_KEYS, CURRENT);
    const master = row ? this.#masters.get(row.key_id) : this.#current;
    if (!master) throw exchanged();
    return seal(master.key, context, plain);
  }

  /** The row of the present master key; null where the database says nothing of it. */
  row(): Promise<MasterKeyRow | null> {
    return this.#database.readAcrossTenants().one(MASTER_KEYS, CURRENT);
  }

  /**
   * Switches to a key that another workstation brought into use and that this one has received since. @throws ServiceError
   * SERVICE_UNAVAILABLE if it has not.
   */
  async refresh(): Promise<void> {
    const row = await this.row();
    if (!row || row.key_id === this.#current.id) return;
    for (const key of await this.store.keys()) this.#add(key);
    this.#use(row.key_id);
  }

  /**
   * Creates a new master key and wraps everything from `rewrap` with it in one unit of work. The new key is on disk beside the old one
   * before it is used, and the old one is removed afterwards. Returns the ID of the new key. @throws ServiceError RESOURCE_CONFLICT if it
   * cannot be stored.
   */
  exchange(rewrap: (work: Work, again: Rewrap) => Promise<void>): Promise<string> {
    const mine = this.#exchanging.then(() => this.#exchange(rewrap));
    this.#exchanging = mine.catch(() => {});
    return mine;
  }

  /** Notes that a recovery file of the present master key is kept; RESOURCE_CONFLICT for that of another. */
  async noteRecoveryFile(work: Work, keyId: string, at: string): Promise<void> {
    const noted = await work.update(MASTER_KEYS, { ...CURRENT, key_id: keyId }, { recovery_saved_at: at });
    if (noted !== 1)
      throw new ServiceError('RESOURCE_CONFLICT', 'The master key was exchanged in the meantime. Create the recovery file again.');
  }

  async #exchange(rewrap: (work: Work, again: Rewrap) => Promise<void>): Promise<string> {
    await this.refresh();
    // What an exchange before could not put in its place must be there before another key is laid beside it.
    await this.store.settle(this.#current.bytes);
    const next = this.#add(newMasterKey());
    await this.store.prepare(next.bytes).catch((cause: unknown) => {
      this.#masters.delete(next.id);
      throw new ServiceError('RESOURCE_CONFLICT', `The new key can't be stored beside the present one (${this.store.place}).`, { cause });
    });
    try {
      await this.#database.unitOfWork.run(null, async (work) => {
        const row = await work.lockOne(MASTER_KEYS, CURRENT);
        const from = row && this.#masters.get(row.key_id);
        if (!from) throw exchanged();
        const again: Rewrap = (context, wrapped) => seal(next.key, context, open(from.key, context, wrapped));
        await rewrap(work, again);
        const set = {
          key_id: next.id,
          wrapped: again(INSTALLATION_CONTEXT, row.wrapped),
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
    return next.id;
  }

  /** Keeps the key that the database uses and drops the other one. */
  async #settle(): Promise<void> {
    const row = await this.row();
    assert(row, 'an installation has a row for its master key');
    this.#use(row.key_id);
    await this.store.settle(this.#current.bytes);
  }

  #add(bytes: Buffer): Master {
    const master = { id: keyIdOf(bytes), bytes, key: keyOf(bytes) };
    this.#masters.set(master.id, master);
    return master;
  }

  #use(keyId: string): void {
    const master = this.#masters.get(keyId);
    if (!master) throw exchanged();
    this.#masters.clear();
    this.#masters.set(master.id, master);
    this.#current = master;
  }
}

function exchanged(): ServiceError {
  return new ServiceError(
    'SERVICE_UNAVAILABLE',
    'Another workstation exchanged the master key of this database. Copy the new key to this workstation and start it again.',
  );
}

/** Returns the installation key for a master key, to inspect a database without working on it. @throws WrongKey. */
export async function installationKeyOf(database: Database, masterKey: Buffer): Promise<Buffer> {
  const row = await database.readAcrossTenants().one(MASTER_KEYS, CURRENT);
  if (!row || row.wrapped === '') return masterKey;
  if (row.key_id !== keyIdOf(masterKey)) throw new WrongKey('use');
  return open(keyOf(masterKey), INSTALLATION_CONTEXT, row.wrapped);
}

/** Returns the one of several keys that decrypts an installation of an earlier version. */
async function rightOf(database: Database, keys: readonly Buffer[]): Promise<Buffer> {
  const [first] = keys;
  assert(first, 'a station has a key');
  if (keys.length === 1) return first;
  const row = await database
    .readAcrossTenants()
    .row(queriesOn(DATA_KEYS).selectFrom('data_keys').selectAll().orderBy('tenant_id').orderBy('version').limit(1));
  return (row && keys.find((key) => opens(key, row))) ?? first;
}

function opens(key: Buffer, { tenant_id, version, wrapped }: DataKeyRow): boolean {
  try {
    open(keyOf(key), dataKeyContext(tenant_id, Number(version)), wrapped);
    return true;
  } catch {
    return false;
  }
}

/** Returns the row of the master key; the first caller creates it. */
async function installationRow(database: Database, masterKey: Buffer): Promise<MasterKeyRow> {
  const known = await database.readAcrossTenants().one(MASTER_KEYS, CURRENT);
  if (known && known.wrapped !== '') return known;
  try {
    return await database.unitOfWork.run(null, async (work) => {
      const row = await work.lockOne(MASTER_KEYS, CURRENT);
      if (row && row.wrapped !== '') return row;
      // What an installation from before derived from its master key itself must come out the same.
      const installation = row ? masterKey : randomBytes(KEY_BYTES);
      const made: MasterKeyRow = {
        ...CURRENT,
        key_id: keyIdOf(masterKey),
        wrapped: seal(keyOf(masterKey), INSTALLATION_CONTEXT, installation),
        since: row?.since ?? isoTime(Date.now()),
        recovery_saved_at: null,
      };
      if (row) await work.update(MASTER_KEYS, CURRENT, made);
      else work.insert(MASTER_KEYS, made);
      return made;
    });
  } catch (error) {
    if (!(error instanceof UniqueViolation)) throw error;
    return installationRow(database, masterKey);
  }
}
