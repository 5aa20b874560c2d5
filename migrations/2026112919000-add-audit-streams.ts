import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the positions up to which the audit log was sent to files and collectors. */
export class AddAuditStreams2026112919000 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    await run.query(`CREATE TABLE audit_streams (
      tenant_id text NOT NULL, id text NOT NULL, n bigint NOT NULL, lease_ms bigint NOT NULL, fence bigint NOT NULL,
      PRIMARY KEY (tenant_id, id)
    )`);
  }

  async down(run: QueryRunner): Promise<void> {
    await run.query('DROP TABLE audit_streams');
  }
}
