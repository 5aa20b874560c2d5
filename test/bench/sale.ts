import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '../support/postgres-server.ts';
import { type Figures, measure, type Target } from './measure-load.ts';
import { type Running, start } from './processes.ts';
import { type BenchResult, median, type Rate, type Ratio } from './results.ts';

const CONNECTIONS = [128, 32, 1] as const;
const SECONDS = 3;
const ROUNDS = 2;

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

type Results = Map<string, Map<number, Figures[]>>;

/** Measures durable sales per second over HTTP in comparison with the baselines, all in one run (`docs/performance.md`). */
export async function benchSales(): Promise<BenchResult> {
  const folder = await mkdtemp(join(tmpdir(), 'paydesk-bench-'));
  const postgres = await startPostgres();
  const running: Running<Ready>[] = [];
  try {
    const ours = await postgres.createDatabase('ours');
    const raw = await postgres.createDatabase('raw');
    const serve = (name: string, ...args: string[]) =>
      start<Ready>('server/serve.ts', [
        '--data-dir',
        join(folder, name),
        '--port',
        '0',
        '--demo',
        '--sample-data',
        'sales',
        '--log-level',
        'silent',
        ...args,
      ]);
    // The baselines write into tables that the service created: it is started once and stopped.
    await (await serve('raw')).stop();
    await (await serve('raw-postgres', '--database-url', raw)).stop();
    const modes: [string, Promise<Running<Ready>>][] = [
      ['paydesk', serve('ours')],
      ['raw', start<Ready>('test/bench/baseline-server.ts', ['raw', join(folder, 'raw')])],
      ['bare', start<Ready>('test/bench/baseline-server.ts', ['bare'])],
      ['paydesk-postgres', serve('ours-postgres', '--database-url', ours)],
      ['raw-postgres', start<Ready>('test/bench/baseline-server.ts', ['raw-postgres', raw])],
    ];
    const targets: [string, Target][] = [];
    for (const [name, starting] of modes) {
      const server = await starting;
      running.push(server);
      targets.push([name, targetOf(server.line)]);
    }
    return summary(await rounds(targets));
  } finally {
    for (const server of running) await server.stop();
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Returns the sale that a server is asked for. */
export function targetOf({ baseUrl, credentials }: Ready): Target {
  const headers: Record<string, string> = credentials ? { 'x-tenant-id': credentials.tenantId, 'x-api-key': credentials.apiKey } : {};
  return { url: `${baseUrl}/api/v1/public/transaction`, headers, body: BODY };
}

/** Modes alternate within each round, so that a slow minute of the computer affects all of them. */
async function rounds(targets: readonly [string, Target][]): Promise<Results> {
  const results: Results = new Map(targets.map(([name]) => [name, new Map()]));
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const connections of CONNECTIONS) {
      for (const [name, target] of targets) {
        const figures = await measure(target, connections, SECONDS);
        const measured = results.get(name);
        measured?.set(connections, [...(measured.get(connections) ?? []), figures]);
        process.stderr.write(
          `round ${round + 1}  ${name.padEnd(17)} ${String(connections).padStart(4)} connections  ${Math.round(figures.perSecond)}/s\n`,
        );
      }
    }
  }
  return results;
}

export const under = (connections: number) => `${connections} connections`;

function summary(results: Results): BenchResult {
  const figures: Record<string, Record<string, Rate>> = {};
  for (const [name, byConnections] of results) {
    figures[name] = {};
    for (const [connections, all] of byConnections) {
      figures[name][under(connections)] = {
        perSecond: median(all.map((one) => one.perSecond)),
        latency: { p50: median(all.map((one) => one.p50)), p99: median(all.map((one) => one.p99)) },
      };
    }
  }
  const rate = (name: string, connections: number) => figures[name]?.[under(connections)]?.perSecond ?? Number.NaN;
  const ratios: Ratio[] = [
    ...CONNECTIONS.map((connections) => ({
      name: `sales / raw, SQLite, ${connections} connections`,
      value: rate('paydesk', connections) / rate('raw', connections),
      must: 0.5,
      goal: 0.75,
    })),
    { name: 'sales / bare, SQLite, 128 connections', value: rate('paydesk', 128) / rate('bare', 128), must: 0.12, goal: 0.22 },
    { name: 'sales / bare, SQLite, 32 connections', value: rate('paydesk', 32) / rate('bare', 32), must: 0.08, goal: 0.15 },
    {
      name: 'sales / raw, PostgreSQL, 128 connections',
      value: rate('paydesk-postgres', 128) / rate('raw-postgres', 128),
      must: 0.45,
      goal: 0.7,
    },
    { name: 'sales / bare, PostgreSQL, 128 connections', value: rate('paydesk-postgres', 128) / rate('bare', 128), must: 0.06, goal: 0.12 },
  ];
  return { figures, ratios };
}
