import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';
import { migrationColumns } from '#core/database';

const { key, integer } = migrationColumns;

const sums = new Table({
  name: 'bank_day_sums',
  columns: [...['tenant_id', 'merchant_id', 'booked_day', 'currency', 'measure'].map(key), integer('n')],
});

/** Measures with the expression over the lines of a day. */
const MEASURES = {
  lines: 'count(*)',
  open_lines: `count(CASE WHEN state = 'open' THEN 1 END)`,
  amount: 'sum(amount_minor)',
  unrelated: 'sum(unrelated_minor)',
};

/** Adds the sums of bank lines by day, from which the close of a period reads its figures. */
export class SumBankLines1763600000210 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    await run.createTable(sums);
    for (const [measure, sum] of Object.entries(MEASURES))
      await run.query(
        `INSERT INTO bank_day_sums (tenant_id, merchant_id, booked_day, currency, measure, n)
         SELECT tenant_id, merchant_id, booked_day, currency, '${measure}', ${sum} FROM bank_lines
         GROUP BY tenant_id, merchant_id, booked_day, currency HAVING ${sum} <> 0`,
      );
  }

  async down(run: QueryRunner): Promise<void> {
    await run.dropTable(sums.name);
  }
}
