// The baselines over HTTP: `bare` answers without a database; `raw` writes the rows of a sale by hand, in the same two group commits and in that of
// the gateway; `raw-postgres` does so with one set-based statement per table and group. Arguments: mode, SQLite folder or PostgreSQL address.
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import Fastify from 'fastify';
import pg from 'pg';
import { counterRows, type SaleRows, saleRows } from './rows.ts';

const [mode = 'bare', where = ''] = process.argv.slice(2);

/** Collects the items of one turn of the event loop and passes them on together. */
function group<Item>(flush: (items: Item[]) => void | Promise<void>): (item: Item) => Promise<void> {
  let waiting: { item: Item; resolve: () => void; reject: (error: unknown) => void }[] = [];
  let scheduled = false;
  const run = async () => {
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      try {
        const flushing = flush(batch.map(({ item }) => item));
        if (flushing) await flushing;
        for (const { resolve } of batch) resolve();
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
      if (waiting.length > 0) await new Promise(setImmediate);
    }
    scheduled = false;
  };
  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (!scheduled) {
        scheduled = true;
        setImmediate(run);
      }
    });
}

type Row = Record<string, string | number | null>;
const TABLES = ['once_keys', 'vault_entries', 'transactions', 'attempts'] as const;
const UPDATE_TRANSACTION =
  "UPDATE transactions SET status = 'approved', captured_minor = 4999, captured_at = ?, gateway_reference = 'g', auth_code = '123456', avs_response = 'Y', cvv_response = 'M', updated_at = ? WHERE tenant_id = ? AND id = ? AND status = 'pending'";
const UPDATE_ATTEMPT =
  "UPDATE attempts SET state = 'done', result = 'approved', due_ms = NULL, concluded_at = ? WHERE tenant_id = ? AND id = ? AND state <> 'done'";
const UPDATE_KEY =
  "UPDATE once_keys SET state = 'done', status = 200, body = ? WHERE tenant_id = ? AND credential_id = 'key_bench' AND key = ? AND state = 'running'";
const HEAD =
  "INSERT INTO audit_heads (tenant_id, n, hash, seal) VALUES ('ten_bench', ?, ?, ?) ON CONFLICT (tenant_id) DO UPDATE SET n = excluded.n, hash = excluded.hash, seal = excluded.seal";

function openSqlite(file: string, synchronous: string) {
  const database = new BetterSqlite3(join(where, file));
  database.pragma('journal_mode = WAL');
  database.pragma(`synchronous = ${synchronous}`);
  database.pragma('cache_size = -65536');
  return database;
}

function insertInto(database: BetterSqlite3.Database, table: string, row: Row) {
  const columns = Object.keys(row);
  const statement = database.prepare(`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`);
  return (values: Row) => statement.run(...Object.values(values));
}

function rawSqlite(): (sale: SaleRows) => Promise<void> {
  const service = openSqlite('paydesk.sqlite', 'FULL');
  const gatewayLedger = openSqlite('sandbox-gateway.sqlite', 'NORMAL');
  const shape = saleRows('shape');
  const inserts = TABLES.map((table) => [table, insertInto(service, table, shape.intent[table])] as const);
  const insertTransfer = insertInto(gatewayLedger, 'sandbox_ledger', shape.ledger);
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
  const intend = group<SaleRows>((sales) =>
    within(service, () => {
      for (const { intent } of sales) for (const [table, insert] of inserts) insert(intent[table]);
    }),
  );
  const charge = group<SaleRows>((sales) =>
    within(gatewayLedger, () => {
      for (const { ledger } of sales) insertTransfer(ledger);
    }),
  );
  const conclude = group<SaleRows>((sales) =>
    within(service, () => {
      for (const { result, event, audit, transfer } of sales) {
        insertEvent(event);
        insertAudit(audit);
        insertLedger(transfer);
        transaction?.run(result.at, result.at, result.tenant_id, result.id);
        attempt?.run(result.at, result.tenant_id, result.attempt);
        key?.run(result.answer, result.tenant_id, result.key);
      }
      for (const [index, { rows }] of counterRows(sales[0]?.result.day ?? '', sales.length).entries())
        for (const row of rows) counters[index]?.run(...Object.values(row));
      const last = sales.at(-1)?.audit;
      head?.run(last?.n, last?.hash, last?.hash);
    }),
  );
  return async (sale) => {
    await intend(sale);
    await charge(sale);
    await conclude(sale);
  };
}

function isInteger(table: string, column: string): boolean {
  return /_minor$|_ms$|^(inquiries|key_version|approved|fence|test|n)$/.test(column) || (table === 'once_keys' && column === 'status');
}

/** Each queue flushes one group at a time; its client keeps its prepared statements. */
async function rawPostgres(): Promise<(sale: SaleRows) => Promise<void>> {
  const connect = async (options?: string) => {
    const client = new pg.Client({ connectionString: where, options });
    await client.connect();
    return client;
  };
  const [intents, results, books] = await Promise.all([connect(), connect(), connect('-c search_path=sandbox_gateway')]);
  const many = (client: pg.Client, table: string, rows: Row[], onConflict = '') => {
    const columns = Object.keys(rows[0] ?? {});
    const arrays = columns.map((column, index) => `$${index + 1}::${isInteger(table, column) ? 'bigint' : 'text'}[]`);
    const text = `INSERT INTO ${table} (${columns.join(', ')}) SELECT * FROM unnest(${arrays.join(', ')}) ${onConflict}`;
    return client.query({ name: `insert-${table}`, text, values: columns.map((column) => rows.map((row) => row[column])) });
  };
  const within = async (client: pg.Client, body: () => Promise<unknown>) => {
    await client.query('BEGIN');
    await body();
    await client.query('COMMIT');
  };
  const intend = group<SaleRows>((sales) =>
    within(intents, async () => {
      for (const table of TABLES)
        await many(
          intents,
          table,
          sales.map(({ intent }) => intent[table]),
        );
    }),
  );
  const charge = group<SaleRows>((sales) =>
    within(books, () =>
      many(
        books,
        'sandbox_ledger',
        sales.map(({ ledger }) => ledger),
      ),
    ),
  );
  const conclude = group<SaleRows>((sales) =>
    within(results, async () => {
      await many(
        results,
        'events',
        sales.map(({ event }) => event),
      );
      await many(
        results,
        'audit_entries',
        sales.map(({ audit }) => audit),
      );
      await many(
        results,
        'ledger_transfers',
        sales.map(({ transfer }) => transfer),
      );
      const column = (name: keyof SaleRows['result']) => sales.map(({ result }) => result[name]);
      await results.query({
        name: 'transaction',
        text: "UPDATE transactions t SET status = 'approved', captured_minor = 4999, captured_at = v.at, gateway_reference = 'g', auth_code = '123456', avs_response = 'Y', cvv_response = 'M', updated_at = v.at FROM unnest($1::text[], $2::text[]) AS v(id, at) WHERE t.tenant_id = 'ten_bench' AND t.id = v.id AND t.status = 'pending'",
        values: [column('id'), column('at')],
      });
      await results.query({
        name: 'attempt',
        text: "UPDATE attempts t SET state = 'done', result = 'approved', due_ms = NULL, concluded_at = v.at FROM unnest($1::text[], $2::text[]) AS v(id, at) WHERE t.tenant_id = 'ten_bench' AND t.id = v.id AND t.state <> 'done'",
        values: [column('attempt'), column('at')],
      });
      await results.query({
        name: 'key',
        text: "UPDATE once_keys t SET state = 'done', status = 200, body = v.body FROM unnest($1::text[], $2::text[]) AS v(key, body) WHERE t.tenant_id = 'ten_bench' AND t.credential_id = 'key_bench' AND t.key = v.key AND t.state = 'running'",
        values: [column('key'), column('answer')],
      });
      for (const { table, key, rows } of counterRows(sales[0]?.result.day ?? '', sales.length)) {
        const upsert = `ON CONFLICT (${key.join(', ')}) DO UPDATE SET n = ${table}.n + excluded.n`;
        await many(results, table, rows, upsert);
      }
      const last = sales.at(-1)?.audit;
      const head = { tenant_id: 'ten_bench', n: last?.n ?? 0, hash: last?.hash ?? '', seal: last?.hash ?? '' };
      await many(
        results,
        'audit_heads',
        [head],
        'ON CONFLICT (tenant_id) DO UPDATE SET n = excluded.n, hash = excluded.hash, seal = excluded.seal',
      );
    }),
  );
  return async (sale) => {
    await intend(sale);
    await charge(sale);
    await conclude(sale);
  };
}

const text = (maxLength: number) => ({ type: 'string', maxLength });
const BODY = {
  type: 'object',
  required: ['Amount', 'CardNumber', 'ExpiryMonth', 'ExpiryYear'],
  properties: {
    Amount: text(20),
    CardNumber: text(40),
    ExpiryMonth: text(10),
    ExpiryYear: text(10),
    CVV: text(10),
    BillingCustomerName: text(200),
    BillingEmail: text(254),
    BillingAddress: text(200),
    BillingCity: text(100),
    BillingState: text(50),
    BillingPostalCode: text(20),
  },
};

const write = mode === 'raw' ? rawSqlite() : mode === 'raw-postgres' ? await rawPostgres() : async () => {};
const app = Fastify({ logger: false });
app.post('/api/v1/public/transaction', { schema: { body: BODY } }, async (request, reply) => {
  const sale = saleRows(String(request.headers['idempotency-key']));
  await write(sale);
  return reply.type('application/json').send(sale.answer);
});
await app.listen({ port: 0, host: '127.0.0.1' });
const address = app.server.address();
process.stdout.write(`${JSON.stringify({ baseUrl: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}` })}\n`);
