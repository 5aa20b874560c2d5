import { type MigrationInterface, type QueryRunner, TableIndex } from 'typeorm';

const TABLES = ['transactions', 'tenders'] as const;
const index = (table: string) =>
  new TableIndex({
    name: `${table}_with_items`,
    columnNames: ['tenant_id', 'merchant_id', 'day', 'id'],
    where: 'line_items IS NOT NULL',
  });

/** Adds the lines of itemized sales. */
export class AddLineItems1763600000141 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    for (const table of TABLES) {
      await run.query(`ALTER TABLE ${table} ADD COLUMN line_items text`);
      await run.createIndex(table, index(table));
    }
  }

  async down(run: QueryRunner): Promise<void> {
    for (const table of TABLES.toReversed()) {
      await run.dropIndex(table, index(table));
      await run.query(`ALTER TABLE ${table} DROP COLUMN line_items`);
    }
  }
}
