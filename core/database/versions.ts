import type { MigrationInterface } from 'typeorm';
import { ServiceError } from '#core/kernel';

export type Migration = new () => MigrationInterface;

/** Where TypeORM notes which changes of the schema a database has. */
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

/** What a running station answers once a newer one has moved the schema on while it was cut off. */
export function outdated(): ServiceError {
  return new ServiceError('SERVICE_UNAVAILABLE', new NewerSchema().message, { details: { reason: 'outdated' } });
}

export function isOutdated(error: unknown): boolean {
  return error instanceof ServiceError && error.details?.reason === 'outdated';
}

/** The changes of a schema that are still to be made. Throws NewerSchema when it has one that is not among ours. */
export function pendingOf(migrations: readonly Migration[], made: readonly string[]): readonly Migration[] {
  const known = new Set(migrations.map(({ name }) => name));
  if (made.some((name) => !known.has(name))) throw new NewerSchema();
  return migrations.filter(({ name }) => !made.includes(name));
}
