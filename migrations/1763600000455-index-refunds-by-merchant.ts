import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds an index of refunds by merchant and ID. Without it, a list of the refunds of a merchant read those of all merchants. */
export class IndexRefundsByMerchant1763600000455 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    await run.query('CREATE INDEX refunds_by_merchant ON refunds (tenant_id, merchant_id, id)');
  }

  async down(run: QueryRunner): Promise<void> {
    await run.query('DROP INDEX refunds_by_merchant');
  }
}
