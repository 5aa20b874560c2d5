import { conditionsOn, lit, queriesOn, type Read, sql, TENANT, type Work } from '#core/database';
import { addDays, dateIn, isoTime, type Money, money, newId, realNow, serviceActor, storedCurrency, timeAfter } from '#core/kernel';
import { formatDay } from '#core/platform/documents';
import { dueAt, type Job, released } from '#core/platform/scheduling';
import type { ChangeEvents } from '#core/processing/domain-events';
import type { Merchant } from '#core/processing/merchants';
import type { Language } from '#shared/languages';
import { writeInvoice } from '../change.ts';
import type { Dependencies } from '../dependencies.ts';
import { auditInvoice, emitLateFee } from '../events.ts';
import { withFeeLine } from '../items.ts';
import { INVOICES, type InvoiceRow } from '../schema.ts';
import { factsOf, fixedFeeOf, OPEN, sinceDayAfter } from './facts.ts';
import { feeAmount, firstDueDate, lastDueDate, nextRun, periodOn } from './schedule.ts';
import { LATE_FEE_EXEMPTIONS, LATE_FEE_RUNS, LATE_FEES, type LateFeeExemptionRow, type LateFeeRow, type LateFeeRunRow } from './schema.ts';

const LATE_FEES_JOB = 'invoicing.late-fees';
const LEASE_MS = 60_000;
const CONCURRENCY = 4;
/** Invoices that are looked at before the progress of a run is stored. */
const BATCH = 100;
const invoice = conditionsOn(INVOICES);

const LINES: Readonly<Record<Language, (day: string) => string>> = {
  en: (day) => `Late fee, ${day}`,
  es: (day) => `Recargo por mora, ${day}`,
};

/** Job that charges the late fees of a merchant once a day. */
export function lateFeesJob(deps: Dependencies): Job<LateFeeRunRow> {
  const merchantOf = ({ tenant_id: tenantId, id }: LateFeeRunRow) => deps.merchants.merchantFor({ tenantId, merchantId: null }, id);
  return {
    name: LATE_FEES_JOB,
    table: LATE_FEE_RUNS,
    clock: 'tenant',
    charges: true,
    concurrency: CONCURRENCY,
    leaseMs: LEASE_MS,
    nextDue: async (row, nowMs) => nextRun((await merchantOf(row)).timezone, nowMs),
    async run(row) {
      const { tenant_id: tenantId, id, fence } = row;
      const merchant = await merchantOf(row);
      const now = deps.clockOf(tenantId).now();
      const day = dateIn(merchant.timezone, now);
      const sinceDay = await sinceDayOf(deps, row, merchant.timezone);
      let charged = 0;
      let progress: Progress | null = row.run_day === day ? row : null;
      for (let hasMore = merchant.deletedAt === null; hasMore; ) {
        const batch = await invoicesToCharge(deps, merchant, { tenantId, day, progress });
        for (const found of batch) if (await charge(deps, { merchant, run: row, sinceDay }, found.id)) charged += 1;
        const last = batch.length < BATCH ? undefined : batch.at(-1);
        progress = last ? { after_due_date: last.due_date, after_id: last.id } : null;
        hasMore = progress !== null && (await merchantOf(row)).deletedAt === null && (await storeProgress(deps, row, day, progress));
      }
      const done = {
        run_day: null,
        after_due_date: null,
        after_id: null,
        // Nobody can pay a closed merchant, so the fees of that time are not charged after it opens again.
        ...(merchant.deletedAt !== null && { since_day: addDays(day, 1) }),
        ...released(nextRun(merchant.timezone, now)),
      };
      await deps.database.unitOfWork.transaction(tenantId, (work) => work.update(LATE_FEE_RUNS, { id, fence }, done));
      return charged > 0 ? 'charged' : 'skipped';
    },
  };
}

type Progress = Pick<LateFeeRunRow, 'after_due_date' | 'after_id'>;

/** Stores the last invoice of a batch and extends the lease. Returns false if another server has taken over the run. */
async function storeProgress(
  deps: Dependencies,
  { tenant_id, id, fence }: LateFeeRunRow,
  day: string,
  progress: Progress,
): Promise<boolean> {
  const leaseMs = sql<number>`${sql.raw(deps.database.nowSql)} + ${lit(LEASE_MS)}`;
  const changed = await deps.database.unitOfWork.transaction(tenant_id, (work) =>
    work.execute(
      queriesOn(LATE_FEE_RUNS)
        .updateTable('late_fee_runs')
        .set({ run_day: day, ...progress, lease_ms: leaseMs })
        .where('tenant_id', '=', TENANT)
        .where('id', '=', id)
        .where('fence', '=', fence),
    ),
  );
  return changed === 1;
}

/** Returns the next unpaid invoices whose late fees may be due on a day. */
function invoicesToCharge(
  deps: Dependencies,
  { merchantId, lateFees }: Merchant,
  { tenantId, day, progress }: { readonly tenantId: string; readonly day: string; readonly progress: Progress | null },
): Promise<Pick<InvoiceRow, 'id' | 'due_date'>[]> {
  const first = firstDueDate(day, lateFees);
  let query = queriesOn(INVOICES)
    .selectFrom('invoices')
    .select(['id', 'due_date'])
    .where('tenant_id', '=', TENANT)
    .where('merchant_id', '=', merchantId)
    .where('due_date', 'is not', null)
    .where('due_date', '<=', lastDueDate(day, lateFees))
    .where(
      'status',
      'in',
      OPEN.map((status) => lit(status)),
    )
    .orderBy('due_date')
    .orderBy('id')
    .limit(BATCH);
  if (first !== null) query = query.where('due_date', '>=', first);
  const [afterDate, afterId] = [progress?.after_due_date ?? null, progress?.after_id ?? null];
  if (afterDate !== null && afterId !== null)
    query = query.where('due_date', '>=', afterDate).where(invoice.or([invoice('due_date', '>', afterDate), invoice('id', '>', afterId)]));
  return deps.database.read(tenantId).rows(query);
}

/** Returns the first day on which the fees of a merchant are charged. */
export async function sinceDayOf(deps: Dependencies, run: Pick<LateFeeRunRow, 'tenant_id' | 'since_day'>, zone: string): Promise<string> {
  // The clock of a sandbox is apart from that of this computer.
  return sinceDayAfter(run.since_day, await deps.chargesResumedAt(), zone, deps.clockOf(run.tenant_id).now() - realNow());
}

interface Run {
  readonly merchant: Merchant;
  readonly run: LateFeeRunRow;
  readonly sinceDay: string;
}

/** Charges the fee of an invoice that is due now. The invoice is locked, and the fee is stored in the commit of its line. */
function charge(deps: Dependencies, { merchant, run, sinceDay }: Run, invoiceId: string): Promise<boolean> {
  const { tenant_id: tenantId, id: merchantId, fence } = run;
  return deps.database.unitOfWork.transaction(tenantId, async (work) => {
    const row = await work.lockOne(INVOICES, { id: invoiceId });
    const current = await work.one(LATE_FEE_RUNS, { id: merchantId });
    // Late fees were switched off, or another server has taken over the run.
    if (!row || !current || current.due_ms === null || current.fence !== fence) return false;
    const choices = await choicesOf(work, row);
    const fees = await work.find(LATE_FEES, { invoice_id: invoiceId });
    const facts = factsOf(row, { fees, choices, sinceDay, zone: merchant.timezone });
    const clockMs = deps.clockOf(tenantId).now();
    // A change before the clock was corrected can be later than the present day.
    const day = dateIn(merchant.timezone, clockMs);
    const now = timeAfter(clockMs, row.updated_at);
    const due = facts && periodOn(facts, merchant.lateFees, day);
    const amountMinor = facts && due ? feeAmount(facts, merchant.lateFees, fixedFeeOf(merchant)) : 0;
    if (!due || amountMinor === 0) return false;
    const fee: LateFeeRow = {
      tenant_id: tenantId,
      invoice_id: invoiceId,
      period: due.period,
      id: newId('lfe', now),
      day,
      currency: row.currency,
      amount_minor: amountMinor,
      description: LINES[merchant.language](formatDay(day, merchant.language)),
      created_at: isoTime(now),
      reversed_at: null,
      reversed_by: null,
      reverse_reason: null,
    };
    work.insert(LATE_FEES, fee);
    const set = {
      amount_minor: row.amount_minor + amountMinor,
      late_fee_minor: row.late_fee_minor + amountMinor,
      items: withFeeLine(row, fee),
    };
    const next = await writeInvoice(deps, work, row, set, merchant, now);
    auditInvoice(deps, work, serviceActor(tenantId), 'late_fee_charged', row, next, { lateFeeId: fee.id, period: due.period });
    emitLateFee(deps, work, 'invoice.late_fee_charged', next, feeData(fee), now);
    return true;
  });
}

/** Returns the fields of a fee for its events. */
export const feeData = ({ id, period, amount_minor: minor, currency, reverse_reason: reason }: LateFeeRow) => ({
  lateFeeId: id,
  period,
  amount: money(minor, storedCurrency(currency)) as Money,
  reason,
});

/** Returns the choices for an invoice and its customer. */
export async function choicesOf(
  read: Pick<Read, 'one'>,
  { id, customer_id: customerId }: Pick<InvoiceRow, 'id' | 'customer_id'>,
): Promise<LateFeeExemptionRow[]> {
  const subjects = customerId === null ? [id] : [id, customerId];
  const rows = await Promise.all(subjects.map((subject) => read.one(LATE_FEE_EXEMPTIONS, { subject_id: subject })));
  return rows.filter((row) => row !== null);
}

/** Schedules the late fees of a merchant after a change of its settings. */
export async function settingsChanged(
  deps: Dependencies,
  work: Work,
  { tenantId, merchantId, timeZone, enabled }: ChangeEvents['merchant.late-fees-changed'],
): Promise<void> {
  const now = deps.clockOf(tenantId).now();
  const current = await work.lockOne(LATE_FEE_RUNS, { id: merchantId });
  const due = enabled ? nextRun(timeZone, now) : null;
  const today = dateIn(timeZone, now);
  const isSwitchedOn = enabled && (current === null || current.due_ms === null);
  const set = { ...(isSwitchedOn && { since_day: today }), run_day: null, after_due_date: null, after_id: null };
  if (current) await work.update(LATE_FEE_RUNS, { id: merchantId }, { ...set, ...released(due), fence: current.fence + 1 });
  else if (enabled) work.insert(LATE_FEE_RUNS, { tenant_id: tenantId, id: merchantId, since_day: today, ...set, ...dueAt(due) });
  work.afterCommit(() => deps.scheduler.wake(LATE_FEES_JOB, tenantId));
}

/** Moves the next run to the same local time of another time zone. */
export async function timeZoneChanged(
  deps: Dependencies,
  work: Work,
  { tenantId, merchantId, timeZone }: ChangeEvents['merchant.time-zone-changed'],
): Promise<void> {
  const current = await work.lockOne(LATE_FEE_RUNS, { id: merchantId });
  if (!current || current.due_ms === null) return;
  const due = nextRun(timeZone, deps.clockOf(tenantId).now());
  await work.update(LATE_FEE_RUNS, { id: merchantId }, { ...released(due), fence: current.fence + 1 });
  work.afterCommit(() => deps.scheduler.wake(LATE_FEES_JOB, tenantId));
}
