import { setTimeout as wait } from 'node:timers/promises';
import { FormData, fetch } from 'undici';
import { ofx } from '../support/bank-files.ts';
import { type ApiClient, latencyOf, sendAtRate } from './api-client.ts';
import { type BenchResult, quantile, type Rate, type Ratio } from './results.ts';
import { targetOf } from './sale.ts';

/** Time in which a list or a search is answered, whatever else the service does. */
const GOAL_MS = 50;
const READS_PER_SECOND = 20;
const SALES_PER_SECOND = [100, 300] as const;
const LEAST_MS = 4_000;
const IMPORTED_LINES = 5_000;
const YEAR_MS = 365 * 86_400_000;
const POLL_INTERVAL_MS = 20;

interface Payments {
  readonly data: readonly {
    readonly merchantId: string;
    readonly customer: { readonly name: string | null } | null;
    readonly card: { readonly last4: string } | null;
  }[];
}

/**
 * Measures lists and searches of payments while the service makes sales, closes its busiest day, exports, imports a bank statement, and makes a backup.
 * Reads are sent at a fixed rate, so that a pause of the service delays all that are due in it.
 */
export async function benchMeanwhile(api: ApiClient): Promise<BenchResult> {
  const { body } = await api.get<Payments>('/transactions?limit=50');
  const [first] = body.data;
  if (first === undefined) throw new Error('the history has no payments');
  const { merchantId } = first;
  const last4 = body.data.find(({ card }) => card !== null)?.card?.last4 ?? '';
  const name = body.data.find(({ customer }) => customer?.name)?.customer?.name ?? '';
  const paths = [
    '/transactions?limit=50',
    `/payments?merchantId=${merchantId}&limit=50`,
    `/transactions?q=${last4}&limit=50`,
    `/payments?q=${encodeURIComponent(name)}&limit=50`,
  ];
  const day = await busiestDay(api, merchantId);
  // Without any shift, a daily close does not ask for the shifts of its payments.
  await api.post('/shifts/open', { merchantId, drawer: `Bench ${Date.now()}`, amount: 20 });
  const works: Readonly<Record<string, () => Promise<unknown>>> = {
    nothing: () => wait(LEAST_MS),
    ...Object.fromEntries(SALES_PER_SECOND.map((perSecond) => [`${perSecond} sales per second`, () => sell(api, perSecond)])),
    'the daily close': () => again(() => api.get(`/reporting/daily-summary?merchantId=${merchantId}&date=${day}`)),
    'the close of a month': () => again(() => api.get(`/settlement/close?merchantId=${merchantId}&month=${day.slice(0, 7)}`)),
    'an export of all payments': () => download(api, '/transactions/export'),
    'an import of a bank statement': () => importStatement(api, merchantId, day),
    'a backup': () => backUp(api),
  };
  const figures: Record<string, Record<string, Rate>> = {};
  const ratios: Ratio[] = [];
  for (const [work, run] of Object.entries(works)) {
    const began = performance.now();
    let isOver = false;
    const working = run().finally(() => {
      isOver = true;
    });
    const latencies = await Promise.all(
      paths.map((path) =>
        sendAtRate(
          { url: `${api.server.line.baseUrl}/api/v1${path}`, method: 'GET', headers: api.headers },
          READS_PER_SECOND / paths.length,
          () => isOver,
        ),
      ),
    );
    await working;
    const all = latencies.flat();
    figures[`reads during ${work}`] = { '1,000,000': { ms: performance.now() - began, count: all.length, latency: latencyOf(all) } };
    ratios.push({ name: `p99 of reads during ${work} / ${GOAL_MS} ms`, value: quantile(all, 0.99) / GOAL_MS, goal: 1, isBelow: true });
  }
  return { figures, ratios };
}

/** Repeats an operation for some seconds, one after another. */
async function again(operation: () => Promise<unknown>): Promise<void> {
  for (const began = performance.now(); performance.now() - began < LEAST_MS; ) await operation();
}

/** Returns the day with most payments. */
async function busiestDay(api: ApiClient, merchantId: string): Promise<string> {
  const startDate = new Date(Date.now() - YEAR_MS).toISOString().slice(0, 10);
  const path = `/analytics/transactions?merchantId=${merchantId}&groupBy=day&startDate=${startDate}`;
  const { body } = await api.get<{ data: { series: { key: string; count: number }[] } }>(path);
  return body.data.series.toSorted((one, other) => other.count - one.count)[0]?.key ?? '';
}

async function sell({ server }: ApiClient, perSecond: number): Promise<void> {
  const { url, headers, body } = targetOf(server.line);
  const until = performance.now() + LEAST_MS;
  const sale = { url, method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body, hasIdempotencyKey: true } as const;
  await sendAtRate(sale, perSecond, () => performance.now() > until);
}

async function download({ server, headers }: ApiClient, path: string): Promise<void> {
  const answer = await fetch(`${server.line.baseUrl}/api/v1${path}`, { headers });
  if (!answer.ok) throw new Error(`the export was answered with ${answer.status}`);
  for await (const _ of answer.body ?? []);
}

async function importStatement(api: ApiClient, merchantId: string, day: string): Promise<void> {
  const { body: account } = await api.post<{ data: { bankAccountId: string } }>('/settlement/bank-accounts', { merchantId, name: 'Bench' });
  const lines = Array.from({ length: IMPORTED_LINES }, (_, index) => ({
    day,
    minor: 1_000 + index,
    text: `TRANSFER ${index}`,
    reference: `R${index}`,
  }));
  const form = new FormData();
  form.set('bankAccountId', account.data.bankAccountId);
  form.set('file', new Blob([ofx({ account: '9876543210', opening: 0, lines })]), 'statement.ofx');
  const { 'content-type': _, ...headers } = api.headers;
  const answer = await fetch(`${api.server.line.baseUrl}/api/v1/settlement/bank-statements`, { method: 'POST', headers, body: form });
  if (!answer.ok) throw new Error(await answer.text());
}

async function backUp(api: ApiClient): Promise<void> {
  await api.post('/system/backup', {});
  for (let isMade = false; !isMade; await wait(POLL_INTERVAL_MS)) {
    const { body } = await api.get<{ data: readonly { status: string }[] }>('/system/backups?limit=1');
    isMade = !['waiting', 'running'].includes(body.data[0]?.status ?? 'waiting');
  }
}
