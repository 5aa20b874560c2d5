import type { MigrationInterface, QueryRunner } from 'typeorm';

const STATEMENTS = [
  'ALTER TABLE vault_entries ADD COLUMN gateway_id text',
  'ALTER TABLE payment_methods ADD COLUMN gateway_id text',
  'ALTER TABLE customer_exports ADD COLUMN left_out_count bigint',
  `CREATE TABLE card_saves (
    tenant_id text NOT NULL, id text NOT NULL, merchant_id text NOT NULL, customer_id text NOT NULL, terminal_id text NOT NULL,
    terminal_name text NOT NULL, gateway_id text NOT NULL, device_id text NOT NULL, processor_ref text NOT NULL, request_id text, currency text NOT NULL,
    state text NOT NULL, canceled_by text, reason text, consent_text text NOT NULL, payment_method_id text, brand text, last4 text, until_ms bigint,
    sent_at text NOT NULL, created_by text NOT NULL, credential_id text NOT NULL, created_at text NOT NULL, updated_at text NOT NULL, due_ms bigint,
    lease_ms bigint NOT NULL, fence bigint NOT NULL,
    PRIMARY KEY (tenant_id, id)
  )`,
  'CREATE INDEX card_saves_due ON card_saves (tenant_id, due_ms) WHERE due_ms IS NOT NULL',
  'CREATE UNIQUE INDEX card_saves_on_terminals ON card_saves (tenant_id, terminal_id) WHERE until_ms IS NOT NULL',
  'CREATE UNIQUE INDEX card_saves_by_reference ON card_saves (tenant_id, processor_ref)',
];

/** Adds cards that a card reader read and a gateway stores, and the requests that store them. */
export class StoreCardsByCardReaders2026112939000 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await run.query(statement);
  }

  async down(run: QueryRunner): Promise<void> {
    await run.query('DROP TABLE card_saves');
    await run.query('ALTER TABLE customer_exports DROP COLUMN left_out_count');
    await run.query('ALTER TABLE payment_methods DROP COLUMN gateway_id');
    await run.query('ALTER TABLE vault_entries DROP COLUMN gateway_id');
  }
}
