import { type MigrationInterface, type QueryRunner, Table, TableIndex } from 'typeorm';
import { migrationColumns } from '#core/database';

const { key, text, optional, integer, optionalInteger, indexWhereSet } = migrationColumns;

const due = [optionalInteger('due_ms'), integer('lease_ms'), integer('fence')];

const refundQueue = new Table({
  name: 'refund_decline_queue',
  columns: [
    ...['tenant_id', 'id'].map(key),
    ...['transaction_id', 'refund_id', 'merchant_id', 'status'].map(text),
    integer('amount_minor'),
    ...['currency', 'decline_code', 'decline_reason', 'gateway'].map(text),
    ...['attempt_count', 'max_attempts'].map(integer),
    ...['last_attempt_at', 'last_error'].map(optional),
    optionalInteger('scheduled_ms'),
    ...['customer_name', 'customer_email', 'card_brand'].map(optional),
    text('last4'),
    ...['card_expiry', 'account_type', 'resolved_at', 'resolved_by', 'resolution_notes', 'refund_method', 'refund_date'].map(optional),
    ...['cancelled_at', 'cancelled_by', 'cancellation_reason', 'cancellation_notes'].map(optional),
    integer('created_ms'),
    optionalInteger('resolved_ms'),
    ...due,
    text('updated_at'),
  ],
  uniques: [{ name: 'refund_queue_one_refund', columnNames: ['tenant_id', 'refund_id'] }],
  indices: [
    { name: 'refund_queue_by_status', columnNames: ['tenant_id', 'status', 'id'] },
    indexWhereSet('refund_queue_due', ['tenant_id', 'due_ms']),
  ],
});

const expiries = new Table({
  name: 'authorization_expiries',
  columns: [...['tenant_id', 'id'].map(key), ...due],
  indices: [indexWhereSet('authorization_expiries_due', ['tenant_id', 'due_ms'])],
});

const chores = new Table({
  name: 'chores',
  columns: [...['tenant_id', 'id'].map(key), ...due],
  indices: [indexWhereSet('chores_due', ['tenant_id', 'due_ms'])],
});

const chargebacks = new Table({
  name: 'chargebacks',
  columns: [
    ...['tenant_id', 'id'].map(key),
    ...['transaction_id', 'merchant_id'].map(text),
    integer('amount_minor'),
    ...['currency', 'reason', 'status', 'due_date', 'created_at'].map(text),
    optional('concluded_at'),
  ],
  indices: [{ name: 'chargebacks_by_transaction', columnNames: ['tenant_id', 'transaction_id', 'id'] }],
});

const messages = new Table({
  name: 'messages',
  columns: [
    ...['tenant_id', 'id'].map(key),
    ...['merchant_id', 'channel', 'recipient'].map(text),
    optional('subject'),
    ...['body', 'created_at'].map(text),
  ],
});

const TABLES = [refundQueue, expiries, chores, chargebacks, messages];

/** Plain SQL, because TypeORM would copy the table on SQLite and lose checks that it does not know. */
async function addInteger(run: QueryRunner, table: string, column: string): Promise<void> {
  await run.query(`ALTER TABLE ${table} ADD COLUMN ${column} bigint NOT NULL DEFAULT 0`);
  if (run.connection.options.type === 'postgres') await run.query(`ALTER TABLE ${table} ALTER COLUMN ${column} DROP DEFAULT`);
}

/** Creates the queue of declined refunds, scheduled work, chargebacks and the outbox of messages. */
export class AddRefundQueueAndScheduledWork1763600000004 implements MigrationInterface {
  /** The name that existing databases have recorded. */
  readonly name = 'NothingForgotten1763600000004';

  async up(run: QueryRunner): Promise<void> {
    for (const table of TABLES) await run.createTable(table);
    await addInteger(run, 'attempts', 'lease_ms');
    await addInteger(run, 'attempts', 'fence');
    await addInteger(run, 'refunds', 'notify_customer');
    await run.dropIndex('attempts', 'attempts_due');
    await run.createIndex('attempts', new TableIndex(indexWhereSet('attempts_due', ['tenant_id', 'due_ms'])));
    await run.createIndex('once_keys', new TableIndex({ name: 'once_keys_by_expiry', columnNames: ['tenant_id', 'expires_ms'] }));
    await run.query("INSERT INTO chores (tenant_id, id, due_ms, lease_ms, fence) SELECT id, 'clean-up', 0, 0, 0 FROM tenants");
    // Due immediately: the job computes from the record how long each authorization is still valid.
    await run.query(
      "INSERT INTO authorization_expiries (tenant_id, id, due_ms, lease_ms, fence) SELECT tenant_id, id, 0, 0, 0 FROM transactions WHERE type = 'auth' AND status = 'approved'",
    );
  }

  async down(run: QueryRunner): Promise<void> {
    await run.dropIndex('once_keys', 'once_keys_by_expiry');
    await run.dropIndex('attempts', 'attempts_due');
    await run.createIndex('attempts', new TableIndex({ name: 'attempts_due', columnNames: ['due_ms'], where: 'due_ms IS NOT NULL' }));
    await run.query('ALTER TABLE refunds DROP COLUMN notify_customer');
    await run.query('ALTER TABLE attempts DROP COLUMN fence');
    await run.query('ALTER TABLE attempts DROP COLUMN lease_ms');
    for (const { name } of [...TABLES].reverse()) await run.dropTable(name);
  }
}
