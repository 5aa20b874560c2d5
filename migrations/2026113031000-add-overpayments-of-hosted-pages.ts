import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the payments on pages of processors that their invoices did not need, of which a page can have several. */
export class AddOverpaymentsOfHostedPages2026113031000 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    await run.query(`CREATE TABLE hosted_page_overpayments (
      tenant_id text NOT NULL, hosted_page_id text NOT NULL, reference text NOT NULL, transaction_id text NOT NULL,
      PRIMARY KEY (tenant_id, hosted_page_id, reference)
    )`);
    await run.query(`INSERT INTO hosted_page_overpayments (tenant_id, hosted_page_id, reference, transaction_id)
      SELECT tenant_id, id, coalesce(payment_reference, ''), transaction_id FROM hosted_pages
      WHERE status = 'overpaid' AND transaction_id IS NOT NULL`);
  }

  async down(run: QueryRunner): Promise<void> {
    await run.query('DROP TABLE hosted_page_overpayments');
  }
}
