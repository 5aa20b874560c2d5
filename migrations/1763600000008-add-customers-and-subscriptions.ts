import { type MigrationInterface, type QueryRunner, Table, TableIndex } from 'typeorm';
import { migrationColumns } from '#core/database';

const { key, text, optional, integer, optionalInteger, indexWhereSet } = migrationColumns;

const ownerKeys = new Table({
  name: 'owner_keys',
  columns: [...['tenant_id', 'owner'].map(key), integer('key_version'), text('wrapped')],
  indices: [{ name: 'owner_keys_by_key_version', columnNames: ['tenant_id', 'key_version', 'owner'] }],
});

const customers = new Table({
  name: 'customers',
  columns: [
    ...['tenant_id', 'id'].map(key),
    text('merchant_id'),
    ...['first_name', 'last_name', 'email', 'phone', 'company', 'address', 'notes', 'metadata'].map(optional),
    ...['default_method_id', 'deleted_at'].map(optional),
    ...['created_at', 'updated_at'].map(text),
  ],
  indices: [{ name: 'customers_by_merchant', columnNames: ['tenant_id', 'merchant_id', 'id'] }],
});

const paymentMethods = new Table({
  name: 'payment_methods',
  columns: [
    ...['tenant_id', 'id'].map(key),
    ...['customer_id', 'merchant_id', 'kind', 'token', 'fingerprint'].map(text),
    optional('brand'),
    text('last4'),
    ...['expiry_month', 'expiry_year', 'expires_on', 'account_type', 'consent_text', 'consent_at'].map(optional),
    ...['created_at', 'updated_at'].map(text),
  ],
  uniques: [{ name: 'payment_methods_one_number', columnNames: ['tenant_id', 'customer_id', 'fingerprint'] }],
  indices: [indexWhereSet('payment_methods_by_expiry', ['tenant_id', 'expires_on'])],
});

const customerWords = new Table({
  name: 'customer_words',
  columns: ['tenant_id', 'word', 'customer_id'].map(key),
  indices: [{ name: 'customer_words_by_customer', columnNames: ['tenant_id', 'customer_id'] }],
});

const subscriptions = new Table({
  name: 'subscriptions',
  columns: [
    ...['tenant_id', 'id'].map(key),
    ...['merchant_id', 'customer_id'].map(text),
    ...['plan_id', 'payment_method_id'].map(optional),
    integer('amount_minor'),
    ...['currency', 'frequency', 'status', 'start_date', 'anchor_date'].map(text),
    integer('next_index'),
    ...['next_date', 'end_date'].map(optional),
    optionalInteger('total_payments'),
    ...['payments_made', 'failed_attempts'].map(integer),
    optionalInteger('retry_ms'),
    integer('unsent_tries'),
    ...['last_payment_at', 'last_result', 'last_reason', 'busy_transaction', 'busy_payment'].map(optional),
    optionalInteger('busy_index'),
    ...['paused_at', 'cancelled_at', 'cancelled_by', 'cancel_reason', 'expired_at', 'deleted_at'].map(optional),
    ...['once_credential', 'once_key', 'once_route'].map(optional),
    optionalInteger('due_ms'),
    ...['lease_ms', 'fence'].map(integer),
    ...['created_at', 'updated_at'].map(text),
  ],
  indices: [
    { name: 'subscriptions_by_status', columnNames: ['tenant_id', 'status', 'id'] },
    { name: 'subscriptions_by_customer', columnNames: ['tenant_id', 'customer_id', 'id'] },
    indexWhereSet('subscriptions_by_next_date', ['tenant_id', 'next_date']),
    indexWhereSet('subscriptions_busy', ['tenant_id', 'busy_transaction']),
    indexWhereSet('subscriptions_asked', ['tenant_id', 'once_key']),
    indexWhereSet('subscriptions_due', ['tenant_id', 'due_ms']),
  ],
});

const subscriptionPayments = new Table({
  name: 'subscription_payments',
  columns: [
    ...['tenant_id', 'id'].map(key),
    ...['subscription_id', 'due_date'].map(text),
    ...['periods', 'attempt', 'amount_minor'].map(integer),
    ...['currency', 'status'].map(text),
    ...['transaction_id', 'decline_code', 'decline_reason'].map(optional),
    text('created_at'),
    optional('concluded_at'),
  ],
  indices: [
    { name: 'subscription_payments_by_subscription', columnNames: ['tenant_id', 'subscription_id', 'id'] },
    {
      name: 'subscription_payments_once',
      columnNames: ['tenant_id', 'subscription_id', 'due_date'],
      where: "status IN ('pending', 'succeeded')",
      isUnique: true,
    },
  ],
});

const TABLES = [ownerKeys, customers, paymentMethods, customerWords, subscriptions, subscriptionPayments];
const COLUMNS = [
  ['vault_entries', 'owner'],
  // A token belongs to the merchant for which it was created. Tokens that were stored before belong to all merchants of their tenant.
  ['vault_entries', 'merchant_id'],
  ['transactions', 'subscription_id'],
  ['transactions', 'save_consent'],
] as const;
const INDEXES: readonly (readonly [string, { name: string; columnNames: string[]; where: string }])[] = [
  ['vault_entries', indexWhereSet('vault_entries_by_owner', ['tenant_id', 'owner'])],
  ['transactions', indexWhereSet('transactions_by_customer', ['tenant_id', 'customer_id', 'id'], 'customer_id')],
  ['transactions', { name: 'transactions_to_save', columnNames: ['tenant_id', 'id'], where: 'save_consent IS NOT NULL' }],
];

/** Creates customers, their payment methods, each under its own key, and subscriptions. */
export class AddCustomersAndSubscriptions1763600000008 implements MigrationInterface {
  /** The name that existing databases have recorded. */
  readonly name = 'CustomersThatComeBack1763600000008';

  async up(run: QueryRunner): Promise<void> {
    for (const table of TABLES) await run.createTable(table);
    // Plain SQL, because TypeORM would copy the tables on SQLite and lose checks that it does not know.
    for (const [table, column] of COLUMNS) await run.query(`ALTER TABLE ${table} ADD COLUMN ${column} text`);
    for (const [table, index] of INDEXES) await run.createIndex(table, new TableIndex(index));
  }

  async down(run: QueryRunner): Promise<void> {
    for (const [table, { name }] of INDEXES) await run.dropIndex(table, name);
    for (const [table, column] of COLUMNS) await run.query(`ALTER TABLE ${table} DROP COLUMN ${column}`);
    for (const { name } of [...TABLES].reverse()) await run.dropTable(name);
  }
}
