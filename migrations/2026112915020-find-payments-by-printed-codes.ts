import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the order IDs in lower case, and the index of authorization codes, by which payments are found. */
export class FindPaymentsByPrintedCodes2026112915020 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    await run.query('ALTER TABLE transactions ADD COLUMN order_key text');
    await run.query('UPDATE transactions SET order_key = lower(order_id) WHERE order_id IS NOT NULL');
    await run.query('DROP INDEX transactions_by_order');
    await run.query('CREATE INDEX transactions_by_order ON transactions (tenant_id, order_key, id) WHERE order_key IS NOT NULL');
    await run.query('CREATE INDEX transactions_by_auth_code ON transactions (tenant_id, auth_code, id) WHERE auth_code IS NOT NULL');
  }

  async down(run: QueryRunner): Promise<void> {
    await run.query('DROP INDEX transactions_by_auth_code');
    await run.query('DROP INDEX transactions_by_order');
    await run.query('CREATE INDEX transactions_by_order ON transactions (tenant_id, order_id, id) WHERE order_id IS NOT NULL');
    await run.query('ALTER TABLE transactions DROP COLUMN order_key');
  }
}
