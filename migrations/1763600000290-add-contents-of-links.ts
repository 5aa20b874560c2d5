import type { MigrationInterface, QueryRunner } from 'typeorm';

const COLUMNS = {
  order_id: 'text',
  payment_lines: 'text',
  tip_minor: 'bigint NOT NULL DEFAULT 0',
  discount_minor: 'bigint NOT NULL DEFAULT 0',
  discount_id: 'text',
  discount_approved_by: 'text',
} as const;

/** Adds to payment links what their payment carries, for links that replace a queued payment. */
export class AddContentsOfLinks1763600000290 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    for (const [column, type] of Object.entries(COLUMNS)) await run.query(`ALTER TABLE invoices ADD COLUMN ${column} ${type}`);
    // SQLite cannot drop a default, and the schema declares none.
    if (run.connection.options.type !== 'postgres') return;
    for (const column of ['tip_minor', 'discount_minor']) await run.query(`ALTER TABLE invoices ALTER COLUMN ${column} DROP DEFAULT`);
  }

  async down(run: QueryRunner): Promise<void> {
    for (const column of Object.keys(COLUMNS).toReversed()) await run.query(`ALTER TABLE invoices DROP COLUMN ${column}`);
  }
}
