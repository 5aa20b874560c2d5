import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the tax of subscriptions within the amount of each payment, and purchase order numbers. */
export class AddSubscriptionTaxes1763600000226 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    await run.query('ALTER TABLE subscriptions ADD COLUMN tax_minor bigint NOT NULL DEFAULT 0');
    // SQLite cannot drop a default, and the schema declares none.
    if (run.connection.options.type === 'postgres') await run.query('ALTER TABLE subscriptions ALTER COLUMN tax_minor DROP DEFAULT');
    await run.query('ALTER TABLE subscriptions ADD COLUMN purchase_order_number text');
  }

  async down(run: QueryRunner): Promise<void> {
    await run.query('ALTER TABLE subscriptions DROP COLUMN purchase_order_number');
    await run.query('ALTER TABLE subscriptions DROP COLUMN tax_minor');
  }
}
