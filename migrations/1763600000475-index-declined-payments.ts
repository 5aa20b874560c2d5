import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds an index of declined payments by their code. Without it, a list of the payments with a decline code read all payments. */
export class IndexDeclinedPayments1763600000475 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    await run.query('CREATE INDEX transactions_by_decline ON transactions (tenant_id, decline_code, id) WHERE decline_code IS NOT NULL');
  }

  async down(run: QueryRunner): Promise<void> {
    await run.query('DROP INDEX transactions_by_decline');
  }
}
