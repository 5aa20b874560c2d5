import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Agent } from 'undici';
import { type ApiClient, type LoadRequest, latencyOf, sendAtRate } from './api-client.ts';
import { start } from './processes.ts';
import { median, quantile, type Rate, type Ratio } from './results.ts';

const ROUNDS = 3;
const SALES_PER_SECOND = 500;
const SECONDS = 8;
const POLL_INTERVAL_MS = 20;
const TIMEOUT_MS = 600_000;

const SALE = JSON.stringify({
  Amount: '49.99',
  CardNumber: '4111111111111111',
  ExpiryMonth: '12',
  ExpiryYear: '2030',
  CVV: '123',
  BillingEmail: 'ada@example.com',
  BillingAddress: '1 Main St',
  BillingPostalCode: '62701',
});

/** The columns of the exported file in storage order. */
export const COLUMNS =
  'id, created_at, merchant_id, type, status, amount_minor, currency, captured_minor, refunded_minor, method, card_brand, last4, auth_code, decline_code, customer_name, customer_email, order_id, description, processor_ref, settlement_date';

interface Taken {
  readonly rows: number;
  readonly ms: number;
}

/** Reads a file to its end and counts its lines. */
async function take({ server, headers }: ApiClient, filter: string): Promise<Taken> {
  const agent = new Agent({ connections: 1, bodyTimeout: TIMEOUT_MS, headersTimeout: TIMEOUT_MS });
  const began = performance.now();
  const answer = await agent.request({
    origin: server.line.baseUrl,
    path: `/api/v1/transactions/export?${filter}`,
    method: 'GET',
    headers,
  });
  let lines = 0;
  for await (const chunk of answer.body as AsyncIterable<Buffer>)
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) lines += 1;
  const ms = performance.now() - began;
  await agent.close();
  if (answer.statusCode !== 200) throw new Error(`the export was answered with ${answer.statusCode}`);
  return { rows: lines - 1, ms };
}

/** Returns the resident memory of a process in MiB; 0 if the system does not report it. */
function residentOf(pid: number): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1_024;
  } catch {
    return 0;
  }
}

/** Returns how much the memory of a process grows during a function. */
async function growthDuring(pid: number, act: () => Promise<unknown>): Promise<number> {
  const before = residentOf(pid);
  let most = before;
  const timer = setInterval(() => {
    most = Math.max(most, residentOf(pid));
  }, POLL_INTERVAL_MS);
  try {
    await act();
  } finally {
    clearInterval(timer);
  }
  return most - before;
}

/** Measures the sqlite3 program for the same columns in the same order, or the minimal reader in JavaScript if there is no such program. */
async function leastTime(folder: string, tenantId: string): Promise<Taken & { readonly fastest: string }> {
  const file = join(folder, 'paydesk.sqlite');
  const hasProgram = spawnSync('sqlite3', ['--version']).status === 0;
  if (!hasProgram) {
    const reader = await start<Taken>('test/bench/export-baseline.ts', [file, tenantId, COLUMNS]);
    await reader.stop();
    return { ...reader.line, fastest: 'better-sqlite3' };
  }
  const sql = `SELECT ${COLUMNS} FROM transactions WHERE tenant_id = '${tenantId}' ORDER BY id DESC`;
  const began = performance.now();
  const pinned = process.platform === 'linux' ? ['taskset', '-c', '0'] : [];
  const [program = '', ...args] = [...pinned, 'sqlite3', '-readonly', '-csv', file, sql];
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let lines = 0;
  child.stdout.on('data', (chunk: Buffer) => {
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) lines += 1;
  });
  await once(child, 'close');
  return { rows: lines, ms: performance.now() - began, fastest: 'sqlite3' };
}

/** Rows 11 and 12 of the goals: the CSV export of all transactions, its memory, and its effect on sales at the same time. */
export async function benchExport(
  api: ApiClient,
  folder: string,
  peak: { readonly filter: string; readonly count: number },
): Promise<{ figures: Record<string, Record<string, Rate>>; ratios: Ratio[] }> {
  const { pid, line } = api.server;
  await take(api, peak.filter);
  const growth: Record<'part' | 'whole', number[]> = { part: [], whole: [] };
  const times: Record<'ours' | 'least', number[]> = { ours: [], least: [] };
  let fastest = '';
  let rows = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    growth.part.push(await growthDuring(pid, () => take(api, peak.filter)));
    growth.whole.push(
      await growthDuring(pid, async () => {
        const taken = await take(api, '');
        rows = taken.rows;
        times.ours.push(taken.ms);
      }),
    );
    const least = await leastTime(folder, line.credentials.tenantId);
    if (least.rows !== rows) throw new Error(`${least.fastest} read ${least.rows} rows, the export has ${rows}`);
    times.least.push(least.ms);
    fastest = least.fastest;
    process.stderr.write(`round ${round + 1}  export ${Math.round(times.ours.at(-1) ?? 0)} ms, ${fastest} ${Math.round(least.ms)} ms\n`);
  }
  const [ours, least] = [median(times.ours), median(times.least)];
  const [part, whole] = [Math.max(...growth.part), Math.max(...growth.whole)];
  const sales = await salesBeside(api);
  return {
    figures: {
      [`CSV of ${rows} rows`]: { paydesk: { ms: ours }, [fastest]: { ms: least } },
      'memory grown': { [`${peak.count} rows`]: { mib: part }, [`${rows} rows`]: { mib: whole } },
      [`sales, ${SALES_PER_SECOND}/s`]: sales,
    },
    ratios: [
      { name: `CSV of ${rows} rows / ${fastest}`, value: ours / least, must: 2, goal: 1.3, isBelow: true },
      { name: 'memory grown by it, MiB', value: whole, must: 64, goal: 32, isBelow: true },
      { name: `memory grown by ${peak.count} rows, MiB`, value: part, must: 64, goal: 32, isBelow: true },
      {
        name: 'sale p99 at 500/s while it runs / without it',
        value: (sales['with the export']?.latency?.p99 ?? Number.NaN) / (sales.alone?.latency?.p99 ?? Number.NaN),
        must: 3,
        goal: 2,
        isBelow: true,
      },
    ],
  };
}

/** Measures sales at a steady rate, alone and during continuous exports of all transactions. */
async function salesBeside(api: ApiClient): Promise<Record<string, Rate>> {
  const { baseUrl, credentials } = api.server.line;
  const shot: LoadRequest = {
    url: `${baseUrl}/api/v1/public/transaction`,
    method: 'POST',
    headers: { 'x-tenant-id': credentials.tenantId, 'x-api-key': credentials.apiKey, 'content-type': 'application/json' },
    body: SALE,
    hasIdempotencyKey: true,
  };
  const count = SALES_PER_SECOND * SECONDS;
  const alone: number[] = [];
  const beside: number[] = [];
  await sendAtRate(shot, SALES_PER_SECOND, (sent) => sent >= count / 4);
  for (let round = 0; round < ROUNDS; round += 1) {
    alone.push(...(await sendAtRate(shot, SALES_PER_SECOND, (sent) => sent >= count)));
    let isSelling = true;
    const exporting = (async () => {
      while (isSelling) await take(api, '');
    })();
    beside.push(...(await sendAtRate(shot, SALES_PER_SECOND, (sent) => sent >= count)));
    isSelling = false;
    await exporting;
    process.stderr.write(
      `round ${round + 1}  sale p99 ${quantile(alone, 0.99).toFixed(1)} ms alone, ${quantile(beside, 0.99).toFixed(1)} ms with the export\n`,
    );
  }
  return { alone: { latency: latencyOf(alone) }, 'with the export': { latency: latencyOf(beside) } };
}
