import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the names of the columns that an import of customers does not read. They are unknown for earlier imports. */
export class AddIgnoredColumnsOfImports2026112930000 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    await run.query('ALTER TABLE customer_imports ADD COLUMN ignored_columns text');
  }

  async down(run: QueryRunner): Promise<void> {
    await run.query('ALTER TABLE customer_imports DROP COLUMN ignored_columns');
  }
}
