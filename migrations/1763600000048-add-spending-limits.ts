import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the spending limits of API keys, with the sum of the present day. Existing keys have no limits. */
export class AddSpendingLimits1763600000048 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    await run.query('ALTER TABLE api_keys ADD COLUMN spending_limits text');
    await run.query('ALTER TABLE api_keys ADD COLUMN spent_day text');
    await run.query('ALTER TABLE api_keys ADD COLUMN spent_minor bigint NOT NULL DEFAULT 0');
    // SQLite cannot drop a default, and the schema declares none.
    if (run.connection.options.type === 'postgres') await run.query('ALTER TABLE api_keys ALTER COLUMN spent_minor DROP DEFAULT');
  }

  async down(run: QueryRunner): Promise<void> {
    for (const column of ['spending_limits', 'spent_day', 'spent_minor']) await run.query(`ALTER TABLE api_keys DROP COLUMN ${column}`);
  }
}
