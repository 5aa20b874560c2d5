import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';
import { migrationColumns } from '#core/database';

const { key, integerKey, integer } = migrationColumns;

const windows = new Table({
  name: 'rate_windows',
  columns: [...['tenant_id', 'scope'].map(key), ...['length_ms', 'at'].map(integerKey), integer('n')],
});

/** Creates the request counts that the servers of one database share. */
export class AddRateWindows1763600000005 implements MigrationInterface {
  /** The name that existing databases have recorded. */
  readonly name = 'RateWindows1763600000005';

  async up(run: QueryRunner): Promise<void> {
    await run.createTable(windows);
  }

  async down(run: QueryRunner): Promise<void> {
    await run.dropTable(windows);
  }
}
