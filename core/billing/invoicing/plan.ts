import type { Work } from '#core/database';
import { type Caller, type Currency, isoTime, ServiceError, serviceActor, step, timeAfter } from '#core/kernel';
import type { Merchant } from '#core/processing/merchants';
import { writeInvoice } from './change.ts';
import type { Dependencies } from './dependencies.ts';
import { auditInvoice } from './events.ts';
import { addressesOf, findInvoice } from './read.ts';
import { endBeforeDispute, stoppedColumns } from './reminders/columns.ts';
import { lockInvoice } from './repository.ts';
import { INVOICES, type InvoiceRow } from './schema.ts';
import { INVOICE_STEPS } from './steps.ts';

/** Balance of an open invoice that is to be paid in installments. Amounts are in minor units. */
export interface InvoiceBalance {
  readonly invoiceId: string;
  readonly merchantId: string;
  readonly customerId: string;
  readonly currency: Currency;
  readonly dueMinor: number;
  readonly paidMinor: number;
}

/**
 * Returns the balance of an invoice of a customer without pending payments. @throws ServiceError INVOICE_ALREADY_PAID, INVOICE_CANCELLED;
 * RESOURCE_CONFLICT with the reasons `no_customer` and `payment_in_progress`.
 */
function toBalance(row: InvoiceRow): InvoiceBalance {
  step(INVOICE_STEPS, row.status, 'pay', { status: row.status });
  const { id: invoiceId, customer_id: customerId } = row;
  if (customerId === null || row.kind !== 'invoice')
    throw new ServiceError('RESOURCE_CONFLICT', 'Only an invoice of a customer can be paid in installments.', {
      details: { reason: 'no_customer', invoiceId },
    });
  if (row.pending_minor > 0)
    throw new ServiceError('RESOURCE_CONFLICT', 'A payment of this invoice is pending. Wait for its outcome.', {
      details: { reason: 'payment_in_progress', invoiceId },
    });
  return {
    invoiceId,
    merchantId: row.merchant_id,
    customerId,
    currency: row.currency as Currency,
    dueMinor: row.amount_minor - row.paid_minor,
    paidMinor: row.paid_minor,
  };
}

/** Returns the balance of an invoice that the caller may access. @throws ServiceError INVOICE_NOT_FOUND, and those of `toBalance`. */
export async function balanceOf(deps: Dependencies, actor: Caller, id: string): Promise<{ balance: InvoiceBalance; merchant: Merchant }> {
  const { row, merchant } = await findInvoice(deps, actor, id);
  return { balance: toBalance(row), merchant };
}

/** Same as `balanceOf`, with the invoice locked until the end of the unit of work. */
export async function lockBalance(work: Work, id: string): Promise<InvoiceBalance> {
  return toBalance(await lockInvoice(work, id));
}

/**
 * Moves the due date of a locked invoice to a later date, so that it is not overdue while its installments are paid in time, and ends its reminders, because
 * each installment has its own date.
 */
export async function extendDueDate(deps: Dependencies, work: Work, id: string, lastDate: string): Promise<void> {
  const row = await lockInvoice(work, id);
  const { tenant_id: tenantId } = row;
  const inInstallments = stoppedColumns('installments', 'service', isoTime(deps.clockOf(tenantId).now()));
  const stopped = row.reminders_stop_reason === 'dispute' ? endBeforeDispute(inInstallments) : inInstallments;
  if (row.due_date === null || row.due_date >= lastDate) {
    await work.update(INVOICES, { id }, stopped);
    return;
  }
  const merchant = await deps.merchants.merchantFor({ tenantId, merchantId: null }, row.merchant_id);
  const now = timeAfter(deps.clockOf(tenantId).now(), row.updated_at);
  const open = row.paid_minor > 0 ? 'partially_paid' : 'sent';
  const set = { ...stopped, due_date: lastDate, ...(row.status === 'overdue' && ({ status: open, overdue_at: null } as const)) };
  const next = await writeInvoice(deps, work, row, set, merchant, now);
  auditInvoice(deps, work, serviceActor(tenantId), 'due_date_extended', row, next);
}

/** Returns the address of an invoice's pay page; null if it opens on this computer only. */
export async function payAddress(deps: Dependencies, work: Work, id: string): Promise<string | null> {
  const row = await lockInvoice(work, id);
  const merchant = await deps.merchants.merchantFor({ tenantId: row.tenant_id, merchantId: null }, row.merchant_id);
  const { url, isLocalOnly } = addressesOf(deps, merchant, row);
  return isLocalOnly ? null : url;
}
