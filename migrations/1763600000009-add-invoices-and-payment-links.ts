import { type MigrationInterface, type QueryRunner, Table, TableIndex } from 'typeorm';
import { migrationColumns } from '#core/database';

const { key, text, optional, integer, optionalInteger, indexWhereSet } = migrationColumns;

const invoices = new Table({
  name: 'invoices',
  columns: [
    ...['tenant_id', 'id'].map(key),
    ...['merchant_id', 'kind', 'number'].map(text),
    ...['customer_id', 'customer_name', 'customer_email', 'customer_phone'].map(optional),
    text('currency'),
    ...['amount_minor', 'paid_minor', 'pending_minor'].map(integer),
    text('status'),
    optional('due_date'),
    text('items'),
    ...['note', 'description'].map(optional),
    integer('allow_partial'),
    ...['page_token', 'short_code'].map(text),
    optionalInteger('expires_ms'),
    ...['sent_at', 'paid_at', 'overdue_at', 'cancelled_at', 'cancelled_by', 'cancel_reason'].map(optional),
    optionalInteger('due_ms'),
    ...['lease_ms', 'fence'].map(integer),
    ...['created_at', 'updated_at'].map(text),
  ],
  uniques: [{ name: 'invoices_number', columnNames: ['tenant_id', 'merchant_id', 'number'] }],
  indices: [
    { name: 'invoices_by_merchant', columnNames: ['tenant_id', 'merchant_id', 'id'] },
    { name: 'invoices_by_status', columnNames: ['tenant_id', 'status', 'id'] },
    { name: 'invoices_by_customer', columnNames: ['tenant_id', 'customer_id', 'id'] },
    { ...indexWhereSet('invoices_by_email', ['tenant_id', 'customer_email']), columnNames: ['tenant_id', 'customer_email', 'id'] },
    indexWhereSet('invoices_by_paid', ['tenant_id', 'merchant_id', 'paid_at']),
    { name: 'invoices_by_page', columnNames: ['page_token'] },
    indexWhereSet('invoices_due', ['tenant_id', 'due_ms']),
  ],
});

const invoiceNumbers = new Table({
  name: 'invoice_numbers',
  columns: [...['tenant_id', 'merchant_id'].map(key), integer('last')],
});

const invoicePayments = new Table({
  name: 'invoice_payments',
  columns: [
    ...['tenant_id', 'id'].map(key),
    ...['invoice_id', 'currency', 'method', 'status', 'origin', 'actor'].map(text),
    integer('amount_minor'),
    ...['transaction_id', 'reference', 'note', 'attempt_key', 'decline_code', 'decline_reason', 'receipt_email'].map(optional),
    ...['once_credential', 'once_key', 'once_route'].map(optional),
    optionalInteger('due_ms'),
    ...['lease_ms', 'fence'].map(integer),
    text('created_at'),
    optional('concluded_at'),
  ],
  indices: [
    { name: 'invoice_payments_by_invoice', columnNames: ['tenant_id', 'invoice_id', 'id'] },
    { ...indexWhereSet('invoice_payments_once', ['tenant_id', 'invoice_id', 'attempt_key']), isUnique: true },
    indexWhereSet('invoice_payments_by_transaction', ['tenant_id', 'transaction_id']),
    indexWhereSet('invoice_payments_due', ['tenant_id', 'due_ms']),
  ],
});

const shortLinks = new Table({
  name: 'short_links',
  columns: [...['tenant_id', 'code'].map(key), text('target'), optional('invoice_id'), optionalInteger('expires_ms'), text('created_at')],
  indices: [{ name: 'short_links_by_code', columnNames: ['code'], isUnique: true }],
});

const messageChannels = new Table({
  name: 'message_channels',
  columns: [
    ...['tenant_id', 'channel'].map(key),
    text('settings'),
    ...['secret', 'last_ok_at', 'last_error', 'last_error_at'].map(optional),
    optionalInteger('rest_ms'),
    text('updated_at'),
  ],
});

const receiptPrints = new Table({
  name: 'receipt_prints',
  columns: [...['tenant_id', 'subject_id', 'copy'].map(key), integer('n')],
});

const TABLES = [invoices, invoiceNumbers, invoicePayments, shortLinks, messageChannels, receiptPrints];
const EMPTY: readonly (readonly [table: string, column: string, type: string])[] = [
  ['transactions', 'invoice_id', 'text'],
  ['messages', 'resource_id', 'text'],
  ['messages', 'html', 'text'],
  ['messages', 'attachment', 'text'],
  ['messages', 'last_error', 'text'],
  ['messages', 'sent_at', 'text'],
  ['messages', 'provider_id', 'text'],
  ['messages', 'expires_ms', 'bigint'],
  ['messages', 'due_ms', 'bigint'],
];
/** Earlier messages wait in the outbox until a user sends them. */
const FILLED: readonly (readonly [table: string, column: string, type: string])[] = [
  ['messages', 'kind', "text NOT NULL DEFAULT 'notice'"],
  ['messages', 'status', "text NOT NULL DEFAULT 'waiting'"],
  ['messages', 'attempts', 'bigint NOT NULL DEFAULT 0'],
  ['messages', 'lease_ms', 'bigint NOT NULL DEFAULT 0'],
  ['messages', 'fence', 'bigint NOT NULL DEFAULT 0'],
];
const INDEXES: readonly (readonly [string, { name: string; columnNames: string[]; where?: string }])[] = [
  ['messages', { name: 'messages_by_status', columnNames: ['tenant_id', 'status', 'id'] }],
  ['messages', indexWhereSet('messages_by_resource', ['tenant_id', 'resource_id'])],
  ['messages', { name: 'messages_by_merchant', columnNames: ['tenant_id', 'merchant_id', 'id'] }],
  ['messages', indexWhereSet('messages_due', ['tenant_id', 'channel', 'due_ms'])],
  ['messages', indexWhereSet('messages_of_tenant_due', ['tenant_id', 'due_ms'])],
  [
    'messages',
    {
      name: 'messages_expiring',
      columnNames: ['tenant_id', 'expires_ms'],
      where: "expires_ms IS NOT NULL AND status NOT IN ('sent', 'failed', 'expired')",
    },
  ],
  ['messages', { name: 'messages_secret', columnNames: ['tenant_id', 'id'], where: "kind IN ('code', 'password')" }],
  ['one_time_codes', { name: 'one_time_codes_by_id', columnNames: ['id'] }],
];

/** Creates invoices and payment links with their payments, short addresses, delivered messages and printed receipts. */
export class AddInvoicesAndPaymentLinks1763600000009 implements MigrationInterface {
  /** The name that existing databases have recorded. */
  readonly name = 'PaidFromAfar1763600000009';

  async up(run: QueryRunner): Promise<void> {
    for (const table of TABLES) await run.createTable(table);
    // Plain SQL, because TypeORM would copy the tables on SQLite and lose checks that it does not know.
    for (const [table, column, type] of EMPTY) await run.query(`ALTER TABLE ${table} ADD COLUMN ${column} ${type}`);
    for (const [table, column, type] of FILLED) {
      await run.query(`ALTER TABLE ${table} ADD COLUMN ${column} ${type}`);
      if (run.connection.options.type === 'postgres') await run.query(`ALTER TABLE ${table} ALTER COLUMN ${column} DROP DEFAULT`);
    }
    for (const [table, index] of INDEXES) await run.createIndex(table, new TableIndex(index));
  }

  async down(run: QueryRunner): Promise<void> {
    for (const [table, { name }] of INDEXES) await run.dropIndex(table, name);
    for (const [table, column] of [...EMPTY, ...FILLED]) await run.query(`ALTER TABLE ${table} DROP COLUMN ${column}`);
    for (const { name } of [...TABLES].reverse()) await run.dropTable(name);
  }
}
