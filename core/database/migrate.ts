import type { DataSourceOptions } from 'typeorm';
import { MIGRATIONS_TABLE, type Migration } from './versions.ts';

type Target = DataSourceOptions & { readonly type: 'better-sqlite3' | 'postgres' };

/** Runs the migrations that a database has not had yet, each in a transaction, on a connection of its own. */
export async function runMigrations(migrations: readonly Migration[], target: Target): Promise<void> {
  const { DataSource } = await import('typeorm');
  const classes = await Promise.all(migrations.map((migration) => migration.load()));
  const source = new DataSource({ ...target, migrations: classes, migrationsTableName: MIGRATIONS_TABLE });
  await source.initialize();
  try {
    await source.runMigrations({ transaction: 'each' });
  } finally {
    await source.destroy();
  }
}
