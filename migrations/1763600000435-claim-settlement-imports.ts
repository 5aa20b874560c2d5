import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Replaces the sign of life of the request that reads a settlement file by a claim with a lease and a fence. Imports that are not complete belong to no
 * running request, because no server of the earlier version runs: they are due, so that the job removes them.
 */
export class ClaimSettlementImports1763600000435 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    await run.query('ALTER TABLE settlement_imports ADD COLUMN due_ms bigint');
    for (const column of ['lease_ms', 'fence']) {
      await run.query(`ALTER TABLE settlement_imports ADD COLUMN ${column} bigint NOT NULL DEFAULT 0`);
      // SQLite cannot drop a default, and the schema declares none.
      if (run.connection.options.type === 'postgres') await run.query(`ALTER TABLE settlement_imports ALTER COLUMN ${column} DROP DEFAULT`);
    }
    await run.query("UPDATE settlement_imports SET due_ms = 0 WHERE status <> 'ready'");
    await run.query('ALTER TABLE settlement_imports DROP COLUMN seen_ms');
    await run.query('CREATE INDEX settlement_imports_due ON settlement_imports (tenant_id, due_ms) WHERE due_ms IS NOT NULL');
  }

  async down(run: QueryRunner): Promise<void> {
    await run.query('DROP INDEX settlement_imports_due');
    await run.query('ALTER TABLE settlement_imports ADD COLUMN seen_ms bigint NOT NULL DEFAULT 0');
    for (const column of ['fence', 'lease_ms', 'due_ms']) await run.query(`ALTER TABLE settlement_imports DROP COLUMN ${column}`);
  }
}
