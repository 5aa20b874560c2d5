// The baselines over HTTP: `bare` answers without a database; `raw` writes the rows of a sale by hand, in the same two group commits and in that of
// the gateway; `raw-thread` does so in a worker thread; `promised` adds the work that Paydesk promises besides the rows; `ruled` adds the rules of a sale
// to this. The modes of PostgreSQL write one set-based statement per table and group. Arguments: mode, SQLite folder or PostgreSQL address.
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import Fastify, { type FastifyRequest } from 'fastify';
import pg from 'pg';
import { Gathering } from '../../core/database/gathering.ts';
import type { GatewayRow, MerchantRow } from '../../core/processing/merchants/schema.ts';
import { bodyText, parseJson } from '../../server/http/index.ts';
import { group } from './group.ts';
import { chainOfAudit, promisedSale } from './promised-work.ts';
import { type Charge, type Conclusion, type Intent, openSqlite, type RawSteps, type Row, rawSteps, TABLES } from './raw-sqlite.ts';
import type { WriterAnswer } from './raw-writer.ts';
import { counterRows, type SaleRows, saleRows } from './rows.ts';
import { ruledSales } from './ruled-sales.ts';

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

/** Makes each step for a group of sales. `newGathering` lets groups wait for more sales. */
function inGroups(
  { intend, charge, conclude }: Steps,
  newGathering: () => Gathering | null = () => null,
): (sale: SaleRows) => Promise<void> {
  const intents = group<Intent>(intend, newGathering());
  const charges = group<Charge>(charge, newGathering());
  const conclusions = group<Conclusion>(conclude, newGathering());
  return async ({ intent, ledger, result, event, audit, transfer }) => {
    await intents(intent);
    await charges(ledger);
    await conclusions({ result, event, audit, transfer });
  };
}

/** The SQLite baseline that looks up keys and chains audit entries. `shape` is any sale. */
function keyedSqlite(shape: SaleRows): WriteSale {
  const database = openSqlite(where, 'paydesk.sqlite', 'FULL');
  const steps = rawSteps(database, openSqlite(where, 'sandbox-gateway.sqlite', 'NORMAL'), shape);
  const find = database.prepare(
    "SELECT state, status, body, fingerprint FROM idempotency_keys WHERE tenant_id = 'ten_bench' AND credential_id = 'key_bench' AND key = ?",
  );
  const chain = chainOfAudit();
  const write = inGroups({ ...steps, conclude: (conclusions) => steps.conclude(chain(conclusions)) }, () => new Gathering());
  return (sale) => {
    if (find.get(sale.result.key) !== undefined) throw new Error(USED_KEY);
    return write(sale);
  };
}

function isInteger(table: string, column: string): boolean {
  return (
    /_minor$|_ms$|^(inquiries|key_version|approved|fence|missed|test|n)$/.test(column) ||
    (table === 'idempotency_keys' && column === 'status')
  );
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
        text: "UPDATE idempotency_keys t SET state = 'done', status = 200, body = v.body FROM unnest($1::text[], $2::text[]) AS v(key, body) WHERE t.tenant_id = 'ten_bench' AND t.credential_id = 'key_bench' AND t.key = v.key AND t.state = 'running'",
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

/** The PostgreSQL baseline that looks up keys and chains audit entries. The keys of a turn of the event loop are looked up together. */
async function keyedPostgres(): Promise<WriteSale> {
  const write = await rawPostgres(chainOfAudit());
  const reader = await connect();
  const find = group<string>(async (keys) => {
    const { rowCount } = await reader.query({
      name: 'find',
      text: "SELECT key, state, status, body, fingerprint FROM idempotency_keys WHERE tenant_id = 'ten_bench' AND credential_id = 'key_bench' AND key = ANY($1)",
      values: [keys],
    });
    if (rowCount !== 0) throw new Error(USED_KEY);
  });
  return async (sale) => {
    await find(sale.result.key);
    await write(sale);
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

type WriteSale = (sale: SaleRows) => Promise<void>;
/** Makes the sale that a request asks for. Returns the body of its response. */
type Sell = (request: FastifyRequest) => Promise<string>;

const keyOf = (request: FastifyRequest) => String(request.headers['idempotency-key']);

/** Sales whose rows are always the same. */
function plain(write: WriteSale): Sell {
  return async (request) => {
    const sale = saleRows(keyOf(request));
    await write(sale);
    return sale.answer;
  };
}

function promised(write: WriteSale): Sell {
  return async (request) => {
    const key = keyOf(request);
    const sale = promisedSale(saleRows(key), key, request.body as Readonly<Record<string, unknown>>);
    await write(sale);
    return sale.answer;
  };
}

const MERCHANT = "SELECT * FROM merchants WHERE id = (SELECT merchant_id FROM gateways WHERE type = 'sandbox' ORDER BY id LIMIT 1)";
const GATEWAYS = "SELECT * FROM gateways WHERE type = 'sandbox' ORDER BY id LIMIT 1";

/** The statements are prepared with the first sale, whose rows have the columns. */
function ruledSqlite(): Sell {
  const database = openSqlite(where, 'paydesk.sqlite', 'FULL');
  const sell = ruledSales(database.prepare(MERCHANT).get() as MerchantRow, database.prepare(GATEWAYS).all() as GatewayRow[]);
  database.close();
  let write: WriteSale | undefined;
  return async (request) => {
    const sale = sell(request);
    write ??= keyedSqlite(sale);
    await write(sale);
    return sale.answer;
  };
}

async function ruledPostgres(): Promise<Sell> {
  const client = await connect();
  const [merchants, gateways] = [await client.query<MerchantRow>(MERCHANT), await client.query<GatewayRow>(GATEWAYS)];
  await client.end();
  const sell = ruledSales(merchants.rows[0] as MerchantRow, gateways.rows);
  const write = await keyedPostgres();
  return async (request) => {
    const sale = sell(request);
    await write(sale);
    return sale.answer;
  };
}

const MODES: Readonly<Record<string, () => Sell | Promise<Sell>>> = {
  bare: () => plain(async () => {}),
  raw: () => plain(rawSqlite()),
  'raw-thread': () => plain(rawThread()),
  promised: () => promised(keyedSqlite(saleRows('shape'))),
  ruled: ruledSqlite,
  'raw-postgres': async () => plain(await rawPostgres()),
  'promised-postgres': async () => promised(await keyedPostgres()),
  'ruled-postgres': ruledPostgres,
};

const sell = await MODES[mode]?.();
if (sell === undefined) throw new Error(`There is no mode ${mode}.`);
const app = Fastify({ logger: false });
const isRuled = mode.startsWith('ruled');
if (isRuled) {
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, ({ headers }, body, done) =>
    done(null, parseJson(bodyText(headers, body as Buffer))),
  );
}
app.post('/api/v1/public/transaction', isRuled ? {} : { schema: { body: BODY } }, async (request, reply) =>
  reply.type('application/json').send(await sell(request)),
);
await app.listen({ port: 0, host: '127.0.0.1' });
const address = app.server.address();
process.stdout.write(`${JSON.stringify({ baseUrl: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}` })}\n`);
