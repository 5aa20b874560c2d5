import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Marks webhook endpoints that receive security activity. Existing endpoints do not. */
export class AddSecurityEndpoints1763600000026 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    await run.query('ALTER TABLE webhook_endpoints ADD COLUMN security bigint NOT NULL DEFAULT 0');
    // SQLite cannot drop a default, and the schema declares none.
    if (run.connection.options.type === 'postgres') {
      await run.query('ALTER TABLE webhook_endpoints ALTER COLUMN security DROP DEFAULT');
    }
  }

  async down(run: QueryRunner): Promise<void> {
    await run.query('ALTER TABLE webhook_endpoints DROP COLUMN security');
  }
}
