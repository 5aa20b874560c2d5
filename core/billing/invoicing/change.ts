import type { Work } from '#core/database';
import {
  type Actor,
  type Currency,
  dateIn,
  isoTime,
  money,
  newId,
  parseCurrency,
  parseCurrentCurrency,
  ServiceError,
  step,
  storedCurrency,
  type TenantTime,
  timeAfter,
} from '#core/kernel';
import { released } from '#core/platform/scheduling';
import type { ChangeEvents } from '#core/processing/domain-events';
import type { Merchant } from '#core/processing/merchants';
import { taxFrom } from '#core/sales/payments';
import { isUnpaid, unpaidMinor } from './balance.ts';
import { customerColumns, dueDateFrom, partiesOf, totalOf, trimmedOrNull } from './create.ts';
import { type Dependencies, notifyScreens, OVERDUE_JOB } from './dependencies.ts';
import { overdueAtMs } from './due-times.ts';
import { auditInvoice } from './events.ts';
import { invoiceWritten } from './hosted-page-state/wake.ts';
import type { InvoiceChange } from './input.ts';
import { itemsFrom, itemsOf, storedItems, withItems } from './items.ts';
import { storePayerNames } from './payer-names.ts';
import { findInvoice, loadInvoice } from './read.ts';
import type { Invoice } from './records.ts';
import { lockInvoice } from './repository.ts';
import { INVOICE_PAYMENTS, INVOICES, type InvoiceRow, type InvoiceStatus } from './schema.ts';
import { INVOICE_STEPS, type InvoiceOperation } from './steps.ts';

/** Writes a changed invoice with the time at which it becomes overdue, and publishes the change. Returns the new row. */
export async function writeInvoice(
  deps: Dependencies,
  work: Work,
  row: InvoiceRow,
  set: Partial<InvoiceRow>,
  merchant: Merchant,
  now: TenantTime,
  payment: ChangeEvents['invoice.changed']['payment'] = null,
): Promise<InvoiceRow> {
  const next = { ...row, ...set, updated_at: isoTime(now) };
  const whole = { ...next, ...released(overdueAtMs(next, merchant.timezone)), unpaid_minor: unpaidMinor(next) };
  const { tenant_id, id, ...columns } = whole;
  await work.update(INVOICES, { id }, columns);
  const isNewlyUnpaid = isUnpaid(whole) && !isUnpaid(row);
  // The names of a deleted customer were erased.
  if (isNewlyUnpaid && !(await deps.customers.isDeleted(work, whole.customer_id ?? ''))) storePayerNames(work, whole);
  postLateFees(deps, work, row, whole, merchant, now);
  await invoiceWritten(deps, work, whole);
  notifyScreens(deps, work, row);
  work.afterCommit(() => deps.scheduler.wake(OVERDUE_JOB, tenant_id));
  await deps.events.publish(work, 'invoice.changed', {
    tenantId: tenant_id,
    invoiceId: id,
    merchantId: whole.merchant_id,
    customerId: whole.customer_id,
    currency: whole.currency,
    amountMinor: whole.amount_minor,
    paidMinor: whole.paid_minor,
    isPaid: whole.status === 'paid',
    isCancelled: whole.status === 'cancelled',
    atMs: now,
    payment,
  });
  return whole;
}

/** Returns the late fees that are paid, in minor units: they are paid last. */
const paidFees = ({ paid_minor: paid, amount_minor: amount, late_fee_minor: fees }: InvoiceRow): number =>
  Math.max(0, paid - (amount - fees));

/** Posts the late fees that a change of the paid amount paid, or no longer pays, as an income of their own. */
function postLateFees(deps: Dependencies, work: Work, before: InvoiceRow, after: InvoiceRow, merchant: Merchant, now: TenantTime): void {
  const difference = paidFees(after) - paidFees(before);
  if (difference === 0) return;
  deps.post(work, {
    tenantId: after.tenant_id,
    merchantId: after.merchant_id,
    id: newId('lfe', now),
    kind: difference > 0 ? 'late_fee' : 'late_fee_reversed',
    amount: money(Math.abs(difference), storedCurrency(after.currency)),
    subjectId: after.id,
    day: dateIn(merchant.timezone, now),
    at: isoTime(now),
  });
}

/** Returns the status after an operation. @throws ServiceError INVOICE_ALREADY_PAID, INVOICE_CANCELLED, RESOURCE_CONFLICT. */
export function checkChange(row: InvoiceRow, operation: InvoiceOperation, now: TenantTime): InvoiceStatus {
  const status = step<InvoiceStatus, InvoiceOperation>(INVOICE_STEPS, row.status, operation, { status: row.status });
  if (operation === 'update' || operation === 'cancel') refuseWhilePending(row);
  if (operation === 'send' && row.expires_ms !== null && row.expires_ms <= now)
    throw new ServiceError('RESOURCE_CONFLICT', 'This link has expired. Create another one.', { details: { reason: 'expired' } });
  return status;
}

/** Locks an invoice, checks the operation, applies the changes of `planChange` and writes the audit entry. */
export async function change(
  deps: Dependencies,
  actor: Actor,
  id: string,
  operation: InvoiceOperation,
  action: string,
  planChange: (work: Work, row: InvoiceRow, now: TenantTime) => Promise<{ set: Partial<InvoiceRow>; more?: Record<string, unknown> }>,
): Promise<Invoice> {
  const { merchant } = await findInvoice(deps, actor, id);
  return deps.database.unitOfWork.transaction(actor.tenantId, async (work) => {
    const row = await lockInvoice(work, id);
    const now = timeAfter(deps.clockOf(actor.tenantId).now(), row.updated_at);
    const status = checkChange(row, operation, now);
    const { set, more: auditDetails } = await planChange(work, row, now);
    const next = await writeInvoice(deps, work, row, { status, ...set }, merchant, now);
    auditInvoice(deps, work, actor, action, row, next, auditDetails);
    return loadInvoice(deps, work, next, merchant);
  });
}

/**
 * Changes a draft. @throws ServiceError INVOICE_ALREADY_PAID, INVOICE_CANCELLED; RESOURCE_CONFLICT for an invoice that is no longer a
 * draft.
 */
export async function update(deps: Dependencies, actor: Actor, id: string, input: InvoiceChange): Promise<Invoice> {
  const { row: current, merchant } = await findInvoice(deps, actor, id);
  step(INVOICE_STEPS, current.status, 'update', { status: current.status });
  const customerId = input.customerId ?? current.customer_id;
  const payer = input.customerId === undefined ? null : (await partiesOf(deps, actor, input.customerId, current.merchant_id)).payer;
  const currency = input.currency === undefined ? (current.currency as Currency) : parseCurrency(input.currency);
  const items = input.items && (await withItems(deps.database.read(actor.tenantId), current.merchant_id, input.items, currency));
  return change(deps, actor, id, 'update', 'updated', async (work, row, now) => {
    if (payer !== null && customerId !== null) await deps.customers.lock(work, customerId);
    if (customerId !== row.customer_id) await refuseAfterPayment(work, id);
    const today = dateIn(merchant.timezone, now);
    return {
      set: {
        ...amountChanges(row, { ...input, ...(items && { items }) }),
        ...(input.purchaseOrderNumber === undefined ? {} : { purchase_order_number: trimmedOrNull(input.purchaseOrderNumber) }),
        ...(payer === null ? {} : customerColumns(payer)),
        ...(input.dueDate === undefined ? {} : { due_date: dueDateFrom(input.dueDate, today) }),
        ...(input.note === undefined ? {} : { note: trimmedOrNull(input.note) }),
        ...(input.description === undefined ? {} : { description: trimmedOrNull(input.description) }),
        ...(input.allowPartial === undefined ? {} : { allow_partial: input.allowPartial ? 1 : 0 }),
        ...(input.collectShippingAddress === undefined ? {} : { collect_shipping: input.collectShippingAddress ? 1 : 0 }),
      },
    };
  });
}

/** @throws ServiceError RESOURCE_CONFLICT if a payment of the invoice moved money: the statements of its customer contain it. */
async function refuseAfterPayment(work: Work, invoiceId: string): Promise<void> {
  const payments = await work.find(INVOICE_PAYMENTS, { invoice_id: invoiceId });
  if (!payments.some(({ status }) => status === 'succeeded' || status === 'voided')) return;
  throw new ServiceError('RESOURCE_CONFLICT', 'The customer of this invoice has paid it before. Cancel it and create another one.', {
    field: 'customerId',
    details: { reason: 'paid_before', invoiceId },
  });
}

/** Returns the changed amount, tax, currency and items; empty if none of them changes. */
function amountChanges(row: InvoiceRow, input: InvoiceChange): Partial<InvoiceRow> {
  const { taxAmount } = input;
  if (input.amount === undefined && input.items === undefined && input.currency === undefined && taxAmount === undefined) return {};
  const before = row.currency as Currency;
  const currency = input.currency === undefined || input.currency === before ? before : parseCurrentCurrency(input.currency);
  if (currency !== before && input.items === undefined && input.amount === undefined)
    throw new ServiceError('REQUIRED_FIELD_MISSING', 'A change of the currency requires the amount or the items again.', {
      field: 'amount',
    });
  if (currency !== before && input.items === undefined && row.items !== '[]')
    throw new ServiceError('REQUIRED_FIELD_MISSING', 'A change of the currency requires the items again.', { field: 'items' });
  const items = input.items === undefined ? itemsOf(row.items, before) : itemsFrom(input.items, currency);
  const isUnchanged = items.length === 0 && input.amount === undefined && currency === before;
  const amount_minor = isUnchanged ? row.amount_minor : totalOf(items, input.amount, currency).minor;
  const tax_minor = taxFrom(taxAmount, money(amount_minor, currency), row.tax_minor);
  return { currency, items: storedItems(items), amount_minor, tax_minor };
}

/**
 * Cancels an invoice; payments stay. @throws ServiceError INVOICE_ALREADY_PAID, INVOICE_CANCELLED; RESOURCE_CONFLICT while a payment is
 * pending.
 */
export function cancel(deps: Dependencies, actor: Actor, id: string, reason?: string): Promise<Invoice> {
  return change(deps, actor, id, 'cancel', 'cancelled', async (_work, _row, now) => ({
    set: { cancelled_at: isoTime(now), cancelled_by: actor.name, cancel_reason: trimmedOrNull(reason) },
  }));
}

function refuseWhilePending(row: InvoiceRow): void {
  if (row.pending_minor === 0) return;
  throw new ServiceError('RESOURCE_CONFLICT', 'A payment of this invoice is pending. Wait for its outcome.', {
    details: { reason: 'payment_in_progress', invoiceId: row.id },
  });
}
