import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { counterRows, type SaleRows } from './rows.ts';

export type Row = Record<string, string | number | null>;

/** Rows of a sale by the commit that writes them. */
export type Intent = SaleRows['intent'];
export type Charge = SaleRows['ledger'];
export type Conclusion = Pick<SaleRows, 'result' | 'event' | 'audit' | 'transfer'>;

/** The three commits of a group of sales. */
export interface RawSteps {
  intend(intents: readonly Intent[]): void;
  charge(charges: readonly Charge[]): void;
  conclude(conclusions: readonly Conclusion[]): void;
}

export const TABLES = ['idempotency_keys', 'vault_entries', 'transactions', 'attempts'] as const;
const UPDATE_TRANSACTION =
  "UPDATE transactions SET status = 'approved', captured_minor = 4999, captured_at = ?, gateway_reference = 'g', auth_code = '123456', avs_response = 'Y', cvv_response = 'M', updated_at = ? WHERE tenant_id = ? AND id = ? AND status = 'pending'";
const UPDATE_ATTEMPT =
  "UPDATE attempts SET state = 'done', result = 'approved', due_ms = NULL, concluded_at = ? WHERE tenant_id = ? AND id = ? AND state <> 'done'";
const UPDATE_KEY =
  "UPDATE idempotency_keys SET state = 'done', status = 200, body = ? WHERE tenant_id = ? AND credential_id = 'key_bench' AND key = ? AND state = 'running'";
const HEAD =
  "INSERT INTO audit_heads (tenant_id, n, hash, seal) VALUES ('ten_bench', ?, ?, ?) ON CONFLICT (tenant_id) DO UPDATE SET n = excluded.n, hash = excluded.hash, seal = excluded.seal";

export function openSqlite(folder: string, file: string, synchronous: string): BetterSqlite3.Database {
  const database = new BetterSqlite3(join(folder, file));
  database.pragma('journal_mode = WAL');
  database.pragma(`synchronous = ${synchronous}`);
  database.pragma('cache_size = -16384');
  return database;
}

function insertInto(database: BetterSqlite3.Database, table: string, row: Row) {
  const columns = Object.keys(row);
  const statement = database.prepare(`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`);
  return (values: Row) => statement.run(...Object.values(values));
}

/** Rows that are written besides those of a sale. */
export interface Additions {
  /** Tables of the intent; all by default. Without `idempotency_keys`, no key is completed either. */
  readonly tables?: readonly (typeof TABLES)[number][];
  intend?(intent: Intent): void;
  conclude?(conclusion: Conclusion): void;
}

/** Prepares the statements of the three commits; `shape` is any sale. */
export function rawSteps(
  service: BetterSqlite3.Database,
  gatewayLedger: BetterSqlite3.Database,
  shape: SaleRows,
  { tables = TABLES, intend, conclude }: Additions = {},
): RawSteps {
  const inserts = tables.map((table) => [table, insertInto(service, table, shape.intent[table])] as const);
  const insertCharge = insertInto(gatewayLedger, 'sandbox_ledger', shape.ledger);
  const insertEvent = insertInto(service, 'events', shape.event);
  const insertAudit = insertInto(service, 'audit_entries', shape.audit);
  const insertLedger = insertInto(service, 'ledger_transfers', shape.transfer);
  const [transaction, attempt, key, head] = [UPDATE_TRANSACTION, UPDATE_ATTEMPT, UPDATE_KEY, HEAD].map((sql) => service.prepare(sql));
  const counters = counterRows('', 0).map(({ table, key: keyColumns, rows }) => {
    const columns = Object.keys(rows[0] ?? {});
    return service.prepare(
      `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')}) ON CONFLICT (${keyColumns.join(', ')}) DO UPDATE SET n = ${table}.n + excluded.n`,
    );
  });
  const within = (database: BetterSqlite3.Database, body: () => void) => {
    database.exec('BEGIN IMMEDIATE');
    body();
    database.exec('COMMIT');
  };
  return {
    intend: (intents) =>
      within(service, () => {
        for (const intent of intents) {
          for (const [table, insert] of inserts) insert(intent[table]);
          intend?.(intent);
        }
      }),
    charge: (charges) =>
      within(gatewayLedger, () => {
        for (const charge of charges) insertCharge(charge);
      }),
    conclude: (conclusions) =>
      within(service, () => {
        for (const conclusion of conclusions) {
          const { result, event, audit, transfer } = conclusion;
          insertEvent(event);
          insertAudit(audit);
          insertLedger(transfer);
          transaction?.run(result.at, result.at, result.tenant_id, result.id);
          attempt?.run(result.at, result.tenant_id, result.attempt);
          if (tables.includes('idempotency_keys')) key?.run(result.answer, result.tenant_id, result.key);
          conclude?.(conclusion);
        }
        for (const [index, { rows }] of counterRows(conclusions[0]?.result.day ?? '', conclusions.length).entries())
          for (const row of rows) counters[index]?.run(...Object.values(row));
        const last = conclusions.at(-1)?.audit;
        head?.run(last?.n, last?.hash, last?.hash);
      }),
  };
}
