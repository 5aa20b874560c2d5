import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import BetterSqlite3 from 'better-sqlite3';
import { Agent, request } from 'undici';
import { restoreBackup } from '#server';
import { type ApiClient, latencyOf, type Ready, signIn } from './api-client.ts';
import { start } from './processes.ts';
import type { BenchResult } from './results.ts';
import { copySampleHistory } from './sample-history.ts';

/** About 190 MB. */
const HISTORY = 38_000;
const SALES_PER_SECOND = 500;
const CLERKS = 64;
const ALONE_MS = 5_000;
const POLL_INTERVAL_MS = 20;
const TIMEOUT_MS = 300_000;
/** Time limit for a backup of this size. */
const GOAL_MS = 3_000;
const MIB = 1_048_576;

const SALE = JSON.stringify({
  Amount: '49.99',
  CardNumber: '4111111111111111',
  ExpiryMonth: '12',
  ExpiryYear: '2030',
  CVV: '123',
  BillingCustomerName: 'Ada Lovelace',
});

interface Backup {
  readonly status: string;
  readonly folder: string;
  readonly name: string;
  readonly bytes: number;
  readonly message: string | null;
  readonly check: { readonly status: string; readonly message: string | null };
}

/** A sale with a response. */
interface Answered {
  readonly transactionId: string;
  readonly atMs: number;
  readonly ms: number;
}

/**
 * Measures a backup of a database of about 190 MB during 500 sales per second, or as many as the computer can make: its duration, the
 * latency of the sales, and whether it contains every sale that was answered before it was requested (`docs/backup.md`). @throws Error if
 * the backup check fails.
 */
export async function benchBackup(): Promise<BenchResult> {
  const folder = await mkdtemp(join(tmpdir(), 'paydesk-backup-'));
  const dataDir = await copySampleHistory(HISTORY, folder);
  const server = await start<Ready>('server/serve.ts', [
    '--data-dir',
    dataDir,
    '--port',
    '0',
    '--demo',
    '--sample-data',
    'sales',
    '--log-level',
    'silent',
  ]);
  const api = await signIn(server);
  const shop = openShop(server.line);
  try {
    const beganMs = performance.now();
    await wait(ALONE_MS);
    const before = shop.answered.map(({ transactionId }) => transactionId);
    const askedMs = performance.now();
    await api.post('/system/backup', {});
    const made = await until(api, ({ status }) => status !== 'waiting' && status !== 'running');
    const madeMs = performance.now();
    if (made.status !== 'made') throw new Error(`the backup was not made: ${made.message}`);
    const { check } = await until(api, (backup) => ['good', 'bad'].includes(backup.check.status));
    const checkedMs = performance.now();
    if (check.status !== 'good') throw new Error(`the backup cannot be restored: ${check.message}`);
    const answered = await shop.close();

    const restored = join(folder, 'restored');
    const began = performance.now();
    await restoreBackup({ dataDir: restored }, join(made.folder, made.name), { file: join(dataDir, 'master.key') });
    const restoreMs = performance.now() - began;
    const held = idsIn(restored);
    const missing = before.filter((id) => !held.has(id)).length;
    const between = (fromMs: number, toMs: number) => {
      const some = answered.filter(({ atMs }) => atMs > fromMs && atMs <= toMs);
      return { perSecond: (some.length * 1_000) / (toMs - fromMs), latency: latencyOf(some.map(({ ms }) => ms)) };
    };
    const alone = between(beganMs, askedMs);
    const beside = between(askedMs, madeMs);
    return {
      figures: {
        sales: { alone, 'beside the backup': beside, 'beside its rehearsal': between(madeMs, checkedMs) },
        backup: {
          made: { ms: madeMs - askedMs, mib: made.bytes / MIB },
          rehearsed: { ms: checkedMs - madeMs },
          restored: { ms: restoreMs },
        },
        answered: { 'before it was asked for': { count: before.length }, 'missing in it': { count: missing } },
      },
      ratios: [
        { name: 'sales answered before the backup that it does not hold', value: missing, must: 0, goal: 0, isBelow: true },
        { name: 'time of the backup / 3 s', value: (madeMs - askedMs) / GOAL_MS, must: 1, isBelow: true },
        { name: 'p99 of sales beside the backup / alone', value: beside.latency.p99 / alone.latency.p99, must: 3, isBelow: true },
        { name: 'sales per second beside the backup / alone', value: beside.perSecond / alone.perSecond },
      ],
    };
  } finally {
    await shop.close();
    await api.close();
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Clients that make sales at a fixed rate. */
function openShop({ baseUrl, credentials }: Ready) {
  const agent = new Agent({ connections: CLERKS, pipelining: 1 });
  const prefix = `k${process.pid}-${Math.random().toString(36).slice(2)}-`;
  const headers = { 'x-tenant-id': credentials.tenantId, 'x-api-key': credentials.apiKey, 'content-type': 'application/json' };
  const answered: Answered[] = [];
  const beganMs = performance.now();
  let sent = 0;
  let isOpen = true;
  async function clerk(): Promise<void> {
    while (isOpen) {
      sent += 1;
      const key = `${prefix}${sent}`;
      const early = beganMs + (sent * 1_000) / SALES_PER_SECOND - performance.now();
      if (early > 0) await wait(early);
      const fromMs = performance.now();
      const url = `${baseUrl}/api/v1/public/transaction`;
      const answer = await request(url, { method: 'POST', headers: { ...headers, 'idempotency-key': key }, body: SALE, dispatcher: agent });
      const text = await answer.body.text();
      if (answer.statusCode >= 300) throw new Error(`a sale was answered ${answer.statusCode}: ${text.slice(0, 300)}`);
      const { data } = JSON.parse(text) as { data: { transactionId: string } };
      const atMs = performance.now();
      answered.push({ transactionId: data.transactionId, atMs, ms: atMs - fromMs });
    }
  }
  const clerks = Promise.all(Array.from({ length: CLERKS }, clerk));
  // A failure is thrown when the clients are closed.
  clerks.catch(() => {});
  return {
    answered,
    async close(): Promise<readonly Answered[]> {
      isOpen = false;
      await clerks.finally(() => agent.close().catch(() => {}));
      return answered;
    },
  };
}

async function until(api: ApiClient, isDone: (backup: Backup) => boolean): Promise<Backup> {
  for (const giveUpMs = performance.now() + TIMEOUT_MS; performance.now() < giveUpMs; await wait(POLL_INTERVAL_MS)) {
    const { body } = await api.get<{ data: readonly Backup[] }>('/system/backups?limit=1');
    const [newest] = body.data;
    if (newest && isDone(newest)) return newest;
  }
  throw new Error('the backup came to no end');
}

function idsIn(dataDir: string): ReadonlySet<string> {
  const handle = new BetterSqlite3(join(dataDir, 'paydesk.sqlite'), { readonly: true });
  try {
    return new Set(handle.prepare('SELECT id FROM transactions').pluck().all() as string[]);
  } finally {
    handle.close();
  }
}
