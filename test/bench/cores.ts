import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import pg from 'pg';
import { buildServiceWhenStale } from '../../scripts/build-when-stale.ts';
import { ROOT } from '../../scripts/bundle.ts';
import { startPostgres } from '../support/postgres-server.ts';
import { shoot, warmUp } from './measure-load.ts';
import { childrenOf, type Running, start, sumOf } from './processes.ts';
import { type BenchResult, median, type Rate, type Ratio } from './results.ts';
import { type Ready, serviceArgs, targetOf, under } from './sale.ts';

const PROCESSES = [1, 2, 4] as const;
const CONNECTIONS = [128, 32] as const;
const SECONDS = 4;
const ROUNDS = 3;
/** A sample of fewer sales is left out: most of its processor time is the start of the code, and work that is not for sales. */
const SALES_MIN = 50;

interface Sample {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly service: number;
  readonly database: number;
}

/**
 * Measures the processor time of a sale in the service and in PostgreSQL, with 1, 2 and 4 processes behind one port. Requires Linux. Durations say nothing
 * where the load generator and the database have no cores of their own; processor time hardly depends on other programs.
 */
export async function benchCores(): Promise<BenchResult> {
  const program = relative(ROOT, await buildServiceWhenStale());
  const folder = await mkdtemp(join(tmpdir(), 'paydesk-bench-'));
  const postgres = await startPostgres();
  const running: { readonly processes: number; readonly server: Running<Ready>; readonly url: string }[] = [];
  try {
    const sample = join(folder, 'sample');
    const template = await postgres.createDatabase('sample');
    await (await start<Ready>(program, serviceArgs(sample, '--database-url', template), null)).stop();
    for (const processes of PROCESSES) {
      const [name, dataDir] = [`processes${processes}`, join(folder, String(processes))];
      await cp(sample, dataDir, { recursive: true });
      await query(`${postgres.url}/postgres`, `CREATE DATABASE ${name} TEMPLATE sample`);
      const url = `${postgres.url}/${name}`;
      const args = serviceArgs(dataDir, '--database-url', url, '--processes', String(processes));
      running.push({ processes, server: await start<Ready>(program, args, null), url });
    }
    for (const { server, url } of running) {
      await warmUp(targetOf(server.line), { connections: 32 });
      await query(url, 'ANALYZE');
    }
    const samples = new Map<string, Sample[]>();
    for (let round = 0; round < ROUNDS; round += 1)
      for (const connections of CONNECTIONS)
        for (const { processes, server, url } of running) {
          await warmUp(targetOf(server.line), { connections });
          const service = [server.pid, ...childrenOf(server.pid)];
          const database = await backendsOf(url);
          const before = { service: sumOf(service), database: sumOf(database) };
          const figures = await shoot(targetOf(server.line), { connections }, SECONDS);
          const sample = {
            perSecond: figures.perSecond,
            p50: figures.p50,
            p99: figures.p99,
            service: (sumOf(service) - before.service) / figures.total,
            database: (sumOf(database) - before.database) / figures.total,
          };
          const key = `${processes} ${connections}`;
          if (figures.total >= SALES_MIN) samples.set(key, [...(samples.get(key) ?? []), sample]);
          process.stderr.write(`${processes} processes  ${under(connections)}  ${JSON.stringify(sample)}\n`);
        }
    return summaryOf(samples);
  } finally {
    for (const { server } of running) await server.stop();
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function query<Row>(url: string, statement: string): Promise<Row[]> {
  const client = new pg.Client(url);
  await client.connect();
  const { rows } = await client.query(statement);
  await client.end();
  return rows as Row[];
}

/** Returns the processes of PostgreSQL that serve the connections of a database. */
async function backendsOf(url: string): Promise<number[]> {
  const rows = await query<{ pid: number }>(
    url,
    'SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
  );
  return rows.map(({ pid }) => pid);
}

function summaryOf(samples: ReadonlyMap<string, readonly Sample[]>): BenchResult {
  const middle = (processes: number, connections: number, value: (sample: Sample) => number) =>
    median((samples.get(`${processes} ${connections}`) ?? []).map(value));
  const figures: Record<string, Record<string, Rate>> = {};
  const ratios: Ratio[] = [];
  for (const processes of PROCESSES) {
    const rates: Record<string, Rate> = {};
    for (const connections of CONNECTIONS) {
      if (!samples.has(`${processes} ${connections}`)) continue;
      const of = (value: (sample: Sample) => number) => middle(processes, connections, value);
      const latency = { p50: of(({ p50 }) => p50), p99: of(({ p99 }) => p99) };
      rates[under(connections)] = { perSecond: of(({ perSecond }) => perSecond), latency, processorMs: of(({ service }) => service) };
      rates[`PostgreSQL, ${under(connections)}`] = { processorMs: of(({ database }) => database) };
      for (const part of ['service', 'database'] as const)
        ratios.push({
          name: `processor time of a sale in the ${part}, ${processes} / 1 processes, ${under(connections)}`,
          value: of((sample) => sample[part]) / middle(1, connections, (sample) => sample[part]),
          isBelow: true,
        });
    }
    figures[`${processes} processes`] = rates;
  }
  return { figures, ratios };
}
