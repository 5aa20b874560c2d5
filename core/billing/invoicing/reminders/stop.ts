import type { Work } from '#core/database';
import { type Actor, dateIn, isoTime, parseDate, ServiceError, serviceActor, type TenantTime, timeAfter } from '#core/kernel';
import type { ChangeEvents } from '#core/processing/domain-events';
import { OPEN } from '../daily-run.ts';
import { type Dependencies, notifyScreens } from '../dependencies.ts';
import { auditInvoice, emitPromise } from '../events.ts';
import { findInvoice, loadInvoice } from '../read.ts';
import type { Invoice } from '../records.ts';
import { findPaymentByTransaction, lockInvoice } from '../repository.ts';
import { INVOICE_PAYMENTS, INVOICES, type InvoiceRow } from '../schema.ts';
import { afterWonDispute, disputedColumns, endBeforeDispute, NO_PROMISE, NOT_STOPPED, stoppedColumns } from './columns.ts';
import { REMINDER_CHOICES } from './schema.ts';

/** Largest number of days until a promised date. */
const PROMISE_DAYS_MAX = 366;
const DAY_MS = 86_400_000;

/** Locks an unpaid invoice or a draft and changes the columns of its reminders. @throws ServiceError INVOICE_NOT_FOUND, RESOURCE_CONFLICT. */
async function changeReminders(
  deps: Dependencies,
  actor: Actor,
  id: string,
  action: string,
  plan: (row: InvoiceRow, now: TenantTime, zone: string, work: Work) => Partial<InvoiceRow> | Promise<Partial<InvoiceRow>>,
  after: (work: Work, row: InvoiceRow, now: TenantTime) => void = () => {},
): Promise<Invoice> {
  const { merchant } = await findInvoice(deps, actor, id);
  return deps.database.unitOfWork.transaction(actor.tenantId, async (work) => {
    const row = await lockInvoice(work, id);
    checkOpenInvoice(row, action);
    const now = timeAfter(deps.clockOf(actor.tenantId).now(), row.updated_at);
    const set = { ...(await plan(row, now, merchant.timezone, work)), updated_at: isoTime(now) };
    await work.update(INVOICES, { id }, set);
    const next = { ...row, ...set };
    auditInvoice(deps, work, actor, action, row, next);
    after(work, next, now);
    notifyScreens(deps, work, row);
    return loadInvoice(deps, work, next, merchant);
  });
}

/** Changes that are possible before an invoice is sent. */
const FOR_DRAFTS: readonly string[] = ['reminders_stopped', 'reminders_resumed'];

function checkOpenInvoice({ kind, status, id }: InvoiceRow, action: string): void {
  const isPossible = (OPEN as readonly string[]).includes(status) || (status === 'draft' && FOR_DRAFTS.includes(action));
  if (kind === 'invoice' && isPossible) return;
  throw new ServiceError('RESOURCE_CONFLICT', 'Only an invoice that was sent and is not fully paid has reminders.', {
    details: { reason: 'not_open', invoiceId: id },
  });
}

/**
 * Ends the reminders of an invoice by hand, or because the customer disputes it. A dispute, an installment plan and the deletion of the customer remain the
 * reason, because late fees depend on it.
 */
export const stop = (deps: Dependencies, actor: Actor, id: string, reason: 'manual' | 'dispute'): Promise<Invoice> =>
  changeReminders(deps, actor, id, 'reminders_stopped', ({ reminders_stop_reason: before }, now) => {
    const stopped = stoppedColumns(reason, actor.name, isoTime(now));
    if (before === 'dispute' && reason === 'manual') return endBeforeDispute(stopped);
    return before === 'customer_deleted' || (reason === 'manual' && before === 'installments') ? {} : stopped;
  });

/** Continues the reminders of an invoice with those of today and later. @throws ServiceError RESOURCE_CONFLICT if its customer was deleted or its installment plan is open. */
export const resume = (deps: Dependencies, actor: Actor, id: string): Promise<Invoice> =>
  changeReminders(deps, actor, id, 'reminders_resumed', async (row, now, zone, work) => {
    const refuse = (why: string, message: string) =>
      new ServiceError('RESOURCE_CONFLICT', message, { details: { reason: why, invoiceId: id } });
    if (row.reminders_stop_reason === 'customer_deleted') throw refuse('customer_deleted', 'The customer of this invoice was deleted.');
    if ((await deps.invoicesInInstallments(work, [id])).length > 0)
      throw refuse('installment_plan', 'This invoice is paid in installments. Cancel the plan before you continue its reminders.');
    return { ...NOT_STOPPED, ...(row.reminders_stopped_at !== null && { reminders_since_day: dateIn(zone, now) }) };
  });

/** Records the day by which the customer promised to pay. No reminder is sent until it has passed. @throws ServiceError INVALID_DATE. */
export function promise(
  deps: Dependencies,
  actor: Actor,
  id: string,
  { date, by }: { readonly date: string; readonly by: string },
): Promise<Invoice> {
  parseDate(date, 'date');
  return changeReminders(
    deps,
    actor,
    id,
    'promised',
    (_row, now, zone) => {
      const today = dateIn(zone, now);
      if (date < today || Date.parse(date) > Date.parse(today) + PROMISE_DAYS_MAX * DAY_MS)
        throw new ServiceError('VALIDATION_ERROR', `\`date\` must be from today, ${today}, to a year later.`, { field: 'date' });
      return { promised_date: date, promised_by: by.trim(), promised_at: isoTime(now), promise_recorded_by: actor.name };
    },
    (work, row, now) => emitPromise(deps, work, row, now),
  );
}

/** Removes a promise. Reminders of today and later follow. */
export const withdrawPromise = (deps: Dependencies, actor: Actor, id: string): Promise<Invoice> =>
  changeReminders(deps, actor, id, 'promise_withdrawn', (row, now, zone) => ({
    ...NO_PROMISE,
    ...(row.promised_date !== null && { reminders_since_day: dateIn(zone, now) }),
  }));

/** Ends the reminders of an invoice whose payment was disputed, also of a paid one: it is open again if another payment is taken back. */
export async function paymentDisputed(
  deps: Dependencies,
  work: Work,
  { tenantId, transactionId }: ChangeEvents['payment.disputed'],
): Promise<void> {
  const payment = await findPaymentByTransaction(work, transactionId);
  if (!payment) return;
  const row = await lockInvoice(work, payment.invoice_id);
  if (row.status === 'cancelled' || row.reminders_stop_reason === 'dispute' || row.reminders_stop_reason === 'customer_deleted') return;
  const actor = serviceActor(tenantId);
  const now = timeAfter(deps.clockOf(tenantId).now(), row.updated_at);
  const set = { ...disputedColumns(row, actor.name, isoTime(now)), updated_at: isoTime(now) };
  await work.update(INVOICES, { id: row.id }, set);
  auditInvoice(deps, work, actor, 'reminders_stopped', row, { ...row, ...set });
  notifyScreens(deps, work, row);
}

/**
 * Continues the reminders of an invoice, with those of today and later, after all disputes of its payments were won, unless a person ended them as disputed or
 * another reason remains.
 */
export async function disputeWon(deps: Dependencies, work: Work, event: ChangeEvents['payment.dispute-won']): Promise<void> {
  const { tenantId, transactionId } = event;
  const payment = await findPaymentByTransaction(work, transactionId);
  if (!payment) return;
  const row = await lockInvoice(work, payment.invoice_id);
  const actor = serviceActor(tenantId);
  if (row.reminders_stop_reason !== 'dispute' || row.reminders_stopped_by !== actor.name) return;
  const payments = await work.find(INVOICE_PAYMENTS, { invoice_id: row.id });
  const transactionIds = payments.flatMap(({ transaction_id: id }) => id ?? []);
  if (await deps.isAnyDisputed(work, transactionIds)) return;
  const { timezone } = await deps.merchants.merchantFor({ tenantId, merchantId: null }, row.merchant_id);
  const now = timeAfter(deps.clockOf(tenantId).now(), row.updated_at);
  const set = { ...afterWonDispute(row), reminders_since_day: dateIn(timezone, now), updated_at: isoTime(now) };
  await work.update(INVOICES, { id: row.id }, set);
  if (set.reminders_stopped_at === null) auditInvoice(deps, work, actor, 'reminders_resumed', row, { ...row, ...set });
  notifyScreens(deps, work, row);
}

/** Removes the choices of a deleted customer, and ends the reminders of its invoices. */
export async function customerDeleted(
  deps: Dependencies,
  work: Work,
  { actor, customerId }: ChangeEvents['customer.deleted'],
): Promise<void> {
  await work.delete(REMINDER_CHOICES, { customer_id: customerId });
  const at = isoTime(deps.clockOf(actor.tenantId).now());
  const stopped = stoppedColumns('customer_deleted', actor.name, at);
  await work.update(INVOICES, { customer_id: customerId, reminders_stopped_at: null }, stopped);
  for (const reason of ['manual', 'payment'] as const)
    await work.update(INVOICES, { customer_id: customerId, reminders_stop_reason: reason }, stopped);
  await work.update(INVOICES, { customer_id: customerId, reminders_stop_reason: 'dispute' }, endBeforeDispute(stopped));
}
