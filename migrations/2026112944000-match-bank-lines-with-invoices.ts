import type { MigrationInterface, QueryRunner } from 'typeorm';

const COLUMNS = ['invoice_id', 'tender_id', 'shift_id'];

/** Adds invoices, cash and checks to the matches of bank lines, and the customers whose lines a rule recognizes. */
export class MatchBankLinesWithInvoices2026112944000 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    for (const column of COLUMNS) await run.query(`ALTER TABLE bank_matches ADD COLUMN ${column} text`);
    await run.query('ALTER TABLE bank_rules ADD COLUMN customer_id text');
    await run.query(`CREATE TABLE bank_deposits (
      tenant_id text NOT NULL, subject_id text NOT NULL, merchant_id text NOT NULL, currency text NOT NULL, matched_minor bigint NOT NULL,
      PRIMARY KEY (tenant_id, subject_id)
    )`);
  }

  async down(run: QueryRunner): Promise<void> {
    await run.query('DROP TABLE bank_deposits');
    await run.query('ALTER TABLE bank_rules DROP COLUMN customer_id');
    for (const column of COLUMNS.toReversed()) await run.query(`ALTER TABLE bank_matches DROP COLUMN ${column}`);
  }
}
