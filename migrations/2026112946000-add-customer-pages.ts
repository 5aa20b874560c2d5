import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the page on which a customer sees and settles everything, and payments of several invoices by one submission of it. */
export class AddCustomerPages2026112946000 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    await run.query('ALTER TABLE messages ADD COLUMN customer_id text');
    await run.query(`CREATE TABLE customer_page_links (
      tenant_id text NOT NULL, id text NOT NULL, merchant_id text NOT NULL, customer_id text NOT NULL, token_hash text NOT NULL,
      source text NOT NULL, expires_ms bigint NOT NULL, revoked_at text, revoked_by text, created_by text NOT NULL, created_at text NOT NULL,
      PRIMARY KEY (tenant_id, id)
    )`);
    await run.query('CREATE INDEX customer_page_links_by_customer ON customer_page_links (tenant_id, customer_id, id)');
    await run.query('CREATE INDEX customer_page_links_by_token ON customer_page_links (token_hash)');
    await run.query('CREATE INDEX customer_page_links_by_expiry ON customer_page_links (tenant_id, expires_ms)');
    await run.query(`CREATE TABLE customer_page_sessions (
      tenant_id text NOT NULL, id text NOT NULL, link_id text NOT NULL, customer_id text NOT NULL, expires_ms bigint NOT NULL,
      created_at text NOT NULL,
      PRIMARY KEY (tenant_id, id)
    )`);
    await run.query('CREATE INDEX customer_page_sessions_by_link ON customer_page_sessions (tenant_id, link_id)');
    await run.query('CREATE INDEX customer_page_sessions_by_customer ON customer_page_sessions (tenant_id, customer_id)');
    await run.query('CREATE INDEX customer_page_sessions_by_expiry ON customer_page_sessions (tenant_id, expires_ms)');
    await run.query(`CREATE TABLE invoice_payment_groups (
      tenant_id text NOT NULL, id text NOT NULL, customer_id text NOT NULL, attempt_key text NOT NULL, payments text NOT NULL,
      created_at text NOT NULL,
      PRIMARY KEY (tenant_id, id), UNIQUE (tenant_id, customer_id, attempt_key)
    )`);
  }

  async down(run: QueryRunner): Promise<void> {
    for (const table of ['invoice_payment_groups', 'customer_page_sessions', 'customer_page_links']) await run.query(`DROP TABLE ${table}`);
    await run.query('ALTER TABLE messages DROP COLUMN customer_id');
  }
}
