import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds orders, which several payments can pay. */
export class AddOrders2026112935000 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    await run.query(`CREATE TABLE orders (
      tenant_id text NOT NULL, id text NOT NULL, merchant_id text NOT NULL, number bigint NOT NULL, status text NOT NULL, currency text NOT NULL,
      amount_minor bigint NOT NULL, tax_minor bigint NOT NULL, discount_minor bigint NOT NULL, discount_id text, discount_approved_by text,
      line_items text, name text, reference text, description text, reserved_minor bigint NOT NULL, paid_minor bigint NOT NULL,
      refunded_minor bigint NOT NULL, created_by text NOT NULL, parked_at text, parked_by text, resumed_by text, paid_at text, paid_day text,
      canceled_at text, canceled_by text, cancel_reason text, created_at text NOT NULL, updated_at text NOT NULL,
      PRIMARY KEY (tenant_id, id), UNIQUE (tenant_id, merchant_id, number)
    )`);
    await run.query('CREATE INDEX orders_by_merchant ON orders (tenant_id, merchant_id, id)');
    await run.query('CREATE INDEX orders_by_status ON orders (tenant_id, status, merchant_id, id)');
    await run.query('CREATE INDEX orders_with_items ON orders (tenant_id, merchant_id, paid_day, id) WHERE line_items IS NOT NULL');
    await run.query(`CREATE TABLE order_payments (
      tenant_id text NOT NULL, order_id text NOT NULL, id text NOT NULL, kind text NOT NULL, state text NOT NULL, share_minor bigint NOT NULL,
      tax_minor bigint NOT NULL, discount_minor bigint NOT NULL, returned_minor bigint NOT NULL, refunded_minor bigint NOT NULL,
      created_at text NOT NULL,
      PRIMARY KEY (tenant_id, order_id, id)
    )`);
    await run.query(`CREATE TABLE order_numbers (
      tenant_id text NOT NULL, merchant_id text NOT NULL, last bigint NOT NULL,
      PRIMARY KEY (tenant_id, merchant_id)
    )`);
  }

  async down(run: QueryRunner): Promise<void> {
    for (const table of ['order_numbers', 'order_payments', 'orders']) await run.query(`DROP TABLE ${table}`);
  }
}
