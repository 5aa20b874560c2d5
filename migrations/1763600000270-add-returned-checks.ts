import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds checks that the bank returned. */
export class AddReturnedChecks1763600000270 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    for (const column of ['returned_at', 'return_reason']) await run.query(`ALTER TABLE tenders ADD COLUMN ${column} text`);
    await run.query('ALTER TABLE tender_refunds ADD COLUMN is_return bigint NOT NULL DEFAULT 0');
    // SQLite cannot drop a default, and the schema declares none.
    if (run.connection.options.type === 'postgres') await run.query('ALTER TABLE tender_refunds ALTER COLUMN is_return DROP DEFAULT');
  }

  async down(run: QueryRunner): Promise<void> {
    await run.query('ALTER TABLE tender_refunds DROP COLUMN is_return');
    for (const column of ['return_reason', 'returned_at']) await run.query(`ALTER TABLE tenders DROP COLUMN ${column}`);
  }
}
