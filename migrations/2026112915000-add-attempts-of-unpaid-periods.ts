import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the attempts and the fixed amounts of the unpaid period of a subscription. Periods that are unpaid already have the present amounts. */
export class AddAttemptsOfUnpaidPeriods2026112915000 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    await run.query('ALTER TABLE subscriptions ADD COLUMN attempts bigint NOT NULL DEFAULT 0');
    // Only SQLite cannot remove the default again.
    if (run.connection.options.type === 'postgres') await run.query('ALTER TABLE subscriptions ALTER COLUMN attempts DROP DEFAULT');
    await run.query('ALTER TABLE subscriptions ADD COLUMN unpaid_minor bigint');
    await run.query('ALTER TABLE subscriptions ADD COLUMN unpaid_tax_minor bigint');
    await run.query('ALTER TABLE subscriptions ADD COLUMN unpaid_since text');
    await run.query(
      "UPDATE subscriptions SET attempts = failed_attempts, unpaid_minor = amount_minor, unpaid_tax_minor = tax_minor, unpaid_since = next_date WHERE status = 'past_due'",
    );
  }

  async down(run: QueryRunner): Promise<void> {
    for (const column of ['attempts', 'unpaid_minor', 'unpaid_tax_minor', 'unpaid_since'])
      await run.query(`ALTER TABLE subscriptions DROP COLUMN ${column}`);
  }
}
