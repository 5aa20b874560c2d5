import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the addresses that receive the last entry of the audit log. */
export class AddAuditAnchors2026112940000 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    await run.query(`CREATE TABLE audit_anchors (
      tenant_id text NOT NULL, id text NOT NULL, email text NOT NULL, sent_n bigint NOT NULL, sent_at text, due_ms bigint, lease_ms bigint NOT NULL,
      fence bigint NOT NULL,
      PRIMARY KEY (tenant_id, id)
    )`);
    await run.query('CREATE INDEX audit_anchors_due ON audit_anchors (tenant_id, due_ms) WHERE due_ms IS NOT NULL');
  }

  async down(run: QueryRunner): Promise<void> {
    await run.query('DROP TABLE audit_anchors');
  }
}
