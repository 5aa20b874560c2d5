import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds to bank accounts the day from which their open lines are to be explained again. */
export class ExplainNewBankLinesFirst2026113057000 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    await run.query('ALTER TABLE bank_accounts ADD COLUMN due_from text');
  }

  async down(run: QueryRunner): Promise<void> {
    await run.query('ALTER TABLE bank_accounts DROP COLUMN due_from');
  }
}
