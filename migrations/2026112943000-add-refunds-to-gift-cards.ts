import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = ['refunds', 'tender_refunds'];

/** Adds the gift card or store credit that received a refund. */
export class AddRefundsToGiftCards2026112943000 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    for (const table of TABLES) await run.query(`ALTER TABLE ${table} ADD COLUMN gift_card_id text`);
  }

  async down(run: QueryRunner): Promise<void> {
    for (const table of TABLES) await run.query(`ALTER TABLE ${table} DROP COLUMN gift_card_id`);
  }
}
