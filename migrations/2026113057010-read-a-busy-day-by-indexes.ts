import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Finds the shifts of the payments of a day without reading the payments, and authorizations without reading the sales of their days. */
export class ReadABusyDayByIndexes2026113057010 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    await run.query('CREATE INDEX attempts_in_shifts ON attempts (tenant_id, id, shift_id, shift_report_id) WHERE shift_id IS NOT NULL');
    await run.query("CREATE INDEX transactions_authorizations ON transactions (tenant_id, merchant_id, id) WHERE type = 'auth'");
  }

  async down(run: QueryRunner): Promise<void> {
    await run.query('DROP INDEX transactions_authorizations');
    await run.query('DROP INDEX attempts_in_shifts');
  }
}
