import { randomBytes } from 'node:crypto';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import { type Database, openPostgres, openSqlite, type SqliteOptions } from '#core/database';
import { MIGRATIONS } from '#migrations';
import type { DatabaseKind } from './database-kinds.ts';
import { asSuperuser, freshDatabase } from './postgres.ts';

/** Empty, migrated databases, created once per run. Tests get copies: eighteen migrations take ten times as long as a copy. */
export interface Migrated {
  /** The SQLite file. */
  readonly file: string;
  /** The name of the PostgreSQL database; no client ever connects to it. */
  readonly template: string;
}

/** Creates the databases that `openTestDatabase` copies; `remove` deletes them. */
export async function prepareMigratedDatabases(
  server: string,
): Promise<{ readonly migrated: Migrated; readonly remove: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'paydesk-migrated-'));
  const migrated: Migrated = { file: join(folder, 'paydesk.sqlite'), template: `migrated_${randomBytes(6).toString('hex')}` };
  await asSuperuser(server, `CREATE DATABASE ${migrated.template}`);
  await (await openPostgres({ url: `${server}/${migrated.template}`, migrations: MIGRATIONS })).close();
  await (await openSqlite({ file: migrated.file, migrations: MIGRATIONS })).close();
  return {
    migrated,
    async remove() {
      await asSuperuser(server, `DROP DATABASE ${migrated.template}`);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** An empty, migrated database of the service and its location. */
export interface TestDatabase {
  readonly database: Database;
  /** The file or the address. */
  readonly place: string;
  close(): Promise<void>;
}

/** Opens a database for one test. The options are those of SQLite. */
export async function openTestDatabase(kind: DatabaseKind, options: Partial<SqliteOptions> = {}): Promise<TestDatabase> {
  const { file, template } = inject('migrated');
  if (kind === 'postgres') {
    const fresh = await freshDatabase(template);
    const database = await openPostgres({ url: fresh.url, migrations: MIGRATIONS });
    return {
      database,
      place: fresh.url,
      async close() {
        await database.close();
        await fresh.drop();
      },
    };
  }
  const folder = await mkdtemp(join(tmpdir(), 'paydesk-database-'));
  const place = join(folder, 'paydesk.sqlite');
  await copyFile(file, place);
  const database = await openSqlite({ file: place, migrations: MIGRATIONS, ...options });
  return {
    database,
    place,
    async close() {
      await database.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Opens the service's database at a path or a PostgreSQL address a second time, beside the running server. */
export function openTestDatabaseAt(place: string): Promise<Database> {
  return place.includes('://') ? openPostgres({ url: place, migrations: MIGRATIONS }) : openSqlite({ file: place, migrations: MIGRATIONS });
}
