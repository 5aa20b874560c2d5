import { type MigrationInterface, type QueryRunner, Table, TableIndex } from 'typeorm';
import { migrationColumns } from '#core/database';

const { key, text, integer } = migrationColumns;

const unsettledLines = new Table({
  name: 'ledger_unsettled_lines',
  columns: [...['tenant_id', 'merchant_id', 'currency'].map(key), integer('n')],
});

const comparisons = new Table({
  name: 'reconciliation_comparisons',
  columns: [
    ...['tenant_id', 'id'].map(key),
    ...['scope', 'date'].map(text),
    { name: 'due_ms', type: 'bigint', isNullable: true },
    ...['lease_ms', 'fence'].map(integer),
  ],
  indices: [{ name: 'reconciliation_comparisons_due', columnNames: ['tenant_id', 'due_ms'], where: 'due_ms IS NOT NULL' }],
});

const ONCE = ['once_credential', 'once_key', 'once_route'];

type Index = { name: string; columnNames: string[]; where?: string };
const bySettlement = (table: string, ...more: string[]): [string, Index] => [
  table,
  { name: `${table}_by_settlement`, columnNames: ['tenant_id', 'settlement_id', ...more], where: 'settlement_id IS NOT NULL' },
];
/** Order of the lines of a settlement, so that every page is read as quickly as the first. */
const REPLACED = [bySettlement('transactions', 'id'), bySettlement('refunds', 'id')];
const BEFORE = [bySettlement('transactions'), bySettlement('refunds')];
const ADDED: readonly [string, Index][] = [
  ['settlements', { name: 'settlements_by_merchant_date', columnNames: ['tenant_id', 'merchant_id', 'settlement_date', 'id'] }],
  ['settlements', { name: 'settlements_unpaid', columnNames: ['tenant_id', 'merchant_id', 'id'], where: "status = 'pending'" }],
  ['payouts', { name: 'payouts_by_paid', columnNames: ['tenant_id', 'merchant_id', 'paid_at'], where: 'paid_at IS NOT NULL' }],
];

const FACT = 'tenant_id, merchant_id, fact, day, currency, type, method, brand, detail, measure';
const OPENING = "l.id LIKE 'opening/%'";
const READ_AT_ONCE = 5_000;
const WRITE_AT_ONCE = 200;

interface Opened {
  tenant_id: string;
  id: string;
  day: string;
  at: string;
  timezone: string;
}

/**
 * Adds a count of unsettled lines to their sum, the indexes for sorted lists, and the idempotency key of a manual settlement. Opening
 * transfers move from the day in UTC to the day in the zone of their merchant.
 */
export class AddSettlementLineOrder1763600000011 implements MigrationInterface {
  /** The name that existing databases have recorded. */
  readonly name = 'SettledToTheLastLine1763600000011';

  async up(run: QueryRunner): Promise<void> {
    for (const table of [unsettledLines, comparisons]) await run.createTable(table);
    for (const column of ONCE) await run.query(`ALTER TABLE settlement_schedules ADD COLUMN ${column} text`);
    for (const [table, { name }] of BEFORE) await run.dropIndex(table, name);
    for (const [table, index] of [...REPLACED, ...ADDED]) await run.createIndex(table, new TableIndex(index));
    const unsettled = "settled_at IS NULL AND status = 'approved'";
    await run.query(
      `INSERT INTO ledger_unsettled_lines (tenant_id, merchant_id, currency, n) SELECT tenant_id, merchant_id, currency, count(*) FROM (
         SELECT tenant_id, merchant_id, currency FROM transactions WHERE ${unsettled} AND captured_minor > 0
         UNION ALL SELECT tenant_id, merchant_id, currency FROM refunds WHERE ${unsettled} AND refunded_at IS NOT NULL) AS line
       GROUP BY tenant_id, merchant_id, currency`,
    );
    await openOnOwnDays(run);
  }

  async down(run: QueryRunner): Promise<void> {
    for (const [table, { name }] of [...ADDED, ...REPLACED]) await run.dropIndex(table, name);
    for (const [table, index] of BEFORE) await run.createIndex(table, new TableIndex(index));
    for (const column of ONCE) await run.query(`ALTER TABLE settlement_schedules DROP COLUMN ${column}`);
    for (const { name } of [comparisons, unsettledLines]) await run.dropTable(name);
  }
}

/** Moves opening transfers that are on another day than in the merchant's time zone, and updates the day counters. */
async function openOnOwnDays(run: QueryRunner): Promise<void> {
  await run.query('CREATE TEMPORARY TABLE moved_days (tenant_id text, id text, day text)');
  const zones = new Map<string, Intl.DateTimeFormat>();
  for (let after = { tenant_id: '', id: '' }; ; ) {
    const rows: Opened[] = await run.query(
      `SELECT l.tenant_id, l.id, l.day, l.at, m.timezone FROM ledger_transfers l JOIN merchants m ON m.tenant_id = l.tenant_id AND m.id = l.merchant_id
       WHERE ${OPENING} AND (l.tenant_id, l.id) > ('${after.tenant_id}', '${after.id}') ORDER BY l.tenant_id, l.id LIMIT ${READ_AT_ONCE}`,
    );
    const moved = rows.flatMap(({ tenant_id, id, day, at, timezone }) => {
      const own = dayIn(zones, timezone, at);
      return own === day ? [] : [`('${tenant_id}', '${id}', '${own}')`];
    });
    for (let from = 0; from < moved.length; from += WRITE_AT_ONCE)
      await run.query(`INSERT INTO moved_days (tenant_id, id, day) VALUES ${moved.slice(from, from + WRITE_AT_ONCE).join(', ')}`);
    const last = rows.at(-1);
    if (!last || rows.length < READ_AT_ONCE) break;
    after = last;
  }
  for (const [day, sign] of [
    ['l.day', '-'],
    ['d.day', ''],
  ] as const) {
    await run.query(
      `INSERT INTO transaction_facts (${FACT}, n) SELECT ${FACT}, sum(n) FROM (${factsOf(day, sign)}) AS moved GROUP BY ${FACT}
       ON CONFLICT (${FACT}) DO UPDATE SET n = transaction_facts.n + excluded.n`,
    );
  }
  await run.query('DELETE FROM transaction_facts WHERE n = 0');
  await run.query(
    `UPDATE ledger_transfers SET day = (SELECT d.day FROM moved_days d WHERE d.tenant_id = ledger_transfers.tenant_id AND d.id = ledger_transfers.id)
     WHERE (tenant_id, id) IN (SELECT tenant_id, id FROM moved_days)`,
  );
  await run.query('DROP TABLE moved_days');
}

/** Opening transfers in the form of the daily aggregates. */
function factsOf(day: string, sign: string): string {
  const moved = 'moved_days d JOIN ledger_transfers l ON l.tenant_id = d.tenant_id AND l.id = d.id';
  const payment = "t.currency, t.type, t.method, coalesce(t.card_brand, 'ach') AS brand";
  return ['count', 'amount']
    .flatMap((measure) => {
      const n = `'${measure}' AS measure, ${sign}${measure === 'count' ? '1' : 'l.amount_minor'} AS n`;
      return [
        `SELECT l.tenant_id, l.merchant_id, l.kind AS fact, ${day} AS day, ${payment}, '' AS detail, ${n} FROM ${moved} JOIN transactions t ON t.tenant_id = l.tenant_id AND t.id = l.subject_id WHERE l.kind IN ('capture', 'credit')`,
        `SELECT l.tenant_id, l.merchant_id, l.kind, ${day}, ${payment}, r.type, ${n} FROM ${moved} JOIN refunds r ON r.tenant_id = l.tenant_id AND r.id = l.subject_id JOIN transactions t ON t.tenant_id = r.tenant_id AND t.id = r.transaction_id WHERE l.kind IN ('refund', 'refund_outside')`,
      ];
    })
    .join(' UNION ALL ');
}

/** The calendar day of an instant in a zone, YYYY-MM-DD. */
function dayIn(zones: Map<string, Intl.DateTimeFormat>, timeZone: string, at: string): string {
  const format = zones.get(timeZone) ?? new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' });
  zones.set(timeZone, format);
  return format.format(Date.parse(at));
}
