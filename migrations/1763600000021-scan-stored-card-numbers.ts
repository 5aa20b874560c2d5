import { type MigrationInterface, type QueryRunner, Table, TableIndex } from 'typeorm';
import { migrationColumns } from '#core/database';

const { key, integer, optional, optionalInteger } = migrationColumns;

/** Starts a search for card numbers in the stored texts of every existing tenant. */
export class ScanStoredCardNumbers1763600000021 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    const columns = [
      key('tenant_id'),
      key('id'),
      optionalInteger('due_ms'),
      integer('lease_ms'),
      integer('fence'),
      optional('position'),
      integer('rows_masked'),
      optional('finished_at'),
    ];
    await run.createTable(new Table({ name: 'card_number_scans', columns }));
    await run.createIndex(
      'card_number_scans',
      new TableIndex({ name: 'card_number_scans_due', columnNames: ['tenant_id', 'due_ms'], where: 'due_ms IS NOT NULL' }),
    );
    await run.query(
      `INSERT INTO card_number_scans (tenant_id, id, due_ms, lease_ms, fence, rows_masked) SELECT id, 'stored-texts', 0, 0, 0, 0 FROM tenants`,
    );
  }

  async down(run: QueryRunner): Promise<void> {
    await run.dropTable('card_number_scans');
  }
}
