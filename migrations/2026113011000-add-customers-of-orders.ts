import type { MigrationInterface, QueryRunner } from 'typeorm';

const COLUMNS = ['customer_id', 'customer_name'];

/** Adds the customer to orders. */
export class AddCustomersOfOrders2026113011000 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    for (const column of COLUMNS) await run.query(`ALTER TABLE orders ADD COLUMN ${column} text`);
    await run.query('CREATE INDEX orders_by_customer ON orders (tenant_id, customer_id, id) WHERE customer_id IS NOT NULL');
  }

  async down(run: QueryRunner): Promise<void> {
    await run.query('DROP INDEX orders_by_customer');
    for (const column of COLUMNS.toReversed()) await run.query(`ALTER TABLE orders DROP COLUMN ${column}`);
  }
}
