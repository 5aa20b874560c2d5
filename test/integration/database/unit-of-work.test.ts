import { statSync } from 'node:fs';
import BetterSqlite3 from 'better-sqlite3';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { type GuardedUpdate, LostRace, UniqueViolation } from '#core/database';
import { TABLES as IDEMPOTENCY_TABLES } from '#core/platform/idempotency';
import { TABLES as PAYMENT_TABLES } from '#core/sales/payments';
import { openTestDatabase, type TestDatabase } from '../../support/databases.ts';
import { DATABASES } from '../../support/server.ts';
import { until } from '../../support/until.ts';

const [ONCE] = IDEMPOTENCY_TABLES;
const COUNTS = PAYMENT_TABLES[3];
if (!ONCE || COUNTS?.name !== 'transaction_counts') throw new Error('the tables are where the test looks for them');

const TENANT = 'ten_a';
const row = (key: string, tenant_id = TENANT) =>
  ({
    tenant_id,
    credential_id: 'key_1',
    key,
    route: 'r',
    fingerprint: 'f',
    state: 'running',
    status: null,
    body: null,
    created_at: '2026-01-01T00:00:00.000Z',
    expires_ms: 0,
  }) as const;
const FINISH: GuardedUpdate<ReturnType<typeof row>> = {
  table: ONCE as never,
  where: ['tenant_id', 'credential_id', 'key'],
  set: ['state', 'status'],
  guard: "state = 'running'",
};
const finish = (key: string) => ({ tenant_id: TENANT, credential_id: 'key_1', key, state: 'done', status: 200 }) as never;

describe.each(DATABASES)('the unit of work (%s)', (kind) => {
  let opened: TestDatabase;
  beforeAll(async () => {
    opened = await openTestDatabase(kind);
  });
  afterAll(() => opened.close());
  const work = () => opened.database.unitOfWork;
  const count = async (like: string) => {
    const [found] = await opened.database
      .read(TENANT)
      .all<{ n: number }>('SELECT count(*) AS n FROM idempotency_keys WHERE tenant_id = :tenantId AND key LIKE :like', { like });
    return Number(found?.n);
  };

  test('keeps nothing of failed parallel units of work, and loses nothing of committed ones', async () => {
    const results = await Promise.allSettled(
      Array.from({ length: 200 }, (_, index) =>
        work().transaction(TENANT, async (unit) => {
          await unit.insert(ONCE, row(`overlap-${index}`));
          await unit.update(ONCE, { key: `overlap-${index}` }, { route: 'changed' });
          if (index % 2 === 1) throw new Error('half of them fail');
        }),
      ),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(100);
    expect(await count('overlap-%')).toBe(100);
  });

  test('hides uncommitted changes', async () => {
    let seen = -1;
    await work().transaction(TENANT, async (unit) => {
      await unit.insert(ONCE, row('unseen'));
      expect(await unit.one(ONCE, { key: 'unseen' })).not.toBeNull();
      seen = await count('unseen');
    });
    expect([seen, await count('unseen')]).toEqual([0, 1]);
  });

  test('shows committed changes during and after a unit of work, and refuses to change rows by a read', async () => {
    await work().writeBatch(TENANT, (batch) => batch.insert(ONCE, row('shown')));
    const route = async () => (await opened.database.read(TENANT).one(ONCE, { key: 'shown' }))?.route;
    await work().transaction(TENANT, async (unit) => {
      await unit.update(ONCE, { key: 'shown' }, { route: 'changed' });
      expect(await route()).toBe('r');
    });
    expect(await route()).toBe('changed');
    const change = "UPDATE idempotency_keys SET route = 'read' WHERE tenant_id = :tenantId AND key = 'shown'";
    if (kind === 'sqlite') await expect(opened.database.read(TENANT).all(change)).rejects.toThrow('a read changes nothing');
    expect(await route()).toBe('changed');
  });

  test('commits batches as a group, and fails only the one whose key exists or whose guard is false', async () => {
    await work().writeBatch(TENANT, (batch) => batch.insert(ONCE, row('taken')));
    await work().writeBatch(TENANT, (batch) => batch.guardedUpdate(FINISH, finish('taken')));
    const results = await Promise.allSettled([
      ...Array.from({ length: 20 }, (_, index) => work().writeBatch(TENANT, (batch) => batch.insert(ONCE, row(`batch-${index}`)))),
      work().writeBatch(TENANT, (batch) => batch.insert(ONCE, row('taken'))),
      work().writeBatch(TENANT, (batch) => {
        batch.insert(ONCE, row('undone'));
        batch.guardedUpdate(FINISH, finish('taken'));
      }),
    ]);
    expect(results.slice(0, 20).every(({ status }) => status === 'fulfilled')).toBe(true);
    expect(results.slice(20).map((result) => (result.status === 'rejected' ? result.reason : null))).toEqual([
      expect.any(UniqueViolation),
      expect.any(LostRace),
    ]);
    expect([await count('batch-%'), await count('undone')]).toEqual([20, 0]);
  });

  test('keeps correct counters over units of work, batches and failures', async () => {
    const key = { tenant_id: TENANT, merchant_id: 'm', day: '2026-01-01', status: 'approved', type: 'sale', method: 'card' };
    await Promise.allSettled([
      ...Array.from({ length: 30 }, () => work().writeBatch(TENANT, (batch) => batch.count(COUNTS as never, key as never, 2))),
      ...Array.from({ length: 30 }, (_, index) =>
        work().transaction(TENANT, async (unit) => {
          unit.count(COUNTS as never, key as never, -1);
          if (index % 3 === 0) throw new Error('not counted');
        }),
      ),
    ]);
    expect(await opened.database.read(TENANT).one(COUNTS as never, { day: '2026-01-01' } as never)).toMatchObject({ n: 40 });
  });

  test('counts nothing of a batch that fails after it has counted, alone or with others', async () => {
    await work().writeBatch(TENANT, (batch) => batch.insert(ONCE, row('counted')));
    const key = (day: string) => ({ tenant_id: TENANT, merchant_id: 'm', day, status: 'approved', type: 'sale', method: 'cash' }) as never;
    const counted = (delta: number, fails: boolean) =>
      work().writeBatch(TENANT, (batch) => {
        for (let day = 10; day < 30; day += 1) batch.count(COUNTS as never, key(`2026-02-${day}`), delta);
        if (fails) batch.insert(ONCE, row('counted'));
      });
    await Promise.allSettled([counted(1, false), counted(5, true), counted(2, false)]);
    await expect(counted(7, true)).rejects.toThrow(UniqueViolation);
    const found = await opened.database.read(TENANT).find(COUNTS as never, { method: 'cash' } as never);
    expect(found.map((each) => Number((each as { n: number }).n))).toEqual(Array.from({ length: 20 }, () => 3));
  });

  test('shows each of thirty units of work on one row the result of the previous one', async () => {
    await work().transaction(TENANT, async (unit) => unit.insert(ONCE, row('turns')));
    await Promise.all(
      Array.from({ length: 30 }, () =>
        work().transaction(TENANT, async (unit) => {
          const present = await unit.lockOne(ONCE, { key: 'turns' });
          await unit.update(ONCE, { key: 'turns' }, { expires_ms: (present?.expires_ms ?? 0) + 1 });
        }),
      ),
    );
    expect(await opened.database.read(TENANT).one(ONCE, { key: 'turns' })).toMatchObject({ expires_ms: 30 });
  });

  test("limits a tenant's unit of work to its rows, and requires the tenant in hand-written SQL", async () => {
    await expect(work().transaction(TENANT, async (unit) => unit.insert(ONCE, row('foreign', 'ten_b')))).rejects.toThrow(
      /belongs to the tenant/,
    );
    await work().transaction('ten_b', async (unit) => unit.insert(ONCE, row('theirs', 'ten_b')));
    expect(await opened.database.read(TENANT).one(ONCE, { key: 'theirs' })).toBeNull();
    await expect(opened.database.read(TENANT).all('SELECT * FROM idempotency_keys')).rejects.toThrow(/names :tenantId/);
    expect(await work().transaction(TENANT, (unit) => unit.update(ONCE, { key: 'theirs' }, { route: 'stolen' }))).toBe(0);
  });
});

describe('SQLite', () => {
  test('lets other work run between the callers of a large group', async () => {
    const { database, close } = await openTestDatabase('sqlite');
    const callersInTurns = [0];
    const nextTurn = () => {
      callersInTurns.push(0);
      turn = setImmediate(nextTurn);
    };
    let turn = setImmediate(nextTurn);
    await Promise.all(
      Array.from({ length: 64 }, async (_, index) => {
        await database.unitOfWork.writeBatch(TENANT, (batch) => batch.insert(ONCE, row(`slices-${index}`)));
        callersInTurns[callersInTurns.length - 1] = (callersInTurns.at(-1) ?? 0) + 1;
      }),
    );
    clearImmediate(turn);
    await close();
    expect([callersInTurns.reduce((sum, callers) => sum + callers), Math.max(...callersInTurns)]).toEqual([64, 32]);
  });

  test('continues reads while another program holds a lock, and waits with the write', async () => {
    const { database, place, close } = await openTestDatabase('sqlite');
    const foreign = new BetterSqlite3(place);
    foreign.exec('BEGIN IMMEDIATE');
    const writing = database.unitOfWork.transaction(TENANT, async (unit) => unit.insert(ONCE, row('patient')));
    let ticks = 0;
    const ticking = setInterval(() => {
      ticks += 1;
    }, 10);
    await until('timers run while reads are answered', async () => {
      await database.ping();
      return ticks > 10;
    });
    clearInterval(ticking);
    foreign.exec('ROLLBACK');
    foreign.close();
    await writing;
    expect(await database.read(TENANT).one(ONCE, { key: 'patient' })).not.toBeNull();
    await close();
  });

  const CHECKPOINT = 'wal_checkpoint(TRUNCATE)';
  const pragma = BetterSqlite3.prototype.pragma;
  /** Records every checkpoint and lets `make` perform it. */
  function watchCheckpoints(make: () => void) {
    const made = { attempts: 0 };
    vi.spyOn(BetterSqlite3.prototype, 'pragma').mockImplementation(function (this: BetterSqlite3.Database, source, options) {
      if (source === CHECKPOINT) {
        made.attempts += 1;
        make();
      }
      return pragma.call(this, source, options);
    });
    return made;
  }
  /** Holds timers, one of which is the next attempt to empty the log; every write completes without them. */
  const holdTimers = () => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const RETRY_MS = 1_000;
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });
  const logBytes = (place: string) => statSync(`${place}-wal`).size;

  test.each(['SQLITE_FULL', 'SQLITE_IOERR_WRITE', 'SQLITE_LOCKED'])(
    'keeps a write if the log cannot be emptied for %s, and empties it later',
    async (code) => {
      const { database, place, close } = await openTestDatabase('sqlite');
      const write = (key: string) => database.unitOfWork.transaction(TENANT, async (unit) => unit.insert(ONCE, row(key)));
      await write('before');
      const made = watchCheckpoints(() => {
        throw new BetterSqlite3.SqliteError('this disk is full', code);
      });
      holdTimers();
      await database.purgeDeletedRows();
      await expect.poll(() => made.attempts).toBe(1);
      await write('between');
      await database.purgeDeletedRows();
      await write('after');
      await write('last');
      expect(await database.read(TENANT).one(ONCE, { key: 'last' })).not.toBeNull();
      vi.restoreAllMocks();
      await vi.advanceTimersByTimeAsync(RETRY_MS);
      vi.useRealTimers();
      await expect.poll(() => logBytes(place)).toBe(0);
      await close();
    },
  );

  test('does not delay later writes if the log cannot be emptied', async () => {
    const { database, close } = await openTestDatabase('sqlite');
    const write = (key: string) => database.unitOfWork.transaction(TENANT, async (unit) => unit.insert(ONCE, row(key)));
    const made = watchCheckpoints(() => {
      throw new BetterSqlite3.SqliteError('this disk is full', 'SQLITE_FULL');
    });
    await database.purgeDeletedRows();
    await write('first');
    await write('second');
    expect(made.attempts).toBeGreaterThan(0);
    vi.restoreAllMocks();
    await close();
  });

  test('does not let writes wait for the log while another program reads, and empties it afterwards', async () => {
    const { database, place, close } = await openTestDatabase('sqlite');
    const write = (key: string) => database.unitOfWork.transaction(TENANT, async (unit) => unit.insert(ONCE, row(key)));
    await write('read by others');
    const foreign = new BetterSqlite3(place, { readonly: true });
    foreign.exec('BEGIN');
    foreign.prepare('SELECT count(*) FROM idempotency_keys').get();
    await write('behind the reader');
    const made = watchCheckpoints(() => {});
    holdTimers();
    await database.purgeDeletedRows();
    await expect.poll(() => made.attempts).toBe(1);
    for (let n = 0; n < 40; n += 1) await write(`while-read-${n}`);
    expect(made.attempts).toBe(1);
    expect(logBytes(place)).toBeGreaterThan(0);
    foreign.exec('COMMIT');
    foreign.close();
    await vi.advanceTimersByTimeAsync(RETRY_MS);
    vi.useRealTimers();
    await expect.poll(() => logBytes(place)).toBe(0);
    await close();
  });
});
