import { type MigrationInterface, type QueryRunner, Table, TableIndex } from 'typeorm';
import { migrationColumns } from '#core/database';

const { key, integer } = migrationColumns;

const counts = new Table({
  name: 'bank_line_counts',
  columns: [...['tenant_id', 'merchant_id', 'account_id', 'state'].map(key), integer('n')],
});

const INDEXES = [
  new TableIndex({ name: 'bank_lines_of_merchant', columnNames: ['tenant_id', 'merchant_id', 'id'] }),
  new TableIndex({ name: 'bank_lines_of_account', columnNames: ['tenant_id', 'account_id', 'id'] }),
];

/** Adds the counters and the indexes with which lists of bank lines of all states are fast. */
export class CountBankLines1763600000205 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    await run.createTable(counts);
    await run.query(
      `INSERT INTO bank_line_counts (tenant_id, merchant_id, account_id, state, n)
       SELECT tenant_id, merchant_id, account_id, state, count(*) FROM bank_lines GROUP BY tenant_id, merchant_id, account_id, state`,
    );
    for (const index of INDEXES) await run.createIndex('bank_lines', index);
  }

  async down(run: QueryRunner): Promise<void> {
    for (const { name } of INDEXES) await run.dropIndex('bank_lines', name as string);
    await run.dropTable(counts.name);
  }
}
