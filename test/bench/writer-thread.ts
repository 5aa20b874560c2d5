import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Load } from './measure-load.ts';
import { type Probed, startProbed } from './processes.ts';
import type { BenchResult, Rate, Ratio } from './results.ts';
import { createTables, labelOf, type Measured, measureServer, OPEN_LOAD, type Ready, rateOf, under } from './sale.ts';

const CONNECTIONS = [128, 32, 1] as const;
const LOADS: readonly Load[] = [...CONNECTIONS.map((connections) => ({ connections })), OPEN_LOAD];
const SECONDS = 3;
const ROUNDS = 3;

const MODES = ['raw', 'raw-thread', 'promised'] as const;
/** Cores of a server: one, or all that the system gives to it. */
const CORES = { 'one core': 0, 'all cores': null } as const;

/**
 * Measures the SQLite baseline with its writer in the main thread and in a worker thread, and with the work that Paydesk promises besides the rows
 * (decision record 145).
 */
export async function benchWriterThread(): Promise<BenchResult> {
  const folder = await mkdtemp(join(tmpdir(), 'paydesk-bench-'));
  const running: Probed<Ready>[] = [];
  try {
    const servers = new Map<string, Probed<Ready>>();
    for (const [where, core] of Object.entries(CORES)) {
      for (const mode of MODES) {
        const dataDir = join(folder, `${mode} ${where}`);
        await createTables(dataDir);
        const server = await startProbed<Ready>('test/bench/baseline-server.ts', [mode, dataDir], core);
        running.push(server);
        servers.set(`${mode}, ${where}`, server);
      }
    }
    const measured = new Map<string, Map<string, Measured[]>>([...servers.keys()].map((name) => [name, new Map()]));
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const load of LOADS) {
        for (const [name, server] of servers) {
          const label = labelOf(load);
          const figures = await measureServer(server, load, SECONDS);
          measured.get(name)?.set(label, [...(measured.get(name)?.get(label) ?? []), figures]);
          process.stderr.write(`round ${round + 1}  ${name.padEnd(22)} ${label.padStart(16)}  ${Math.round(figures.perSecond)}/s\n`);
        }
      }
    }
    return summary(measured);
  } finally {
    for (const server of running) await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

function summary(measured: ReadonlyMap<string, ReadonlyMap<string, readonly Measured[]>>): BenchResult {
  const figures: Record<string, Record<string, Rate>> = {};
  for (const [name, byLoad] of measured) figures[name] = Object.fromEntries([...byLoad].map(([label, all]) => [label, rateOf(all)]));
  const ratios: Ratio[] = [];
  for (const where of Object.keys(CORES)) {
    for (const mode of MODES.slice(1)) {
      for (const connections of CONNECTIONS) {
        const rate = (name: string) => figures[`${name}, ${where}`]?.[under(connections)]?.perSecond ?? Number.NaN;
        ratios.push({ name: `${mode} / raw, ${where}, ${under(connections)}`, value: rate(mode) / rate('raw') });
      }
    }
  }
  return { figures, ratios };
}
