import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the requested amount of payments of which a part may be approved. */
export class AddRequestedAmounts2026112937000 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    await run.query('ALTER TABLE transactions ADD COLUMN requested_minor bigint');
  }

  async down(run: QueryRunner): Promise<void> {
    await run.query('ALTER TABLE transactions DROP COLUMN requested_minor');
  }
}
