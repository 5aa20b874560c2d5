import { conditionsOn, lit, queriesOn, sql, type Table, TENANT, type Work } from '#core/database';
import { addDays, dateIn, realNow, ServiceError, type TenantTime } from '#core/kernel';
import { type DueRow, dueAt, type Job, released } from '#core/platform/scheduling';
import type { Merchant } from '#core/processing/merchants';
import type { Dependencies } from './dependencies.ts';
import { INVOICES, type InvoiceRow, REMINDER_RUNS } from './schema.ts';

const LEASE_MS = 60_000;
const CONCURRENCY = 4;
/** Invoices that are looked at before the progress of a run is stored. */
const BATCH = 100;
const invoice = conditionsOn(INVOICES);

/** Statuses of invoices that are reminded and charged late fees. */
export const OPEN = ['sent', 'partially_paid', 'overdue'] as const;

/** A row for each merchant: the time of its next run, and the progress of an unfinished one. `due_ms` is null while it is switched off. */
interface DailyRunRow extends DueRow {
  readonly since_day: string;
  readonly run_day: string | null;
  readonly after_due_date: string | null;
  readonly after_id: string | null;
  readonly due_ms: TenantTime | null;
}

const NOT_RUNNING = { run_day: null, after_due_date: null, after_id: null };

/** A run over the unpaid invoices of a merchant. `sinceDay`: first day whose reminders or fees it may make up for. */
export interface Run {
  readonly tenantId: string;
  readonly merchant: Merchant;
  readonly sinceDay: string;
}

/** Work that is done for each unpaid invoice of a merchant once a day. */
export interface DailyRun<Row extends DailyRunRow> {
  readonly job: string;
  readonly table: Table<Row>;
  /** Name of the result of a run that changed something. */
  readonly result: string;
  readonly nextRun: (row: Row, zone: string, nowMs: number) => TenantTime;
  /** Returns the local day of a run at a time; null if it comes too late. */
  readonly dayAt: (row: Row, merchant: Merchant, nowMs: number) => string | null;
  readonly dueDatesOn: (merchant: Merchant, day: string) => { readonly from: string | null; readonly to: string };
  /** True if the days on which the merchant was closed are not made up for. */
  readonly skipsClosedDays: boolean;
  /** Returns the work for one invoice, which is locked, in its unit of work. It returns false if nothing is due. */
  readonly prepare: (run: Run) => Promise<(work: Work, row: InvoiceRow) => Promise<boolean>>;
}

/** Job that runs on each day for each merchant that has switched it on. */
export function dailyJob<Row extends DailyRunRow>(deps: Dependencies, daily: DailyRun<Row>): Job<DailyRunRow> {
  const { prepare, dueDatesOn, skipsClosedDays } = daily;
  const table = asRuns(daily.table);
  const merchantOf = ({ tenant_id: tenantId, id }: DailyRunRow) => deps.merchants.merchantFor({ tenantId, merchantId: null }, id);
  return {
    name: daily.job,
    table,
    clock: 'tenant',
    charges: true,
    concurrency: CONCURRENCY,
    leaseMs: LEASE_MS,
    nextDue: async (row, nowMs) => daily.nextRun(row as Row, (await merchantOf(row)).timezone, nowMs),
    async run(row) {
      const { tenant_id: tenantId, id, fence } = row;
      const merchant = await merchantOf(row);
      const { timezone: zone } = merchant;
      const now = deps.clockOf(tenantId).now();
      const day = merchant.deletedAt === null ? daily.dayAt(row as Row, merchant, now) : null;
      const perform = day === null ? null : await prepare({ tenantId, merchant, sinceDay: await sinceDayOf(deps, row, zone) });
      let done = 0;
      let progress: Progress | null = row.run_day === day ? row : null;
      for (let hasMore = perform !== null; perform !== null && day !== null && hasMore; ) {
        const batch = await unpaidInvoices(deps, merchant, { tenantId, ...dueDatesOn(merchant, day), progress });
        for (const found of batch) if (await performWithinLimits(deps, daily, row, found.id, perform)) done += 1;
        const last = batch.length < BATCH ? undefined : batch.at(-1);
        progress = last ? { after_due_date: last.due_date, after_id: last.id } : null;
        hasMore = progress !== null && (await merchantOf(row)).deletedAt === null && (await storeProgress(deps, table, row, day, progress));
      }
      const isClosed = merchant.deletedAt !== null && skipsClosedDays;
      const set = {
        ...NOT_RUNNING,
        ...(isClosed && { since_day: addDays(dateIn(zone, now), 1) }),
        ...released(daily.nextRun(row as Row, zone, now)),
      };
      await deps.database.unitOfWork.transaction(tenantId, (work) => work.update(table, { id, fence }, set));
      return done > 0 ? daily.result : 'skipped';
    },
  };
}

type Progress = Pick<DailyRunRow, 'after_due_date' | 'after_id'>;

/** The columns that both tables of runs have. */
const asRuns = <Row extends DailyRunRow>(table: Table<Row>) => table as unknown as Table<DailyRunRow>;

/** Stores the last invoice of a batch and extends the lease. Returns false if another server has taken over the run. */
async function storeProgress(
  deps: Dependencies,
  { name }: { readonly name: string },
  { tenant_id, id, fence }: DailyRunRow,
  day: string,
  progress: Progress,
): Promise<boolean> {
  const leaseMs = sql<number>`${sql.raw(deps.database.nowSql)} + ${lit(LEASE_MS)}`;
  const changed = await deps.database.unitOfWork.transaction(tenant_id, (work) =>
    work.execute(
      queriesOn(REMINDER_RUNS)
        .updateTable(name as 'reminder_runs')
        .set({ run_day: day, ...progress, lease_ms: leaseMs })
        .where('tenant_id', '=', TENANT)
        .where('id', '=', id)
        .where('fence', '=', fence),
    ),
  );
  return changed === 1;
}

/** Returns the query for the unpaid invoices of a merchant that have a due date, those that are due first at the beginning. */
export const unpaidByDueDate = (merchantId: string) =>
  queriesOn(INVOICES)
    .selectFrom('invoices')
    .where('tenant_id', '=', TENANT)
    .where('merchant_id', '=', merchantId)
    .where('due_date', 'is not', null)
    .where(
      'status',
      'in',
      OPEN.map((status) => lit(status)),
    )
    .orderBy('due_date')
    .orderBy('id');

interface Batch {
  readonly tenantId: string;
  readonly from: string | null;
  readonly to: string;
  readonly progress: Progress | null;
}

/** Returns the next unpaid invoices that are due between two days. */
function unpaidInvoices(
  deps: Dependencies,
  { merchantId }: Merchant,
  { tenantId, from, to, progress }: Batch,
): Promise<Pick<InvoiceRow, 'id' | 'due_date'>[]> {
  const [afterDate, afterId] = [progress?.after_due_date ?? null, progress?.after_id ?? null];
  const first = afterDate !== null && (from === null || afterDate > from) ? afterDate : from;
  let query = unpaidByDueDate(merchantId).select(['id', 'due_date']).where('due_date', '<=', to).limit(BATCH);
  if (first !== null) query = query.where('due_date', '>=', first);
  if (afterDate !== null && afterId !== null)
    query = query.where(invoice.or([invoice('due_date', '>', afterDate), invoice('id', '>', afterId)]));
  return deps.database.read(tenantId).rows(query);
}

/** Returns the first day of a run: that of switching it on, or of resuming charges after a restore from a backup. */
export async function sinceDayOf(deps: Dependencies, run: Pick<DailyRunRow, 'tenant_id' | 'since_day'>, zone: string): Promise<string> {
  const resumedAt = await deps.chargesResumedAt();
  // The clock of a sandbox is apart from that of this computer.
  const ahead = deps.clockOf(run.tenant_id).now() - realNow();
  return latestOf(run.since_day, resumedAt === null ? null : dateIn(zone, Date.parse(resumedAt) + ahead));
}

export const latestOf = (...days: readonly (string | null | undefined)[]): string =>
  days.reduce<string>((latest, day) => (day && day > latest ? day : latest), '');

/** Does the work for an invoice, which is locked. If the limits of messages do not allow it, or if it fails, it is left for a later run. */
async function performWithinLimits<Row extends DailyRunRow>(
  deps: Dependencies,
  { job, table }: DailyRun<Row>,
  { tenant_id: tenantId, id, fence }: DailyRunRow,
  invoiceId: string,
  perform: (work: Work, row: InvoiceRow) => Promise<boolean>,
): Promise<boolean> {
  try {
    return await deps.database.unitOfWork.transaction(tenantId, async (work) => {
      const row = await work.lockOne(INVOICES, { id: invoiceId });
      const current = await work.one(asRuns(table), { id });
      // It was switched off, or another server has taken over the run.
      if (!row || !current || current.due_ms === null || current.fence !== fence) return false;
      return perform(work, row);
    });
  } catch (cause) {
    if (cause instanceof ServiceError && cause.code === 'DAILY_LIMIT_EXCEEDED') return false;
    // The whole run is repeated when the database is available again.
    if (cause instanceof ServiceError && cause.code === 'SERVICE_UNAVAILABLE') throw cause;
    deps.report('An invoice could not be processed. The other invoices of this run are not affected.', { tenantId, job, invoiceId, cause });
    return false;
  }
}

interface Runs<Row extends DailyRunRow> extends Dependencies {
  readonly run: DailyRun<Row>;
}

interface Switched<Row> {
  readonly tenantId: string;
  readonly merchantId: string;
  readonly timeZone: string;
  readonly enabled: boolean;
  /** Columns of the settings. */
  readonly columns: Omit<Row, keyof DailyRunRow>;
}

/** Schedules the runs of a merchant after a change of its settings. */
export async function settingsChanged<Row extends DailyRunRow>(
  { run: { job, table, nextRun }, ...deps }: Runs<Row>,
  work: Work,
  { tenantId, merchantId, timeZone, enabled, columns }: Switched<Row>,
): Promise<void> {
  const now = deps.clockOf(tenantId).now();
  const runs = asRuns(table);
  const current = await work.lockOne(runs, { id: merchantId });
  const due = enabled ? nextRun({ ...current, ...columns } as Row, timeZone, now) : null;
  const today = { since_day: dateIn(timeZone, now) };
  const set = { ...columns, ...(enabled && (current === null || current.due_ms === null) && today), ...NOT_RUNNING };
  if (current) await work.update(runs, { id: merchantId }, { ...set, ...released(due), fence: current.fence + 1 });
  else if (enabled) work.insert(runs, { tenant_id: tenantId, id: merchantId, ...today, ...set, ...dueAt(due) });
  work.afterCommit(() => deps.scheduler.wake(job, tenantId));
}

/** Moves the next run to the same local time of another time zone. */
export async function timeZoneChanged<Row extends DailyRunRow>(
  { run: { job, table, nextRun }, ...deps }: Runs<Row>,
  work: Work,
  { tenantId, merchantId, timeZone }: { readonly tenantId: string; readonly merchantId: string; readonly timeZone: string },
): Promise<void> {
  const current = await work.lockOne(asRuns(table), { id: merchantId });
  if (!current || current.due_ms === null) return;
  const due = nextRun(current as Row, timeZone, deps.clockOf(tenantId).now());
  await work.update(asRuns(table), { id: merchantId }, { ...released(due), fence: current.fence + 1 });
  work.afterCommit(() => deps.scheduler.wake(job, tenantId));
}
