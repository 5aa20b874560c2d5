import { type MigrationInterface, type QueryRunner, TableIndex } from 'typeorm';

const inTransit = new TableIndex({
  name: 'payouts_in_transit',
  columnNames: ['tenant_id', 'merchant_id'],
  where: "status IN ('pending', 'processing')",
});

/** Finds payouts that have not arrived at the bank without reading all earlier ones. */
export class FindPayoutsInTransit1763600000255 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    await run.createIndex('payouts', inTransit);
  }

  async down(run: QueryRunner): Promise<void> {
    await run.dropIndex('payouts', inTransit);
  }
}
