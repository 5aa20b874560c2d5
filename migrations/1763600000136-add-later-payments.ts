import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';
import { migrationColumns } from '#core/database';

const { key, text, optional, integer, optionalInteger, indexWhereSet } = migrationColumns;

const payments = new Table({
  name: 'later_payments',
  columns: [
    ...['tenant_id', 'id'].map(key),
    ...['merchant_id', 'status'].map(text),
    ...['amount_minor', 'tip_minor', 'tax_minor'].map(integer),
    ...['currency', 'customer_id'].map(text),
    ...['customer_name', 'customer_email'].map(optional),
    ...['payment_method_id', 'method_kind'].map(text),
    optional('card_brand'),
    text('last4'),
    ...['order_id', 'description', 'line_items'].map(optional),
    text('created_by'),
    integer('unsent_tries'),
    ...['transaction_id', 'decline_code', 'decline_reason', 'invoice_id', 'changed_by'].map(optional),
    integer('expires_ms'),
    optionalInteger('due_ms'),
    ...['lease_ms', 'fence'].map(integer),
    optional('concluded_at'),
    ...['created_at', 'updated_at'].map(text),
  ],
  indices: [
    { name: 'later_payments_by_status', columnNames: ['tenant_id', 'merchant_id', 'status', 'id'] },
    { name: 'later_payments_by_customer', columnNames: ['tenant_id', 'customer_id', 'status'] },
    indexWhereSet('later_payments_by_transaction', ['tenant_id', 'transaction_id']),
    indexWhereSet('later_payments_due', ['tenant_id', 'due_ms']),
  ],
});

/** Adds payments with saved cards that are charged later. */
export class AddLaterPayments1763600000136 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    await run.createTable(payments);
  }

  async down(run: QueryRunner): Promise<void> {
    await run.dropTable(payments);
  }
}
