import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { FormData, fetch } from 'undici';
import { newId, newProcessorRef } from '../../core/kernel/index.ts';
import { ofx, type TruthLine } from '../support/bank-files.ts';
import { type Ready, signIn } from './api-client.ts';
import { start } from './processes.ts';
import { type BenchResult, quantile } from './results.ts';

const PAYOUTS = 100_000;
const DAYS = 60;
const DAY_MS = 86_400_000;
const GOAL_MS = 10_000;
const POLL_INTERVAL_MS = 50;
/** Shares of payouts whose lines do not name them, and whose amounts two payouts combine in one line. */
const WITHOUT_REFERENCE = 10;
const COMBINED = 50;

/**
 * Measures the matching of 100,000 bank lines with 100,000 payouts while other requests are answered. The import of the file is measured
 * separately: it reads, checks and writes every line.
 */
export async function benchBank(): Promise<BenchResult> {
  const dataDir = await mkdtemp(join(tmpdir(), 'paydesk-bank-'));
  const args = ['--data-dir', dataDir, '--demo', '--sample-data', 'sales', '--port', '0', '--log-level', 'error'];
  const server = await start<Ready>('server/serve.ts', args);
  const api = await signIn(server);
  const { body: me } = await api.get<{ data: { merchants: { merchantId: string }[] } }>('/auth/me');
  const merchantId = me.data.merchants[0]?.merchantId as string;
  const { body: account } = await api.post<{ data: { bankAccountId: string } }>('/settlement/bank-accounts', { merchantId, name: 'Bench' });
  const { bankAccountId } = account.data;
  const lines = addPayouts(join(dataDir, 'paydesk.sqlite'), server.line.credentials.tenantId, merchantId);
  const form = new FormData();
  form.set('bankAccountId', bankAccountId);
  form.set('file', new Blob([ofx({ account: '12345678', opening: 0, lines })]), 'bench.ofx');
  const { 'content-type': _, ...headers } = api.headers;
  const began = performance.now();
  // The import computes suggestions at its end; the time until its lines are complete is that of the import alone.
  const imported = fetch(`${server.line.baseUrl}/api/v1/settlement/bank-statements`, { method: 'POST', headers, body: form });
  let isOver = false;
  let importMs = 0;
  void imported.finally(() => {
    isOver = true;
  });
  const latencies: number[] = [];
  while (!isOver) {
    const { ms } = await api.get('/settlement/bank-accounts');
    latencies.push(ms);
    if (importMs === 0) {
      const { body } = await api.get<{ data: { lastStatementDay: string | null }[] }>('/settlement/bank-accounts');
      if (body.data.some(({ lastStatementDay }) => lastStatementDay !== null)) {
        importMs = performance.now() - began;
        latencies.length = 0;
      }
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
  }
  const answer = await imported;
  if (!answer.ok) throw new Error(`the import was answered with ${answer.status}: ${(await answer.text()).slice(0, 300)}`);
  const matchMs = performance.now() - began - importMs;
  const handle = new BetterSqlite3(join(dataDir, 'paydesk.sqlite'), { readonly: true });
  const { n: suggested } = handle.prepare('SELECT count(*) AS n FROM bank_lines WHERE suggestion IS NOT NULL').get() as { n: number };
  handle.close();
  await api.close();
  await server.stop();
  await rm(dataDir, { recursive: true, force: true });
  return {
    figures: {
      bank: {
        [`import of ${lines.length} lines`]: { ms: importMs },
        [`matching with ${PAYOUTS} payouts`]: {
          ms: matchMs,
          latency: latencies.length > 0 ? { p50: quantile(latencies, 0.5), p99: quantile(latencies, 0.99) } : { p50: 0, p99: 0 },
        },
        'lines with a suggestion': { count: suggested },
      },
    },
    ratios: [
      { name: 'duration of the matching / 10 seconds', value: matchMs / GOAL_MS, must: 1, isBelow: true },
      { name: 'lines with a suggestion / lines', value: suggested / lines.length, must: 0.95 },
    ],
  };
}

/** Writes payouts to the database and returns their bank lines. */
function addPayouts(file: string, tenantId: string, merchantId: string): TruthLine[] {
  const handle = new BetterSqlite3(file, { timeout: 10_000 });
  const insert = handle.prepare(
    `INSERT INTO payouts (tenant_id, id, merchant_id, kind, currency, status, reference, actor, amount_minor, gross_minor, fees_minor, transaction_count, start_date, end_date, note, paid_at, due_ms, lease_ms, fence, created_at, updated_at)
     VALUES (?, ?, ?, 'single', 'USD', 'paid', ?, 'bench', ?, 0, 0, 0, NULL, NULL, NULL, ?, NULL, 0, 0, ?, ?)`,
  );
  const lines: TruthLine[] = [];
  const first = Date.now() - (DAYS + 10) * DAY_MS;
  handle.transaction(() => {
    let combined = 0;
    for (let index = 0; index < PAYOUTS; index += 1) {
      const at = first + Math.floor((index / PAYOUTS) * DAYS) * DAY_MS;
      const paidAt = new Date(at).toISOString();
      const reference = newProcessorRef().slice(0, 10);
      const minor = 1_000 + ((index * 7_919) % 900_000);
      insert.run(tenantId, newId('pay', at), merchantId, reference, minor, paidAt, paidAt, paidAt);
      const day = new Date(at + DAY_MS).toISOString().slice(0, 10);
      if (index % COMBINED === 0) combined = minor;
      else if (index % COMBINED === 1) lines.push({ day, minor: minor + combined, text: 'COLLECTIVE CREDIT', reference: `F${index}` });
      else {
        const text = index % WITHOUT_REFERENCE === 5 ? 'INCOMING TRANSFER' : `ACME PROCESSING PAYOUT ${reference}`;
        lines.push({ day, minor, text, reference: `F${index}` });
      }
    }
  })();
  handle.close();
  while (lines.length < PAYOUTS) {
    const day = lines.at(-1)?.day ?? '2026-01-01';
    lines.push({ day, minor: -(100 + lines.length), text: `CARD PAYMENT ${lines.length}`, reference: `D${lines.length}` });
  }
  return lines;
}
