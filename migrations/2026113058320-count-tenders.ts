import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Counts the tenders of each day and kind, for the totals of lists. */
export class CountTenders2026113058320 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    await run.query(`CREATE TABLE tender_counts (
      tenant_id text NOT NULL,
      merchant_id text NOT NULL,
      day text NOT NULL,
      kind text NOT NULL,
      n bigint NOT NULL,
      PRIMARY KEY (tenant_id, merchant_id, day, kind)
    )`);
    await run.query(
      'INSERT INTO tender_counts (tenant_id, merchant_id, day, kind, n) SELECT tenant_id, merchant_id, day, kind, count(*) FROM tenders GROUP BY tenant_id, merchant_id, day, kind',
    );
    await run.query(
      "INSERT INTO tender_counts (tenant_id, merchant_id, day, kind, n) SELECT tenant_id, merchant_id, '', kind, sum(n) FROM tender_counts GROUP BY tenant_id, merchant_id, kind",
    );
  }

  async down(run: QueryRunner): Promise<void> {
    await run.query('DROP TABLE tender_counts');
  }
}
