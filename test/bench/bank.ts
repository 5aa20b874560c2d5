import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import BetterSqlite3 from 'better-sqlite3';
import { Client } from 'pg';
import { FormData, fetch } from 'undici';
import { newId, newProcessorRef } from '../../core/kernel/index.ts';
import { ofx, type TruthLine } from '../support/bank-files.ts';
import { startPostgres } from '../support/postgres-server.ts';
import { type ApiClient, type Ready, signIn } from './api-client.ts';
import { processorMs, type Running, start } from './processes.ts';
import { type BenchResult, quantile, type Rate, type Ratio } from './results.ts';

const PAYOUTS = 100_000;
const DAYS = 60;
const DAY_MS = 86_400_000;
const GOAL_MS = 10_000;
/** A screen that waits longer than this seems to hang. */
const GOAL_P99_MS = 250;
const POLL_INTERVAL_MS = 20;
const INSERT_ROWS = 5_000;
/** Shares of payouts whose lines do not name them, and whose amounts two payouts combine in one line. */
const WITHOUT_REFERENCE = 10;
const COMBINED = 50;

/** A payout with the columns that differ. */
interface PayoutRow {
  readonly id: string;
  readonly reference: string;
  readonly minor: number;
  readonly paidAt: string;
}

interface Measured {
  readonly importMs: number;
  readonly matchMs: number;
  /** Processor time of the service during the matching, with its answers to other requests. */
  readonly busyMs: number;
  /** Latencies of the list of bank lines and of the health check during the matching. The check needs no database, so it shows the delay of the event loop. */
  readonly lists: readonly number[];
  readonly checks: readonly number[];
  readonly suggested: number;
  readonly lines: number;
}

/**
 * Measures the matching of 100,000 bank lines with 100,000 payouts on both databases, while other requests are answered. The import of the file is
 * measured separately: it reads, checks and writes every line.
 */
export async function benchBank(only?: string): Promise<BenchResult> {
  const figures: Record<string, Record<string, Rate>> = {};
  const ratios: Ratio[] = [];
  const add = (database: string, { importMs, matchMs, busyMs, lists, checks, suggested, lines }: Measured) => {
    const latencyOf = (values: readonly number[]) => ({ p50: quantile(values, 0.5), p99: quantile(values, 0.99) });
    figures[database] = {
      [`import of ${lines} lines`]: { ms: importMs },
      [`matching with ${PAYOUTS} payouts`]: { ms: matchMs },
      'its processor time': { ms: busyMs },
      'lists of lines meanwhile': { count: lists.length, latency: latencyOf(lists) },
      'health checks meanwhile': { count: checks.length, latency: latencyOf(checks) },
      'lines with a suggestion': { count: suggested },
    };
    ratios.push(
      { name: `duration of the matching / 10 seconds, ${database}`, value: matchMs / GOAL_MS, must: 1, isBelow: true },
      {
        name: `p99 of lists during the matching / 250 ms, ${database}`,
        value: quantile(lists, 0.99) / GOAL_P99_MS,
        must: 1,
        isBelow: true,
      },
      { name: `lines with a suggestion / lines, ${database}`, value: suggested / lines, must: 0.95 },
    );
  };
  if (only !== 'postgres') add('SQLite', await withFolder((dataDir) => measure(dataDir)));
  if (only !== 'sqlite') {
    const postgres = await startPostgres();
    try {
      const url = await postgres.createDatabase('bank');
      add('PostgreSQL', await withFolder((dataDir) => measure(dataDir, url)));
    } finally {
      await postgres.stop();
    }
  }
  return { figures, ratios };
}

async function withFolder<Result>(use: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'paydesk-bank-'));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function measure(dataDir: string, url?: string): Promise<Measured> {
  const args = ['--data-dir', dataDir, '--demo', '--sample-data', 'sales', '--port', '0', '--log-level', 'error'];
  const server = await start<Ready>('server/serve.ts', url === undefined ? args : [...args, '--database-url', url]);
  try {
    return await measureOn(server, dataDir, url);
  } finally {
    await server.stop();
  }
}

async function measureOn(server: Running<Ready>, dataDir: string, url: string | undefined): Promise<Measured> {
  const api = await signIn(server);
  const { body: me } = await api.get<{ data: { merchants: { merchantId: string }[] } }>('/auth/me');
  const merchantId = me.data.merchants[0]?.merchantId as string;
  const { body: account } = await api.post<{ data: { bankAccountId: string } }>('/settlement/bank-accounts', { merchantId, name: 'Bench' });
  const { bankAccountId } = account.data;
  const { payouts, lines } = history();
  const { tenantId } = server.line.credentials;
  if (url === undefined) addToSqlite(join(dataDir, 'paydesk.sqlite'), tenantId, merchantId, payouts);
  else await addToPostgres(url, tenantId, merchantId, payouts);
  const measured = await importAndMatch(api, bankAccountId, lines);
  const suggested = await countSuggestions(join(dataDir, 'paydesk.sqlite'), url, bankAccountId);
  await api.close();
  return { ...measured, suggested, lines: lines.length };
}

/** Imports the lines, which computes suggestions at its end, and sends other requests until it is done. */
async function importAndMatch(api: ApiClient, bankAccountId: string, lines: readonly TruthLine[]) {
  const { baseUrl } = api.server.line;
  const form = new FormData();
  form.set('bankAccountId', bankAccountId);
  form.set('file', new Blob([ofx({ account: '12345678', opening: 0, lines: [...lines] })]), 'bench.ofx');
  const { 'content-type': _, ...headers } = api.headers;
  const began = performance.now();
  let isOver = false;
  const imported = fetch(`${baseUrl}/api/v1/settlement/bank-statements`, { method: 'POST', headers, body: form }).finally(() => {
    isOver = true;
  });
  // The account shows the day of its newest statement once all lines are written; the matching begins then.
  for (let isImported = false; !isImported && !isOver; await wait(POLL_INTERVAL_MS)) {
    const { body } = await api.get<{ data: { bankAccountId: string; lastStatementDay: string | null }[] }>('/settlement/bank-accounts');
    isImported = body.data.some((account) => account.bankAccountId === bankAccountId && account.lastStatementDay !== null);
  }
  const importMs = performance.now() - began;
  const usedMs = processorMs(api.server.pid);
  const lists: number[] = [];
  const checks: number[] = [];
  const check = async () => {
    for (; !isOver; await wait(POLL_INTERVAL_MS)) {
      const sent = performance.now();
      await (await fetch(`${baseUrl}/health`)).text();
      checks.push(performance.now() - sent);
    }
  };
  const list = async () => {
    for (; !isOver; await wait(POLL_INTERVAL_MS)) lists.push((await api.get(`/settlement/bank-lines?bankAccountId=${bankAccountId}`)).ms);
  };
  await Promise.all([check(), list(), imported]);
  const answer = await imported;
  if (!answer.ok) throw new Error(`the import was answered with ${answer.status}: ${(await answer.text()).slice(0, 300)}`);
  return { importMs, matchMs: performance.now() - began - importMs, busyMs: processorMs(api.server.pid) - usedMs, lists, checks };
}

async function countSuggestions(file: string, url: string | undefined, bankAccountId: string): Promise<number> {
  const sql = 'SELECT count(*) AS n FROM bank_suggestions JOIN bank_lines ON bank_lines.id = line_id WHERE account_id = ';
  if (url !== undefined) {
    const client = new Client({ connectionString: url });
    await client.connect();
    const { rows } = await client.query<{ n: string }>(`${sql}$1`, [bankAccountId]);
    await client.end();
    return Number(rows[0]?.n);
  }
  const handle = new BetterSqlite3(file, { readonly: true });
  const { n } = handle.prepare(`${sql}?`).get(bankAccountId) as { n: number };
  handle.close();
  return n;
}

/** Returns payouts of two months, and their bank lines. */
function history(): { payouts: PayoutRow[]; lines: TruthLine[] } {
  const payouts: PayoutRow[] = [];
  const lines: TruthLine[] = [];
  const first = Date.now() - (DAYS + 10) * DAY_MS;
  let combined = 0;
  for (let index = 0; index < PAYOUTS; index += 1) {
    const at = first + Math.floor((index / PAYOUTS) * DAYS) * DAY_MS;
    const reference = newProcessorRef().slice(0, 10);
    const minor = 1_000 + ((index * 7_919) % 900_000);
    payouts.push({ id: newId('pay', at), reference, minor, paidAt: new Date(at).toISOString() });
    const day = new Date(at + DAY_MS).toISOString().slice(0, 10);
    if (index % COMBINED === 0) combined = minor;
    else if (index % COMBINED === 1) lines.push({ day, minor: minor + combined, text: 'COLLECTIVE CREDIT', reference: `F${index}` });
    else {
      const text = index % WITHOUT_REFERENCE === 5 ? 'INCOMING TRANSFER' : `ACME PROCESSING PAYOUT ${reference}`;
      lines.push({ day, minor, text, reference: `F${index}` });
    }
  }
  while (lines.length < PAYOUTS) {
    const day = lines.at(-1)?.day ?? '2026-01-01';
    lines.push({ day, minor: -(100 + lines.length), text: `CARD PAYMENT ${lines.length}`, reference: `D${lines.length}` });
  }
  return { payouts, lines };
}

const COLUMNS =
  'tenant_id, merchant_id, kind, currency, status, actor, gross_minor, fees_minor, transaction_count, start_date, end_date, note, due_ms, lease_ms, fence, id, reference, amount_minor, paid_at, created_at, updated_at';

function addToSqlite(file: string, tenantId: string, merchantId: string, payouts: readonly PayoutRow[]): void {
  const handle = new BetterSqlite3(file, { timeout: 10_000 });
  const insert = handle.prepare(
    `INSERT INTO payouts (${COLUMNS}) VALUES (?, ?, 'single', 'USD', 'paid', 'bench', 0, 0, 0, NULL, NULL, NULL, NULL, 0, 0, ?, ?, ?, ?, ?, ?)`,
  );
  handle.transaction(() => {
    for (const { id, reference, minor, paidAt } of payouts) insert.run(tenantId, merchantId, id, reference, minor, paidAt, paidAt, paidAt);
  })();
  handle.close();
}

async function addToPostgres(url: string, tenantId: string, merchantId: string, payouts: readonly PayoutRow[]): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  for (let from = 0; from < payouts.length; from += INSERT_ROWS) {
    const block = payouts.slice(from, from + INSERT_ROWS);
    const paidAt = block.map((row) => row.paidAt);
    await client.query(
      `INSERT INTO payouts (${COLUMNS}) SELECT $1, $2, 'single', 'USD', 'paid', 'bench', 0, 0, 0, NULL, NULL, NULL, NULL, 0, 0, id, reference, minor, paid, paid, paid
       FROM unnest($3::text[], $4::text[], $5::bigint[], $6::text[]) AS given (id, reference, minor, paid)`,
      [tenantId, merchantId, block.map(({ id }) => id), block.map(({ reference }) => reference), block.map(({ minor }) => minor), paidAt],
    );
  }
  await client.end();
}
