import { type MigrationInterface, type QueryRunner, TableIndex } from 'typeorm';

const failed = new TableIndex({
  name: 'webhook_deliveries_failed',
  columnNames: ['tenant_id', 'last_attempt_at'],
  where: "status = 'failed'",
});

/** Deliveries that were given up are found without looking at those that arrived. */
export class HowItStands1763600000017 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    await run.createIndex('webhook_deliveries', failed);
  }

  async down(run: QueryRunner): Promise<void> {
    await run.dropIndex('webhook_deliveries', failed);
  }
}
