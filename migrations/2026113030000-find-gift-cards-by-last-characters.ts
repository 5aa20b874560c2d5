import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the index that finds gift cards by the last characters of their codes. */
export class FindGiftCardsByLastCharacters2026113030000 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    await run.query('CREATE INDEX gift_cards_by_last4 ON gift_cards (tenant_id, last4) WHERE last4 IS NOT NULL');
  }

  async down(run: QueryRunner): Promise<void> {
    await run.query('DROP INDEX gift_cards_by_last4');
  }
}
