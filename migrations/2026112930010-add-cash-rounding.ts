import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = ['tenders', 'tender_refunds'];

/** Adds the rounding of cash to tenders and their refunds. Earlier ones were not rounded. */
export class AddCashRounding2026112930010 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    for (const table of TABLES) {
      await run.query(`ALTER TABLE ${table} ADD COLUMN rounding_minor bigint NOT NULL DEFAULT 0`);
      // Only SQLite cannot remove the default again.
      if (run.connection.options.type === 'postgres') await run.query(`ALTER TABLE ${table} ALTER COLUMN rounding_minor DROP DEFAULT`);
    }
  }

  async down(run: QueryRunner): Promise<void> {
    for (const table of TABLES) await run.query(`ALTER TABLE ${table} DROP COLUMN rounding_minor`);
  }
}
