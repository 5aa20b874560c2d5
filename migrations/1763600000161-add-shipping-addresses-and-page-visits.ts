import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';
import { migrationColumns } from '#core/database';

const { key, text, integer } = migrationColumns;

const visits = new Table({
  name: 'invoice_visits',
  columns: [...['tenant_id', 'invoice_id', 'visitor'].map(key), ...['sealed', 'first_at', 'last_at'].map(text), integer('visits')],
  indices: [{ name: 'invoice_visits_by_time', columnNames: ['tenant_id', 'last_at'] }],
});

/** Lets invoices and payment links ask for a shipping address, and keeps the visits of their pages. */
export class AddShippingAddressesAndPageVisits1763600000161 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    await run.query('ALTER TABLE invoices ADD COLUMN collect_shipping bigint NOT NULL DEFAULT 0');
    // SQLite cannot drop a default, and the schema declares none.
    if (run.connection.options.type === 'postgres') await run.query('ALTER TABLE invoices ALTER COLUMN collect_shipping DROP DEFAULT');
    await run.createTable(visits);
  }

  async down(run: QueryRunner): Promise<void> {
    await run.dropTable(visits.name);
    await run.query('ALTER TABLE invoices DROP COLUMN collect_shipping');
  }
}
