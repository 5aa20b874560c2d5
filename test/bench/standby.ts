import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '../support/postgres-server.ts';
import { queryServer, startStandby } from '../support/postgres-standby.ts';
import { type Figures, measure } from './measure-load.ts';
import { start } from './processes.ts';
import { type BenchResult, median, type Rate, type Ratio } from './results.ts';
import { type Ready, targetOf, under } from './sale.ts';

const CONNECTIONS = [128, 32, 1] as const;
const SECONDS = 3;

/** Modes in the order in which they are measured. A slow minute of the computer between them shows in the two measurements without a standby. */
const ALONE = 'no standby';
const ASYNCHRONOUS = 'asynchronous standby';
const SYNCHRONOUS = 'synchronous standby';

/**
 * Measures durable sales per second on PostgreSQL without a standby, with one asynchronous and with one synchronous standby, which confirms a
 * commit after writing it to its disk (docs/high-availability.md). All servers run on this computer.
 */
export async function benchStandby(): Promise<BenchResult> {
  const folder = await mkdtemp(join(tmpdir(), 'paydesk-bench-'));
  const postgres = await startPostgres();
  const ends: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true }), postgres.stop];
  try {
    const database = await postgres.createDatabase('standby');
    const options = ['--data-dir', folder, '--port', '0', '--demo', '--sample-data', 'sales', '--log-level', 'silent'];
    const service = await start<Ready>('server/serve.ts', [...options, '--database-url', database]);
    ends.push(service.stop);
    const target = targetOf(service.line);
    const measured = new Map<string, Map<number, Figures[]>>();
    const run = async (mode: string) => {
      const byConnections = measured.get(mode) ?? new Map<number, Figures[]>();
      measured.set(mode, byConnections);
      for (const connections of CONNECTIONS) {
        const figures = await measure(target, connections, SECONDS);
        byConnections.set(connections, [...(byConnections.get(connections) ?? []), figures]);
        process.stderr.write(`${mode.padEnd(21)} ${String(connections).padStart(4)} connections  ${Math.round(figures.perSecond)}/s\n`);
      }
    };
    await run(ALONE);
    const standby = await startStandby(postgres.url, { flags: ['-c', 'fsync=on'] });
    ends.push(standby.stop);
    await run(ASYNCHRONOUS);
    await setSynchronous(postgres.url, '*');
    await run(SYNCHRONOUS);
    await setSynchronous(postgres.url, '');
    await standby.stop();
    await run(ALONE);
    return summary(measured);
  } finally {
    for (const end of ends.reverse()) await end();
  }
}

async function setSynchronous(url: string, names: string): Promise<void> {
  await queryServer(url, `ALTER SYSTEM SET synchronous_standby_names = '${names}'`);
  await queryServer(url, 'SELECT pg_reload_conf()');
}

function summary(measured: ReadonlyMap<string, ReadonlyMap<number, readonly Figures[]>>): BenchResult {
  const figures: Record<string, Record<string, Rate>> = {};
  for (const [mode, byConnections] of measured) {
    const rates: Record<string, Rate> = {};
    figures[mode] = rates;
    for (const [connections, all] of byConnections) {
      rates[under(connections)] = {
        perSecond: median(all.map(({ perSecond }) => perSecond)),
        latency: { p50: median(all.map(({ p50 }) => p50)), p99: median(all.map(({ p99 }) => p99)) },
      };
    }
  }
  const ratioTo = (mode: string, connections: number): Ratio => ({
    name: `${mode} / ${ALONE}, ${under(connections)}`,
    value: (figures[mode]?.[under(connections)]?.perSecond ?? Number.NaN) / (figures[ALONE]?.[under(connections)]?.perSecond ?? Number.NaN),
  });
  return { figures, ratios: [SYNCHRONOUS, ASYNCHRONOUS].flatMap((mode) => CONNECTIONS.map((connections) => ratioTo(mode, connections))) };
}
