import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the position of a webhook delivery among those of its resource. Earlier deliveries keep the order of their IDs. */
export class AddDeliveryPosition1763600000025 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    await run.query('ALTER TABLE webhook_deliveries ADD COLUMN position bigint NOT NULL DEFAULT 0');
    // SQLite cannot drop a default, and the schema declares none.
    if (run.connection.options.type === 'postgres') {
      await run.query('ALTER TABLE webhook_deliveries ALTER COLUMN position DROP DEFAULT');
    }
  }

  async down(run: QueryRunner): Promise<void> {
    await run.query('ALTER TABLE webhook_deliveries DROP COLUMN position');
  }
}
