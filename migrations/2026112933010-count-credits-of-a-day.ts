import type { MigrationInterface, QueryRunner } from 'typeorm';

const INDEX = 'CREATE INDEX transactions_credits_by_day ON transactions (tenant_id, merchant_id, day)';

/** Counts the credits of a day by their type, because those on card readers name no payment. */
export class CountCreditsOfADay2026112933010 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    await run.query('DROP INDEX transactions_credits_by_day');
    await run.query(`${INDEX} WHERE type = 'credit'`);
  }

  async down(run: QueryRunner): Promise<void> {
    await run.query('DROP INDEX transactions_credits_by_day');
    await run.query(`${INDEX} WHERE credit_of IS NOT NULL`);
  }
}
