import type { MigrationInterface, QueryRunner } from 'typeorm';

const KIND = 'tenant_id, merchant_id, status, type, method';

/** Adds totals over all days, as rows without a day, to the daily counts. */
export class AddAggregateTotals1763600000015 implements MigrationInterface {
  /** The name that existing databases have recorded. */
  readonly name = 'TotalsAtOnce1763600000015';

  async up(run: QueryRunner): Promise<void> {
    await run.query(`INSERT INTO transaction_counts (${KIND}, day, n) SELECT ${KIND}, '', sum(n) FROM transaction_counts GROUP BY ${KIND}`);
  }

  async down(run: QueryRunner): Promise<void> {
    await run.query("DELETE FROM transaction_counts WHERE day = ''");
  }
}
