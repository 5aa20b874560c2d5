import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';
import { migrationColumns } from '#core/database';

const { key, text, optional, integer, optionalInteger } = migrationColumns;

const transactions = new Table({
  name: 'transactions',
  columns: [
    ...['tenant_id', 'id'].map(key),
    ...['merchant_id', 'type', 'method', 'status'].map(text),
    integer('amount_minor'),
    text('currency'),
    integer('captured_minor'),
    optional('captured_at'),
    integer('refunded_minor'),
    integer('reserved_minor'),
    ...['voided_at', 'void_reason', 'settled_at', 'settlement_date', 'settlement_id'].map(optional),
    ...['gateway', 'processor_ref'].map(text),
    ...['gateway_reference', 'auth_code', 'avs_response', 'cvv_response', 'decline_code', 'decline_reason'].map(optional),
    text('token'),
    optional('card_brand'),
    text('last4'),
    ...['card_expiry', 'account_type', 'bank_name', 'customer_name', 'customer_email', 'customer_id', 'billing'].map(optional),
    ...['rerun_of', 'order_id', 'description', 'metadata'].map(optional),
    text('source'),
    ...['pending_reason', 'busy_attempt'].map(optional),
    ...['day', 'created_at', 'updated_at'].map(text),
  ],
  checks: [
    { name: 'transactions_never_give_back_more_than_taken', expression: 'refunded_minor + reserved_minor <= captured_minor' },
    { name: 'transactions_never_capture_more_than_authorized', expression: 'captured_minor <= amount_minor' },
  ],
  indices: [
    { name: 'transactions_by_status', columnNames: ['tenant_id', 'status', 'id'] },
    { name: 'transactions_by_merchant', columnNames: ['tenant_id', 'merchant_id', 'id'] },
    { name: 'transactions_by_last4', columnNames: ['tenant_id', 'last4', 'id'] },
    { name: 'transactions_by_amount', columnNames: ['tenant_id', 'amount_minor', 'id'] },
    { name: 'transactions_by_order', columnNames: ['tenant_id', 'order_id', 'id'], where: 'order_id IS NOT NULL' },
    { name: 'transactions_by_email', columnNames: ['tenant_id', 'customer_email', 'id'], where: 'customer_email IS NOT NULL' },
    { name: 'transactions_by_settlement_date', columnNames: ['tenant_id', 'settlement_date', 'id'], where: 'settlement_date IS NOT NULL' },
  ],
});

const refunds = new Table({
  name: 'refunds',
  columns: [
    ...['tenant_id', 'id'].map(key),
    ...['transaction_id', 'merchant_id', 'status'].map(text),
    ...['amount_minor', 'remaining_minor'].map(integer),
    ...['currency', 'type'].map(text),
    ...['reason', 'metadata', 'refunded_at', 'settled_at', 'decline_code', 'decline_reason', 'retry_scheduled_at', 'card_brand'].map(
      optional,
    ),
    text('last4'),
    ...['card_expiry', 'account_type'].map(optional),
    ...['processor_ref', 'created_at'].map(text),
  ],
  indices: [
    { name: 'refunds_by_transaction', columnNames: ['tenant_id', 'transaction_id', 'id'] },
    { name: 'refunds_by_status', columnNames: ['tenant_id', 'status', 'id'] },
  ],
});

const attempts = new Table({
  name: 'attempts',
  columns: [
    ...['tenant_id', 'id'].map(key),
    text('transaction_id'),
    optional('refund_id'),
    ...['operation', 'gateway', 'processor_ref'].map(text),
    integer('amount_minor'),
    ...['currency', 'state'].map(text),
    ...['result', 'reason'].map(optional),
    text('actor'),
    ...['once_credential', 'once_key', 'once_route'].map(optional),
    integer('inquiries'),
    optionalInteger('due_ms'),
    text('created_at'),
    optional('concluded_at'),
  ],
  uniques: [{ name: 'attempts_one_reference', columnNames: ['tenant_id', 'processor_ref'] }],
  indices: [
    { name: 'attempts_by_transaction', columnNames: ['tenant_id', 'transaction_id', 'id'] },
    { name: 'attempts_due', columnNames: ['due_ms'], where: 'due_ms IS NOT NULL' },
  ],
});

const transactionCounts = new Table({
  name: 'transaction_counts',
  columns: [...['tenant_id', 'merchant_id', 'day', 'status', 'type', 'method'].map(key), integer('n')],
});

const onceKeys = new Table({
  name: 'once_keys',
  columns: [
    ...['tenant_id', 'credential_id', 'key'].map(key),
    ...['route', 'fingerprint', 'state'].map(text),
    optionalInteger('status'),
    optional('body'),
    text('created_at'),
    integer('expires_ms'),
  ],
});

/** Creates transactions, refunds, the attempts made for them at gateways, list counters and idempotency keys. */
export class AddPayments1763600000000 implements MigrationInterface {
  /** The name that existing databases have recorded. */
  readonly name = 'Payments1763600000000';

  async up(run: QueryRunner): Promise<void> {
    for (const table of [transactions, refunds, attempts, transactionCounts, onceKeys]) await run.createTable(table);
  }

  async down(run: QueryRunner): Promise<void> {
    for (const table of [onceKeys, transactionCounts, attempts, refunds, transactions]) await run.dropTable(table);
  }
}
