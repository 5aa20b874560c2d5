import type { MigrationInterface, QueryRunner } from 'typeorm';

const COLUMNS = [
  ['transactions', 'channel'],
  ['transactions', 'sec_code'],
  ['transactions', 'bank_authorization'],
  ['payment_methods', 'agreement_channel'],
  ['installment_plans', 'agreement_channel'],
  ['later_payments', 'channel'],
  ['subscriptions', 'agreement'],
] as const;

/** Records how payments reached the merchant, and how bank debits and standing charges were authorized. Earlier ones have no such record. */
export class RecordChannels2026112905010 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    for (const [table, column] of COLUMNS) await run.query(`ALTER TABLE ${table} ADD COLUMN ${column} text`);
  }

  async down(run: QueryRunner): Promise<void> {
    for (const [table, column] of COLUMNS) await run.query(`ALTER TABLE ${table} DROP COLUMN ${column}`);
  }
}
