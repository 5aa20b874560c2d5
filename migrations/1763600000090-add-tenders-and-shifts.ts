import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';
import { migrationColumns } from '#core/database';

const { key, text, optional, integer, optionalInteger, indexWhereSet } = migrationColumns;

const tenders = new Table({
  name: 'tenders',
  columns: [
    ...['tenant_id', 'id'].map(key),
    text('merchant_id'),
    integer('number'),
    text('kind'),
    optional('name'),
    text('currency'),
    ...['amount_minor', 'refunded_minor'].map(integer),
    optionalInteger('given_minor'),
    ...['check_number', 'check_bank', 'customer_id', 'customer_name', 'customer_email', 'order_id', 'description', 'invoice_id'].map(
      optional,
    ),
    text('drawer'),
    optional('shift_id'),
    ...['created_by', 'day', 'created_at', 'updated_at'].map(text),
  ],
  uniques: [{ columnNames: ['tenant_id', 'merchant_id', 'number'] }],
  indices: [
    { name: 'tenders_by_merchant', columnNames: ['tenant_id', 'merchant_id', 'id'] },
    indexWhereSet('tenders_by_customer', ['tenant_id', 'customer_id', 'id'], 'customer_id'),
    indexWhereSet('tenders_by_shift', ['tenant_id', 'shift_id', 'id'], 'shift_id'),
  ],
});

const refunds = new Table({
  name: 'tender_refunds',
  columns: [
    ...['tenant_id', 'id'].map(key),
    ...['tender_id', 'merchant_id'].map(text),
    integer('number'),
    text('currency'),
    integer('amount_minor'),
    optional('reason'),
    text('drawer'),
    optional('shift_id'),
    ...['created_by', 'day', 'created_at'].map(text),
  ],
  uniques: [{ columnNames: ['tenant_id', 'merchant_id', 'number'] }],
  indices: [{ name: 'tender_refunds_by_tender', columnNames: ['tenant_id', 'tender_id', 'id'] }],
});

const shifts = new Table({
  name: 'shifts',
  columns: [
    ...['tenant_id', 'id'].map(key),
    ...['merchant_id', 'drawer'].map(text),
    optional('open_key'),
    ...['status', 'currency'].map(text),
    ...['float_minor', 'expected_minor'].map(integer),
    ...['counted_minor', 'variance_minor'].map(optionalInteger),
    ...['note', 'note_by'].map(optional),
    optionalInteger('z_number'),
    optional('report'),
    ...['opened_by', 'created_at'].map(text),
    ...['closed_by', 'closed_at', 'closed_day'].map(optional),
    text('updated_at'),
  ],
  indices: [
    { name: 'shifts_by_merchant', columnNames: ['tenant_id', 'merchant_id', 'id'] },
    { ...indexWhereSet('shifts_open', ['tenant_id', 'open_key']), isUnique: true },
    indexWhereSet('shifts_by_closed_day', ['tenant_id', 'merchant_id', 'closed_day']),
  ],
});

const movements = new Table({
  name: 'shift_movements',
  columns: [
    ...['tenant_id', 'id'].map(key),
    ...['shift_id', 'merchant_id', 'kind', 'currency'].map(text),
    integer('amount_minor'),
    optional('reason'),
    ...['actor', 'day', 'at'].map(text),
  ],
  indices: [
    { name: 'shift_movements_by_shift', columnNames: ['tenant_id', 'shift_id', 'id'] },
    { name: 'shift_movements_by_day', columnNames: ['tenant_id', 'merchant_id', 'day', 'kind'] },
  ],
});

const numbers = (name: string) => new Table({ name, columns: [...['tenant_id', 'merchant_id'].map(key), integer('last')] });

const TABLES = [tenders, refunds, numbers('tender_numbers'), shifts, movements, numbers('shift_numbers')];

/** Adds cash, checks and other payments at the counter, and shifts at cash drawers. */
export class AddTendersAndShifts1763600000090 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    for (const table of TABLES) await run.createTable(table);
    await run.query('ALTER TABLE invoice_payments ADD COLUMN tender_id text');
  }

  async down(run: QueryRunner): Promise<void> {
    await run.query('ALTER TABLE invoice_payments DROP COLUMN tender_id');
    for (const { name } of TABLES.toReversed()) await run.dropTable(name);
  }
}
