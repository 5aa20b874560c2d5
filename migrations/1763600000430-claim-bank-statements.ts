import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Adds the claim of the request that reads a bank statement, and the number that an account takes when its first import is complete. Imports that are
 * not complete belong to no running request, because no server of the earlier version runs: they are due, so that the job removes them. Accounts can
 * be removed if they have no matches, which an index by account finds.
 */
export class ClaimBankStatements1763600000430 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    const isPostgres = run.connection.options.type === 'postgres';
    for (const column of ['sealed_number', 'last4']) await run.query(`ALTER TABLE bank_statements ADD COLUMN ${column} text`);
    await run.query('ALTER TABLE bank_statements ADD COLUMN due_ms bigint');
    for (const column of ['lease_ms', 'fence']) {
      await run.query(`ALTER TABLE bank_statements ADD COLUMN ${column} bigint NOT NULL DEFAULT 0`);
      // SQLite cannot drop a default, and the schema declares none.
      if (isPostgres) await run.query(`ALTER TABLE bank_statements ALTER COLUMN ${column} DROP DEFAULT`);
    }
    await run.query("UPDATE bank_statements SET due_ms = 0 WHERE status <> 'ready'");
    await run.query('ALTER TABLE bank_statements DROP COLUMN seen_ms');
    await run.query('CREATE INDEX bank_statements_due ON bank_statements (tenant_id, due_ms) WHERE due_ms IS NOT NULL');
    await run.query('ALTER TABLE bank_accounts ADD COLUMN removed_at text');
    await run.query('CREATE INDEX bank_matches_by_account ON bank_matches (tenant_id, account_id)');
  }

  async down(run: QueryRunner): Promise<void> {
    await run.query('DROP INDEX bank_matches_by_account');
    await run.query('ALTER TABLE bank_accounts DROP COLUMN removed_at');
    await run.query('DROP INDEX bank_statements_due');
    await run.query('ALTER TABLE bank_statements ADD COLUMN seen_ms bigint NOT NULL DEFAULT 0');
    for (const column of ['fence', 'lease_ms', 'due_ms', 'last4', 'sealed_number'])
      await run.query(`ALTER TABLE bank_statements DROP COLUMN ${column}`);
  }
}
