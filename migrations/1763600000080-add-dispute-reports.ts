import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';
import { migrationColumns } from '#core/database';

const { key, text, optional, integer, optionalInteger, indexWhereSet } = migrationColumns;

const reports = new Table({
  name: 'dispute_reports',
  columns: [
    ...['tenant_id', 'id'].map(key),
    ...['gateway_id', 'processor', 'reference', 'kind'].map(text),
    integer('amount_minor'),
    text('currency'),
    ...['reason_code', 'reason', 'processor_case', 'reported_at', 'merchant_id', 'transaction_id', 'dispute_id'].map(optional),
    text('result'),
    optional('note'),
    text('received_at'),
  ],
  indices: [
    { name: 'dispute_reports_by_reference', columnNames: ['tenant_id', 'reference', 'received_at'] },
    {
      ...indexWhereSet('dispute_reports_by_dispute', ['tenant_id', 'dispute_id']),
      columnNames: ['tenant_id', 'dispute_id', 'received_at'],
    },
    { name: 'dispute_reports_by_result', columnNames: ['tenant_id', 'result', 'received_at'] },
  ],
});

const watches = new Table({
  name: 'dispute_watches',
  columns: [...['tenant_id', 'id'].map(key), text('read_until'), optionalInteger('due_ms'), ...['lease_ms', 'fence'].map(integer)],
  indices: [indexWhereSet('dispute_watches_due', ['tenant_id', 'due_ms'])],
});

/** Won disputes returned the whole amount, unless they were imported from the sandbox without money. */
const SET_RETURNED = `UPDATE disputes SET returned_minor = amount_minor WHERE status = 'won' AND EXISTS (
  SELECT 1 FROM dispute_movements m WHERE m.tenant_id = disputes.tenant_id AND m.dispute_id = disputes.id AND m.kind = 'chargeback_reversed')`;

/** Adds the chargebacks that processors report, and the amount that a decision returned. */
export class AddDisputeReports1763600000080 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    for (const table of [reports, watches]) await run.createTable(table);
    await run.query('ALTER TABLE disputes ADD COLUMN returned_minor bigint NOT NULL DEFAULT 0');
    // SQLite cannot drop a default, and the schema declares none.
    if (run.connection.options.type === 'postgres') await run.query('ALTER TABLE disputes ALTER COLUMN returned_minor DROP DEFAULT');
    await run.query(SET_RETURNED);
  }

  async down(run: QueryRunner): Promise<void> {
    await run.query('ALTER TABLE disputes DROP COLUMN returned_minor');
    for (const { name } of [watches, reports]) await run.dropTable(name);
  }
}
