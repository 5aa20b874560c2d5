import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the user agent to the entries of the audit log that are security activity. */
export class AddAuditUserAgent1763600000020 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    await run.query('ALTER TABLE audit_entries ADD COLUMN user_agent text');
  }

  async down(run: QueryRunner): Promise<void> {
    await run.query('ALTER TABLE audit_entries DROP COLUMN user_agent');
  }
}
