import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ENTITIES } from '#core';
import { type Database, openPostgres, openSqlite } from '#core/database';
import { MIGRATIONS } from '#migrations';
import { freshDatabase } from './postgres.ts';

/** An empty, migrated database of the service, and where it lies. */
export interface TestDatabase {
  readonly database: Database;
  /** The file, or the address. */
  readonly place: string;
  close(): Promise<void>;
}

export async function openTestDatabase(kind: 'sqlite' | 'postgres'): Promise<TestDatabase> {
  const shape = { entities: ENTITIES, migrations: MIGRATIONS };
  if (kind === 'postgres') {
    const fresh = await freshDatabase();
    const database = await openPostgres({ url: fresh.url, ...shape });
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
  const database = await openSqlite({ file: place, ...shape });
  return {
    database,
    place,
    async close() {
      await database.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
