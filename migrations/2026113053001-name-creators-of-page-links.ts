import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds to links to the page of a customer the person who made them, so that they end with the person's rights. */
export class NameCreatorsOfPageLinks2026113053001 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    await run.query('ALTER TABLE customer_page_links ADD COLUMN created_by_id text');
    await run.query(
      'CREATE INDEX customer_page_links_by_creator ON customer_page_links (tenant_id, created_by_id) WHERE created_by_id IS NOT NULL',
    );
    // A link names its person by the email address, which is that of one user of the account.
    await run.query(`UPDATE customer_page_links SET created_by_id = (
      SELECT users.id FROM users WHERE users.tenant_id = customer_page_links.tenant_id AND users.email = customer_page_links.created_by
    ) WHERE source = 'staff'`);
  }

  async down(run: QueryRunner): Promise<void> {
    await run.query('DROP INDEX customer_page_links_by_creator');
    await run.query('ALTER TABLE customer_page_links DROP COLUMN created_by_id');
  }
}
