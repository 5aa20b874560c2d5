import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds gift cards and store credit, and the tenders that they pay. */
export class AddGiftCards2026112938000 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    await run.query(`CREATE TABLE gift_cards (
      tenant_id text NOT NULL, id text NOT NULL, merchant_id text NOT NULL, kind text NOT NULL, status text NOT NULL, code_hash text,
      number_hash text, last4 text, currency text NOT NULL, balance_minor bigint NOT NULL, customer_id text, replaced_by text, block_reason text,
      created_by text NOT NULL, created_at text NOT NULL, updated_at text NOT NULL,
      PRIMARY KEY (tenant_id, id),
      CONSTRAINT gift_cards_balance CHECK (balance_minor >= 0)
    )`);
    await run.query('CREATE INDEX gift_cards_by_merchant ON gift_cards (tenant_id, merchant_id, id)');
    await run.query(
      'CREATE UNIQUE INDEX gift_cards_by_code ON gift_cards (tenant_id, merchant_id, number_hash) WHERE number_hash IS NOT NULL',
    );
    await run.query(
      'CREATE UNIQUE INDEX gift_cards_by_customer ON gift_cards (tenant_id, merchant_id, customer_id, currency) WHERE code_hash IS NULL',
    );
    await run.query(`CREATE TABLE gift_card_entries (
      tenant_id text NOT NULL, id text NOT NULL, gift_card_id text NOT NULL, kind text NOT NULL, amount_minor bigint NOT NULL,
      balance_minor bigint NOT NULL, subject_id text, reason text, created_by text NOT NULL, approved_by text, created_at text NOT NULL,
      PRIMARY KEY (tenant_id, id)
    )`);
    await run.query('CREATE INDEX gift_card_entries_by_card ON gift_card_entries (tenant_id, gift_card_id, id)');
    await run.query("CREATE INDEX gift_card_entries_given ON gift_card_entries (tenant_id, created_at) WHERE kind = 'given'");
    await run.query(`CREATE TABLE gift_card_loads (
      tenant_id text NOT NULL, order_id text NOT NULL, gift_card_id text NOT NULL, amount_minor bigint NOT NULL, loaded_minor bigint NOT NULL,
      PRIMARY KEY (tenant_id, order_id, gift_card_id)
    )`);
    await run.query('CREATE INDEX gift_card_loads_by_card ON gift_card_loads (tenant_id, gift_card_id)');
    await run.query('ALTER TABLE tenders ADD COLUMN gift_card_id text');
    await run.query('ALTER TABLE tenders ADD COLUMN gift_card_last4 text');
  }

  async down(run: QueryRunner): Promise<void> {
    for (const column of ['gift_card_last4', 'gift_card_id']) await run.query(`ALTER TABLE tenders DROP COLUMN ${column}`);
    for (const table of ['gift_card_loads', 'gift_card_entries', 'gift_cards']) await run.query(`DROP TABLE ${table}`);
  }
}
