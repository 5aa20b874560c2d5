import { type MigrationInterface, type QueryRunner, TableIndex } from 'typeorm';

// The merchant is not the second column, so that the list of all kinds never reads this index and sorts the rows.
const byKind = new TableIndex({ name: 'tenders_by_kind', columnNames: ['tenant_id', 'kind', 'merchant_id', 'id'] });

/** Finds and counts the tenders of a kind by an index. */
export class FindTendersByKind1763600000230 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    await run.createIndex('tenders', byKind);
  }

  async down(run: QueryRunner): Promise<void> {
    await run.dropIndex('tenders', byKind);
  }
}
