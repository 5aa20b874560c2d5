import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Finds refunded tenders and returned checks, and sorts the tenders of all merchants by their amount. */
export class FindRefundedTenders2026120110301 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    await run.query('CREATE INDEX tenders_refunded ON tenders (tenant_id, merchant_id, id) WHERE refunded_minor > 0');
    await run.query('CREATE INDEX tenders_returned ON tenders (tenant_id, id) WHERE returned_at IS NOT NULL');
    await run.query('CREATE INDEX tenders_of_tenant_by_amount ON tenders (tenant_id, amount_minor, id)');
  }

  async down(run: QueryRunner): Promise<void> {
    await run.query('DROP INDEX tenders_of_tenant_by_amount');
    await run.query('DROP INDEX tenders_returned');
    await run.query('DROP INDEX tenders_refunded');
  }
}
