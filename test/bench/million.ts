import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '../support/postgres-server.ts';
import { type ApiClient, type Ready, signIn } from './api-client.ts';
import { benchMeanwhile } from './meanwhile.ts';
import { shoot, warmUp } from './measure-load.ts';
import { processorMs, start, untilIdle } from './processes.ts';
import { benchLists } from './reports-lists.ts';
import { type BenchResult, median, type Rate, type Ratio } from './results.ts';
import { serviceArgs, targetOf } from './sale.ts';
import { copySampleHistory, seedHistory } from './sample-history.ts';

const FEW = 10_000;
const MANY = 1_000_000;
const CONNECTIONS = 32;
const SECONDS = 3;
const ROUNDS = 5;
const TIMES = 40;
/** Time in which a screen that is used all day has its data. */
const SCREEN_MS = 50;

/**
 * Measures an installation with a million payments in comparison with one that has ten thousand, on SQLite and PostgreSQL: lists, the requests
 * of the screens that are used all day, sales, and reads meanwhile. The argument can select one database.
 */
export async function benchMillion(only?: string): Promise<BenchResult> {
  const folder = await mkdtemp(join(tmpdir(), 'paydesk-million-'));
  const figures: Record<string, Record<string, Rate>> = {};
  const ratios: Ratio[] = [];
  const add = (database: string, found: BenchResult) => {
    for (const [name, byLoad] of Object.entries(found.figures)) figures[`${name}, ${database}`] = { ...byLoad };
    ratios.push(...found.ratios.map((ratio) => ({ ...ratio, name: `${ratio.name}, ${database}` })));
  };
  try {
    if (only !== 'postgres') {
      const onSqlite = async (transactions: number) => serviceArgs(await copySampleHistory(transactions, folder));
      add('SQLite', await compare(await onSqlite(FEW), await onSqlite(MANY)));
    }
    if (only !== 'sqlite') {
      const postgres = await startPostgres();
      try {
        const onPostgres = async (transactions: number) => {
          const dataDir = join(folder, `postgres-${transactions}`);
          const database = ['--database-url', await postgres.createDatabase(`history${transactions}`)];
          await seedHistory(transactions, ['--data-dir', dataDir, ...database]);
          return serviceArgs(dataDir, ...database);
        };
        add('PostgreSQL', await compare(await onPostgres(FEW), await onPostgres(MANY)));
      } finally {
        await postgres.stop();
      }
    }
    return { figures, ratios };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Compares two histories. Each is given as the arguments of its service. */
async function compare(few: readonly string[], many: readonly string[]): Promise<BenchResult> {
  const opened: ApiClient[] = [];
  const open = async (args: readonly string[]) => {
    const api = await signIn(await start<Ready>('server/serve.ts', args));
    opened.push(api);
    return api;
  };
  try {
    const [small, large] = [await open(few), await open(many)];
    for (const { server } of opened) await untilIdle(server.pid);
    const parts = [
      await benchLists(small, large),
      await benchScreens(large),
      await benchSalesInTurn(small, large),
      await benchMeanwhile(large),
    ];
    return {
      figures: Object.assign({}, ...parts.map((part) => part.figures)) as BenchResult['figures'],
      ratios: parts.flatMap((part) => part.ratios),
    };
  } finally {
    for (const api of opened) {
      await api.close();
      await api.server.stop();
    }
  }
}

interface Found {
  readonly data: readonly {
    readonly transactionId: string;
    readonly merchantId: string;
    readonly orderId: string | null;
    readonly createdAt: string;
    readonly card: { readonly last4: string } | null;
    readonly customer: { readonly name: string | null; readonly email: string | null } | null;
  }[];
}

/** The requests of Home, Sell, Transactions and Settlement, on the day with the newest payments. */
async function benchScreens(large: ApiClient): Promise<BenchResult> {
  const { body } = await large.get<Found>('/transactions?limit=50');
  const first = body.data[0];
  const card = body.data.find((one) => one.card !== null)?.card;
  if (first === undefined || !card) throw new Error('The history has no card payment.');
  const { merchantId, transactionId } = first;
  const day = first.createdAt.slice(0, 10);
  const merchant = `merchantId=${merchantId}`;
  const email = body.data.find((one) => one.customer?.email)?.customer?.email ?? '';
  const name = body.data.find((one) => one.customer?.name)?.customer?.name ?? '';
  const requests: Readonly<Record<string, string>> = {
    'today of Home': `/reporting/today?${merchant}`,
    'last sales of Sell': `/payments?${merchant}&limit=5`,
    'list of Transactions': `/payments?${merchant}&limit=50`,
    'list of a day': `/payments?${merchant}&startDate=${day}&endDate=${day}&limit=50`,
    'search for last four': `/payments?${merchant}&q=${card.last4}&limit=50`,
    'search for an amount': `/payments?${merchant}&q=49.99&limit=50`,
    ...(email && { 'search for an email': `/payments?${merchant}&q=${encodeURIComponent(email)}&limit=50` }),
    ...(name && { 'search for a name': `/payments?${merchant}&q=${encodeURIComponent(name)}&limit=50` }),
    'one transaction': `/transactions/${transactionId}`,
    'list of To do': `/to-do?${merchant}`,
    'totals of Settlement': `/settlement/summary?${merchant}`,
    'history of Settlement': `/settlement/history/${merchantId}?limit=50`,
    'daily close': `/reporting/daily-summary?${merchant}&date=${day}`,
  };
  const figures: Record<string, Record<string, Rate>> = {};
  const medians: number[] = [];
  for (const [name, path] of Object.entries(requests)) {
    const times: number[] = [];
    for (let turn = 0; turn < TIMES; turn += 1) times.push((await large.get(path)).ms);
    const ms = median(times);
    figures[name] = { '1,000,000': { ms } };
    medians.push(ms);
  }
  return {
    figures,
    ratios: [{ name: `slowest request of a screen / ${SCREEN_MS} ms`, value: Math.max(...medians) / SCREEN_MS, must: 1, isBelow: true }],
  };
}

async function benchSalesInTurn(small: ApiClient, large: ApiClient): Promise<BenchResult> {
  const sides = { '10,000': small, '1,000,000': large };
  const measured = new Map<string, { perSecond: number[]; processorMs: number[] }>();
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [name, { server }] of Object.entries(sides)) {
      const target = targetOf(server.line);
      if (round === 0) await warmUp(target, { connections: CONNECTIONS });
      const before = processorMs(server.pid);
      const { perSecond, total } = await shoot(target, { connections: CONNECTIONS }, SECONDS);
      const all = measured.get(name) ?? { perSecond: [], processorMs: [] };
      all.perSecond.push(perSecond);
      all.processorMs.push((processorMs(server.pid) - before) / total);
      measured.set(name, all);
    }
  }
  const rates = new Map(
    [...measured].map(([name, all]) => [name, { perSecond: median(all.perSecond), processorMs: median(all.processorMs) }] as const),
  );
  const [few, many] = [rates.get('10,000'), rates.get('1,000,000')];
  return {
    figures: { sales: Object.fromEntries(rates) },
    ratios: [
      { name: 'sales per second, 1,000,000 / 10,000', value: (many?.perSecond ?? Number.NaN) / (few?.perSecond ?? Number.NaN), goal: 0.9 },
      {
        name: 'processor time of a sale, 1,000,000 / 10,000',
        value: (many?.processorMs ?? Number.NaN) / (few?.processorMs ?? Number.NaN),
        goal: 1.1,
        isBelow: true,
      },
    ],
  };
}
