import { type Migration, openPostgres, openSqlite } from '#core/database';
import { BackupRefused } from './backup-refused.ts';
import { SCHEMA_OF } from './postgres-source.ts';
import { PARTS, type Part } from './rows.ts';

/** Schema migrations of each part, oldest first. */
export type Schemas = Readonly<Record<Part, readonly Migration[]>>;

type MigrationNames = Readonly<Record<Part, readonly string[]>>;

/**
 * Returns the migrations to run before the rows of a backup are inserted. @throws BackupRefused if the backup has a migration that this
 * version does not know.
 */
export function changesFor(schemas: Schemas, migrationNames: MigrationNames): Schemas {
  const isKnown = PARTS.every((part) => migrationNames[part].every((name) => schemas[part].some((change) => change.name === name)));
  if (!isKnown) {
    const message = 'The backup was created by a newer version of Paydesk. Update Paydesk on this computer.';
    throw new BackupRefused('too-new', message);
  }
  const knownChanges = (part: Part) => schemas[part].filter((change) => migrationNames[part].includes(change.name));
  return { service: knownChanges('service'), sandbox: knownChanges('sandbox') };
}

/** Runs the migrations that a file has not had yet. */
export async function migrateFile(file: string, changes: readonly Migration[]): Promise<void> {
  const database = await openSqlite({ file, migrations: changes });
  await database.close();
}

/** Runs the migrations that a PostgreSQL database has not had yet. */
export async function migrateDatabase(url: string, part: Part, changes: readonly Migration[]): Promise<void> {
  const database = await openPostgres({ url, schema: SCHEMA_OF[part], migrations: changes });
  await database.close();
}
