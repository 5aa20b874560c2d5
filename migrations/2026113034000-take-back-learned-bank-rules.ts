import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the rules that a match of a bank line taught or removed, so that they can be taken back with it. */
export class TakeBackLearnedBankRules2026113034000 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    await run.query('ALTER TABLE bank_matches ADD COLUMN rule_changes text');
  }

  async down(run: QueryRunner): Promise<void> {
    await run.query('ALTER TABLE bank_matches DROP COLUMN rule_changes');
  }
}
