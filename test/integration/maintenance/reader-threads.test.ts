import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { TaskThreads } from '#server/operation/maintenance';
import { type ReaderLimits, ReaderThreads } from '../../../server/operation/maintenance/reader-threads.ts';
import { openTestDatabase } from '../../support/databases.ts';

const COUNT = 'SELECT count(*) AS n FROM numbers';

async function openWithThread() {
  const threads = new TaskThreads();
  const { database, close } = await openTestDatabase('sqlite', { heavyReads: threads.heavyReads, heavyReadsBytes: 0 });
  onTestFinished(close);
  const run = (sql: string) => database.unitOfWork.transaction(null, async (work) => void (await work.run(sql)));
  await run('CREATE TABLE numbers (n INTEGER)');
  return { heavy: database.readAcrossTenants().heavy, run, close };
}

test('a heavy read contains everything that was committed before it', async () => {
  const { heavy, run } = await openWithThread();
  for (let n = 1; n <= 100; n += 1) {
    await run(`INSERT INTO numbers VALUES (${n})`);
    expect(await heavy.all(COUNT)).toEqual([{ n }]);
  }
});

test('heavy reads leave the event loop free', async () => {
  const { heavy, run } = await openWithThread();
  let commits = 0;
  await heavy.all(COUNT);
  const counting = heavy.all('WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 2000000) SELECT count(*) AS n FROM n');
  let isCounting = true;
  void counting.finally(() => {
    isCounting = false;
  });
  for (; isCounting; commits += 1) await run('INSERT INTO numbers VALUES (1)');
  expect(await counting).toEqual([{ n: 2_000_000 }]);
  expect(commits).toBeGreaterThan(1);
});

test('a heavy read changes nothing, and reports errors of SQLite', async () => {
  const { heavy } = await openWithThread();
  await expect(heavy.all('DELETE FROM numbers RETURNING n')).rejects.toMatchObject({ code: 'DATABASE_ERROR' });
  await expect(heavy.all('SELECT n FROM missing')).rejects.toThrow();
  expect(await heavy.all(COUNT)).toEqual([{ n: 0 }]);
});

test('ends with the database', async () => {
  const { heavy, close } = await openWithThread();
  await heavy.all(COUNT);
  await close();
  await expect(heavy.all(COUNT)).rejects.toThrow();
});

describe('a thread that fails', () => {
  /** A thread that never answers `wait`, and ends when it reads `crash`, or `crash once` for the first time. */
  const FAILING = `
    import { existsSync, writeFileSync } from 'node:fs';
    import { join } from 'node:path';
    import { parentPort } from 'node:worker_threads';
    const mark = join(import.meta.dirname, 'crashed');
    parentPort.postMessage('ready');
    parentPort.on('message', ({ sql }) => {
      if (sql === 'wait') return;
      if (sql === 'crash' || (sql === 'crash once' && !existsSync(mark))) {
        writeFileSync(mark, '');
        process.exit(1);
      }
      parentPort.postMessage({ rows: [sql] });
    });
  `;

  async function failing(limits: ReaderLimits = {}): Promise<ReaderThreads> {
    const folder = await mkdtemp(join(tmpdir(), 'paydesk-reader-'));
    await writeFile(join(folder, 'reader-worker.js'), FAILING);
    await writeFile(join(folder, 'package.json'), '{"type":"module"}');
    const thread = new ReaderThreads(folder, join(folder, 'any.sqlite'), { threads: 1, ...limits });
    onTestFinished(async () => {
      await thread.close();
      await rm(folder, { recursive: true, force: true });
    });
    return thread;
  }

  test('repeats its reads in a new thread', async () => {
    const thread = await failing();
    expect(await Promise.all([thread.read('crash once', []), thread.read('next', [])])).toEqual([['crash once'], ['next']]);
  });

  test('refuses a read that ends the new thread as well, and answers the next one', async () => {
    const thread = await failing();
    await expect(thread.read('crash', [])).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(await thread.read('next', [])).toEqual(['next']);
  });

  test('refuses a read that takes too long, and answers the next one', async () => {
    const thread = await failing({ timeoutMs: 300 });
    await expect(thread.read('wait', [])).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(await thread.read('next', [])).toEqual(['next']);
  });

  test('refuses reads while too many wait', async () => {
    const thread = await failing({ waitingMax: 2 });
    const waiting = [thread.read('wait', []), thread.read('wait', [])].map((read) => expect(read).rejects.toThrow());
    await expect(thread.read('next', [])).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await thread.close();
    await Promise.all(waiting);
  });
});
