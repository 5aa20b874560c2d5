import { inspectPostgres, inspectSqlite } from '#core/database';
import type { Integrity } from '#core/platform/integrity';
import { keyIdOf } from './key-id.ts';
import type { DataKeyRow, MasterKeyRow } from './schema.ts';
import { dataKeyContext, INSTALLATION_CONTEXT, keyOf, open } from './sealing.ts';

/** The key at hand is not the one that a database was made with. */
export class WrongKey extends Error {
  override name = 'WrongKey';

  constructor(place: string) {
    super(
      `This database belongs to another key: the one in ${place} does not open it. Give the right key with --master-key, or open it with its recovery file. Nothing was changed.`,
    );
  }
}

/** A database that holds an installation, but there is no key. */
export class MissingKey extends Error {
  override name = 'MissingKey';

  constructor(place: string) {
    super(
      `This database holds an installation, and its key is missing: there is none in ${place}. Put the key file back, or open it with its recovery file. Nothing was changed.`,
    );
  }
}

/** Decides whether a master key belongs to a database. */
export interface Lock {
  opensWith(masterKey: Buffer): boolean;
}

type All = <Row>(sql: string) => Promise<Row[]>;

/** The lock of a database, read without writing a byte; null where no installation is in it. */
export async function lockOf(
  place: { readonly file: string; readonly integrity?: Integrity } | { readonly url: string },
): Promise<Lock | null> {
  if ('file' in place) {
    return inspectSqlite(
      place.file,
      (all) => lockFrom(all, async (name) => has(all, `SELECT 1 FROM sqlite_master WHERE name = '${name}'`)),
      place.integrity,
    );
  }
  return inspectPostgres({ url: place.url, migrations: [] }, (_, all) =>
    lockFrom(all, async (name) => has(all, `SELECT 1 WHERE to_regclass('${name}') IS NOT NULL`)),
  );
}

async function has(all: All, sql: string): Promise<boolean> {
  return (await all(sql)).length > 0;
}

async function lockFrom(all: All, hasTable: (name: string) => Promise<boolean>): Promise<Lock | null> {
  if (await hasTable('master_keys')) {
    const [row] = await all<MasterKeyRow>("SELECT key_id, wrapped FROM master_keys WHERE wrapped <> ''");
    if (row) return { opensWith: (key) => keyIdOf(key) === row.key_id && opens(key, INSTALLATION_CONTEXT, row.wrapped) };
  }
  if (!(await hasTable('data_keys'))) return null;
  const [row] = await all<DataKeyRow>('SELECT tenant_id, version, wrapped FROM data_keys ORDER BY tenant_id, version LIMIT 1');
  return row ? { opensWith: (key) => opens(key, dataKeyContext(row.tenant_id, Number(row.version)), row.wrapped) } : null;
}

function opens(key: Buffer, context: string, wrapped: string): boolean {
  try {
    open(keyOf(key), context, wrapped);
    return true;
  } catch {
    return false;
  }
}
