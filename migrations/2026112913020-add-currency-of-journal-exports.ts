import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the currency of an export of the journal. Earlier exports have the entries of all currencies. */
export class AddCurrencyOfJournalExports2026112913020 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    await run.query("ALTER TABLE journal_exports ADD COLUMN currency text NOT NULL DEFAULT ''");
    // Only SQLite cannot remove the default again.
    if (run.connection.options.type === 'postgres') await run.query('ALTER TABLE journal_exports ALTER COLUMN currency DROP DEFAULT');
  }

  async down(run: QueryRunner): Promise<void> {
    await run.query('ALTER TABLE journal_exports DROP COLUMN currency');
  }
}
