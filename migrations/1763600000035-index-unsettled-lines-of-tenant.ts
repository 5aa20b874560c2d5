import { type MigrationInterface, type QueryRunner, TableIndex } from 'typeorm';

const captures = new TableIndex({
  name: 'transactions_unsettled_of_tenant',
  columnNames: ['tenant_id', 'captured_at', 'id'],
  where: 'settled_at IS NULL AND captured_minor > 0',
});
const refunds = new TableIndex({
  name: 'refunds_unsettled_of_tenant',
  columnNames: ['tenant_id', 'refunded_at', 'id'],
  where: 'settled_at IS NULL AND refunded_at IS NOT NULL',
});

/** Indexes unsettled lines by time, so that those of all merchants are listed without reading and sorting all of them. */
export class IndexUnsettledLinesOfTenant1763600000035 implements MigrationInterface {
  readonly name = 'IndexUnsettledLinesOfTenant1763600000035';

  async up(run: QueryRunner): Promise<void> {
    await run.createIndex('transactions', captures);
    await run.createIndex('refunds', refunds);
  }

  async down(run: QueryRunner): Promise<void> {
    await run.dropIndex('refunds', refunds);
    await run.dropIndex('transactions', captures);
  }
}
