import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the setting of a card reader that it asks for a tip. */
export class AddTipsOfCardReaders2026112933000 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    await run.query('ALTER TABLE terminals ADD COLUMN asks_tip bigint');
  }

  async down(run: QueryRunner): Promise<void> {
    await run.query('ALTER TABLE terminals DROP COLUMN asks_tip');
  }
}
