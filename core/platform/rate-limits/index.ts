import { type Database, given, lit, prepared, type Query, queriesOn, sql } from '#core/database';
import { RATE_WINDOWS, type WindowRow } from './schema.ts';

export const TABLES = [RATE_WINDOWS];

const queries = queriesOn(RATE_WINDOWS);
type Counting = Query<Pick<WindowRow, 'scope' | 'length_ms' | 'n'>>;
const countings = new Map<number, Counting>();

/** Counts one request in so many windows. Every request asks it, so it is prepared once for each number of them. */
function countingOf(windows: number): Counting {
  const known = countings.get(windows);
  if (known !== undefined) return known;
  const rows = Array.from({ length: windows }, (_, index) => ({
    tenant_id: given<string>('tenant'),
    scope: given<string>(`scope${index}`),
    length_ms: given<number>(`length${index}`),
    at: given<number>(`at${index}`),
    n: lit<number>(1),
  }));
  const counting = prepared(
    queries
      .insertInto('rate_windows')
      .values(rows)
      .onConflict((same) =>
        same.columns(['tenant_id', 'scope', 'length_ms', 'at']).doUpdateSet(({ eb }) => ({ n: eb('rate_windows.n', '+', lit(1)) })),
      )
      .returning(['scope', 'length_ms', 'n']),
  );
  countings.set(windows, counting);
  return counting;
}

/** A fixed window of real time with what it takes. */
export interface Window {
  readonly scope: string;
  readonly lengthMs: number;
  readonly max: number;
}

/** A window as a request found it. */
export interface Counted extends Window {
  /** Requests in it, this one included. */
  readonly used: number;
  readonly endsMs: number;
}

/** The greatest numbers of requests per minute, hour and day. */
export type RequestLimits = readonly [minute: number, hour: number, day: number];

const LIMITS_FORM = 'Limits are three whole numbers from 1, such as 600,20000,200000: requests per minute, per hour and per day.';

/**
 * Reads limits written as `600,20000,200000`.
 * @throws Error if the text is not three whole numbers from 1.
 */
export function parseRequestLimits(text: string): RequestLimits {
  const [minute, hour, day, ...more] = text.split(',').map((part) => (/^\s*[1-9]\d{0,8}\s*$/.test(part) ? Number(part) : 0));
  if (!minute || !hour || !day || more.length > 0) throw new Error(LIMITS_FORM);
  return [minute, hour, day];
}

/** Limits of the tier professional, which enterprise has too unless the operator sets numbers (specification 8). */
export const PROFESSIONAL_LIMITS: RequestLimits = [300, 5_000, 50_000];

/** Requests of callers without a tenant are counted here. */
const NO_TENANT = '';
const FORGET_EVERY_MS = 60_000;

/** Counts of requests that every server of the database shares (specification 8). */
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
  /** Windows that are used up, until they end: a flood of refused requests writes nothing. */
  const full = new Map<string, number>();
  let forgotAt = 0;

  const nameOf = (tenantId: string, { scope, lengthMs }: Window) => `${tenantId}|${scope}|${lengthMs}`;

  /** Drops ended windows once a minute: those in memory, and the rows of clients without a tenant, whose addresses are without number. */
  async function forget(at: number): Promise<void> {
    if (at - forgotAt < FORGET_EVERY_MS) return;
    forgotAt = at;
    for (const [name, endsMs] of full) if (endsMs <= at) full.delete(name);
    await removeEnded(NO_TENANT, at);
  }

  async function removeEnded(tenant: string, at: number): Promise<void> {
    await database.unitOfWork.run(null, (work) =>
      work.change(queries.deleteFrom('rate_windows').where('tenant_id', '=', tenant).where(sql<boolean>`(at + 1) * length_ms <= ${at}`)),
    );
  }

  return {
    enterprise,
    /**
     * Counts a request in all windows and returns their counts. Exact for any number of requests and servers. If a window is known to be
     * exhausted, nothing is counted.
     */
    async take(tenantId: string | null, windows: readonly Window[]): Promise<Counted[]> {
      const at = now();
      await forget(at);
      const tenant = tenantId ?? NO_TENANT;
      const present = windows.map((window) => {
        const index = Math.floor(at / window.lengthMs);
        return { ...window, index, endsMs: (index + 1) * window.lengthMs };
      });
      const isFull = (window: Window) => (full.get(nameOf(tenant, window)) ?? 0) > at;
      if (present.some(isFull)) {
        const rest = present.filter((window) => !isFull(window));
        const counts = new Map((await read(tenant, rest)).map((used, index) => [rest[index] as Window, used]));
        return present.map((window) => ({ ...window, used: counts.get(window) ?? window.max + 1 }));
      }
      // One order for all, so that no two requests wait for each other.
      const sorted = [...present].sort((left, right) => (rowName(left) < rowName(right) ? -1 : 1));
      const params: Record<string, string | number> = { tenant };
      sorted.forEach((window, index) => {
        params[`scope${index}`] = window.scope;
        params[`length${index}`] = window.lengthMs;
        params[`at${index}`] = window.index;
      });
      const rows = await database.unitOfWork.run(null, (work) => work.rows(countingOf(sorted.length), params));
      const counts = new Map(rows.map((row) => [`${row.scope}|${row.length_ms}`, Number(row.n)]));
      return present.map((window) => {
        const used = counts.get(`${window.scope}|${window.lengthMs}`) ?? 0;
        if (used > window.max) full.set(nameOf(tenant, window), window.endsMs);
        return { ...window, used };
      });
    },
    /** Returns the counts of the windows without counting. */
    async usage(tenantId: string, windows: readonly Window[]): Promise<Counted[]> {
      const at = now();
      const present = windows.map((window) => ({ ...window, index: Math.floor(at / window.lengthMs) }));
      const counts = await read(tenantId, present);
      return present.map(({ index, ...window }, place) => ({
        ...window,
        used: counts[place] ?? 0,
        endsMs: (index + 1) * window.lengthMs,
      }));
    },
    /** Removes the windows of a tenant that have ended. */
    sweep: (tenantId: string): Promise<void> => removeEnded(tenantId, now()),
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

function rowName({ scope, lengthMs }: Window): string {
  return `${scope}|${lengthMs}`;
}
