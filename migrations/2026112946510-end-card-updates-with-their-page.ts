import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the link to the page of a customer to card updates that were opened there, so that they end with it. */
export class EndCardUpdatesWithTheirPage2026112946510 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    await run.query('ALTER TABLE card_update_links ADD COLUMN page_link_id text');
  }

  async down(run: QueryRunner): Promise<void> {
    await run.query('ALTER TABLE card_update_links DROP COLUMN page_link_id');
  }
}
