import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';
import { migrationColumns } from '#core/database';

const { key, integer } = migrationColumns;

const counts = new Table({
  name: 'message_counts',
  columns: [...['tenant_id', 'counter'].map(key), ...['day', 'n', 'last_ms'].map(integer)],
});

/** Adds the counts of messages that callers request, by destination and by channel. */
export class CountMessages2026112900010 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    await run.createTable(counts);
  }

  async down(run: QueryRunner): Promise<void> {
    await run.dropTable(counts.name);
  }
}
