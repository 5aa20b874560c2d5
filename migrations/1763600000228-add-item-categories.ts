import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the category of items, by which the Sell screen groups its buttons. */
export class AddItemCategories1763600000228 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    await run.query('ALTER TABLE items ADD COLUMN category text');
  }

  async down(run: QueryRunner): Promise<void> {
    await run.query('ALTER TABLE items DROP COLUMN category');
  }
}
