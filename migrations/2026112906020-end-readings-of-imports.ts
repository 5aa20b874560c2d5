import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Removes customer imports whose reading has ended by the job of imports, instead of hourly. */
export class EndReadingsOfImports2026112906020 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    await run.query("UPDATE customer_imports SET due_ms = 0 WHERE status = 'reading'");
    await run.query('ALTER TABLE customer_imports DROP COLUMN seen_ms');
  }

  async down(run: QueryRunner): Promise<void> {
    await run.query('ALTER TABLE customer_imports ADD COLUMN seen_ms bigint NOT NULL DEFAULT 0');
  }
}
