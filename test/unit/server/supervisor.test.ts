import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { DownMessage } from '#server/operation/processes';
import { Supervisor } from '../../../server/run/supervisor.ts';
import { until } from '../../support/until.ts';

const START_WITHIN_MS = 300_000;
/** Less than the time without a sign of life after which a process is killed. */
const STEP_MS = 20_000;
let folder: string;
let supervisor: Supervisor;
let reports: [string, Record<string, unknown>][];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'paydesk-supervisor-'));
  vi.stubEnv('RECEIVED', join(folder, 'received'));
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  cluster.setupPrimary({ exec: join(import.meta.dirname, '../../support/idle-process.mjs'), execArgv: [] });
  reports = [];
  supervisor = new Supervisor({ count: 2, port: 1, metricsPort: null, report: (...entry) => reports.push(entry) });
});
afterEach(async () => {
  vi.useRealTimers();
  const stopped = supervisor.stop();
  for (const worker of workers()) worker.process.kill('SIGKILL');
  await stopped;
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

/** Returns the states that a process received. */
const statesOf = (wanted: number) =>
  readFileSync(join(folder, 'received'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { index: number; message: DownMessage })
    .flatMap(({ index, message }) => (index === wanted && message.kind === 'state' ? [message.state] : []));
const workers = () => Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);

/** Starts both processes. The first start of the second one never ends, so that it is replaced. */
async function startBoth(): Promise<void> {
  const started = supervisor.start();
  await until('the second process is started', () => workers().length === 2);
  // It sends signs of life, and only its start takes too long.
  for (let ms = 0; ms < START_WITHIN_MS; ms += STEP_MS) {
    expect(reports).toEqual([]);
    vi.advanceTimersByTime(STEP_MS);
    await once(workers()[0] as Worker, 'message');
  }
  await started;
  await until('the second process is replaced', () => statesOf(1).at(-1)?.running.length === 2);
}

test('replaces a process that does not start within five minutes', async () => {
  await startBoth();
  expect(reports).toEqual([
    ['A process does not start and is killed', { hung: 2, startingMs: START_WITHIN_MS }],
    ['A process ended and is replaced', expect.objectContaining({ ended: 2, signal: 'SIGKILL' })],
  ]);
});

test('gives the jobs to another process as soon as one stops, and the state to one that starts', async () => {
  await startBoth();
  await until('the second process receives a state', () => statesOf(2).length > 0);
  expect(statesOf(2)[0]).toMatchObject({ running: [1], leader: 1 });
  workers()[0]?.process.kill('SIGTERM');
  await until('the second process runs the jobs', () => statesOf(2).at(-1)?.leader === 2);
  expect(statesOf(2).at(-1)).toMatchObject({ expected: 2, running: [2] });
});
