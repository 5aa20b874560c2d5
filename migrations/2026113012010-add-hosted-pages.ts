import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the payment pages of processors on which payers pay invoices and payment links. */
export class AddHostedPages2026113012010 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    await run.query('ALTER TABLE invoices ADD COLUMN hosted_url text');
    await run.query(`CREATE TABLE hosted_pages (
      tenant_id text NOT NULL, id text NOT NULL, invoice_id text NOT NULL, merchant_id text NOT NULL, gateway_id text NOT NULL,
      gateway text NOT NULL, processor_ref text NOT NULL, delivery text NOT NULL, amount_minor bigint NOT NULL, currency text NOT NULL,
      status text NOT NULL, reference text, sealed_address text, emailed_to text, opens_until_ms bigint, watch_until_ms bigint,
      is_close_wanted bigint NOT NULL, problem text, found text, transaction_id text, created_by text NOT NULL, checked_at text, ended_at text,
      due_ms bigint, lease_ms bigint NOT NULL, fence bigint NOT NULL, created_at text NOT NULL,
      PRIMARY KEY (tenant_id, id)
    )`);
    await run.query('CREATE INDEX hosted_pages_by_invoice ON hosted_pages (tenant_id, invoice_id, id)');
    await run.query('CREATE UNIQUE INDEX hosted_pages_open ON hosted_pages (tenant_id, invoice_id) WHERE ended_at IS NULL');
    await run.query('CREATE INDEX hosted_pages_due ON hosted_pages (tenant_id, due_ms) WHERE due_ms IS NOT NULL');
  }

  async down(run: QueryRunner): Promise<void> {
    await run.query('DROP TABLE hosted_pages');
    await run.query('ALTER TABLE invoices DROP COLUMN hosted_url');
  }
}
