import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Adds indexes of the payments that totals of lists add to a counter or subtract from it: refunded ones, approved ones without a capture, and settled ones
 * that are not approved. A sale that is approved and captured is in none of them.
 */
export class IndexExceptionalPayments1763600000490 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    await run.query(
      `CREATE INDEX transactions_refunded ON transactions
        (tenant_id, id, merchant_id, type, method, status, card_brand, captured_minor, refunded_minor, settled_at) WHERE refunded_minor > 0`,
    );
    await run.query(
      `CREATE INDEX transactions_uncaptured ON transactions (tenant_id, status, captured_minor, id)
        WHERE status = 'approved' AND captured_minor = 0 AND settled_at IS NULL`,
    );
    await run.query(
      `CREATE INDEX transactions_settled_unapproved ON transactions (tenant_id, id) WHERE status <> 'approved' AND settled_at IS NOT NULL`,
    );
  }

  async down(run: QueryRunner): Promise<void> {
    await run.query('DROP INDEX transactions_settled_unapproved');
    await run.query('DROP INDEX transactions_uncaptured');
    await run.query('DROP INDEX transactions_refunded');
  }
}
