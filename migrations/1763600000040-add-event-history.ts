import { type MigrationInterface, type QueryRunner, Table, TableIndex } from 'typeorm';
import { migrationColumns } from '#core/database';

const { key, text, optional, integer, optionalInteger } = migrationColumns;

const heads = new Table({ name: 'event_heads', columns: [key('tenant_id'), integer('n')] });

const catchUps = new Table({
  name: 'webhook_catch_ups',
  columns: [
    ...['tenant_id', 'id'].map(key),
    ...['endpoint_id', 'state', 'types'].map(text),
    optional('from_at'),
    ...['cursor', 'until', 'total', 'queued'].map(integer),
    text('created_at'),
    optionalInteger('due_ms'),
    ...['lease_ms', 'fence'].map(integer),
  ],
  uniques: [{ name: 'webhook_catch_ups_one_per_endpoint', columnNames: ['tenant_id', 'endpoint_id'] }],
  indices: [{ name: 'webhook_catch_ups_due', columnNames: ['tenant_id', 'due_ms'], where: 'due_ms IS NOT NULL' }],
});

const byNumber = new TableIndex({ name: 'events_by_number', columnNames: ['tenant_id', 'n'], isUnique: true });

/** Numbers the events of each tenant and adds catch-ups. Existing events keep the order of their IDs, and so do their open deliveries. */
export class AddEventHistory1763600000040 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    await run.query('ALTER TABLE events ADD COLUMN n bigint NOT NULL DEFAULT 0');
    // SQLite cannot drop a default, and the schema declares none.
    if (run.connection.options.type === 'postgres') await run.query('ALTER TABLE events ALTER COLUMN n DROP DEFAULT');
    await run.query(
      'UPDATE events SET n = numbered.n FROM (SELECT tenant_id, id, row_number() OVER (PARTITION BY tenant_id ORDER BY id) AS n FROM events) AS numbered WHERE events.tenant_id = numbered.tenant_id AND events.id = numbered.id',
    );
    await run.createIndex('events', byNumber);
    await run.createTable(heads);
    await run.query('INSERT INTO event_heads (tenant_id, n) SELECT tenant_id, max(n) FROM events GROUP BY tenant_id');
    await run.query(
      "UPDATE webhook_deliveries SET position = (SELECT e.n FROM events e WHERE e.tenant_id = webhook_deliveries.tenant_id AND e.id = webhook_deliveries.event_id) WHERE status = 'pending' AND EXISTS (SELECT 1 FROM events e WHERE e.tenant_id = webhook_deliveries.tenant_id AND e.id = webhook_deliveries.event_id)",
    );
    await run.createTable(catchUps);
  }

  async down(run: QueryRunner): Promise<void> {
    await run.dropTable('webhook_catch_ups');
    await run.dropTable('event_heads');
    await run.dropIndex('events', byNumber);
    await run.query('ALTER TABLE events DROP COLUMN n');
  }
}
