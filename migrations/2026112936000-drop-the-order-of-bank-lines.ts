import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Drops the index by which bank lines were sorted by amount: it took a quarter of the time of an import. */
export class DropTheOrderOfBankLines2026112936000 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    await run.query('DROP INDEX bank_lines_by_amount');
  }

  async down(run: QueryRunner): Promise<void> {
    await run.query('CREATE INDEX bank_lines_by_amount ON bank_lines (tenant_id, account_id, amount_minor, id)');
  }
}
