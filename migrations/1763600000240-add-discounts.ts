import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = ['transactions', 'tenders', 'later_payments'] as const;

/** Adds the discount that was taken off before the amount. Payments from before have none. */
export class AddDiscounts1763600000240 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    for (const table of TABLES) {
      await run.query(`ALTER TABLE ${table} ADD COLUMN discount_minor bigint NOT NULL DEFAULT 0`);
      // SQLite cannot drop a default, and the schema declares none.
      if (run.connection.options.type === 'postgres') await run.query(`ALTER TABLE ${table} ALTER COLUMN discount_minor DROP DEFAULT`);
    }
  }

  async down(run: QueryRunner): Promise<void> {
    for (const table of TABLES) await run.query(`ALTER TABLE ${table} DROP COLUMN discount_minor`);
  }
}
