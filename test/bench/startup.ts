import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildCommand } from '../../scripts/build-command.ts';
import { buildDesktopWhenStale } from '../../scripts/build-when-stale.ts';
import { ROOT } from '../../scripts/bundle.ts';
import { type BenchResult, median } from './results.ts';

const ROUNDS = 7;
const TIMEOUT_MS = 60_000;
const POLL_INTERVAL_MS = 5;
const PORT = { headless: 5_390, desktop: 5_391 };

/**
 * Measures the time from the start of the process until the API answers: the built main process on the test double of Electron, without a
 * window, in comparison with the packed command, each with its own data that is already set up. Neither includes the start of Electron itself.
 */
export async function benchStart(): Promise<BenchResult> {
  await buildDesktopWhenStale();
  const folder = await mkdtemp(join(tmpdir(), 'paydesk-start-'));
  try {
    const headless = [
      ...[await packCommand(folder), 'serve', '--data-dir', join(folder, 'headless')],
      ...['--port', String(PORT.headless), '--log-level', 'silent'],
    ];
    const desktop = [
      ...['--import', './test/electron/double/register.ts', 'out/main/main.js'],
      ...[`--user-data-dir=${join(folder, 'desktop')}`, `--port=${PORT.desktop}`, '--hidden'],
    ];
    const found: Record<'headless' | 'desktop', number[]> = { headless: [], desktop: [] };
    for (let round = 0; round <= ROUNDS; round += 1) {
      const times = { headless: await timeToAnswer(headless, PORT.headless), desktop: await timeToAnswer(desktop, PORT.desktop) };
      // The first round creates the databases.
      if (round === 0) continue;
      found.headless.push(times.headless);
      found.desktop.push(times.desktop);
    }
    const [server, shell] = [median(found.headless), median(found.desktop)];
    return {
      figures: { headless: { start: { ms: server } }, desktop: { start: { ms: shell } } },
      ratios: [{ name: 'start of the desktop / of the headless server', value: shell / server, must: 1.5, goal: 1.2, isBelow: true }],
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Builds the command into a folder as npm would unpack it, and returns the path of its program. */
async function packCommand(folder: string): Promise<string> {
  const program = join(folder, 'package/cli/paydesk.mjs');
  await cp(join(ROOT, 'cli/paydesk.mjs'), program);
  await buildCommand(join(folder, 'package/lib'));
  await cp(join(ROOT, 'package.json'), join(folder, 'package/package.json'));
  await cp(join(ROOT, 'docs'), join(folder, 'package/docs'), { recursive: true });
  await cp(join(ROOT, 'out/renderer'), join(folder, 'package/out/renderer'), { recursive: true });
  await symlink(join(ROOT, 'node_modules'), join(folder, 'package/node_modules'));
  return program;
}

async function timeToAnswer(argv: readonly string[], port: number): Promise<number> {
  const from = performance.now();
  const child = spawn(process.execPath, argv, { cwd: ROOT, stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
  try {
    while (!(await answers(port))) {
      if (performance.now() - from > TIMEOUT_MS || child.exitCode !== null) throw new Error(`${argv[0]} did not answer on port ${port}`);
      await sleep(POLL_INTERVAL_MS);
    }
    return performance.now() - from;
  } finally {
    await end(child);
  }
}

async function answers(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/health`).then(
    ({ status }) => status === 200,
    () => false,
  );
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  // The server receives the signal, the test double of Electron the message.
  if (child.spawnargs.includes('--hidden')) child.send({ id: 1, source: '({ app }) => void setImmediate(() => app.quit())' });
  else child.kill('SIGTERM');
  await once(child, 'exit');
}
