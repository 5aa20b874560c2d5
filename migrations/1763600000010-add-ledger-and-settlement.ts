import { type MigrationInterface, type QueryRunner, Table, TableIndex } from 'typeorm';
import { migrationColumns } from '#core/database';

const { key, text, optional, integer, optionalInteger, indexWhereSet } = migrationColumns;

const transfers = new Table({
  name: 'ledger_transfers',
  columns: [
    ...['tenant_id', 'id'].map(key),
    ...['merchant_id', 'currency', 'kind', 'debit', 'credit'].map(text),
    integer('amount_minor'),
    ...['subject_id', 'day', 'at'].map(text),
  ],
  indices: [{ name: 'ledger_transfers_by_day', columnNames: ['tenant_id', 'merchant_id', 'day', 'kind'] }],
});

const balances = new Table({
  name: 'ledger_balances',
  columns: [...['tenant_id', 'merchant_id', 'currency', 'account'].map(key), integer('n')],
});

const schedules = new Table({
  name: 'settlement_schedules',
  columns: [
    ...['tenant_id', 'id'].map(key),
    ...['frequency', 'cutoff_time'].map(text),
    ...['weekday', 'day_of_month', 'delay_days'].map(integer),
    optional('timezone'),
    optionalInteger('due_ms'),
    ...['lease_ms', 'fence'].map(integer),
    text('updated_at'),
  ],
  indices: [indexWhereSet('settlement_schedules_due', ['tenant_id', 'due_ms'])],
});

const settlements = new Table({
  name: 'settlements',
  columns: [
    ...['tenant_id', 'id'].map(key),
    ...['merchant_id', 'currency', 'status', 'origin', 'cutoff_at', 'settlement_date'].map(text),
    ...['captures_minor', 'refunds_minor', 'fees_minor', 'transaction_count', 'refund_count', 'paid_minor'].map(integer),
    optional('paid_at'),
    ...['created_at', 'updated_at'].map(text),
  ],
  indices: [
    { name: 'settlements_by_merchant', columnNames: ['tenant_id', 'merchant_id', 'id'] },
    { name: 'settlements_by_status', columnNames: ['tenant_id', 'status', 'id'] },
    { name: 'settlements_by_date', columnNames: ['tenant_id', 'settlement_date', 'id'] },
  ],
});

const payouts = new Table({
  name: 'payouts',
  columns: [
    ...['tenant_id', 'id'].map(key),
    ...['merchant_id', 'kind', 'currency', 'status', 'reference', 'actor'].map(text),
    ...['amount_minor', 'gross_minor', 'fees_minor', 'transaction_count'].map(integer),
    ...['start_date', 'end_date', 'note', 'paid_at'].map(optional),
    optionalInteger('due_ms'),
    ...['lease_ms', 'fence'].map(integer),
    ...['created_at', 'updated_at'].map(text),
  ],
  indices: [
    { name: 'payouts_by_merchant', columnNames: ['tenant_id', 'merchant_id', 'kind', 'id'] },
    { name: 'payouts_by_reference', columnNames: ['tenant_id', 'reference'] },
    indexWhereSet('payouts_due', ['tenant_id', 'due_ms']),
  ],
});

const payoutLines = new Table({
  name: 'payout_lines',
  columns: [...['tenant_id', 'payout_id', 'settlement_id'].map(key), integer('amount_minor')],
  indices: [{ name: 'payout_lines_by_settlement', columnNames: ['tenant_id', 'settlement_id'] }],
});

const facts = new Table({
  name: 'transaction_facts',
  columns: [
    ...['tenant_id', 'merchant_id', 'fact', 'day', 'currency', 'type', 'method', 'brand', 'detail', 'measure'].map(key),
    integer('n'),
  ],
});

const reconciliationRuns = new Table({
  name: 'reconciliation_runs',
  columns: [
    ...['tenant_id', 'id'].map(key),
    ...['scope', 'date', 'source', 'basis', 'currency', 'totals', 'created_at', 'created_by'].map(text),
    optional('import_id'),
    ...['is_settled', 'transactions_minor', 'settlements_minor', 'matched_count', 'discrepancy_count', 'open_count'].map(integer),
  ],
  indices: [
    { name: 'reconciliation_runs_by_scope', columnNames: ['tenant_id', 'scope', 'id'] },
    { name: 'reconciliation_runs_by_date', columnNames: ['tenant_id', 'scope', 'date', 'id'] },
  ],
});

const reconciliationItems = new Table({
  name: 'reconciliation_items',
  columns: [
    ...['tenant_id', 'id'].map(key),
    ...['run_id', 'identity', 'type', 'kind', 'currency', 'status', 'created_at'].map(text),
    ...['merchant_id', 'transaction_id', 'refund_id', 'settlement_reference', 'note', 'resolved_by', 'resolved_at'].map(optional),
    ...['transaction_minor', 'settled_minor'].map(optionalInteger),
    integer('difference_minor'),
  ],
  indices: [
    { name: 'reconciliation_items_by_run', columnNames: ['tenant_id', 'run_id', 'id'] },
    { name: 'reconciliation_items_by_identity', columnNames: ['tenant_id', 'run_id', 'identity'] },
    { name: 'reconciliation_items_by_transaction', columnNames: ['tenant_id', 'run_id', 'transaction_id'] },
  ],
});

const imports = new Table({
  name: 'settlement_imports',
  columns: [
    ...['tenant_id', 'id'].map(key),
    ...['scope', 'fingerprint', 'status', 'created_at', 'created_by'].map(text),
    ...['seen_ms', 'row_count', 'imported', 'bad_count'].map(integer),
    ...['filename', 'first_date', 'last_date'].map(optional),
  ],
  uniques: [{ columnNames: ['tenant_id', 'scope', 'fingerprint'] }],
});

const importLines = new Table({
  name: 'settlement_import_lines',
  columns: [
    ...['tenant_id', 'import_id'].map(key),
    { ...integer('line'), isPrimary: true },
    ...['reference', 'subject', 'kind', 'currency', 'day'].map(text),
    integer('amount_minor'),
  ],
  indices: [{ name: 'settlement_import_lines_by_subject', columnNames: ['tenant_id', 'import_id', 'subject', 'reference', 'line'] }],
});

const TABLES = [
  reconciliationRuns,
  reconciliationItems,
  imports,
  importLines,
  facts,
  payouts,
  payoutLines,
  transfers,
  balances,
  schedules,
  settlements,
];
const COLUMNS: readonly (readonly [table: string, column: string, type: string])[] = [
  ['transactions', 'fee_minor', 'bigint'],
  ['refunds', 'settlement_id', 'text'],
  ['refunds', 'settlement_date', 'text'],
];
const UNSETTLED = 'settled_at IS NULL';
/** Previous index, and its replacement with more columns, so that reconciling a date reads the index only. */
const SETTLEMENT_DATE = {
  name: 'transactions_by_settlement_date',
  columnNames: ['tenant_id', 'settlement_date', 'id'],
  where: 'settlement_date IS NOT NULL',
};
const INDEXES: readonly (readonly [string, { name: string; columnNames: string[]; where?: string }])[] = [
  [
    'transactions',
    {
      name: 'transactions_unsettled',
      columnNames: ['tenant_id', 'merchant_id', 'captured_at'],
      where: `${UNSETTLED} AND captured_minor > 0`,
    },
  ],
  ['transactions', indexWhereSet('transactions_by_settlement', ['tenant_id', 'settlement_id'])],
  [
    'refunds',
    {
      name: 'refunds_unsettled',
      columnNames: ['tenant_id', 'merchant_id', 'refunded_at'],
      where: `${UNSETTLED} AND refunded_at IS NOT NULL`,
    },
  ],
  ['refunds', indexWhereSet('refunds_by_settlement', ['tenant_id', 'settlement_id'])],
  ['transactions', { ...SETTLEMENT_DATE, columnNames: [...SETTLEMENT_DATE.columnNames, 'settlement_id', 'type', 'captured_minor'] }],
  [
    'transactions',
    { name: 'transactions_by_gateway_reference', columnNames: ['tenant_id', 'gateway_reference'], where: SETTLEMENT_DATE.where },
  ],
  [
    'refunds',
    {
      name: 'refunds_by_settlement_date',
      columnNames: ['tenant_id', 'settlement_date', 'transaction_id', 'id', 'settlement_id', 'amount_minor'],
      where: SETTLEMENT_DATE.where,
    },
  ],
];

const OPENING: readonly (readonly [kind: string, debit: string, credit: string, from: string])[] = [
  [
    'capture',
    'processor',
    'unsettled',
    "SELECT tenant_id, id, merchant_id, currency, captured_minor AS amount, captured_at AS at FROM transactions WHERE captured_minor > 0 AND status = 'approved'",
  ],
  [
    'credit',
    'credited',
    'processor',
    "SELECT tenant_id, id, merchant_id, currency, amount_minor AS amount, updated_at AS at FROM transactions WHERE type = 'credit' AND status = 'approved'",
  ],
  [
    'refund',
    'unsettled',
    'processor',
    "SELECT tenant_id, id, merchant_id, currency, amount_minor AS amount, refunded_at AS at FROM refunds WHERE status = 'approved'",
  ],
  [
    'refund_outside',
    'refunded_outside',
    'own_funds',
    "SELECT tenant_id, refund_id AS id, merchant_id, currency, amount_minor AS amount, resolved_at AS at FROM refund_decline_queue WHERE status = 'resolved' AND refund_date IS NOT NULL",
  ],
];

/** State, outcome and movements of every payment: the initial daily aggregates. */
const brand = "coalesce(card_brand, 'ach')";
const DECIDED = "FROM transactions WHERE status <> 'pending'";
const STANDING = [
  ...['count', 'amount'].map(
    (measure) =>
      `SELECT tenant_id, merchant_id, status AS fact, day, currency, type, method, ${brand} AS brand, '' AS detail, '${measure}' AS measure, ${measure === 'count' ? '1' : 'amount_minor'} AS n ${DECIDED}`,
  ),
  `SELECT tenant_id, merchant_id, 'decline', day, currency, '', '', ${brand}, coalesce(decline_code, ''), 'count', 1 ${DECIDED} AND status = 'declined'`,
  ...['captured', 'refunded'].map(
    (measure) =>
      `SELECT tenant_id, merchant_id, 'outcome', day, currency, type, method, '', status, '${measure}', ${measure}_minor ${DECIDED}`,
  ),
];
const payment = "t.currency, t.type, t.method, coalesce(t.card_brand, 'ach') AS brand";
const MOVED = ['count', 'amount'].flatMap((measure) => {
  const n = (of: string) => `'${measure}' AS measure, ${measure === 'count' ? '1' : `${of}.amount_minor`} AS n`;
  return [
    `SELECT l.tenant_id, l.merchant_id, l.kind AS fact, l.day, ${payment}, '' AS detail, ${n('l')} FROM ledger_transfers l JOIN transactions t ON t.tenant_id = l.tenant_id AND t.id = l.subject_id WHERE l.kind IN ('capture', 'credit')`,
    `SELECT l.tenant_id, l.merchant_id, l.kind, l.day, ${payment}, r.type, ${n('l')} FROM ledger_transfers l JOIN refunds r ON r.tenant_id = l.tenant_id AND r.id = l.subject_id JOIN transactions t ON t.tenant_id = r.tenant_id AND t.id = r.transaction_id WHERE l.kind IN ('refund', 'refund_outside')`,
    `SELECT q.tenant_id, q.merchant_id, 'refund_declined', substr(r.created_at, 1, 10), ${payment}, r.type, ${n('q')} FROM refund_decline_queue q JOIN refunds r ON r.tenant_id = q.tenant_id AND r.id = q.refund_id JOIN transactions t ON t.tenant_id = r.tenant_id AND t.id = r.transaction_id`,
  ];
});
const FACT = 'tenant_id, merchant_id, fact, day, currency, type, method, brand, detail, measure';

/** Creates the ledger, settlements and their schedules, the daily aggregates of reports, and reconciliation. Earlier payments are added with their present state. */
export class AddLedgerAndSettlement1763600000010 implements MigrationInterface {
  /** The name that existing databases have recorded. */
  readonly name = 'WhereTheMoneyIs1763600000010';

  async up(run: QueryRunner): Promise<void> {
    for (const table of TABLES) await run.createTable(table);
    // Plain SQL, because TypeORM would copy the tables on SQLite and lose checks that it does not know.
    for (const [table, column, type] of COLUMNS) await run.query(`ALTER TABLE ${table} ADD COLUMN ${column} ${type}`);
    await run.dropIndex('transactions', SETTLEMENT_DATE.name);
    for (const [table, index] of INDEXES) await run.createIndex(table, new TableIndex(index));
    for (const [kind, debit, credit, from] of OPENING) {
      await run.query(
        `INSERT INTO ledger_transfers (tenant_id, id, merchant_id, currency, kind, debit, credit, amount_minor, subject_id, day, at)
         SELECT tenant_id, 'opening/' || id, merchant_id, currency, '${kind}', '${debit}', '${credit}', amount, id, substr(at, 1, 10), at FROM (${from}) AS moved`,
      );
    }
    await run.query(
      `INSERT INTO ledger_balances (tenant_id, merchant_id, currency, account, n)
       SELECT tenant_id, merchant_id, currency, account, sum(amount) FROM (
         SELECT tenant_id, merchant_id, currency, debit AS account, amount_minor AS amount FROM ledger_transfers
         UNION ALL SELECT tenant_id, merchant_id, currency, credit, -amount_minor FROM ledger_transfers) AS sides
       GROUP BY tenant_id, merchant_id, currency, account`,
    );
    await run.query(
      `INSERT INTO transaction_facts (${FACT}, n) SELECT ${FACT}, sum(n) FROM (${[...STANDING, ...MOVED].join(' UNION ALL ')}) AS seen GROUP BY ${FACT} HAVING sum(n) <> 0`,
    );
    // Due immediately: the job settles earlier payments day by day.
    await run.query(
      `INSERT INTO settlement_schedules (tenant_id, id, frequency, cutoff_time, weekday, day_of_month, delay_days, timezone, due_ms, lease_ms, fence, updated_at)
       SELECT tenant_id, id, 'daily', '00:00', 1, 1, 0, NULL, 0, 0, 0, created_at FROM merchants`,
    );
  }

  async down(run: QueryRunner): Promise<void> {
    for (const [table, { name }] of INDEXES) await run.dropIndex(table, name);
    await run.createIndex('transactions', new TableIndex(SETTLEMENT_DATE));
    for (const [table, column] of COLUMNS) await run.query(`ALTER TABLE ${table} DROP COLUMN ${column}`);
    for (const { name } of [...TABLES].reverse()) await run.dropTable(name);
  }
}
