import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Columns with a default for existing rows. */
const COLUMNS = [
  ['merchants', 'late_fee_settings', "text NOT NULL DEFAULT '{}'"],
  ['invoices', 'late_fee_minor', 'bigint NOT NULL DEFAULT 0'],
] as const;

/** Adds the late fees of invoices, which are off until a merchant switches them on. */
export class AddLateFees2026112945000 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    for (const [table, column, type] of COLUMNS) {
      await run.query(`ALTER TABLE ${table} ADD COLUMN ${column} ${type}`);
      // Only SQLite cannot remove the default again.
      if (run.connection.options.type === 'postgres') await run.query(`ALTER TABLE ${table} ALTER COLUMN ${column} DROP DEFAULT`);
    }
    await run.query(`CREATE TABLE late_fee_runs (
      tenant_id text NOT NULL, id text NOT NULL, since_day text NOT NULL, run_day text, after_due_date text, after_id text,
      due_ms bigint, lease_ms bigint NOT NULL, fence bigint NOT NULL,
      PRIMARY KEY (tenant_id, id)
    )`);
    await run.query('CREATE INDEX late_fee_runs_due ON late_fee_runs (tenant_id, due_ms) WHERE due_ms IS NOT NULL');
    await run.query(`CREATE TABLE late_fees (
      tenant_id text NOT NULL, invoice_id text NOT NULL, period bigint NOT NULL, id text NOT NULL, day text NOT NULL,
      currency text NOT NULL, amount_minor bigint NOT NULL, description text NOT NULL, created_at text NOT NULL,
      reversed_at text, reversed_by text, reverse_reason text,
      PRIMARY KEY (tenant_id, invoice_id, period)
    )`);
    await run.query(`CREATE TABLE late_fee_exemptions (
      tenant_id text NOT NULL, subject_id text NOT NULL, is_off bigint NOT NULL, since_day text, updated_at text NOT NULL,
      PRIMARY KEY (tenant_id, subject_id)
    )`);
  }

  async down(run: QueryRunner): Promise<void> {
    for (const table of ['late_fee_exemptions', 'late_fees', 'late_fee_runs']) await run.query(`DROP TABLE ${table}`);
    for (const [table, column] of COLUMNS.toReversed()) await run.query(`ALTER TABLE ${table} DROP COLUMN ${column}`);
  }
}
