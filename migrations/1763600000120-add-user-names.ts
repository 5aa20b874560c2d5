import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the names of users. Existing users have no name. */
export class AddUserNames1763600000120 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    await run.query('ALTER TABLE users ADD COLUMN name text');
  }

  async down(run: QueryRunner): Promise<void> {
    await run.query('ALTER TABLE users DROP COLUMN name');
  }
}
