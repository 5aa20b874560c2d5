import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the decision about cards of an import that cannot be read. Earlier imports leave such customers out. */
export class AddUnreadableCardsOfImports2026112924000 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    await run.query("ALTER TABLE customer_imports ADD COLUMN unreadable_cards text NOT NULL DEFAULT 'skip'");
    // Only SQLite cannot remove the default again.
    if (run.connection.options.type === 'postgres')
      await run.query('ALTER TABLE customer_imports ALTER COLUMN unreadable_cards DROP DEFAULT');
  }

  async down(run: QueryRunner): Promise<void> {
    await run.query('ALTER TABLE customer_imports DROP COLUMN unreadable_cards');
  }
}
