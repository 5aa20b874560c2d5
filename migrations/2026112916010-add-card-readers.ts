import type { MigrationInterface, QueryRunner } from 'typeorm';

const STATEMENTS = [
  `CREATE TABLE terminals (
    tenant_id text NOT NULL, id text NOT NULL, merchant_id text NOT NULL, gateway_id text NOT NULL, gateway text NOT NULL, device_id text NOT NULL,
    name text NOT NULL, model text NOT NULL, serial_number text, workstation text, connection text NOT NULL, connection_at text NOT NULL,
    created_by text NOT NULL, created_at text NOT NULL, updated_at text NOT NULL, removed_at text,
    PRIMARY KEY (tenant_id, id)
  )`,
  'CREATE INDEX terminals_by_merchant ON terminals (tenant_id, merchant_id, id) WHERE removed_at IS NULL',
  'CREATE UNIQUE INDEX terminals_by_device ON terminals (tenant_id, gateway_id, device_id) WHERE removed_at IS NULL',
  'ALTER TABLE transactions ADD COLUMN terminal_id text',
  'ALTER TABLE transactions ADD COLUMN terminal text',
  'ALTER TABLE transactions ADD COLUMN terminal_until_ms bigint',
  'CREATE UNIQUE INDEX transactions_on_terminals ON transactions (tenant_id, terminal_id) WHERE terminal_until_ms IS NOT NULL',
];

/** Adds card readers, and the facts of payments on them. */
export class AddCardReaders2026112916010 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await run.query(statement);
  }

  async down(run: QueryRunner): Promise<void> {
    await run.query('DROP INDEX transactions_on_terminals');
    for (const column of ['terminal_until_ms', 'terminal', 'terminal_id'])
      await run.query(`ALTER TABLE transactions DROP COLUMN ${column}`);
    await run.query('DROP TABLE terminals');
  }
}
