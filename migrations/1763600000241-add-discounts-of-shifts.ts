import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the discounts of tenders to the movements of shifts, so that X and Z reports count them. */
export class AddDiscountsOfShifts1763600000241 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    await run.query('ALTER TABLE shift_movements ADD COLUMN discount_minor bigint NOT NULL DEFAULT 0');
    // SQLite cannot drop a default, and the schema declares none.
    if (run.connection.options.type === 'postgres') await run.query('ALTER TABLE shift_movements ALTER COLUMN discount_minor DROP DEFAULT');
  }

  async down(run: QueryRunner): Promise<void> {
    await run.query('ALTER TABLE shift_movements DROP COLUMN discount_minor');
  }
}
