import type { Work } from '#core/database';
import { dateIn, isoTime, serviceActor, timeAfter } from '#core/kernel';
import type { ReminderStep } from '#core/processing/merchants';
import { type DailyRun, latestOf, OPEN, type Run } from '../daily-run.ts';
import { type Dependencies, notifyScreens } from '../dependencies.ts';
import { auditInvoice, emitReminder } from '../events.ts';
import type { MessageChannel } from '../input.ts';
import type { Recipient } from '../messages.ts';
import { addressesOf } from '../read.ts';
import { type InvoiceRow, REMINDER_RUNS, type ReminderRunRow } from '../schema.ts';
import { reminderMessage } from './message.ts';
import { dueDatesOn, nextRun, type ReminderFacts, runDayAt, scheduleOf, stepOn } from './schedule.ts';
import { INVOICE_REMINDERS, type InvoiceReminderRow, REMINDER_CHOICES, type ReminderChoiceRow } from './schema.ts';

const timesOf = ({ send_at, weekdays }: Pick<ReminderRunRow, 'send_at' | 'weekdays'>, country: string | null) => ({
  sendAt: send_at,
  weekdays: JSON.parse(weekdays) as number[],
  country,
});

/** Sends the reminders of a merchant on each working day at the local time of its settings. */
export const remindersRun = (deps: Dependencies): DailyRun<ReminderRunRow> => ({
  job: 'invoicing.reminders',
  table: REMINDER_RUNS,
  result: 'sent',
  // On a public holiday, the run does nothing: the country of the merchant can change.
  nextRun: (row, zone, nowMs) => nextRun(timesOf(row, null), zone, nowMs),
  dayAt: (row, { timezone, country }, nowMs) => runDayAt(timesOf(row, country), timezone, nowMs),
  dueDatesOn: ({ reminders }, day) => dueDatesOn(reminders, day),
  skipsClosedDays: false,
  async prepare(run) {
    const channels = await channelsOf(deps, run.tenantId);
    return (work, row) => remind(deps, work, run, row, channels);
  },
});

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

/** Sends the reminder of an invoice that is due now. The reminder is stored in the commit of its message. */
async function remind(
  deps: Dependencies,
  work: Work,
  { merchant, sinceDay }: Run,
  row: InvoiceRow,
  channels: ReadonlySet<MessageChannel>,
): Promise<boolean> {
  const { tenant_id: tenantId, id: invoiceId } = row;
  const now = timeAfter(deps.clockOf(tenantId).now(), row.updated_at);
  const day = dateIn(merchant.timezone, now);
  const choice = row.customer_id === null ? null : await work.one(REMINDER_CHOICES, { customer_id: row.customer_id });
  if (choice?.is_off === 1) return false;
  const sent = await work.find(INVOICE_REMINDERS, { invoice_id: invoiceId });
  const facts = factsOf(row, merchant.timezone, { sinceDay, choice }, sent);
  const step = facts && stepOn(facts, scheduleOf(merchant), day);
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
}
