import type { MigrationInterface } from 'typeorm';
import { ServiceError } from '#core/kernel';

export type Migration = new () => MigrationInterface;

/** Returns the name under which a database records a migration: its `name`, or else that of its class. */
export const nameOf = (migration: Migration): string => new migration().name ?? migration.name;

/** Table in which TypeORM records the migrations of a database. */
export const MIGRATIONS_TABLE = 'schema_migrations';

/** The schema has changes that this program does not know. */
export class NewerSchema extends Error {
  override name = 'NewerSchema';

  constructor() {
    super('A newer version of Paydesk has used this data, and this one does not understand it: update Paydesk here. Nothing was changed.');
  }
}

/** The schema has to be moved on while stations of an older version still use it. */
export class OlderStationsRunning extends Error {
  override name = 'OlderStationsRunning';

  constructor() {
    super(
      'Other stations still use this database with an older version of Paydesk: stop them, start this one, then update them. Nothing was changed.',
    );
  }
}

/** Returns the error of a running workstation after a newer one migrated the schema while it was disconnected. */
export function outdated(): ServiceError {
  return new ServiceError('SERVICE_UNAVAILABLE', new NewerSchema().message, { details: { reason: 'outdated' } });
}

export function isOutdated(error: unknown): boolean {
  return error instanceof ServiceError && error.details?.reason === 'outdated';
}

/** The changes of a schema that are still to be made. Throws NewerSchema when it has one that is not among ours. */
export function pendingOf(migrations: readonly Migration[], made: readonly string[]): readonly Migration[] {
  const known = new Set(migrations.map(nameOf));
  if (made.some((name) => !known.has(name))) throw new NewerSchema();
  return migrations.filter((migration) => !made.includes(nameOf(migration)));
}
