import { queriesOn, type Read, TENANT } from '#core/database';
import { type Actor, addDays, dateIn, isoTime } from '#core/kernel';
import type { Merchant, ReminderSettings } from '#core/processing/merchants';
import { messageStates, withFooter } from '#core/records/notifications';
import { LANGUAGE_CODES, type Language } from '#shared/languages';
import { OPEN, sinceDayOf } from '../daily-run.ts';
import type { Dependencies } from '../dependencies.ts';
import type { MessageChannel } from '../input.ts';
import { payEmail } from '../invoice-email.ts';
import { firstOf, unpaidForPreview } from '../previews.ts';
import { findInvoice } from '../read.ts';
import { INVOICES, type InvoiceRow, REMINDER_RUNS } from '../schema.ts';
import { reminderText, smsText } from './message.ts';
import type { InvoiceReminders, ReminderChoice, ReminderPreview } from './records.ts';
import { channelsOf, factsOf, recipientOf } from './run.ts';
import { lifeOf, nextReminder, type PlannedReminder, type Schedule, scheduleOf } from './schedule.ts';
import { INVOICE_REMINDERS, REMINDER_CHOICES } from './schema.ts';

const queries = queriesOn(INVOICE_REMINDERS, REMINDER_CHOICES);

/** Days until the due date of the invoice of a preview. */
const SAMPLE_DUE_IN_DAYS = 30;

/** Paths of links in messages of a preview. */
const SAMPLE_PATHS = { email: '/pay/k7m2x9qd', sms: '/s/k7m2x9qd' };

const toPlanned = ({ step, atMs }: PlannedReminder) => ({ days: step.days, at: isoTime(atMs), channel: step.channel });

/** Returns the reminders of an invoice: sent ones and the next one. @throws ServiceError INVOICE_NOT_FOUND, MERCHANT_NOT_AUTHORIZED. */
export async function remindersOf(deps: Dependencies, actor: Actor, id: string): Promise<InvoiceReminders> {
  const { row, merchant } = await findInvoice(deps, actor, id);
  const read = deps.database.read(actor.tenantId);
  const [reminders, run, choice] = await Promise.all([
    read.find(INVOICE_REMINDERS, { invoice_id: id }),
    read.one(REMINDER_RUNS, { id: row.merchant_id }),
    choiceRow(read, row.customer_id),
  ]);
  const states = await messageStates(
    read,
    reminders.map((reminder) => reminder.message_id),
  );
  const sent = reminders
    .toSorted((left, right) => left.days - right.days)
    .map(({ days, channel, recipient, message_id, created_at }) => {
      const state = states.get(message_id);
      return {
        days,
        channel,
        to: recipient,
        at: created_at,
        messageId: message_id,
        ...(state ?? { status: 'sent' as const, error: null, sentAt: null, answer: null }),
      };
    });
  const isOn = merchant.reminders.enabled && merchant.deletedAt === null && run !== null && run.due_ms !== null;
  const facts =
    run === null ? null : factsOf(row, merchant.timezone, { sinceDay: await sinceDayOf(deps, run, merchant.timezone), choice }, reminders);
  const now = deps.clockOf(actor.tenantId).now();
  const planned =
    !isOn || facts === null || choice?.is_off === 1 ? null : nextReminder(facts, scheduleOf(merchant), merchant.timezone, now);
  const recipient = planned && recipientOf(row, planned.step, await channelsOf(deps, actor.tenantId));
  return { invoiceId: id, sent, state: stateOf(), next: planned && recipient && { ...toPlanned(planned), channel: recipient.channel } };

  function stateOf(): InvoiceReminders['state'] {
    if (row.reminders_stopped_at !== null && (isOpen(row) || row.status === 'draft')) return 'stopped';
    if (!isOn) return 'off';
    if (!isOpen(row)) return 'done';
    if (choice?.is_off === 1) return 'customer_off';
    if (row.promised_date !== null && row.promised_date >= dateIn(merchant.timezone, now)) return 'promised';
    if (planned === null) return 'done';
    return recipient === null ? 'no_recipient' : 'scheduled';
  }
}

/** Returns why the message of a reminder must not be sent any more: its invoice was paid, disputed, promised or canceled meanwhile; null if it may be sent. */
export async function needless(
  deps: Dependencies,
  tenantId: string,
  invoiceId: string,
  { id: messageId }: { readonly id: string },
): Promise<string | null> {
  const read = deps.database.read(tenantId);
  const [reminder] = await read.find(INVOICE_REMINDERS, { invoice_id: invoiceId, message_id: messageId });
  if (!reminder) return null;
  const row = await read.one(INVOICES, { id: invoiceId });
  const choice = await choiceRow(read, row?.customer_id ?? null);
  const isDue = row !== null && isOpen(row) && row.reminders_stopped_at === null && row.pending_minor === 0;
  const isPromised = row !== null && row.promised_date !== null && row.promised_date >= reminder.day;
  return isDue && !isPromised && choice?.is_off !== 1 ? null : 'The invoice needs no reminder any more.';
}

const isOpen = ({ status, kind }: InvoiceRow) => kind === 'invoice' && (OPEN as readonly string[]).includes(status);

const choiceRow = (read: Read, customerId: string | null) =>
  customerId === null ? Promise.resolve(null) : read.one(REMINDER_CHOICES, { customer_id: customerId });

/** Returns the reminders of one invoice with the given settings, and the unpaid invoices that would be reminded first. */
export async function preview(
  deps: Dependencies,
  actor: Actor,
  merchantId: string,
  change: Partial<ReminderSettings>,
  dueInDays = SAMPLE_DUE_IN_DAYS,
): Promise<ReminderPreview> {
  const merchant = await deps.merchants.merchantFor(actor, merchantId);
  const settings = { ...scheduleOf(merchant), ...change };
  const { timezone: zone } = merchant;
  const read = deps.database.read(actor.tenantId);
  const now = deps.clockOf(actor.tenantId).now();
  const today = dateIn(zone, now);
  const dueDate = addDays(today, dueInDays);
  const life = lifeOf({ dueDate, sentDay: today, promisedDate: null, sinceDay: today }, settings, zone);
  const run = await read.one(REMINDER_RUNS, { id: merchantId });
  const sinceDay = run !== null && run.due_ms !== null ? await sinceDayOf(deps, run, zone) : today;
  const channels = await channelsOf(deps, actor.tenantId);
  return {
    life: life.map((planned) => ({
      ...toPlanned(planned),
      day: dateIn(zone, planned.atMs),
      texts: textsOf(deps, merchant, planned, dueDate),
    })),
    dueDate,
    isLocalOnly: merchant.isLocalOnly,
    ...(await firstReminders(read, { merchant, settings, sinceDay, channels, now })),
  };
}

function textsOf({ merchants, sampleFooter }: Dependencies, merchant: Merchant, { step, atMs }: PlannedReminder, dueDate: string) {
  const sample = {
    number: 'INV-000042',
    due_date: dueDate,
    customer_name: 'Ines Brandt',
    customer_company: null,
    amount_minor: 12_500,
    paid_minor: 0,
    late_fee_minor: 0,
    currency: merchant.currency,
  };
  return LANGUAGE_CODES.map((language) => {
    const { subject, lines } = reminderText(sample, merchant, step, { language, day: dateIn(merchant.timezone, atMs) });
    const url = merchants.pageUrl(merchant, SAMPLE_PATHS[step.channel]);
    if (step.channel === 'sms') return { language, subject: null, message: smsText(lines, url) };
    const { body } = payEmail(sample, merchant, { subject, lines, url, language });
    return { language, subject, message: withFooter(body, sampleFooter(merchant, language)) };
  });
}

interface FirstRequest {
  readonly merchant: Merchant;
  readonly settings: Schedule;
  readonly sinceDay: string;
  readonly channels: ReadonlySet<MessageChannel>;
  readonly now: number;
}

async function firstReminders(read: Read, { merchant, settings, sinceDay, channels, now }: FirstRequest) {
  const unpaid = await unpaidForPreview(read, merchant.merchantId, addDays(dateIn(merchant.timezone, now), -400));
  const customerIds = [...new Set(unpaid.rows.flatMap(({ customer_id: id }) => (id === null ? [] : [id])))];
  const invoiceIds = unpaid.rows.map(({ id }) => id);
  const [choices, sent] = await Promise.all([
    customerIds.length === 0
      ? []
      : read.rows(
          queries.selectFrom('reminder_choices').selectAll().where('tenant_id', '=', TENANT).where('customer_id', 'in', customerIds),
        ),
    invoiceIds.length === 0
      ? []
      : read.rows(
          queries.selectFrom('invoice_reminders').selectAll().where('tenant_id', '=', TENANT).where('invoice_id', 'in', invoiceIds),
        ),
  ]);
  const choiceByCustomer = new Map(choices.map((choice) => [choice.customer_id, choice]));
  return firstOf(unpaid, (row) => {
    const choice = row.customer_id === null ? null : choiceByCustomer.get(row.customer_id);
    if (choice?.is_off === 1) return null;
    const reminders = sent.filter(({ invoice_id }) => invoice_id === row.id);
    const facts = factsOf(row, merchant.timezone, { sinceDay, choice }, reminders);
    const planned = facts && nextReminder(facts, settings, merchant.timezone, now);
    const recipient = planned && recipientOf(row, planned.step, channels);
    if (!facts || !planned || !recipient) return null;
    const next = { ...toPlanned(planned), channel: recipient.channel };
    return { dueDate: facts.dueDate, at: next.at, next };
  });
}

/** Returns the choices of a customer about reminders. @throws ServiceError CUSTOMER_NOT_FOUND. */
export async function choiceOf(deps: Dependencies, actor: Actor, customerId: string): Promise<ReminderChoice> {
  await deps.customers.payer(actor, customerId);
  const row = await choiceRow(deps.database.read(actor.tenantId), customerId);
  return { customerId, enabled: row?.is_off !== 1, language: row?.language ?? null };
}

/** Returns the language that was chosen for a customer; null for none. */
export const languageOf = async (
  deps: Pick<Dependencies, 'database'>,
  tenantId: string,
  customerId: string | null,
): Promise<Language | null> => (await choiceRow(deps.database.read(tenantId), customerId))?.language ?? null;

/** Changes the choices of a customer. @throws ServiceError CUSTOMER_NOT_FOUND. */
export async function choose(
  deps: Dependencies,
  actor: Actor,
  customerId: string,
  change: Partial<Pick<ReminderChoice, 'enabled' | 'language'>>,
): Promise<ReminderChoice> {
  const { merchantId } = await deps.customers.payer(actor, customerId);
  const { tenantId } = actor;
  const { timezone } = await deps.merchants.merchantFor(actor, merchantId);
  return deps.database.unitOfWork.transaction(tenantId, async (work) => {
    await deps.customers.lock(work, customerId);
    const row = await work.one(REMINDER_CHOICES, { customer_id: customerId });
    const before = { enabled: row?.is_off !== 1, language: row?.language ?? null };
    const after = { ...before, ...change };
    const now = deps.clockOf(tenantId).now();
    const columns = {
      is_off: after.enabled ? 0 : 1,
      since_day: after.enabled && !before.enabled ? dateIn(timezone, now) : (row?.since_day ?? null),
      language: after.language,
      updated_at: isoTime(now),
    };
    if (row) await work.update(REMINDER_CHOICES, { customer_id: customerId }, columns);
    else work.insert(REMINDER_CHOICES, { tenant_id: tenantId, customer_id: customerId, ...columns });
    deps.audit(work, { actor, action: 'customer.reminders_changed', resource: `customers/${customerId}`, merchantId, before, after });
    work.afterCommit(() => deps.changed(tenantId, 'customers', merchantId));
    return { customerId, ...after };
  });
}
