import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';
import { migrationColumns } from '#core/database';

const { key, text, optional, integer, optionalInteger, indexWhereSet } = migrationColumns;

const disputes = new Table({
  name: 'disputes',
  columns: [
    ...['tenant_id', 'id'].map(key),
    ...['merchant_id', 'transaction_id', 'status', 'stage', 'scheme'].map(text),
    optional('reason_code'),
    text('reason'),
    integer('amount_minor'),
    text('currency'),
    ...['withheld_minor', 'fees_minor'].map(integer),
    ...['due_date', 'origin'].map(text),
    ...['processor_case', 'notes'].map(optional),
    text('created_by'),
    ...['submitted_at', 'submitted_pack_id', 'concluded_at'].map(optional),
    optionalInteger('due_ms'),
    ...['lease_ms', 'fence'].map(integer),
    ...['created_at', 'updated_at'].map(text),
  ],
  indices: [
    { name: 'disputes_by_merchant', columnNames: ['tenant_id', 'merchant_id', 'id'] },
    { name: 'disputes_by_transaction', columnNames: ['tenant_id', 'transaction_id', 'id'] },
    { name: 'disputes_by_due_date', columnNames: ['tenant_id', 'status', 'due_date', 'id'] },
    indexWhereSet('disputes_due', ['tenant_id', 'due_ms']),
  ],
});

const movements = new Table({
  name: 'dispute_movements',
  columns: [
    ...['tenant_id', 'id'].map(key),
    ...['dispute_id', 'transaction_id', 'merchant_id', 'currency', 'kind'].map(text),
    integer('amount_minor'),
    text('at'),
    ...['settled_at', 'settlement_date', 'settlement_id'].map(optional),
  ],
  indices: [
    { name: 'dispute_movements_by_dispute', columnNames: ['tenant_id', 'dispute_id', 'id'] },
    { name: 'dispute_movements_unsettled', columnNames: ['tenant_id', 'merchant_id', 'at'], where: 'settled_at IS NULL' },
    {
      ...indexWhereSet('dispute_movements_by_settlement', ['tenant_id', 'settlement_id']),
      columnNames: ['tenant_id', 'settlement_id', 'id'],
    },
  ],
});

const chargebacks = new Table({
  name: 'chargebacks',
  columns: [
    ...['tenant_id', 'id', 'transaction_id', 'merchant_id'].map((name, index) => (index < 2 ? key(name) : text(name))),
    integer('amount_minor'),
    ...['currency', 'reason', 'status', 'due_date', 'created_at'].map(text),
    optional('concluded_at'),
  ],
  indices: [{ name: 'chargebacks_by_transaction', columnNames: ['tenant_id', 'transaction_id', 'id'] }],
});

const ADDED: readonly (readonly [table: string, column: string])[] = [
  ['transactions', 'disputed_minor'],
  ['settlements', 'disputes_minor'],
  ['settlements', 'dispute_count'],
];

/** Chargebacks of the sandbox moved no money, so that nothing is withheld. Their IDs get the prefix of disputes. */
const COPY_CHARGEBACKS = `INSERT INTO disputes (tenant_id, id, merchant_id, transaction_id, status, stage, scheme, reason, amount_minor, currency,
  withheld_minor, fees_minor, due_date, origin, created_by, concluded_at, lease_ms, fence, created_at, updated_at)
SELECT c.tenant_id, 'dsp' || substr(c.id, 4), c.merchant_id, c.transaction_id, c.status, 'chargeback',
  CASE WHEN t.card_brand IN ('visa', 'mastercard', 'amex', 'discover') THEN t.card_brand WHEN t.card_brand IS NULL THEN 'ach' ELSE 'other' END,
  c.reason, c.amount_minor, c.currency, 0, 0, c.due_date, 'sandbox', 'sandbox', c.concluded_at, 0, 0, c.created_at, c.created_at
FROM chargebacks c JOIN transactions t ON t.tenant_id = c.tenant_id AND t.id = c.transaction_id`;

const COPY_DISPUTES = `INSERT INTO chargebacks (tenant_id, id, transaction_id, merchant_id, amount_minor, currency, reason, status, due_date, created_at, concluded_at)
SELECT tenant_id, 'chb' || substr(id, 4), transaction_id, merchant_id, amount_minor, currency, reason,
  CASE WHEN status = 'won' THEN 'won' WHEN status IN ('lost', 'accepted') THEN 'lost' ELSE 'open' END, due_date, created_at, concluded_at
FROM disputes WHERE origin = 'sandbox'`;

/** Replaces the chargebacks of the sandbox by disputes, which move money, and adds their amounts to payments and settlements. */
export class AddDisputes1763600000053 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    for (const table of [disputes, movements]) await run.createTable(table);
    for (const [table, column] of ADDED) {
      await run.query(`ALTER TABLE ${table} ADD COLUMN ${column} bigint NOT NULL DEFAULT 0`);
      // SQLite cannot drop a default, and the schema declares none.
      if (run.connection.options.type === 'postgres') await run.query(`ALTER TABLE ${table} ALTER COLUMN ${column} DROP DEFAULT`);
    }
    await run.query(COPY_CHARGEBACKS);
    await run.dropTable('chargebacks');
  }

  async down(run: QueryRunner): Promise<void> {
    await run.createTable(chargebacks);
    await run.query(COPY_DISPUTES);
    for (const [table, column] of ADDED) await run.query(`ALTER TABLE ${table} DROP COLUMN ${column}`);
    for (const { name } of [movements, disputes]) await run.dropTable(name);
  }
}
