import { type Database, given, lit, prepared, type Query, queriesOn, sql, type Work } from '#core/database';
import { RATE_WINDOWS, type WindowRow } from './schema.ts';

export const TABLES = [RATE_WINDOWS];

const queries = queriesOn(RATE_WINDOWS);
type CountQuery = Query<Pick<WindowRow, 'scope' | 'length_ms' | 'n'>>;
const countQueries = new Map<number, CountQuery>();

/** Returns the query that counts one request in a number of windows. It is prepared once per number, because every request runs it. */
function countQueryFor(windows: number): CountQuery {
  const known = countQueries.get(windows);
  if (known !== undefined) return known;
  const rows = Array.from({ length: windows }, (_, index) => ({
    tenant_id: given<string>('tenant'),
    scope: given<string>(`scope${index}`),
    length_ms: given<number>(`length${index}`),
    at: given<number>(`at${index}`),
    n: lit<number>(1),
  }));
  const query = prepared(
    queries
      .insertInto('rate_windows')
      .values(rows)
      .onConflict((same) =>
        same.columns(['tenant_id', 'scope', 'length_ms', 'at']).doUpdateSet(({ eb }) => ({ n: eb('rate_windows.n', '+', lit(1)) })),
      )
      .returning(['scope', 'length_ms', 'n']),
  );
  countQueries.set(windows, query);
  return query;
}

/** A fixed window of real time with its limit. */
export interface Window {
  readonly scope: string;
  readonly lengthMs: number;
  readonly max: number;
}

/** A window with its count. */
export interface WindowUsage extends Window {
  /** Number of requests in it, including this one. */
  readonly used: number;
  readonly endsMs: number;
}

/** Result of an attempt to guess something: what was found, or the exhausted window. */
type Attempt<Found> = { readonly found: Found | null } | { readonly exhausted: WindowUsage };

/** Maximum number of requests per minute, hour and day. */
export type RequestLimits = readonly [minute: number, hour: number, day: number];

const LIMITS_FORMAT_ERROR = 'Limits are three whole numbers from 1, such as 600,20000,200000: requests per minute, per hour and per day.';

/**
 * Parses limits such as `600,20000,200000`.
 * @throws Error if the text is not three whole numbers from 1.
 */
export function parseRequestLimits(text: string): RequestLimits {
  const [minute, hour, day, ...more] = text.split(',').map((part) => (/^\s*[1-9]\d{0,8}\s*$/.test(part) ? Number(part) : 0));
  if (!minute || !hour || !day || more.length > 0) throw new Error(LIMITS_FORMAT_ERROR);
  return [minute, hour, day];
}

/** Limits of the tier professional. They also apply to enterprise, unless the operator sets others. */
export const PROFESSIONAL_LIMITS: RequestLimits = [300, 5_000, 50_000];

/** Longest time until the counts of requests without a limit are stored. */
const STORE_AFTER_MS = 1_000;
/** Stands for the tenant in counts of callers without a tenant. */
const NO_TENANT = '';
const REMOVE_EVERY_MS = 60_000;

/** Counts of requests that every server of the database shares. */
export type Limits = ReturnType<typeof createLimits>;

export function createLimits({
  database,
  enterprise = PROFESSIONAL_LIMITS,
  now = () => Date.now(),
}: {
  readonly database: Database;
  /** The limits of the tier enterprise. */
  readonly enterprise?: RequestLimits;
  readonly now?: () => number;
}) {
  /** Exhausted windows, with the maximum that they had. With them, a flood of rejected requests causes no writes. */
  const exhausted = new Map<string, { readonly endsMs: number; readonly max: number }>();
  /** The ends of the last attempts in windows, for those on this server that follow. */
  const lastAttempts = new Map<string, Promise<void>>();
  let removedAtMs = 0;
  /** Counts of requests without a limit that are not stored yet. */
  const tallied = new Map<string, Tally>();
  let storing: Promise<void> = Promise.resolve();

  /** Stores the tallied counts. Counts that cannot be stored are dropped, because they limit nothing. */
  function storeTallies(): Promise<void> {
    const counts = [...tallied.values()];
    tallied.clear();
    if (counts.length === 0) return storing;
    const store = () =>
      database.unitOfWork.transaction(null, async (work) => {
        for (const { tenantId, scope, lengthsMs, atMs, n } of counts)
          for (const length_ms of lengthsMs)
            work.count(RATE_WINDOWS, { tenant_id: tenantId, scope, length_ms, at: Math.floor(atMs / length_ms) }, n);
      });
    storing = storing.then(store).catch(() => undefined);
    return storing;
  }

  /** Runs attempts with a common name one after another. They wait here, so that a flood of them does not take the connections of other work. */
  function inTurn<Result>(names: readonly string[], run: () => Promise<Result>): Promise<Result> {
    const result = Promise.all(names.map((name) => lastAttempts.get(name))).then(run);
    const ended = result.then(ignore, ignore);
    for (const name of names) lastAttempts.set(name, ended);
    void ended.then(() => {
      for (const name of names) if (lastAttempts.get(name) === ended) lastAttempts.delete(name);
    });
    return result;
  }

  const windowKey = (tenantId: string, { scope, lengthMs }: Pick<Window, 'scope' | 'lengthMs'>) => `${tenantId}|${scope}|${lengthMs}`;

  /** Returns true if the window is exhausted for its present maximum, which a better tier raises. */
  function isKnownExhausted(name: string, window: Window, at: number): boolean {
    const known = exhausted.get(name);
    return known !== undefined && known.endsMs > at && window.max <= known.max;
  }

  /** Drops ended windows once a minute: those in memory, and the rows of clients without a tenant, of which there may be any number. */
  async function removeEndedWindows(at: number): Promise<void> {
    if (at - removedAtMs < REMOVE_EVERY_MS) return;
    removedAtMs = at;
    for (const [name, { endsMs }] of exhausted) if (endsMs <= at) exhausted.delete(name);
    await deleteEndedRows(NO_TENANT, at);
  }

  async function deleteEndedRows(tenant: string, at: number): Promise<void> {
    await database.unitOfWork.transaction(null, (work) =>
      work.execute(queries.deleteFrom('rate_windows').where('tenant_id', '=', tenant).where(sql<boolean>`(at + 1) * length_ms <= ${at}`)),
    );
  }

  return {
    enterprise,
    /**
     * Counts a request in all windows and returns their counts, which are exact for any number of requests and servers. If a window is known to be
     * exhausted, nothing is counted.
     */
    async count(tenantId: string | null, windows: readonly Window[]): Promise<WindowUsage[]> {
      const at = now();
      await removeEndedWindows(at);
      const tenant = tenantId ?? NO_TENANT;
      const current = windowsAt(windows, at);
      const isExhausted = (window: Window) => isKnownExhausted(windowKey(tenant, window), window, at);
      if (current.some(isExhausted)) {
        const rest = current.filter((window) => !isExhausted(window));
        const counts = new Map((await read(tenant, rest)).map((used, index) => [rest[index] as Window, used]));
        return current.map((window) => ({ ...window, used: counts.get(window) ?? window.max + 1 }));
      }
      const rows = await database.unitOfWork.transaction(null, (work) => countIn(work, tenant, inOrder(current)));
      const counts = new Map(rows.map((row) => [`${row.scope}|${row.length_ms}`, Number(row.n)]));
      return current.map((window) => {
        const used = counts.get(`${window.scope}|${window.lengthMs}`) ?? 0;
        if (used > window.max) exhausted.set(windowKey(tenant, window), window);
        return { ...window, used };
      });
    },
    /**
     * Looks for something that can be guessed, such as a code, and counts the attempt if `look` returns null. Attempts of the same window run one after
     * another on all servers, so that no number of parallel ones passes its maximum. Returns the exhausted window instead if there is one.
     */
    async attempt<Found>(
      tenantId: string,
      windows: readonly Window[],
      look: (work: Work) => Promise<Found | null>,
    ): Promise<Attempt<Found>> {
      const nameOf = (window: Window) => windowKey(tenantId, window);
      return inTurn(windows.map(nameOf), async () => {
        const at = now();
        const current = inOrder(windowsAt(windows, at));
        const known = current.find((window) => isKnownExhausted(nameOf(window), window, at));
        if (known !== undefined) return { exhausted: { ...known, used: known.max } };
        const outcome = await database.unitOfWork.transaction(null, async (work): Promise<Attempt<Found>> => {
          for (const window of current) await work.advisoryLock(`attempts ${tenantId} ${rowName(window)}`);
          for (const { index, ...window } of current) {
            const key = { tenant_id: tenantId, scope: window.scope, length_ms: window.lengthMs, at: index };
            const used = (await work.one(RATE_WINDOWS, key))?.n ?? 0;
            if (used >= window.max) return { exhausted: { ...window, used } };
          }
          const found = await look(work);
          if (found === null) await countIn(work, tenantId, current);
          return { found };
        });
        if ('exhausted' in outcome) exhausted.set(nameOf(outcome.exhausted), outcome.exhausted);
        return outcome;
      });
    },
    /**
     * Counts a request that nothing limits, in windows of several lengths, which are multiples of the first. The counts are stored within a second, so
     * that such a request causes no write of its own.
     */
    tally(tenantId: string, scope: string, lengthsMs: readonly [number, ...number[]]): void {
      const atMs = now();
      if (tallied.size === 0) setTimeout(() => void storeTallies(), STORE_AFTER_MS).unref();
      const name = `${tenantId}|${scope}|${Math.floor(atMs / lengthsMs[0])}`;
      const tally = tallied.get(name);
      if (tally === undefined) tallied.set(name, { tenantId, scope, lengthsMs, atMs, n: 1 });
      else tally.n += 1;
    },
    /** Returns the counts of the windows without counting. */
    async usage(tenantId: string | null, windows: readonly Window[]): Promise<WindowUsage[]> {
      await storeTallies();
      const at = now();
      const current = windows.map((window) => ({ ...window, index: Math.floor(at / window.lengthMs) }));
      const counts = await read(tenantId ?? NO_TENANT, current);
      return current.map(({ index, ...window }, place) => ({
        ...window,
        used: counts[place] ?? 0,
        endsMs: (index + 1) * window.lengthMs,
      }));
    },
    /** Removes the windows of a tenant that have ended. */
    cleanUp: (tenantId: string): Promise<void> => deleteEndedRows(tenantId, now()),
  };

  async function read(tenant: string, windows: readonly (Window & { readonly index: number })[]): Promise<number[]> {
    const read = database.readAcrossTenants();
    const rows = await Promise.all(
      windows.map(({ scope, lengthMs, index }) =>
        read.find(RATE_WINDOWS, { tenant_id: tenant, scope, length_ms: lengthMs, at: index }, { limit: 1 }),
      ),
    );
    return rows.map(([row]) => row?.n ?? 0);
  }
}

const ignore = () => {};

/** Requests of one scope in one of the shortest windows. */
interface Tally {
  readonly tenantId: string;
  readonly scope: string;
  readonly lengthsMs: readonly number[];
  readonly atMs: number;
  n: number;
}

/** A window of which the one that is open at a time is known. */
interface CurrentWindow extends Window {
  readonly index: number;
  readonly endsMs: number;
}

const windowsAt = (windows: readonly Window[], at: number): CurrentWindow[] =>
  windows.map((window) => {
    const index = Math.floor(at / window.lengthMs);
    return { ...window, index, endsMs: (index + 1) * window.lengthMs };
  });

/** All requests use the same order, so that they cannot deadlock. */
const inOrder = (windows: readonly CurrentWindow[]) => [...windows].sort((left, right) => (rowName(left) < rowName(right) ? -1 : 1));

/** Adds one to the count of each window, and returns the counts. */
function countIn(work: Work, tenant: string, sorted: readonly CurrentWindow[]) {
  const params: Record<string, string | number> = { tenant };
  sorted.forEach((window, index) => {
    params[`scope${index}`] = window.scope;
    params[`length${index}`] = window.lengthMs;
    params[`at${index}`] = window.index;
  });
  return work.rows(countQueryFor(sorted.length), params);
}

function rowName({ scope, lengthMs }: Window): string {
  return `${scope}|${lengthMs}`;
}
