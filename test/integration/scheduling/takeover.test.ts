import { afterAll, afterEach, beforeAll, expect, inject, test } from 'vitest';
import { type Database, openPostgres, type RowOf } from '#core/database';
import { realNow, systemClock } from '#core/kernel';
import { createScheduler, type Job, type JobPlacement, MAINTENANCE, released, type Scheduler } from '#core/platform/scheduling';
import { MIGRATIONS } from '#migrations';
import { asSuperuser, type FreshDatabase, freshDatabase } from '../../support/postgres.ts';
import { FULL } from '../../support/tier.ts';
import { until } from '../../support/until.ts';

type Row = RowOf<typeof MAINTENANCE>;

let fresh: FreshDatabase;
const open: (() => Promise<unknown>)[] = [];
beforeAll(async () => {
  fresh = await freshDatabase(inject('migrated').template);
});
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});
afterAll(() => fresh?.drop());

interface Server {
  readonly database: Database;
  readonly scheduler: Scheduler;
  /** IDs of the rows whose run began. */
  readonly began: string[];
  /** Number of rows that each run changed at its end. */
  readonly ended: number[];
  /** Ends the runs that wait. */
  finish(): void;
}

/** Starts a server whose job waits until `finish` is called. */
async function startServer(placement?: JobPlacement): Promise<Server> {
  const database = await openPostgres({ url: fresh.url, migrations: MIGRATIONS });
  const scheduler = createScheduler({
    database,
    clockOf: () => systemClock,
    tenants: { ...MAINTENANCE, name: '(SELECT DISTINCT tenant_id AS id FROM chores) AS t' },
    refreshClocks: async () => {},
    report: () => {},
    placement,
  });
  const began: string[] = [];
  const ended: number[] = [];
  const waiting: (() => void)[] = [];
  const job: Job<Row> = {
    name: 'wait',
    table: MAINTENANCE,
    clock: 'real',
    concurrency: 8,
    leaseMs: 60_000,
    async run({ tenant_id, id, fence }) {
      began.push(id);
      await new Promise<void>((resolve) => waiting.push(resolve));
      ended.push(await database.unitOfWork.transaction(tenant_id, (work) => work.update(MAINTENANCE, { id, fence }, released(null))));
      return 'done';
    },
  };
  scheduler.register(job);
  await scheduler.start();
  const finish = () => {
    for (const resolve of waiting.splice(0)) resolve();
  };
  open.push(async () => {
    finish();
    await scheduler.stop();
    await database.close();
  });
  return { database, scheduler, began, ended, finish };
}

const add = ({ database }: Server, id: string, tenantId = 't') =>
  database.unitOfWork.transaction(tenantId, async (work) =>
    work.insert(MAINTENANCE, { tenant_id: tenantId, id, due_ms: realNow(), lease_ms: 0, fence: 0 }),
  );
const presenceSessions = `FROM pg_locks WHERE locktype = 'advisory' AND classid = 7290554 AND objsubid = 2`;

test('pauses the jobs of a tenant in the process that runs them, after those that run have ended', async () => {
  const leader = await startServer();
  const { setPaused } = leader.scheduler;
  const other = await startServer({ isHere: () => false, wake: () => leader.scheduler.wakeAll(), setPaused });
  const hasBegun = (id: string) => until(`${id} has begun`, async () => leader.began.includes(id));
  await add(leader, 'before');
  leader.scheduler.wakeAll();
  await hasBegun('before');
  const pausing = other.scheduler.withoutJobs('t', async () => {
    expect(leader.ended).toEqual([1]);
    await add(leader, 'during');
    await add(leader, 'of another tenant', 'u');
    leader.scheduler.wakeAll();
    await hasBegun('of another tenant');
    expect(leader.began).not.toContain('during');
  });
  await until('the process is asked to pause', async () => !(await setPaused('t', true)));
  leader.finish();
  await pausing;
  await hasBegun('during');
});

test('keeps the claims of a server that restores a cut connection', FULL, async () => {
  const first = await startServer();
  await add(first, 'cut');
  first.scheduler.wakeAll();
  await until('the row is claimed', () => first.began.length === 1);
  const second = await startServer();
  const { number } = first.database.presence;
  expect(number).toBeGreaterThan(0);
  expect(second.database.presence.number).not.toBe(number);
  for (let cuts = 1; cuts <= 3; cuts += 1) {
    await asSuperuser(inject('postgresUrl'), `SELECT pg_terminate_backend(pid) ${presenceSessions} AND objid = ${number}`);
    await until('the server is registered again', async () => {
      const [row] = await second.database
        .readAcrossTenants()
        .all<{ n: number }>(`SELECT count(*) AS n ${presenceSessions} AND objid = ${number}`);
      return row?.n === 1;
    });
  }
  expect(first.database.presence.number).toBe(number);
  first.finish();
  await until('the first server ended its run', () => first.ended.length === 1);
  expect([first.ended, second.began]).toEqual([[1], []]);
});

test('releases the claims of a server whose session has ended, and refuses its late commit', async () => {
  const lost = await startServer();
  await add(lost, 'lost');
  lost.scheduler.wakeAll();
  await until('the row is claimed', () => lost.began.includes('lost'));
  const other = await startServer();
  // The process continues, but PostgreSQL has ended its sessions, as after a network failure.
  const endedAt = performance.now();
  await lost.database.presence.stop();
  await until('another server runs the row', () => other.began.includes('lost'));
  const tookMs = performance.now() - endedAt;
  console.info(`claims released and taken ${Math.round(tookMs)} ms after the end of the session`);
  expect(tookMs).toBeGreaterThan(2_500);
  lost.finish();
  await until('the lost server ended its run', () => lost.ended.length === 1);
  expect(lost.ended).toEqual([0]);
  other.finish();
  await until('the other server ended its run', () => other.ended.length === 1);
  expect(other.ended).toEqual([1]);
});
