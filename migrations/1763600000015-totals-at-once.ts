import type { MigrationInterface, QueryRunner } from 'typeorm';

const KIND = 'tenant_id, merchant_id, status, type, method';

/** Beside the counts of each day, those of all days together: rows without a day. */
export class TotalsAtOnce1763600000015 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    await run.query(`INSERT INTO transaction_counts (${KIND}, day, n) SELECT ${KIND}, '', sum(n) FROM transaction_counts GROUP BY ${KIND}`);
  }

  async down(run: QueryRunner): Promise<void> {
    await run.query("DELETE FROM transaction_counts WHERE day = ''");
  }
}
