import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Sorts subscriptions by their next payment, and gift cards by balance. */
export class SortByNextPaymentsAndBalances2026113056001 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    await run.query('CREATE INDEX gift_cards_by_balance ON gift_cards (tenant_id, merchant_id, balance_minor, id)');
    await run.query('ALTER TABLE subscriptions ADD COLUMN next_payment_on text');
    await run.query("UPDATE subscriptions SET next_payment_on = next_date WHERE status IN ('active', 'past_due')");
    const retried: { tenant_id: string; id: string; retry_ms: number | string; timezone: string }[] = await run.query(
      `SELECT subscriptions.tenant_id, subscriptions.id, subscriptions.retry_ms, merchants.timezone FROM subscriptions
       JOIN merchants ON merchants.tenant_id = subscriptions.tenant_id AND merchants.id = subscriptions.merchant_id
       WHERE subscriptions.status = 'past_due' AND subscriptions.retry_ms IS NOT NULL`,
    );
    const [date, tenant, id] = run.connection.options.type === 'postgres' ? ['$1', '$2', '$3'] : ['?', '?', '?'];
    for (const row of retried)
      await run.query(`UPDATE subscriptions SET next_payment_on = ${date} WHERE tenant_id = ${tenant} AND id = ${id}`, [
        dayIn(row.timezone, Number(row.retry_ms)),
        row.tenant_id,
        row.id,
      ]);
    await run.query('DROP INDEX subscriptions_by_next_date');
    await run.query(
      'CREATE INDEX subscriptions_by_next_payment ON subscriptions (tenant_id, merchant_id, next_payment_on, id) WHERE next_payment_on IS NOT NULL',
    );
  }

  async down(run: QueryRunner): Promise<void> {
    await run.query('DROP INDEX subscriptions_by_next_payment');
    await run.query('CREATE INDEX subscriptions_by_next_date ON subscriptions (tenant_id, next_date) WHERE next_date IS NOT NULL');
    await run.query('ALTER TABLE subscriptions DROP COLUMN next_payment_on');
    await run.query('DROP INDEX gift_cards_by_balance');
  }
}

/** Returns the day of a time in a time zone, as `YYYY-MM-DD`. */
const dayIn = (timeZone: string, atMs: number): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(atMs);
