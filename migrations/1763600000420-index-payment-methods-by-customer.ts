import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds an index of payment methods by customer and ID. Without it, SQLite read all payment methods of the tenant in the order of their IDs. */
export class IndexPaymentMethodsByCustomer1763600000420 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    await run.query('CREATE INDEX payment_methods_by_customer ON payment_methods (tenant_id, customer_id, id)');
  }

  async down(run: QueryRunner): Promise<void> {
    await run.query('DROP INDEX payment_methods_by_customer');
  }
}
