import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';
import { migrationColumns } from '#core/database';

const { integerKey, key, text, optional, integer } = migrationColumns;

const recordings = new Table({
  name: 'recordings',
  columns: [
    ...['tenant_id', 'id'].map(key),
    ...['name', 'state'].map(text),
    ...['steps', 'started_ms'].map(integer),
    ...['created_by', 'created_at'].map(text),
    optional('stopped_at'),
  ],
});

const steps = new Table({
  name: 'recording_steps',
  columns: [...['tenant_id', 'recording_id'].map(key), integerKey('position'), text('step')],
});

/** Adds the recordings of sandbox tenants. */
export class AddRecordings1763600000049 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    for (const table of [recordings, steps]) await run.createTable(table);
  }

  async down(run: QueryRunner): Promise<void> {
    for (const table of [steps, recordings]) await run.dropTable(table);
  }
}
