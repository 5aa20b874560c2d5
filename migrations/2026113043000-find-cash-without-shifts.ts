import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the index that finds payments in cash without a shift, which bank lines contain as deposits. */
export class FindCashWithoutShifts2026113043000 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    await run.query(
      "CREATE INDEX tenders_of_cash_without_shift ON tenders (tenant_id, merchant_id, id) WHERE kind = 'cash' AND shift_id IS NULL",
    );
  }

  async down(run: QueryRunner): Promise<void> {
    await run.query('DROP INDEX tenders_of_cash_without_shift');
  }
}
