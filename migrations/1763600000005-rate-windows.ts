import { type MigrationInterface, type QueryRunner, Table, type TableColumnOptions } from 'typeorm';

const key = (name: string, type: 'text' | 'bigint'): TableColumnOptions => ({ name, type, isPrimary: true });

const windows = new Table({
  name: 'rate_windows',
  columns: [
    ...['tenant_id', 'scope'].map((name) => key(name, 'text')),
    ...['length_ms', 'at'].map((name) => key(name, 'bigint')),
    { name: 'n', type: 'bigint' },
  ],
});

/** Counts of requests that the servers of one database share. */
export class RateWindows1763600000005 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    await run.createTable(windows);
  }

  async down(run: QueryRunner): Promise<void> {
    await run.dropTable(windows);
  }
}
