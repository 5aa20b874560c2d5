import { conditionsOn, lit, queriesOn, sql, TENANT, type Work } from '#core/database';
import { dateIn, isoTime, realNow, ServiceError, serviceActor, timeAfter } from '#core/kernel';
import { dueAt, type Job, released } from '#core/platform/scheduling';
import type { ChangeEvents } from '#core/processing/domain-events';
import type { Merchant, ReminderStep } from '#core/processing/merchants';
import { type Dependencies, notifyScreens } from '../dependencies.ts';
import { auditInvoice, emitReminder } from '../events.ts';
import type { MessageChannel } from '../input.ts';
import type { Recipient } from '../messages.ts';
import { addressesOf } from '../read.ts';
import { INVOICES, type InvoiceRow } from '../schema.ts';
import { reminderMessage } from './message.ts';
import { dueDatesOn, nextRun, type ReminderFacts, runDayAt, stepOn } from './schedule.ts';
import {
  INVOICE_REMINDERS,
  type InvoiceReminderRow,
  REMINDER_CHOICES,
  REMINDER_RUNS,
  type ReminderChoiceRow,
  type ReminderRunRow,
} from './schema.ts';

const REMINDERS_JOB = 'invoicing.reminders';
const LEASE_MS = 60_000;
const CONCURRENCY = 4;
/** Invoices that are looked at before the progress of a run is stored. */
const BATCH = 100;

export const OPEN = ['sent', 'partially_paid', 'overdue'] as const;
const invoice = conditionsOn(INVOICES);

const timesOf = ({ send_at, weekdays }: Pick<ReminderRunRow, 'send_at' | 'weekdays'>) => ({
  sendAt: send_at,
  weekdays: JSON.parse(weekdays) as number[],
});

/** Job that sends the reminders of a merchant on each working day at the local time of its settings. */
export function remindersJob(deps: Dependencies): Job<ReminderRunRow> {
  return {
    name: REMINDERS_JOB,
    table: REMINDER_RUNS,
    clock: 'tenant',
    charges: true,
    concurrency: CONCURRENCY,
    leaseMs: LEASE_MS,
    nextDue: async (row, nowMs) => {
      const { timezone } = await deps.merchants.merchantFor({ tenantId: row.tenant_id, merchantId: null }, row.id);
      return nextRun(timesOf(row), timezone, nowMs);
    },
    async run(row) {
      const { tenant_id: tenantId, id, fence } = row;
      const merchant = await deps.merchants.merchantFor({ tenantId, merchantId: null }, id);
      const now = deps.clockOf(tenantId).now();
      const day = merchant.deletedAt === null ? runDayAt(timesOf(row), merchant.timezone, now) : null;
      const sinceDay = await sinceDayOf(deps, row, merchant.timezone);
      const channels = await channelsOf(deps, tenantId);
      let sent = 0;
      let progress: Progress | null = row.run_day === day ? row : null;
      for (let hasMore = day !== null; day !== null && hasMore; ) {
        const batch = await invoicesToRemind(deps, merchant, { tenantId, day, progress });
        for (const found of batch) if (await remindWithinLimits(deps, { merchant, run: row, sinceDay, channels }, found.id)) sent += 1;
        const last = batch.length < BATCH ? undefined : batch.at(-1);
        progress = last ? { after_due_date: last.due_date, after_id: last.id } : null;
        hasMore = progress !== null && (await storeProgress(deps, row, day, progress));
      }
      const done = { run_day: null, after_due_date: null, after_id: null, ...released(nextRun(timesOf(row), merchant.timezone, now)) };
      await deps.database.unitOfWork.transaction(tenantId, (work) => work.update(REMINDER_RUNS, { id, fence }, done));
      return sent > 0 ? 'sent' : 'skipped';
    },
  };
}

type Progress = Pick<ReminderRunRow, 'after_due_date' | 'after_id'>;

/** Stores the last invoice of a batch and extends the lease. Returns false if another server has taken over the run. */
async function storeProgress(
  deps: Dependencies,
  { tenant_id, id, fence }: ReminderRunRow,
  day: string,
  progress: Progress,
): Promise<boolean> {
  const leaseMs = sql<number>`${sql.raw(deps.database.nowSql)} + ${lit(LEASE_MS)}`;
  const changed = await deps.database.unitOfWork.transaction(tenant_id, (work) =>
    work.execute(
      queriesOn(REMINDER_RUNS)
        .updateTable('reminder_runs')
        .set({ run_day: day, ...progress, lease_ms: leaseMs })
        .where('tenant_id', '=', TENANT)
        .where('id', '=', id)
        .where('fence', '=', fence),
    ),
  );
  return changed === 1;
}

/** Returns the next unpaid invoices whose reminders may be due on a day. */
function invoicesToRemind(
  deps: Dependencies,
  { merchantId, reminders }: Merchant,
  { tenantId, day, progress }: { readonly tenantId: string; readonly day: string; readonly progress: Progress | null },
): Promise<Pick<InvoiceRow, 'id' | 'due_date'>[]> {
  const { from, to } = dueDatesOn(reminders, day);
  const afterDate = progress?.after_due_date ?? null;
  const afterId = progress?.after_id ?? null;
  const isContinued = afterDate !== null && afterId !== null;
  let query = queriesOn(INVOICES)
    .selectFrom('invoices')
    .select(['id', 'due_date'])
    .where('tenant_id', '=', TENANT)
    .where('merchant_id', '=', merchantId)
    .where('due_date', 'is not', null)
    .where('due_date', '>=', isContinued && afterDate > from ? afterDate : from)
    .where('due_date', '<=', to)
    .where(
      'status',
      'in',
      OPEN.map((status) => lit(status)),
    )
    .where('reminders_stopped_at', 'is', null)
    .orderBy('due_date')
    .orderBy('id')
    .limit(BATCH);
  if (isContinued) query = query.where(invoice.or([invoice('due_date', '>', afterDate), invoice('id', '>', afterId)]));
  return deps.database.read(tenantId).rows(query);
}

/** Returns the first day on which the reminders of a merchant are sent: that of switching them on, or of resuming them after a restore from a backup. */
export async function sinceDayOf(deps: Dependencies, run: Pick<ReminderRunRow, 'tenant_id' | 'since_day'>, zone: string): Promise<string> {
  const resumedAt = await deps.chargesResumedAt();
  if (resumedAt === null) return run.since_day;
  // The clock of a sandbox is apart from that of this computer.
  const ahead = deps.clockOf(run.tenant_id).now() - realNow();
  return latestOf(run.since_day, dateIn(zone, Date.parse(resumedAt) + ahead));
}

const latestOf = (...days: readonly (string | null | undefined)[]): string =>
  days.reduce<string>((latest, day) => (day && day > latest ? day : latest), '');

interface Beginning {
  /** First day on which the reminders of the merchant are sent. */
  readonly sinceDay: string;
  readonly choice: Pick<ReminderChoiceRow, 'since_day'> | null | undefined;
}

/** Returns the facts by which the reminders of an invoice are scheduled; null if it gets none in its present state. */
export function factsOf(
  row: InvoiceRow,
  zone: string,
  { sinceDay, choice }: Beginning,
  sent: readonly Pick<InvoiceReminderRow, 'days' | 'day'>[],
): ReminderFacts | null {
  const { kind, due_date: dueDate, sent_at: sentAt, pending_minor: pending } = row;
  const isOpen = (OPEN as readonly string[]).includes(row.status);
  if (kind !== 'invoice' || !isOpen || dueDate === null || sentAt === null || pending > 0) return null;
  if (row.reminders_stopped_at !== null) return null;
  return {
    dueDate,
    sentDay: dateIn(zone, Date.parse(sentAt)),
    promisedDate: row.promised_date,
    sinceDay: latestOf(sinceDay, row.reminders_since_day, choice?.since_day),
    sent,
  };
}

/** Returns the channels that are set up. */
export async function channelsOf(deps: Dependencies, tenantId: string): Promise<ReadonlySet<MessageChannel>> {
  const channels = ['email', 'sms'] as const;
  const isSetUp = await Promise.all(channels.map((channel) => deps.delivers(tenantId, channel)));
  return new Set(channels.filter((_, nth) => isSetUp[nth]));
}

/** Returns the address of a reminder: that of the channel of the schedule, or else the other one; null without an address of a channel that is set up. */
export function recipientOf(
  { customer_email: email, customer_phone: phone }: InvoiceRow,
  { channel }: ReminderStep,
  channels: ReadonlySet<MessageChannel>,
): Recipient | null {
  const found: Record<typeof channel, Recipient | null> = {
    email: email === null || !channels.has('email') ? null : { channel: 'email', to: email },
    sms: phone === null || !channels.has('sms') ? null : { channel: 'sms', to: phone },
  };
  return found[channel] ?? found.email ?? found.sms;
}

interface Run {
  readonly merchant: Merchant;
  readonly run: ReminderRunRow;
  readonly sinceDay: string;
  readonly channels: ReadonlySet<MessageChannel>;
}

/** Sends the reminder of an invoice if the limits of messages allow it; otherwise it is left for a later run. */
async function remindWithinLimits(deps: Dependencies, run: Run, invoiceId: string): Promise<boolean> {
  try {
    return await remind(deps, run, invoiceId);
  } catch (cause) {
    if (cause instanceof ServiceError && cause.code === 'DAILY_LIMIT_EXCEEDED') return false;
    throw cause;
  }
}

/** Sends the reminder of an invoice that is due now. The invoice is locked, and the reminder is stored in the commit of its message. */
async function remind(deps: Dependencies, { merchant, run, sinceDay, channels }: Run, invoiceId: string): Promise<boolean> {
  const { tenant_id: tenantId, id: merchantId, fence } = run;
  return deps.database.unitOfWork.transaction(tenantId, async (work) => {
    const row = await work.lockOne(INVOICES, { id: invoiceId });
    const current = await work.one(REMINDER_RUNS, { id: merchantId });
    // Reminders were switched off, or another server has taken over the run.
    if (!row || !current || current.due_ms === null || current.fence !== fence) return false;
    const now = timeAfter(deps.clockOf(tenantId).now(), row.updated_at);
    const day = dateIn(merchant.timezone, now);
    const choice = row.customer_id === null ? null : await work.one(REMINDER_CHOICES, { customer_id: row.customer_id });
    if (choice?.is_off === 1) return false;
    const sent = await work.find(INVOICE_REMINDERS, { invoice_id: invoiceId });
    const facts = factsOf(row, merchant.timezone, { sinceDay, choice }, sent);
    const step = facts && stepOn(facts, merchant.reminders, day);
    const recipient = step && recipientOf(row, step, channels);
    if (!step || !recipient) return false;
    const language = choice?.language ?? merchant.language;
    const addresses = addressesOf(deps, merchant, row);
    const messageId = await deps.notify(work, reminderMessage({ row, merchant, addresses, step, recipient, language, now }));
    const { channel, to } = recipient;
    work.insert(INVOICE_REMINDERS, {
      tenant_id: tenantId,
      invoice_id: invoiceId,
      days: step.days,
      day,
      channel,
      recipient: to,
      message_id: messageId,
      created_at: isoTime(now),
    });
    auditInvoice(deps, work, serviceActor(tenantId), 'reminder_sent', row, row, { sentTo: to, days: step.days });
    emitReminder(deps, work, row, { days: step.days, channel, messageId }, now);
    notifyScreens(deps, work, row);
    return true;
  });
}

/** Schedules the reminders of a merchant after a change of its settings. */
export async function settingsChanged(
  deps: Dependencies,
  work: Work,
  { tenantId, merchantId, timeZone, settings }: ChangeEvents['merchant.reminders-changed'],
): Promise<void> {
  const now = deps.clockOf(tenantId).now();
  const current = await work.lockOne(REMINDER_RUNS, { id: merchantId });
  const due = settings.enabled ? nextRun(settings, timeZone, now) : null;
  const isSwitchedOn = settings.enabled && (current === null || current.due_ms === null);
  const today = dateIn(timeZone, now);
  const set = {
    send_at: settings.sendAt,
    weekdays: JSON.stringify(settings.weekdays),
    ...(isSwitchedOn && { since_day: today }),
    run_day: null,
    after_due_date: null,
    after_id: null,
  };
  if (current) await work.update(REMINDER_RUNS, { id: merchantId }, { ...set, ...released(due), fence: current.fence + 1 });
  else if (settings.enabled) work.insert(REMINDER_RUNS, { tenant_id: tenantId, id: merchantId, since_day: today, ...set, ...dueAt(due) });
  work.afterCommit(() => deps.scheduler.wake(REMINDERS_JOB, tenantId));
}

/** Moves the next run to the same local time of another time zone. */
export async function timeZoneChanged(
  deps: Dependencies,
  work: Work,
  { tenantId, merchantId, timeZone }: ChangeEvents['merchant.time-zone-changed'],
): Promise<void> {
  const current = await work.lockOne(REMINDER_RUNS, { id: merchantId });
  if (!current || current.due_ms === null) return;
  const due = nextRun(timesOf(current), timeZone, deps.clockOf(tenantId).now());
  await work.update(REMINDER_RUNS, { id: merchantId }, { ...released(due), fence: current.fence + 1 });
  work.afterCommit(() => deps.scheduler.wake(REMINDERS_JOB, tenantId));
}
