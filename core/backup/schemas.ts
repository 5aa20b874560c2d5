import type { MigrationInterface } from 'typeorm';
import { nameOf, openPostgres, openSqlite } from '#core/database';
import { SCHEMA_OF } from './postgres-source.ts';
import { BackupRefused } from './refused.ts';
import { PARTS, type Part } from './rows.ts';

/** A change of the schema. */
type Change = new () => MigrationInterface;

/** Every change of each part's schema, oldest first. */
export type Schemas = Readonly<Record<Part, readonly Change[]>>;

type Made = Readonly<Record<Part, readonly string[]>>;

/** The changes to make before the rows of a backup go in. Throws BackupRefused where it has one that this program does not know. */
export function changesFor(schemas: Schemas, made: Made): Schemas {
  const isKnown = PARTS.every((part) => made[part].every((name) => schemas[part].some((change) => nameOf(change) === name)));
  if (!isKnown) {
    const words = 'The backup was made by a newer version of Paydesk, and this one does not understand it: update Paydesk here.';
    throw new BackupRefused('too-new', words);
  }
  const before = (part: Part) => schemas[part].filter((change) => made[part].includes(nameOf(change)));
  return { service: before('service'), sandbox: before('sandbox') };
}

/** Runs the migrations that a file has not had yet. */
export async function migrateFile(file: string, changes: readonly Change[]): Promise<void> {
  const database = await openSqlite({ file, entities: [], migrations: changes });
  await database.close();
}

/** The same in a PostgreSQL database. */
export async function migrateDatabase(url: string, part: Part, changes: readonly Change[]): Promise<void> {
  const database = await openPostgres({ url, schema: SCHEMA_OF[part], entities: [], migrations: changes });
  await database.close();
}
