import type { MigrationInterface, QueryRunner } from 'typeorm';

const COUNTS = ['expired_minor', 'lease_ms', 'fence'];
const indexGiven = (condition: string) =>
  `CREATE INDEX gift_card_entries_given ON gift_card_entries (tenant_id, created_at) WHERE ${condition}`;
const indexCustomers = (condition: string) =>
  `CREATE UNIQUE INDEX gift_cards_by_customer ON gift_cards (tenant_id, merchant_id, customer_id, currency) WHERE ${condition}`;

/** Adds the expiry of gift cards, which is off until a merchant switches it on. Cards of earlier versions do not expire. */
export class AddExpiryOfGiftCards2026113010000 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    await run.query('ALTER TABLE gift_cards ADD COLUMN expires_on text');
    await run.query('ALTER TABLE gift_cards ADD COLUMN due_ms bigint');
    for (const column of COUNTS) {
      await run.query(`ALTER TABLE gift_cards ADD COLUMN ${column} bigint NOT NULL DEFAULT 0`);
      // Only SQLite cannot remove the default again.
      if (run.connection.options.type === 'postgres') await run.query(`ALTER TABLE gift_cards ALTER COLUMN ${column} DROP DEFAULT`);
    }
    await run.query('CREATE INDEX gift_cards_due ON gift_cards (tenant_id, due_ms) WHERE due_ms IS NOT NULL');
    await run.query('DROP INDEX gift_card_entries_given');
    await run.query(indexGiven("kind IN ('given', 'reinstated')"));
    await run.query('DROP INDEX gift_cards_by_customer');
    await run.query(indexCustomers("kind = 'store_credit'"));
    await run.query('CREATE INDEX gift_cards_of_customer ON gift_cards (tenant_id, customer_id) WHERE customer_id IS NOT NULL');
  }

  async down(run: QueryRunner): Promise<void> {
    await run.query('DROP INDEX gift_cards_of_customer');
    await run.query('DROP INDEX gift_cards_by_customer');
    await run.query(indexCustomers('code_hash IS NULL'));
    await run.query('DROP INDEX gift_card_entries_given');
    await run.query(indexGiven("kind = 'given'"));
    await run.query('DROP INDEX gift_cards_due');
    for (const column of [...COUNTS, 'due_ms', 'expires_on']) await run.query(`ALTER TABLE gift_cards DROP COLUMN ${column}`);
  }
}
