import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startPostgres } from '../support/postgres-server.ts';
import { type Figures, type Load, shoot, type Target, warmUp } from './measure-load.ts';
import { type Probed, processorMs, start, startProbed } from './processes.ts';
import { type BenchResult, median, type Rate, type Ratio } from './results.ts';

const CONNECTIONS = [128, 32, 1] as const;
/** Load under which the delay of the event loop has a goal. */
export const OPEN_LOAD = { rate: 1_000 } as const;
const LOADS: readonly Load[] = [...CONNECTIONS.map((connections) => ({ connections })), OPEN_LOAD];
/** Goal for the 99th percentile of the delay of the event loop. */
const EVENT_LOOP_DELAY_MS = 6;
const ANALYZED_CONNECTIONS = 32;
const SECONDS = 3;
const ROUNDS = 3;

const BODY = JSON.stringify({
  Amount: '49.99',
  CardNumber: '4111111111111111',
  ExpiryMonth: '12',
  ExpiryYear: '2030',
  CVV: '123',
  BillingCustomerName: 'Ada Lovelace',
  BillingEmail: 'ada@example.com',
  BillingAddress: '1 Main St',
  BillingCity: 'Springfield',
  BillingState: 'IL',
  BillingPostalCode: '62701',
});

/** The line that a server prints when it is ready. */
export interface Ready {
  readonly baseUrl: string;
  readonly credentials?: { readonly tenantId: string; readonly apiKey: string };
}

export interface Measured extends Figures {
  readonly processorMs: number;
  readonly eventLoopDelayP99: number;
}

type Results = Map<string, Map<string, Measured[]>>;

/** Measures durable sales per second over HTTP in comparison with the baselines, all in one run (`docs/performance.md`). */
export async function benchSales(): Promise<BenchResult> {
  const folder = await mkdtemp(join(tmpdir(), 'paydesk-bench-'));
  const postgres = await startPostgres();
  const running: Probed<Ready>[] = [];
  try {
    const ours = await postgres.createDatabase('ours');
    const raw = await postgres.createDatabase('raw');
    const promised = await postgres.createDatabase('promised');
    const ruled = await postgres.createDatabase('ruled');
    const serve = (name: string, ...args: string[]) => startProbed<Ready>('server/serve.ts', serviceArgs(join(folder, name), ...args));
    await createTables(join(folder, 'raw'));
    await createTables(join(folder, 'promised'));
    await createTables(join(folder, 'raw-postgres'), '--database-url', raw);
    await createTables(join(folder, 'promised-postgres'), '--database-url', promised);
    await createTables(join(folder, 'ruled'));
    await createTables(join(folder, 'ruled-postgres'), '--database-url', ruled);
    const modes: [string, Promise<Probed<Ready>>][] = [
      ['paydesk', serve('ours')],
      ['raw', startProbed<Ready>('test/bench/baseline-server.ts', ['raw', join(folder, 'raw')])],
      ['promised', startProbed<Ready>('test/bench/baseline-server.ts', ['promised', join(folder, 'promised')])],
      ['ruled', startProbed<Ready>('test/bench/baseline-server.ts', ['ruled', join(folder, 'ruled')])],
      ['bare', startProbed<Ready>('test/bench/baseline-server.ts', ['bare'])],
      ['paydesk-postgres', serve('ours-postgres', '--database-url', ours)],
      ['raw-postgres', startProbed<Ready>('test/bench/baseline-server.ts', ['raw-postgres', raw])],
      ['promised-postgres', startProbed<Ready>('test/bench/baseline-server.ts', ['promised-postgres', promised])],
      ['ruled-postgres', startProbed<Ready>('test/bench/baseline-server.ts', ['ruled-postgres', ruled])],
    ];
    const servers: [string, Probed<Ready>][] = [];
    for (const [name, starting] of modes) {
      const server = await starting;
      running.push(server);
      servers.push([name, server]);
    }
    await analyze(servers, { 'paydesk-postgres': ours, 'raw-postgres': raw, 'promised-postgres': promised, 'ruled-postgres': ruled });
    return summary(await rounds(servers));
  } finally {
    for (const server of running) await server.stop();
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Makes sales on the PostgreSQL databases and collects their statistics, as the autovacuum does within a minute. */
async function analyze(servers: readonly [string, Probed<Ready>][], databases: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, { line }] of servers) {
    const url = databases[name];
    if (url === undefined) continue;
    await warmUp(targetOf(line), { connections: ANALYZED_CONNECTIONS });
    const client = new pg.Client(url);
    await client.connect();
    await client.query('ANALYZE');
    await client.end();
  }
}

/** Returns the arguments of a service with sample data. */
export function serviceArgs(dataDir: string, ...args: string[]): string[] {
  return ['--data-dir', dataDir, '--port', '0', '--demo', '--sample-data', 'sales', '--log-level', 'silent', ...args];
}

/** Starts the service once and stops it: the baselines write into tables that it created. */
export async function createTables(dataDir: string, ...args: string[]): Promise<void> {
  await (await start<Ready>('server/serve.ts', serviceArgs(dataDir, ...args))).stop();
}

/** Returns the sale that a server is asked for. */
export function targetOf({ baseUrl, credentials }: Ready): Target {
  const headers: Record<string, string> = credentials ? { 'x-tenant-id': credentials.tenantId, 'x-api-key': credentials.apiKey } : {};
  return { url: `${baseUrl}/api/v1/public/transaction`, headers, body: BODY };
}

/** Sends sales to a server after a warm-up, and measures its processor time for each and the delay of its event loop. */
export async function measureServer(server: Probed<Ready>, load: Load, seconds: number): Promise<Measured> {
  const target = targetOf(server.line);
  await warmUp(target, load);
  const before = processorMs(server.pid);
  const { result, delay } = await server.withEventLoopDelay(() => shoot(target, load, seconds));
  return { ...result, processorMs: (processorMs(server.pid) - before) / result.total, eventLoopDelayP99: delay.p99 };
}

/** Modes alternate within each round, so that a slow minute of the computer affects all of them. */
async function rounds(servers: readonly [string, Probed<Ready>][]): Promise<Results> {
  const results: Results = new Map(servers.map(([name]) => [name, new Map()]));
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const load of LOADS) {
      for (const [name, server] of servers) {
        const label = labelOf(load);
        const figures = await measureServer(server, load, SECONDS);
        const measured = results.get(name);
        measured?.set(label, [...(measured.get(label) ?? []), figures]);
        process.stderr.write(`round ${round + 1}  ${name.padEnd(17)} ${label.padStart(16)}  ${Math.round(figures.perSecond)}/s\n`);
      }
    }
  }
  return results;
}

export const under = (connections: number) => `${connections} connections`;

export const labelOf = (load: Load) => (load.rate === undefined ? under(load.connections) : `${load.rate} per second`);

/** Returns the medians of several measurements. */
export function rateOf(all: readonly Measured[]): Rate {
  const middle = (value: (one: Measured) => number) => median(all.map(value));
  return {
    perSecond: middle((one) => one.perSecond),
    latency: { p50: middle((one) => one.p50), p99: middle((one) => one.p99) },
    processorMs: middle((one) => one.processorMs),
    eventLoopDelayP99: middle((one) => one.eventLoopDelayP99),
  };
}

function summary(results: Results): BenchResult {
  const figures: Record<string, Record<string, Rate>> = {};
  for (const [name, byLoad] of results) figures[name] = Object.fromEntries([...byLoad].map(([label, all]) => [label, rateOf(all)]));
  const rate = (name: string, connections: number) => figures[name]?.[under(connections)]?.perSecond ?? Number.NaN;
  const delayRatio = (name: string, database: string): Ratio => ({
    name: `event loop p99 at 1,000 sales per second / ${EVENT_LOOP_DELAY_MS} ms, ${database}`,
    value: (figures[name]?.[labelOf(OPEN_LOAD)]?.eventLoopDelayP99 ?? Number.NaN) / EVENT_LOOP_DELAY_MS,
    goal: 1,
    isBelow: true,
  });
  const processorRatio = (name: string, baseline: string, database: string): Ratio => ({
    name: `processor time / raw, ${database}, 128 connections`,
    value: (figures[name]?.[under(128)]?.processorMs ?? Number.NaN) / (figures[baseline]?.[under(128)]?.processorMs ?? Number.NaN),
    isBelow: true,
  });
  const ratios: Ratio[] = [
    ...CONNECTIONS.map((connections) => ({
      name: `sales / raw, SQLite, ${connections} connections`,
      value: rate('paydesk', connections) / rate('raw', connections),
      must: 0.5,
    })),
    { name: 'sales / bare, SQLite, 128 connections', value: rate('paydesk', 128) / rate('bare', 128), must: 0.12 },
    { name: 'sales / bare, SQLite, 32 connections', value: rate('paydesk', 32) / rate('bare', 32), must: 0.08 },
    {
      name: 'sales / raw, PostgreSQL, 128 connections',
      value: rate('paydesk-postgres', 128) / rate('raw-postgres', 128),
      must: 0.45,
    },
    { name: 'sales / bare, PostgreSQL, 128 connections', value: rate('paydesk-postgres', 128) / rate('bare', 128), must: 0.06 },
    ...['SQLite', 'PostgreSQL'].flatMap((database) => {
      const suffix = database === 'SQLite' ? '' : '-postgres';
      return CONNECTIONS.flatMap((connections) => [
        ...['promised', 'ruled'].map((bound) => ({
          name: `${bound} / raw, ${database}, ${under(connections)}`,
          value: rate(`${bound}${suffix}`, connections) / rate(`raw${suffix}`, connections),
        })),
        {
          name: `sales / ruled, ${database}, ${under(connections)}`,
          value: rate(`paydesk${suffix}`, connections) / rate(`ruled${suffix}`, connections),
          goal: 0.95,
        },
      ]);
    }),
    ...['promised', 'ruled'].flatMap((bound) => [
      { name: `${bound} / bare, SQLite, 128 connections`, value: rate(bound, 128) / rate('bare', 128) },
      { name: `${bound} / bare, PostgreSQL, 128 connections`, value: rate(`${bound}-postgres`, 128) / rate('bare', 128) },
    ]),
    processorRatio('paydesk', 'raw', 'SQLite'),
    processorRatio('paydesk-postgres', 'raw-postgres', 'PostgreSQL'),
    delayRatio('paydesk', 'SQLite'),
    delayRatio('paydesk-postgres', 'PostgreSQL'),
  ];
  return { figures, ratios };
}
