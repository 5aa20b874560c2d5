import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the language of a user's screens. Existing users have that of their browser. */
export class AddLanguagesOfUsers1763600000250 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    await run.query('ALTER TABLE users ADD COLUMN language text');
  }

  async down(run: QueryRunner): Promise<void> {
    await run.query('ALTER TABLE users DROP COLUMN language');
  }
}
