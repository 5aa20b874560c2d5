import type { MigrationInterface } from 'typeorm';
import { ServiceError } from '#core/kernel';

/** A change of the schema. Its code, and TypeORM, are loaded only if it must run. */
export interface Migration {
  /** Name under which a database records the change. */
  readonly name: string;
  load(): Promise<new () => MigrationInterface>;
}

/** Table in which TypeORM records the migrations of a database. */
export const MIGRATIONS_TABLE = 'schema_migrations';

/** Thrown when the schema has migrations that this program does not know. */
export class NewerSchema extends Error {
  override name = 'NewerSchema';

  constructor() {
    super(
      'A newer version of Paydesk has changed this data, and this version cannot use it. Update Paydesk on this computer. Nothing was changed.',
    );
  }
}

/** Thrown when the schema was made by a development version, whose migrations no released version contains. */
class UnreleasedSchema extends Error {
  override name = 'UnreleasedSchema';

  constructor() {
    super(
      'A development version of Paydesk from before version 0.1.0 made this data, and this version cannot use it. Start with an empty data directory or database. Nothing was changed.',
    );
  }
}

/** Thrown when the schema must be migrated while servers of an older version are still connected. */
export class OlderServersRunning extends Error {
  override name = 'OlderStationsRunning';

  constructor() {
    super(
      'Other workstations still use this database with an older version of Paydesk. Close Paydesk there, start it here, then update the others. Nothing was changed.',
    );
  }
}

/** Returns the error of a server that was disconnected while a server of a newer version migrated the schema. */
export function outdated(): ServiceError {
  return new ServiceError('SERVICE_UNAVAILABLE', new NewerSchema().message, { details: { reason: 'outdated' } });
}

export function isOutdated(error: unknown): boolean {
  return error instanceof ServiceError && error.details?.reason === 'outdated';
}

/** Returns the time in the name of a migration. */
const timeOf = (name: string) => Number(name.slice(-13));

/**
 * Returns the migrations that were not applied to a schema. @throws NewerSchema if the schema has one that this program does not know, or
 * UnreleasedSchema if that one is older than the first known one.
 */
export function pendingMigrations(migrations: readonly Migration[], applied: readonly string[]): readonly Migration[] {
  const known = new Set(migrations.map(({ name }) => name));
  const unknown = applied.filter((name) => !known.has(name));
  const [first] = migrations;
  if (first && unknown.some((name) => timeOf(name) < timeOf(first.name))) throw new UnreleasedSchema();
  if (unknown.length > 0) throw new NewerSchema();
  return migrations.filter(({ name }) => !applied.includes(name));
}
