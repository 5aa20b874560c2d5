import { stat } from 'node:fs/promises';
import BetterSqlite3 from 'better-sqlite3';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { SqliteOptions } from '#core/database';
import { LogCopy } from '#core/database/integrity';
import { openTestDatabase, openTestDatabaseAt, type TestDatabase } from '../../support/databases.ts';
import { until } from '../../support/until.ts';

const PAGE_BYTES = 4_096;

describe('the write-ahead log of SQLite', () => {
  let opened: TestDatabase;
  afterEach(() => opened.close());

  const open = async (options: Partial<SqliteOptions>) => {
    opened = await openTestDatabase('sqlite', options);
    await opened.database.unitOfWork.transaction(
      null,
      async (work) => void (await work.run('CREATE TABLE filler (pages INTEGER, content BLOB)')),
    );
  };
  const write = (pages: number) =>
    opened.database.unitOfWork.transaction(null, async (work) => {
      await work.run(`INSERT INTO filler VALUES (${pages}, zeroblob(${pages * PAGE_BYTES}))`);
    });
  const writtenPages = async () => {
    const [sum] = await opened.database.readAcrossTenants().all<{ pages: number }>('SELECT coalesce(sum(pages), 0) AS pages FROM filler');
    return sum?.pages;
  };
  const logPages = async () => (await stat(`${opened.place}-wal`)).size / PAGE_BYTES;

  /** A slow disk whose flushes wait until the test ends them. */
  function heldDisk() {
    const flushes: PromiseWithResolvers<void>[] = [];
    const disk = {
      isSlow: false,
      commitTook: () => undefined,
      flush() {
        const flush = Promise.withResolvers<void>();
        flushes.push(flush);
        return flush.promise;
      },
    };
    return { disk, flushes };
  }

  test('on a slow disk, a write and every read that sees it wait for the disk without blocking the event loop', async () => {
    const { disk, flushes } = heldDisk();
    await open({ disk });
    disk.isSlow = true;
    const order: string[] = [];
    const writing = write(1).then(() => order.push('written'));
    await until('the flush', () => flushes.length === 1);
    const reading = writtenPages().then((pages) => order.push(`read ${pages}`));
    await new Promise(setImmediate);
    order.push('event loop');
    flushes[0]?.resolve();
    await Promise.all([writing, reading]);
    expect(order).toEqual(['event loop', expect.any(String), expect.any(String)]);
    expect(order.slice(1).sort()).toEqual(['read 1', 'written']);
  });

  test('on a slow disk, writes during a flush share the next one', async () => {
    const { disk, flushes } = heldDisk();
    await open({ disk });
    disk.isSlow = true;
    const first = write(1);
    await until('the first flush', () => flushes.length === 1);
    const others = Array.from({ length: 20 }, () => write(1));
    flushes[0]?.resolve();
    await first;
    await until('the second flush', () => flushes.length === 2);
    flushes[1]?.resolve();
    await Promise.all(others);
    expect([flushes.length, await writtenPages()]).toEqual([2, 21]);
  });

  test('reports a write whose flush fails as unconfirmed, and continues with the next write', async () => {
    const { disk, flushes } = heldDisk();
    await open({ disk });
    disk.isSlow = true;
    const failing = expect(write(1)).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      message: expect.stringContaining('The disk of the database did not confirm the change'),
    });
    await until('the flush', () => flushes.length === 1);
    flushes[0]?.reject(Object.assign(new Error('EIO: i/o error'), { code: 'EIO' }));
    await failing;
    disk.isSlow = false;
    await write(2);
    // Nothing undid the first write: only a power cut could have.
    expect(await writtenPages()).toBe(3);
    expect(await logPages()).toBeLessThan(10);
  });

  test('keeps every write while the disk is slow and fast in turns', async () => {
    const flushed: number[] = [];
    const disk = {
      isSlow: false,
      commitTook: () => undefined,
      flush: async (fileDescriptor: number) => void flushed.push(fileDescriptor),
    };
    const pragma = vi.spyOn(BetterSqlite3.prototype, 'pragma');
    await open({ disk });
    const handles = pragma.mock.contexts as BetterSqlite3.Database[];
    const writer = handles.find((handle) => handle.open && !handle.readonly);
    pragma.mockRestore();
    const waits: unknown[] = [];
    for (let index = 0; index < 20; index += 1) {
      disk.isSlow = index % 2 === 1;
      await Promise.all([write(1), write(1)]);
      waits.push(writer?.pragma('synchronous', { simple: true }));
    }
    // SQLite waits for the disk itself with FULL (2) only.
    expect(waits).toEqual(Array.from({ length: 10 }, () => [2, 1]).flat());
    expect(flushed).toHaveLength(10);
    const again = await openTestDatabaseAt(opened.place);
    const [sum] = await again.readAcrossTenants().all<{ pages: number }>('SELECT sum(pages) AS pages FROM filler');
    await again.close();
    expect(sum?.pages).toBe(40);
  });

  test('is copied outside of commits when it is long, and then written from its start again', async () => {
    let copies = 0;
    let copy: LogCopy | undefined;
    await open({
      async copyLog(file) {
        copies += 1;
        await new Promise(setImmediate);
        copy ??= new LogCopy(file);
        copy.run();
      },
    });
    for (let index = 0; index < 40; index += 1) await write(300);
    expect(copies).toBeGreaterThanOrEqual(3);
    expect(await logPages()).toBeLessThan(7_000);
    expect(await writtenPages()).toBe(12_000);
    copy?.close();
  });

  test('is copied by a commit if the thread fails', async () => {
    await open({ copyLog: () => Promise.reject(new Error('no memory for a thread')) });
    for (let index = 0; index < 40; index += 1) await write(500);
    expect(await logPages()).toBeLessThan(18_000);
    expect(await writtenPages()).toBe(20_000);
  });

  test('is not copied by a commit if a long read keeps the thread from copying it', async () => {
    await open({ copyLog: async () => undefined });
    for (let index = 0; index < 40; index += 1) await write(500);
    const other = new BetterSqlite3(opened.place);
    const [pages] = other.pragma('wal_checkpoint(NOOP)') as { log: number; checkpointed: number }[];
    other.close();
    expect(pages).toMatchObject({ log: expect.any(Number), checkpointed: 0 });
    expect(pages?.log).toBeGreaterThan(20_000);
  });
});
