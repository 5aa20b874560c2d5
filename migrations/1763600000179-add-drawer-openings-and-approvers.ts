import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the rule for opening a drawer without a sale, and the approver of refunds of tenders. */
export class AddDrawerOpeningsAndApprovers1763600000179 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    await run.query('ALTER TABLE approval_rules ADD COLUMN drawer_opening bigint NOT NULL DEFAULT 0');
    // SQLite cannot drop a default, and the schema declares none.
    if (run.connection.options.type === 'postgres') await run.query('ALTER TABLE approval_rules ALTER COLUMN drawer_opening DROP DEFAULT');
    await run.query('ALTER TABLE tender_refunds ADD COLUMN approved_by text');
  }

  async down(run: QueryRunner): Promise<void> {
    await run.query('ALTER TABLE tender_refunds DROP COLUMN approved_by');
    await run.query('ALTER TABLE approval_rules DROP COLUMN drawer_opening');
  }
}
