import { type MigrationInterface, type QueryRunner, TableIndex } from 'typeorm';

const failed = new TableIndex({
  name: 'webhook_deliveries_failed',
  columnNames: ['tenant_id', 'last_attempt_at'],
  where: "status = 'failed'",
});

/** Indexes failed deliveries, so that they are found without reading successful ones. */
export class IndexFailedDeliveries1763600000017 implements MigrationInterface {
  /** The name that existing databases have recorded. */
  readonly name = 'HowItStands1763600000017';

  async up(run: QueryRunner): Promise<void> {
    await run.createIndex('webhook_deliveries', failed);
  }

  async down(run: QueryRunner): Promise<void> {
    await run.dropIndex('webhook_deliveries', failed);
  }
}
