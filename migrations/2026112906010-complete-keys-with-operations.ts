import type { MigrationInterface, QueryRunner } from 'typeorm';

const COLUMNS = ['once_credential', 'once_key', 'once_route'];

/** Adds the idempotency key of the request that released a queued payment, and finds keys whose requests have not ended. */
export class CompleteKeysWithOperations2026112906010 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    for (const column of COLUMNS) await run.query(`ALTER TABLE later_payments ADD COLUMN ${column} text`);
    await run.query("CREATE INDEX once_keys_running ON once_keys (tenant_id, created_at) WHERE state = 'running'");
  }

  async down(run: QueryRunner): Promise<void> {
    await run.query('DROP INDEX once_keys_running');
    for (const column of COLUMNS) await run.query(`ALTER TABLE later_payments DROP COLUMN ${column}`);
  }
}
