import type { MigrationInterface, QueryRunner } from 'typeorm';

const COLUMNS = [
  ['users', 'failed_confirmations'],
  ['users', 'confirmations_locked_until_ms'],
  ['user_pins', 'locks'],
] as const;

/** Counts wrong passwords of confirmations apart from those of sign-ins, and the locks of a PIN in a row. */
export class CountGuessesApart2026112822010 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    for (const [table, column] of COLUMNS) {
      await run.query(`ALTER TABLE ${table} ADD COLUMN ${column} bigint NOT NULL DEFAULT 0`);
      if (run.connection.options.type === 'postgres') await run.query(`ALTER TABLE ${table} ALTER COLUMN ${column} DROP DEFAULT`);
    }
  }

  async down(run: QueryRunner): Promise<void> {
    for (const [table, column] of COLUMNS.toReversed()) await run.query(`ALTER TABLE ${table} DROP COLUMN ${column}`);
  }
}
