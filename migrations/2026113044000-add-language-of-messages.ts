import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds to messages their language, because a reminder is written in that of its customer. */
export class AddLanguageOfMessages2026113044000 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    await run.query('ALTER TABLE messages ADD COLUMN language text');
  }

  async down(run: QueryRunner): Promise<void> {
    await run.query('ALTER TABLE messages DROP COLUMN language');
  }
}
