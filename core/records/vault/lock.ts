import { inspectPostgres, inspectSqlite } from '#core/database';
import type { Integrity } from '#core/database/integrity';
import { keyIdOf } from './key-id.ts';
import type { MasterKeyRow } from './schema.ts';
import { INSTALLATION_CONTEXT, keyOf, open } from './sealing.ts';

/** Thrown when a master key does not belong to a database. */
export class WrongKey extends Error {
  override name = 'WrongKey';

  constructor(place: string) {
    super(
      `The key in ${place} does not open this database. Pass the right key with --master-key, or use the recovery file. Nothing was changed.`,
    );
  }
}

/** Thrown when a database contains an installation but there is no key. */
export class MissingKey extends Error {
  override name = 'MissingKey';

  constructor(place: string) {
    super(
      `This database contains an installation, but there is no key in ${place}. Put the key file back, pass it with --master-key, or use the recovery file. Nothing was changed.`,
    );
  }
}

/** Decides whether a master key belongs to a database. */
export interface Lock {
  opensWith(masterKey: Buffer): boolean;
  /** ID of the installation. */
  readonly installationId: string;
}

type QueryAll = <Row>(sql: string) => Promise<Row[]>;

/** Returns the lock of a database, without writing to it; null if it contains no installation. */
export async function lockOf(
  place: { readonly file: string; readonly integrity?: Integrity } | { readonly url: string },
): Promise<Lock | null> {
  if ('file' in place) {
    return inspectSqlite(
      place.file,
      (query) => lockFrom(query, async (name) => has(query, `SELECT 1 FROM sqlite_master WHERE name = '${name}'`)),
      place.integrity,
    );
  }
  return inspectPostgres({ url: place.url, migrations: [] }, (_, query) =>
    lockFrom(query, async (name) => has(query, `SELECT 1 WHERE to_regclass('${name}') IS NOT NULL`)),
  );
}

async function has(query: QueryAll, sql: string): Promise<boolean> {
  return (await query(sql)).length > 0;
}

async function lockFrom(query: QueryAll, hasTable: (name: string) => Promise<boolean>): Promise<Lock | null> {
  if (!(await hasTable('master_keys'))) return null;
  const [row] = await query<MasterKeyRow>('SELECT * FROM master_keys');
  return row
    ? {
        installationId: row.installation_id,
        opensWith: (key) => keyIdOf(key) === row.key_id && opens(key, row.wrapped),
      }
    : null;
}

function opens(key: Buffer, wrapped: string): boolean {
  try {
    open(keyOf(key), INSTALLATION_CONTEXT, wrapped);
    return true;
  } catch {
    return false;
  }
}
