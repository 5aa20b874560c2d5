import type { Database, TableShape } from '#core/database';
import { assert, type Clock } from '#core/kernel';
import { type Agenda, type ClaimStatements, claimStatements } from './claims.ts';
import { Lanes } from './concurrency-limiter.ts';
import type { Counted, DueRow, Job } from './job.ts';
import { type FirstRow, firstsSql, type JobStatus, jobStatus, LastRuns } from './job-status.ts';
import { createTakeover, holderOf } from './takeover.ts';

/** Commits that follow one another are looked at together. */
const LOOK_AGAIN_MIN_MS = 10;
/** Delay before due rows are checked again that another holder has locked. */
const LOOK_AGAIN_LOCKED_MS = 250;
/** Default of `lookEveryMs`. */
const LOOK_EVERY_MS = 15_000;

/** Largest share of a job without lanes that one tenant may use, so that other tenants find room. */
const TENANT_SHARE = 0.75;

export type Ran = Readonly<Record<Counted, number>>;

export interface SchedulerNeeds {
  readonly database: Database;
  readonly clockOf: (tenantId: string) => Clock;
  /** The table that lists every tenant by its id. */
  readonly tenants: TableShape;
  /** Reads clock changes that other servers made. */
  readonly refreshClocks: () => Promise<void>;
  /** Returns true if automatic charges are on hold after a restore from a backup. */
  readonly holdsCharges?: () => Promise<boolean>;
  readonly report: (message: string, context: Record<string, unknown>) => void;
  /** Interval at which a server looks for work that other servers left behind; 15 s by default. */
  readonly lookEveryMs?: number;
}

export interface Scheduler {
  register<Row extends DueRow>(job: Job<Row>): void;
  start(): Promise<void>;
  /** Something may have become due: of one job, or of any. */
  wake(job?: string): void;
  /** Runs the due rows of one job and one tenant in order and returns their results. */
  drain(job: string, tenantId: string): Promise<string[]>;
  /** Runs one row of a job if it is due and free, and returns its result; else null. */
  runOne(job: string, tenantId: string, id: string): Promise<string | null>;
  /** Runs a function while no job of the tenant runs in this process. Rows that become due in the meantime run afterwards. */
  withoutJobs<Result>(tenantId: string, body: () => Promise<Result>): Promise<Result>;
  /**
   * Runs everything of a tenant that is due by a time, in order of due time, with the tenant's clock set to each row's time by `setClock`.
   * Nothing else of the tenant starts here in the meantime.
   */
  runUntil(tenantId: string, toMs: number, setClock: (ms: number) => Promise<void>): Promise<Ran>;
  /** Returns the status of each job for a tenant. */
  standing(tenantId: string): Promise<readonly JobStatus[]>;
  stop(): Promise<void>;
}

/** A job of either clock. */
type AnyJob = Omit<Job<DueRow>, 'clock'> & { readonly clock: 'tenant' | 'real' };

interface Post {
  readonly job: AnyJob;
  readonly sql: ClaimStatements;
  readonly lanes: Lanes;
  lookAtMs: number;
  lookedAtMs: number;
  looking: Promise<void> | null;
}

const nothingRan = (): Record<Counted, number> => ({
  webhooks: 0,
  refundRetries: 0,
  subscriptions: 0,
  invoices: 0,
  settlements: 0,
  expirations: 0,
});

export function createScheduler(needs: SchedulerNeeds): Scheduler {
  const { database, clockOf, report, lookEveryMs = LOOK_EVERY_MS } = needs;
  const posts: Post[] = [];
  /** Rows at work by tenant, and tenants whose clock is being moved. */
  const atWork = new Map<string, Set<Promise<unknown>>>();
  const held = new Set<string>();
  const lastRuns = new LastRuns();
  let startedAt = 0;
  let timer: NodeJS.Timeout | undefined;
  let stopped = true;

  const nowOf = (post: Post, tenantId: string) => (post.job.clock === 'real' ? Date.now() : clockOf(tenantId).now());
  const postOf = (name: string): Post => {
    const post = posts.find(({ job }) => job.name === name);
    assert(post, `${name} is a job`);
    return post;
  };

  const isHeldBack = async ({ job }: Post) => job.charges === true && ((await needs.holdsCharges?.()) ?? false);

  async function claim(post: Post, tenantId: string, lane: string, room: number): Promise<DueRow[]> {
    const params = { dueBy: nowOf(post, tenantId), room, holder: holderOf(database), ...(post.job.lane ? { lane } : {}) };
    const rows = await database.unitOfWork.run(tenantId, (work) => work.all<DueRow>(post.sql.claim, params));
    // RETURNING keeps no order.
    return rows.sort((left, right) => (left.due_ms ?? 0) - (right.due_ms ?? 0) || (left.id < right.id ? -1 : 1));
  }

  async function claimOne(post: Post, tenantId: string, id: string): Promise<DueRow | null> {
    const params = { id, dueBy: nowOf(post, tenantId), holder: holderOf(database) };
    const [row] = await database.unitOfWork.run(tenantId, (work) => work.all<DueRow>(post.sql.claimOne, params));
    return row ?? null;
  }

  /** Runs a claimed row. A failure is logged, and the row stays claimed until its lease ends. */
  async function carryOut(post: Post, row: DueRow): Promise<string> {
    const run = post.job.run(row).catch((cause: unknown) => {
      report('A job failed; it is tried again', { job: post.job.name, id: row.id, cause });
      return 'error';
    });
    const ofTenant = atWork.get(row.tenant_id) ?? new Set();
    atWork.set(row.tenant_id, ofTenant.add(run));
    try {
      const became = await run;
      lastRuns.note(post.job.name, row.tenant_id, became === 'error');
      return became;
    } finally {
      ofTenant.delete(run);
      if (ofTenant.size === 0) atWork.delete(row.tenant_id);
    }
  }

  function begin(post: Post, lane: string, row: DueRow): void {
    const began = performance.now();
    void carryOut(post, row).then(() => {
      // A lane that was filled has more behind it: it is filled again before it runs dry.
      if (post.lanes.done(lane, performance.now() - began)) soon(post, 0);
    });
  }

  /** Claims rows of one lane for the free slots. Returns the time until the next check. */
  async function fill(post: Post, tenantId: string, lane: string): Promise<number> {
    const key = `${tenantId}/${lane}`;
    const room = post.lanes.take(key);
    // The next row that is done makes room and looks.
    if (room === 0) return lookEveryMs;
    let rows: DueRow[] = [];
    try {
      rows = await claim(post, tenantId, lane, room);
    } finally {
      post.lanes.unfilled(key, room - rows.length);
    }
    for (const row of rows) begin(post, key, row);
    // Rows that another transaction held at this moment were passed over.
    return rows.length === 0 ? LOOK_AGAIN_LOCKED_MS : LOOK_AGAIN_MIN_MS;
  }

  /** Checks all lanes of a job once. Returns the time until the next row is due. */
  async function look(post: Post): Promise<number> {
    await needs.refreshClocks();
    let wait = lookEveryMs;
    if (await isHeldBack(post)) return wait;
    const due: Agenda[] = [];
    for (const lane of await database.readAcrossTenants().all<Agenda>(post.sql.agenda)) {
      if (lane.due_ms === null || held.has(lane.tenant_id)) continue;
      const left = lane.due_ms - nowOf(post, lane.tenant_id);
      if (left <= 0) due.push(lane);
      else wait = Math.min(wait, left);
    }
    const waits = await Promise.all(due.map((lane) => fill(post, lane.tenant_id, lane.lane)));
    return Math.min(wait, ...waits);
  }

  function soon(post: Post, apartMs = LOOK_AGAIN_MIN_MS): void {
    post.lookAtMs = Math.min(post.lookAtMs, Math.max(performance.now(), post.lookedAtMs + apartMs));
    arm();
  }

  function arm(): void {
    if (stopped) return;
    clearTimeout(timer);
    const next = Math.min(...posts.filter(({ looking }) => looking === null).map(({ lookAtMs }) => lookAtMs));
    if (!Number.isFinite(next)) return;
    timer = setTimeout(lookAtAll, Math.max(0, next - performance.now()));
    timer.unref();
  }

  function lookAtAll(): void {
    const now = performance.now();
    for (const post of posts) {
      if (post.looking !== null || post.lookAtMs > now + 1) continue;
      post.lookedAtMs = now;
      post.lookAtMs = now + lookEveryMs;
      post.looking = look(post)
        .then((wait) => {
          post.lookAtMs = Math.min(post.lookAtMs, performance.now() + wait);
        })
        .catch((cause: unknown) => report('The scheduler could not look for due work', { job: post.job.name, cause }))
        .finally(() => {
          post.looking = null;
          arm();
        });
    }
    arm();
  }

  /**
   * Returns a function that finds the first row of any job of the tenant's clock that is due by a time; of rows with the same due time,
   * that of the job registered first.
   */
  async function findsFirstDue(tenantId: string, dueBy: number): Promise<() => Promise<{ post: Post; id: string; due_ms: number } | null>> {
    const moved: Post[] = [];
    for (const post of posts) if (post.job.clock !== 'real' && !(await isHeldBack(post))) moved.push(post);
    const sql = firstsSql(
      database,
      moved.map(({ job }) => job),
    );
    return async () => {
      const found = new Map((await database.read(tenantId).all<FirstRow>(sql)).map((row) => [row.job, row]));
      let first: { post: Post; id: string; due_ms: number } | null = null;
      for (const post of moved) {
        const row = found.get(post.job.name);
        if (row && row.due_ms <= dueBy && (first === null || row.due_ms < first.due_ms)) first = { post, id: row.id, due_ms: row.due_ms };
      }
      return first;
    };
  }

  async function withoutJobs<Result>(tenantId: string, body: () => Promise<Result>): Promise<Result> {
    held.add(tenantId);
    try {
      await Promise.all(posts.map(({ looking }) => looking));
      while (atWork.has(tenantId)) await Promise.all(atWork.get(tenantId) ?? []);
      return await body();
    } finally {
      held.delete(tenantId);
      for (const post of posts) soon(post);
    }
  }

  const takeover = createTakeover(
    database,
    () => posts.map(({ job }) => job.table),
    () => {
      for (const post of posts) soon(post);
    },
    report,
  );

  return {
    register(job) {
      const { name } = job;
      const registered = job as unknown as AnyJob;
      assert(!posts.some((post) => post.job.name === name), `${name} is registered once`);
      posts.push({
        job: registered,
        sql: claimStatements(database, registered, needs.tenants),
        lanes: job.lane ? new Lanes(job.atOnce, job.lane.atOnce, true) : new Lanes(job.atOnce, Math.ceil(job.atOnce * TENANT_SHARE), false),
        lookAtMs: 0,
        lookedAtMs: Number.NEGATIVE_INFINITY,
        looking: null,
      });
    },
    async start() {
      if (database.kind === 'sqlite') {
        // This process holds the data directory exclusively, so every claim is a leftover.
        await database.unitOfWork.run(null, async (work) => {
          for (const { sql } of posts) await work.run(sql.release);
        });
      }
      await takeover.start();
      stopped = false;
      startedAt = performance.now();
      lookAtAll();
    },
    wake(job) {
      for (const post of posts) if (job === undefined || post.job.name === job) soon(post);
    },
    async drain(name, tenantId) {
      const post = postOf(name);
      assert(!post.job.lane, 'only a job without lanes is drained');
      const results: string[] = [];
      if (await isHeldBack(post)) return results;
      for (;;) {
        const [row] = await claim(post, tenantId, '', 1);
        if (!row) return results;
        results.push(await carryOut(post, row));
      }
    },
    async runOne(name, tenantId, id) {
      const post = postOf(name);
      const row = (await isHeldBack(post)) ? null : await claimOne(post, tenantId, id);
      return row && carryOut(post, row);
    },
    withoutJobs,
    runUntil: (tenantId, toMs, setClock) =>
      withoutJobs(tenantId, async () => {
        const ran = nothingRan();
        const firstDue = await findsFirstDue(tenantId, toMs);
        for (let clockMs = Number.NEGATIVE_INFINITY; ; ) {
          const next = await firstDue();
          if (next === null) break;
          const { post, id } = next;
          if (next.due_ms > clockMs) await setClock(next.due_ms);
          clockMs = Math.max(clockMs, next.due_ms);
          const row = await claimOne(post, tenantId, id);
          if (!row) continue;
          const became = await carryOut(post, row);
          if (post.job.counts && became !== 'skipped') ran[post.job.counts] += 1;
        }
        await setClock(toMs);
        return ran;
      }),
    async standing(tenantId) {
      const jobs = posts.map(({ job }) => job);
      const firsts = await database.read(tenantId).all<FirstRow>(firstsSql(database, jobs));
      const dueOf = new Map(firsts.map((first) => [first.job, first.due_ms]));
      return Promise.all(
        posts.map(async (post) =>
          jobStatus({
            job: post.job,
            dueMs: dueOf.get(post.job.name) ?? null,
            nowMs: nowOf(post, tenantId),
            runningMs: performance.now() - startedAt,
            isHeld: await isHeldBack(post),
            last: lastRuns.of(post.job.name, tenantId),
          }),
        ),
      );
    },
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await Promise.all(posts.map(({ looking }) => looking));
      while (atWork.size > 0) await Promise.all([...atWork.values()].flatMap((runs) => [...runs]));
      await takeover.stop();
    },
  };
}
