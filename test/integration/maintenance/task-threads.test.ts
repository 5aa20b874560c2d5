import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import BetterSqlite3 from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { TaskThreads } from '#server/operation/maintenance';
import { CHECK_ARGUMENT } from '../../../server/operation/maintenance/check-process.ts';
import { LogThread } from '../../../server/operation/maintenance/log-thread.ts';
import { openTestDatabase } from '../../support/databases.ts';
import { until } from '../../support/until.ts';

const SCRIPTS = join(import.meta.dirname, '../../../server/operation/maintenance');

/** A thread that loads slowly, leaves a mark when it has loaded, and then works without end. */
const SLOW_THREAD = `
  import { existsSync, writeFileSync } from 'node:fs';
  import { join } from 'node:path';
  import { parentPort } from 'node:worker_threads';
  const here = import.meta.dirname;
  writeFileSync(join(here, 'started'), '');
  const loading = setInterval(() => {
    if (!existsSync(join(here, 'may-load'))) return;
    clearInterval(loading);
    writeFileSync(join(here, 'loaded'), '');
    parentPort.postMessage('ready');
    setInterval(() => undefined, 1_000);
  }, 5);
`;

describe('threads of long tasks', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'paydesk-threads-'));
    await writeFile(join(folder, 'integrity-worker.js'), SLOW_THREAD);
    await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const at = (name: string) => join(folder, name);

  test.each<['the signal' | 'the end of the server']>([['the signal'], ['the end of the server']])(
    '%s ends a thread only after it has loaded the native module, whose loading cannot be interrupted',
    async (cause) => {
      const threads = new TaskThreads(folder);
      const controller = new AbortController();
      const task = threads.findFaults([], controller.signal);
      const ended = expect(task).rejects.toThrow('the task was aborted');
      await until('the thread to start', () => existsSync(at('started')));
      const stopped = cause === 'the signal' ? controller.abort() : threads.stop();
      await writeFile(at('may-load'), '');
      await ended;
      await stopped;
      expect(existsSync(at('loaded'))).toBe(true);
    },
  );
});

/** A check that has begun and is in a statement without end. */
const ENDLESS_CHECK = `
  import { writeFileSync } from 'node:fs';
  import { join } from 'node:path';
  process.once('message', () => {
    writeFileSync(join(import.meta.dirname, 'started'), '');
    for (;;);
  });
`;

describe('the process that checks large files', () => {
  test.each<['the signal' | 'the end of the server']>([['the signal'], ['the end of the server']])(
    '%s ends it in the middle of a statement',
    async (cause) => {
      const folder = await mkdtemp(join(tmpdir(), 'paydesk-check-'));
      onTestFinished(() => rm(folder, { recursive: true, force: true }));
      await writeFile(join(folder, 'integrity-worker.js'), ENDLESS_CHECK);
      await writeFile(join(folder, 'package.json'), '{"type":"module"}');
      const threads = new TaskThreads(folder, 0);
      const controller = new AbortController();
      const ended = expect(threads.findFaults([join(folder, 'package.json')], controller.signal)).rejects.toThrow('the task was aborted');
      await until('the check is in a statement', () => existsSync(join(folder, 'started')));
      const stopped = cause === 'the signal' ? controller.abort() : threads.stop();
      await ended;
      await stopped;
    },
  );

  test('finds the damage of a file, and none in a good one', async () => {
    const { place, close } = await openTestDatabase('sqlite');
    onTestFinished(close);
    const damaged = `${place}-damaged`;
    await copyFile(place, damaged);
    const bytes = await readFile(damaged);
    bytes.fill(0x7f, bytes.length - 8_192);
    await writeFile(damaged, bytes);
    const threads = new TaskThreads(undefined, 0);
    onTestFinished(() => threads.stop());
    expect(await threads.findFaults([place], new AbortController().signal)).toEqual([]);
    const faults = await threads.findFaults([damaged], new AbortController().signal);
    expect(faults[0]).toMatchObject({ file: damaged });
  });
});

describe('the process that checks the structure of a file', () => {
  test('finds the first fault, and none in a good file', async () => {
    const { place, close } = await openTestDatabase('sqlite');
    onTestFinished(close);
    const damaged = `${place}-damaged`;
    await copyFile(place, damaged);
    const bytes = await readFile(damaged);
    bytes.fill(0x7f, bytes.length - 8_192);
    await writeFile(damaged, bytes);
    const threads = new TaskThreads();
    onTestFinished(() => threads.stop());
    expect(await threads.findStructureFault(place)).toBeNull();
    expect(await threads.findStructureFault(damaged)).toEqual(expect.any(String));
  });

  test('checks the file in its own process if another one cannot run', async () => {
    const { place, close } = await openTestDatabase('sqlite');
    onTestFinished(close);
    const folder = await mkdtemp(join(tmpdir(), 'paydesk-check-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    await writeFile(join(folder, 'integrity-worker.js'), 'process.exit(1)');
    const threads = new TaskThreads(folder);
    expect(await threads.findStructureFault(place)).toBeNull();
    await threads.stop();
    await expect(threads.findStructureFault(place)).rejects.toThrow('the server is stopping');
  });

  test('ends with the server, also during a statement', async () => {
    const { place, close } = await openTestDatabase('sqlite');
    onTestFinished(close);
    // A statement on a file with an exclusive lock lasts for five seconds.
    const locked = `${place}-locked`;
    const holder = new BetterSqlite3(locked);
    onTestFinished(() => void holder.close());
    holder.exec('CREATE TABLE held (n INTEGER); BEGIN EXCLUSIVE');
    const child = fork(join(SCRIPTS, 'integrity-worker.ts'), [CHECK_ARGUMENT], { execArgv: [] });
    const ended = once(child, 'exit');
    await new Promise((sent) => child.send({ files: [locked], isQuick: true }, sent));
    child.disconnect();
    expect(await ended).toEqual([null, 'SIGKILL']);
  });
});

describe('the thread that copies logs', () => {
  test('copies the pages of a log to the file', async () => {
    const { place, database, close } = await openTestDatabase('sqlite');
    const threads = new TaskThreads();
    await database.unitOfWork.transaction(null, async (work) => void (await work.run('CREATE TABLE copied (n INTEGER)')));
    await Promise.all([threads.copyLog(place), threads.copyLog(place)]);
    // Without its log the file has the table only if it was copied.
    await copyFile(place, `${place}-alone`);
    const alone = new BetterSqlite3(`${place}-alone`, { readonly: true });
    expect(alone.prepare("SELECT name FROM sqlite_schema WHERE name = 'copied'").pluck().get()).toBe('copied');
    alone.close();
    await threads.stop();
    await expect(threads.copyLog(place)).rejects.toThrow('the server is stopping');
    await close();
  });

  test('reports a file that it cannot read, and copies the next one', async () => {
    const { place, close } = await openTestDatabase('sqlite');
    const threads = new TaskThreads();
    await expect(threads.copyLog(join(place, 'missing'))).rejects.toThrow();
    await threads.copyLog(place);
    await threads.stop();
    await close();
  });

  test('ends when it had nothing to do for a while, and starts again', async () => {
    const { place, close } = await openTestDatabase('sqlite');
    const thread = new LogThread(SCRIPTS, 1);
    const ended = vi.spyOn(Worker.prototype, 'terminate');
    for (let round = 1; round <= 2; round += 1) {
      await thread.copy(place);
      await until('the end of the thread', () => ended.mock.calls.length === round);
    }
    await thread.stop();
    ended.mockRestore();
    await close();
  });
});
