import type { Work } from '#core/database';
import { type Actor, type Currency, dateIn, isoTime, parseCurrency, ServiceError, step, type TenantTime, timeAfter } from '#core/kernel';
import type { Merchant } from '#core/merchants';
import { released } from '#core/platform/scheduling';
import { customerColumns, dueDateFrom, partiesOf, textOf, totalOf } from './create.ts';
import { type Dependencies, notifyScreens, OVERDUE_JOB } from './dependencies.ts';
import { dueMsOf } from './due-times.ts';
import { auditInvoice } from './events.ts';
import type { InvoiceChange } from './input.ts';
import type { Invoice } from './invoice.ts';
import { itemsFrom, itemsOf, storedItems } from './items.ts';
import { present, shown } from './read.ts';
import { lockInvoice } from './repository.ts';
import { INVOICES, type InvoiceRow } from './schema.ts';
import { INVOICE_STEPS, type InvoiceOperation } from './steps.ts';

/** Writes a changed invoice with the time at which it becomes overdue. Returns the new row. */
export async function keep(
  deps: Dependencies,
  work: Work,
  row: InvoiceRow,
  set: Partial<InvoiceRow>,
  merchant: Merchant,
  nowMs: number,
): Promise<InvoiceRow> {
  const next = { ...row, ...set, updated_at: isoTime(nowMs) };
  const whole = { ...next, ...released(dueMsOf(next, merchant.timezone)) };
  const { tenant_id, id, ...columns } = whole;
  await work.update(INVOICES, { id }, columns);
  notifyScreens(deps, work, tenant_id);
  work.afterCommit(() => deps.scheduler.wake(OVERDUE_JOB));
  return whole;
}

/** Locks an invoice, asks the table, writes what `plan` makes of it with its entry. */
export async function change(
  deps: Dependencies,
  actor: Actor,
  id: string,
  operation: InvoiceOperation,
  action: string,
  plan: (work: Work, row: InvoiceRow, now: TenantTime) => Promise<{ set: Partial<InvoiceRow>; more?: Record<string, unknown> }>,
): Promise<Invoice> {
  const { merchant } = await present(deps, actor, id);
  return deps.database.unitOfWork.run(actor.tenantId, async (work) => {
    const row = await lockInvoice(work, id);
    const status = step(INVOICE_STEPS, row.status, operation, { status: row.status });
    const now = timeAfter(deps.clockOf(actor.tenantId).now(), row.updated_at);
    const { set, more } = await plan(work, row, now);
    const next = await keep(deps, work, row, { status, ...set }, merchant, now);
    auditInvoice(deps, work, actor, action, row, next, more);
    return shown(deps, work, next, merchant);
  });
}

/** Changes a draft. INVOICE_ALREADY_PAID, INVOICE_CANCELLED, RESOURCE_CONFLICT for what is none any more. */
export async function update(deps: Dependencies, actor: Actor, id: string, input: InvoiceChange): Promise<Invoice> {
  const { row: known, merchant } = await present(deps, actor, id);
  step(INVOICE_STEPS, known.status, 'update', { status: known.status });
  const customerId = input.customerId ?? known.customer_id;
  const payer = input.customerId === undefined ? null : (await partiesOf(deps, actor, input.customerId, known.merchant_id)).payer;
  return change(deps, actor, id, 'update', 'updated', async (work, row, now) => {
    refuseUnderWay(row);
    if (payer !== null && customerId !== null) await deps.customers.lock(work, customerId);
    const today = dateIn(merchant.timezone, now);
    return {
      set: {
        ...askedFor(row, input),
        ...(payer === null ? {} : customerColumns(payer)),
        ...(input.dueDate === undefined ? {} : { due_date: dueDateFrom(input.dueDate, today) }),
        ...(input.note === undefined ? {} : { note: textOf(input.note) }),
        ...(input.description === undefined ? {} : { description: textOf(input.description) }),
        ...(input.allowPartial === undefined ? {} : { allow_partial: input.allowPartial ? 1 : 0 }),
      },
    };
  });
}

/** The amount with its currency and items, where any of them is changed. */
function askedFor(row: InvoiceRow, input: InvoiceChange): Partial<InvoiceRow> {
  if (input.amount === undefined && input.items === undefined && input.currency === undefined) return {};
  const before = row.currency as Currency;
  const currency = input.currency === undefined ? before : parseCurrency(input.currency);
  if (currency !== before && input.items === undefined && input.amount === undefined)
    throw new ServiceError('REQUIRED_FIELD_MISSING', 'A change of the currency requires the amount or the items again.', {
      field: 'amount',
    });
  if (currency !== before && input.items === undefined && row.items !== '[]')
    throw new ServiceError('REQUIRED_FIELD_MISSING', 'A change of the currency requires the items again.', { field: 'items' });
  const items = input.items === undefined ? itemsOf(row.items, before) : itemsFrom(input.items, currency);
  const stands = items.length === 0 && input.amount === undefined && currency === before;
  const amount_minor = stands ? row.amount_minor : totalOf(items, input.amount, currency).minor;
  return { currency, items: storedItems(items), amount_minor };
}

/**
 * Cancels an invoice; payments stay. @throws ServiceError INVOICE_ALREADY_PAID, INVOICE_CANCELLED; RESOURCE_CONFLICT while a payment is
 * under way.
 */
export function cancel(deps: Dependencies, actor: Actor, id: string, reason?: string): Promise<Invoice> {
  return change(deps, actor, id, 'cancel', 'cancelled', async (_, row, now) => {
    refuseUnderWay(row);
    return { set: { cancelled_at: isoTime(now), cancelled_by: actor.name, cancel_reason: textOf(reason) } };
  });
}

function refuseUnderWay(row: InvoiceRow): void {
  if (row.pending_minor === 0) return;
  throw new ServiceError('RESOURCE_CONFLICT', 'A payment of this invoice is pending. Wait for its outcome.', {
    details: { reason: 'payment_in_progress', invoiceId: row.id },
  });
}
