import { type MigrationInterface, type QueryRunner, TableIndex } from 'typeorm';

const byReport = new TableIndex({
  name: 'attempts_by_shift_report',
  columnNames: ['tenant_id', 'shift_report_id', 'id'],
  where: 'shift_report_id IS NOT NULL',
});

/** First request of a payment, which has the shift in which it was made. */
const MADE_IN_SHIFT =
  "a.tenant_id = transactions.tenant_id AND a.transaction_id = transactions.id AND a.operation IN ('sale', 'auth', 'credit') AND a.shift_id IS NOT NULL";

/** Names the shift of each card and bank payment, and finds the payments of a Z report by an index. */
export class NameShiftsOfPayments1763600000215 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    await run.query('ALTER TABLE transactions ADD COLUMN shift_id text');
    await run.query(
      `UPDATE transactions SET shift_id = (SELECT min(a.shift_id) FROM attempts a WHERE ${MADE_IN_SHIFT})
WHERE EXISTS (SELECT 1 FROM attempts a WHERE ${MADE_IN_SHIFT})`,
    );
    await run.createIndex('attempts', byReport);
  }

  async down(run: QueryRunner): Promise<void> {
    await run.dropIndex('attempts', byReport);
    await run.query('ALTER TABLE transactions DROP COLUMN shift_id');
  }
}
