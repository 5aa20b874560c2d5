import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';
import { migrationColumns } from '#core/database';

const { key, text, optional, integer, optionalInteger } = migrationColumns;

const due = [optionalInteger('due_ms'), ...['lease_ms', 'fence'].map(integer)];

const schedules = new Table({
  name: 'backup_schedules',
  columns: [
    ...['tenant_id', 'id'].map(key),
    integer('is_on'),
    optional('folder'),
    text('time'),
    integer('keep'),
    ...due,
    text('updated_at'),
  ],
});

const backups = new Table({
  name: 'backups',
  columns: [
    ...['tenant_id', 'id'].map(key),
    ...['status', 'origin', 'actor'].map(text),
    ...['station', 'folder', 'name'].map(optional),
    ...['bytes', 'transactions', 'row_count'].map(optionalInteger),
    optional('message'),
    text('check_status'),
    ...['checked_at', 'check_message', 'findings'].map(optional),
    text('created_at'),
    optional('finished_at'),
    ...due,
  ],
  indices: [{ name: 'backups_due', columnNames: ['tenant_id', 'due_ms'], where: 'due_ms IS NOT NULL' }],
});

const restores = new Table({
  name: 'restores',
  columns: [
    ...['tenant_id', 'id'].map(key),
    ...['backup_created_at', 'restored_at'].map(text),
    ...['resumed_at', 'resumed_by'].map(optional),
  ],
});

const TABLES = [schedules, backups, restores];

/** Creates backups, their schedule, and the record of a restored installation. */
export class AddBackups1763600000012 implements MigrationInterface {
  /** The name that existing databases have recorded. */
  readonly name = 'KeptAside1763600000012';

  async up(run: QueryRunner): Promise<void> {
    for (const table of TABLES) await run.createTable(table);
  }

  async down(run: QueryRunner): Promise<void> {
    for (const { name } of [...TABLES].reverse()) await run.dropTable(name);
  }
}
