import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Counted tables with the columns by which they are counted, and the condition of counted rows. */
const COUNTED = [
  ['customers', ['merchant_id'], 'deleted_at IS NULL'],
  ['subscriptions', ['merchant_id', 'status'], 'deleted_at IS NULL'],
  ['invoices', ['merchant_id', 'status', 'kind'], '1 = 1'],
  ['gift_cards', ['merchant_id', 'status', 'kind'], '1 = 1'],
  ['orders', ['merchant_id', 'status'], '1 = 1'],
] as const;

/** Counts the rows of long lists, for their totals. */
export class CountRowsOfLists2026120110300 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    await run.query(`CREATE TABLE row_counts (
      tenant_id text NOT NULL,
      table_name text NOT NULL,
      value1 text NOT NULL,
      value2 text NOT NULL,
      value3 text NOT NULL,
      n bigint NOT NULL,
      PRIMARY KEY (tenant_id, table_name, value1, value2, value3)
    )`);
    for (const [table, columns, condition] of COUNTED) {
      const values = [0, 1, 2].map((index) => columns[index] ?? "''");
      await run.query(
        `INSERT INTO row_counts (tenant_id, table_name, value1, value2, value3, n) SELECT tenant_id, '${table}', ${values.join(', ')}, count(*) FROM ${table} WHERE ${condition} GROUP BY tenant_id, ${columns.join(', ')}`,
      );
    }
  }

  async down(run: QueryRunner): Promise<void> {
    await run.query('DROP TABLE row_counts');
  }
}
