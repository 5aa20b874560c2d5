import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';
import { migrationColumns } from '#core/database';

const { key, integerKey, text, optional, integer, optionalInteger, indexWhereSet } = migrationColumns;

const due = [optionalInteger('due_ms'), ...['lease_ms', 'fence'].map(integer)];

const starts = new Table({ name: 'audit_starts', columns: [key('tenant_id'), integer('n'), ...['hash', 'seal'].map(text)] });

const settings = new Table({
  name: 'archive_settings',
  columns: [...['tenant_id', 'id'].map(key), ...['is_on', 'keep_years'].map(integer), optional('folder'), text('updated_at'), ...due],
  indices: [indexWhereSet('archive_settings_due', ['tenant_id', 'due_ms'])],
});

const archives = new Table({
  name: 'archives',
  columns: [
    ...['tenant_id', 'id'].map(key),
    integer('year'),
    ...['status', 'actor'].map(text),
    ...['station', 'folder', 'name', 'sha256'].map(optional),
    ...['bytes', 'entries'].map(optionalInteger),
    optional('message'),
    text('check_status'),
    ...['checked_at', 'check_message'].map(optional),
    text('created_at'),
    optional('finished_at'),
    ...due,
  ],
  indices: [indexWhereSet('archives_due', ['tenant_id', 'due_ms'])],
});

const frames = new Table({
  name: 'archived_frames',
  columns: [
    key('tenant_id'),
    ...['year', 'frame'].map(integerKey),
    ...['position', 'first_n', 'last_n'].map(integer),
    ...['previous_hash', 'last_hash'].map(text),
  ],
});

const TABLES = [starts, settings, archives, frames];

/** Creates archives of old audit entries, their settings, and the point at which the audit log of the database starts. */
export class AddArchives1763600000300 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    for (const table of TABLES) await run.createTable(table);
  }

  async down(run: QueryRunner): Promise<void> {
    for (const { name } of TABLES.toReversed()) await run.dropTable(name);
  }
}
