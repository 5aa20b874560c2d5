import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = ['invoices', 'invoice_payments'] as const;

/** Adds the tax of invoices and payment links with its share in their payments, and purchase order numbers. */
export class AddInvoiceTaxes1763600000175 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    for (const table of TABLES) {
      await run.query(`ALTER TABLE ${table} ADD COLUMN tax_minor bigint NOT NULL DEFAULT 0`);
      // SQLite cannot drop a default, and the schema declares none.
      if (run.connection.options.type === 'postgres') await run.query(`ALTER TABLE ${table} ALTER COLUMN tax_minor DROP DEFAULT`);
    }
    await run.query('ALTER TABLE invoices ADD COLUMN purchase_order_number text');
  }

  async down(run: QueryRunner): Promise<void> {
    await run.query('ALTER TABLE invoices DROP COLUMN purchase_order_number');
    for (const table of TABLES.toReversed()) await run.query(`ALTER TABLE ${table} DROP COLUMN tax_minor`);
  }
}
