import type { MigrationInterface, QueryRunner } from 'typeorm';

const STATEMENTS = [
  `CREATE TABLE sandbox_ledger (
    tenant_id text NOT NULL, processor_ref text NOT NULL, reference text NOT NULL, operation text NOT NULL, original_ref text,
    amount_minor bigint NOT NULL, currency text NOT NULL, approved bigint NOT NULL, auth_code text, avs_response text, cvv_response text,
    decline_code text, refund_rule text, last4 text, at text NOT NULL,
    PRIMARY KEY (tenant_id, processor_ref)
  )`,
  'CREATE INDEX sandbox_ledger_by_original ON sandbox_ledger (tenant_id, original_ref) WHERE original_ref IS NOT NULL',
  'CREATE INDEX sandbox_ledger_by_time ON sandbox_ledger (tenant_id, at)',
  `CREATE TABLE sandbox_modes (
    tenant_id text NOT NULL, gateway_id text NOT NULL, mode text NOT NULL,
    PRIMARY KEY (tenant_id, gateway_id)
  )`,
  `CREATE TABLE sandbox_installation (
    id text NOT NULL, installation_id text NOT NULL,
    PRIMARY KEY (id)
  )`,
];

/** The schema of the sandbox processor's database. */
export class CreateSandboxSchema2026112912000 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await run.query(statement);
  }

  async down(run: QueryRunner): Promise<void> {
    for (const table of ['sandbox_installation', 'sandbox_modes', 'sandbox_ledger']) await run.query(`DROP TABLE ${table}`);
  }
}

const READER_STATEMENTS = [
  `CREATE TABLE sandbox_readers (
    tenant_id text NOT NULL, id text NOT NULL, serial_number text NOT NULL, plugged bigint NOT NULL, connected bigint NOT NULL, dialog text,
    PRIMARY KEY (tenant_id, id)
  )`,
  `CREATE TABLE sandbox_dialogs (
    tenant_id text NOT NULL, processor_ref text NOT NULL, reader_id text NOT NULL, merchant_id text NOT NULL, gateway_id text,
    operation text NOT NULL, amount_minor bigint NOT NULL, currency text NOT NULL, state text NOT NULL, canceled_by text,
    wrong_pins bigint NOT NULL, note text, card text, started_ms bigint NOT NULL,
    PRIMARY KEY (tenant_id, processor_ref)
  )`,
];

/** Adds the simulated card readers and their dialogs. */
export class AddSandboxReaders2026112916000 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    for (const statement of READER_STATEMENTS) await run.query(statement);
  }

  async down(run: QueryRunner): Promise<void> {
    for (const table of ['sandbox_dialogs', 'sandbox_readers']) await run.query(`DROP TABLE ${table}`);
  }
}

const AMOUNT_COLUMNS = ['changes text', 'tip_minor bigint', 'surcharge_minor bigint'];

/** Adds the amounts that are added on simulated card readers. */
export class AddAmountsOfReaders2026112933000 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    for (const column of AMOUNT_COLUMNS) await run.query(`ALTER TABLE sandbox_dialogs ADD COLUMN ${column}`);
  }

  async down(run: QueryRunner): Promise<void> {
    for (const column of AMOUNT_COLUMNS) await run.query(`ALTER TABLE sandbox_dialogs DROP COLUMN ${column.split(' ')[0]}`);
  }
}

/** Adds the payment pages of the sandbox processor. */
export class AddSandboxHostedPages2026113012000 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    await run.query(`CREATE TABLE sandbox_hosted_pages (
      tenant_id text NOT NULL, processor_ref text NOT NULL, token text NOT NULL, merchant_id text NOT NULL, gateway_id text,
      amount_minor bigint NOT NULL, currency text NOT NULL, description text NOT NULL, company_name text NOT NULL, closed bigint NOT NULL,
      brand text, created_at text NOT NULL,
      PRIMARY KEY (tenant_id, processor_ref)
    )`);
    await run.query('CREATE INDEX sandbox_hosted_pages_by_token ON sandbox_hosted_pages (token)');
  }

  async down(run: QueryRunner): Promise<void> {
    await run.query('DROP TABLE sandbox_hosted_pages');
  }
}
