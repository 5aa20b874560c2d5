import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';
import { migrationColumns } from '#core/database';

const { key, integerKey, text, integer } = migrationColumns;

const counts = new Table({
  name: 'event_counts',
  columns: [key('tenant_id'), integerKey('block'), key('type'), key('merchant_id'), text('first_at'), text('last_at'), integer('n')],
});

/** Adds the number of events in each full block of a history. Without it, a page of the history counted all events. */
export class CountEventsInBlocks1763600000450 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    await run.createTable(counts);
    await run.query(
      `INSERT INTO event_counts (tenant_id, block, type, merchant_id, first_at, last_at, n)
       SELECT e.tenant_id, (e.n - 1) / 2000, e.type, e.merchant_id, min(e.created_at), max(e.created_at), count(*)
       FROM events e JOIN event_heads h ON h.tenant_id = e.tenant_id
       WHERE e.test = 0 AND e.n <= h.n / 2000 * 2000
       GROUP BY e.tenant_id, (e.n - 1) / 2000, e.type, e.merchant_id`,
    );
  }

  async down(run: QueryRunner): Promise<void> {
    await run.dropTable(counts.name);
  }
}
