// The baselines over HTTP: `bare` answers without a database; `raw` writes the rows of a sale by hand, in the same two group commits and in that of
// the gateway; `raw-thread` does so in a worker thread; `promised` adds the work that Paydesk promises besides the rows; `raw-postgres` and
// `promised-postgres` write one set-based statement per table and group. Arguments: mode, SQLite folder or PostgreSQL address.
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import Fastify from 'fastify';
import pg from 'pg';
import { group } from './group.ts';
import { promisedWork } from './promised-work.ts';
import { type Charge, type Conclusion, type Intent, openSqlite, type RawSteps, type Row, rawSteps, TABLES } from './raw-sqlite.ts';
import type { WriterAnswer } from './raw-writer.ts';
import { counterRows, type SaleRows, saleRows } from './rows.ts';

const [mode = 'bare', where = ''] = process.argv.slice(2);

const USED_KEY = 'This key was used before.';

/** The SQLite baseline. Each of its three commits is made for all sales of a turn of the event loop. */
function rawSqlite(): (sale: SaleRows) => Promise<void> {
  return inGroups(
    rawSteps(openSqlite(where, 'paydesk.sqlite', 'FULL'), openSqlite(where, 'sandbox-gateway.sqlite', 'NORMAL'), saleRows('shape')),
  );
}

/** The same with a writer in a worker thread, which receives each group in one message. */
function rawThread(): (sale: SaleRows) => Promise<void> {
  const writer = new Worker(join(import.meta.dirname, 'raw-writer.ts'), { workerData: where });
  const waiting = new Map<number, { resolve: () => void; reject: (error: unknown) => void }>();
  let lastId = 0;
  writer.on('message', ({ id, error }: WriterAnswer) => {
    const sender = waiting.get(id);
    waiting.delete(id);
    if (error === null) sender?.resolve();
    else sender?.reject(error);
  });
  const run =
    (step: keyof RawSteps) =>
    (rows: readonly unknown[]): Promise<void> =>
      new Promise((resolve, reject) => {
        lastId += 1;
        waiting.set(lastId, { resolve, reject });
        writer.postMessage({ id: lastId, step, rows });
      });
  return inGroups({ intend: run('intend'), charge: run('charge'), conclude: run('conclude') });
}

type Steps = { readonly [Step in keyof RawSteps]: (rows: Parameters<RawSteps[Step]>[0]) => void | Promise<void> };

function inGroups({ intend, charge, conclude }: Steps): (sale: SaleRows) => Promise<void> {
  const [intents, charges, conclusions] = [group<Intent>(intend), group<Charge>(charge), group<Conclusion>(conclude)];
  return async ({ intent, ledger, result, event, audit, transfer }) => {
    await intents(intent);
    await charges(ledger);
    await conclusions({ result, event, audit, transfer });
  };
}

/** The SQLite baseline with the work that Paydesk promises besides the rows. */
function promisedSqlite(): WriteSale {
  const database = openSqlite(where, 'paydesk.sqlite', 'FULL');
  const steps = rawSteps(database, openSqlite(where, 'sandbox-gateway.sqlite', 'NORMAL'), saleRows('shape'));
  const { prepare, chain } = promisedWork();
  const find = database.prepare(
    "SELECT state, status, body, fingerprint FROM once_keys WHERE tenant_id = 'ten_bench' AND credential_id = 'key_bench' AND key = ?",
  );
  const write = inGroups({ ...steps, conclude: (conclusions) => steps.conclude(chain(conclusions)) });
  return (sale, key, body) => {
    const prepared = prepare(sale, key, body);
    if (find.get(prepared.result.key) !== undefined) throw new Error(USED_KEY);
    return write(prepared);
  };
}

function isInteger(table: string, column: string): boolean {
  return /_minor$|_ms$|^(inquiries|key_version|approved|fence|test|n)$/.test(column) || (table === 'once_keys' && column === 'status');
}

async function connect(options?: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: where, options });
  await client.connect();
  return client;
}

/** Each queue flushes one group at a time; its client keeps its prepared statements. `complete` completes the rows of a group before its last commit. */
async function rawPostgres(complete = (sales: readonly SaleRows[]) => sales): Promise<(sale: SaleRows) => Promise<void>> {
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
  const conclude = group<SaleRows>((concluded) => {
    const sales = complete(concluded);
    return within(results, async () => {
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
    });
  });
  return async (sale) => {
    await intend(sale);
    await charge(sale);
    await conclude(sale);
  };
}

/** The PostgreSQL baseline with the work that Paydesk promises besides the rows. The keys of a turn of the event loop are looked up together. */
async function promisedPostgres(): Promise<WriteSale> {
  const { prepare, chain } = promisedWork();
  const write = await rawPostgres(chain);
  const reader = await connect();
  const find = group<string>(async (keys) => {
    const { rowCount } = await reader.query({
      name: 'find',
      text: "SELECT key, state, status, body, fingerprint FROM once_keys WHERE tenant_id = 'ten_bench' AND credential_id = 'key_bench' AND key = ANY($1)",
      values: [keys],
    });
    if (rowCount !== 0) throw new Error(USED_KEY);
  });
  return async (sale, key, body) => {
    const prepared = prepare(sale, key, body);
    await find(prepared.result.key);
    await write(prepared);
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

type WriteSale = (sale: SaleRows, key: string, body: Readonly<Record<string, unknown>>) => Promise<void>;

const MODES: Readonly<Record<string, () => WriteSale | Promise<WriteSale>>> = {
  bare: () => async () => {},
  raw: rawSqlite,
  'raw-thread': rawThread,
  promised: promisedSqlite,
  'raw-postgres': () => rawPostgres(),
  'promised-postgres': promisedPostgres,
};

const write = await MODES[mode]?.();
if (write === undefined) throw new Error(`There is no mode ${mode}.`);
const app = Fastify({ logger: false });
app.post('/api/v1/public/transaction', { schema: { body: BODY } }, async (request, reply) => {
  const key = String(request.headers['idempotency-key']);
  const sale = saleRows(key);
  await write(sale, key, request.body as Readonly<Record<string, unknown>>);
  return reply.type('application/json').send(sale.answer);
});
await app.listen({ port: 0, host: '127.0.0.1' });
const address = app.server.address();
process.stdout.write(`${JSON.stringify({ baseUrl: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}` })}\n`);
