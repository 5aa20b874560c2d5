import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Finds the unpaid invoices of a merchant, for To do and Home, without reading the paid ones. */
export class FindInvoicesOfAMerchantByStatus2026113058210 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    await run.query('CREATE INDEX invoices_by_merchant_and_status ON invoices (tenant_id, merchant_id, status, id)');
  }

  async down(run: QueryRunner): Promise<void> {
    await run.query('DROP INDEX invoices_by_merchant_and_status');
  }
}
