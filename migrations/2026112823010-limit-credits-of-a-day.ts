import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Finds the unlinked credits of a merchant's day, whose sum is limited. */
export class LimitCreditsOfADay2026112823010 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    await run.query('CREATE INDEX transactions_credits_by_day ON transactions (tenant_id, merchant_id, day) WHERE credit_of IS NOT NULL');
  }

  async down(run: QueryRunner): Promise<void> {
    await run.query('DROP INDEX transactions_credits_by_day');
  }
}
