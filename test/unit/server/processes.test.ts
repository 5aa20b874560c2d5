import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { serverOptionsOf } from '#server/operation/flags';
import { processCount } from '#server/run';
import { groupOf } from '../../support/process-group.ts';

const CORES = 6;
const dataDir = mkdtempSync(join(tmpdir(), 'paydesk-processes-'));
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

const countOf = (processes: string | undefined, databaseUrl?: string) =>
  processCount({ ...serverOptionsOf({ processes, 'data-dir': dataDir }), databaseUrl }, CORES);

test('runs one process by default, and one on each core with PostgreSQL and auto', async () => {
  expect(await countOf(undefined, 'postgres://db/paydesk')).toBe(1);
  expect(await countOf('auto', 'postgres://db/paydesk')).toBe(CORES);
  expect(await countOf('4', 'postgres://db/paydesk')).toBe(4);
});

test('runs one process on SQLite with auto, and refuses more', async () => {
  expect(await countOf('auto')).toBe(1);
  expect(await countOf('1')).toBe(1);
  await expect(countOf('2')).rejects.toThrow('--processes 2 requires PostgreSQL. A SQLite file is used by one process only');
});

test('finds the PostgreSQL database that the first run chose', async () => {
  writeFileSync(join(dataDir, 'config.json'), JSON.stringify({ databaseUrl: 'postgres://db/paydesk' }));
  expect(await countOf('3')).toBe(3);
  rmSync(join(dataDir, 'config.json'));
});

test.each(['0', '65', '-1', '1.5', 'all', '1e1'])('refuses %s as a number of processes', (processes) => {
  expect(() => serverOptionsOf({ processes })).toThrow('--processes requires `auto` or a whole number from 1 to 64.');
});

test('collects the responses of the other processes', async () => {
  const { groups } = groupOf(3);
  for (const group of groups) group.respond('number', (factor: number) => factor * group.role.index);
  expect(await groups[1].request<number>('number', 10)).toEqual([
    { index: 1, data: 10 },
    { index: 3, data: 30 },
  ]);
});

test('does not wait for a process that ends, or fails to respond', async () => {
  const { groups, setRunning } = groupOf(3);
  groups[0].respond('number', () => {
    throw new Error('no');
  });
  groups[2].respond('number', () => new Promise(() => {}));
  const asked = groups[1].request<number>('number');
  setRunning([1, 2]);
  expect(await asked).toEqual([
    { index: 1, data: undefined },
    { index: 3, data: undefined },
  ]);
});

test('pauses the jobs of a tenant in all other processes', async () => {
  const { groups } = groupOf(3);
  const pauses: unknown[] = [];
  const running = new Set([3]);
  for (const group of groups)
    group.onPause(async (tenantId, isPaused) => {
      pauses.push([group.role.index, tenantId, isPaused]);
      return !running.has(group.role.index);
    });
  const { setPaused } = groups[1].jobPlacement;
  expect(await setPaused('ten_1', true)).toBe(false);
  running.clear();
  expect(await setPaused('ten_1', true)).toBe(true);
  expect(pauses).toEqual([1, 3, 1, 3].map((index) => [index, 'ten_1', true]));
});

test('wakes jobs in the process that runs them, and all jobs when another process takes its place', async () => {
  const { groups, setRunning } = groupOf(3);
  const wakes: unknown[] = [];
  for (const group of groups)
    group.onWake((job, tenantId) => {
      wakes.push([group.role.index, job, tenantId]);
    });
  groups[1].jobPlacement.wake('deliver', 'ten_1');
  groups[1].jobPlacement.wake('deliver', 'ten_1');
  await expect.poll(() => wakes).toEqual([[1, 'deliver', 'ten_1']]);
  setRunning([3]);
  expect(groups[2].jobPlacement.isHere()).toBe(true);
  expect(wakes).toContainEqual([3, null, null]);
});
