import { type MigrationInterface, type QueryRunner, TableIndex } from 'typeorm';

const byShift = new TableIndex({
  name: 'transactions_by_shift',
  columnNames: ['tenant_id', 'shift_id', 'id'],
  where: 'shift_id IS NOT NULL',
});

/** Finds the card and bank payments of a shift by an index. */
export class FindPaymentsByShift1763600000225 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    await run.createIndex('transactions', byShift);
  }

  async down(run: QueryRunner): Promise<void> {
    await run.dropIndex('transactions', byShift);
  }
}
