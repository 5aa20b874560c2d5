import type { Work } from '#core/database';
import { type Actor, type Currency, dateIn, money, ServiceError } from '#core/kernel';
import type { Merchant } from '#core/processing/merchants';
import { payableAmount } from './balance.ts';
import type { Dependencies } from './dependencies.ts';
import { receivePayment } from './manual-payment.ts';
import { NOT_STOPPED } from './reminders/columns.ts';
import { invoiceNotFound } from './repository.ts';
import { INVOICE_PAYMENTS, INVOICES, type InvoiceRow } from './schema.ts';
import { removePayment } from './settle.ts';

/** Name and place of the tender of a bank transfer. No shift has this drawer, so no Z report counts it. */
const BANK_TRANSFER = { kind: 'other', reference: 'Bank transfer', drawer: 'Bank transfer' } as const;
const UNDONE = 'The match with the bank line was undone.';

/** A part of a bank line that pays an invoice. */
export interface BankTransfer {
  readonly invoiceId: string;
  readonly currency: string;
  readonly amountMinor: number;
  /** Reference of the bank. */
  readonly reference: string | null;
}

/**
 * Records the payment of an invoice by a bank transfer, in the unit of work of the match. Returns its tender. @throws ServiceError INVOICE_NOT_FOUND, also
 * for an invoice of another merchant; RESOURCE_CONFLICT if the invoice cannot be paid any more or has another currency; INVALID_AMOUNT (422) above
 * the amount that can be paid.
 */
export async function receiveTransfer(
  deps: Dependencies,
  work: Work,
  actor: Actor,
  merchant: Merchant,
  { invoiceId, currency, amountMinor, reference }: BankTransfer,
): Promise<string> {
  const row = await work.lockOne(INVOICES, { id: invoiceId, merchant_id: merchant.merchantId });
  if (!row) throw invoiceNotFound(invoiceId);
  checkReceivable(row, currency, amountMinor);
  const amount = money(amountMinor, currency as Currency);
  const payment = { method: 'bank_transfer', amount, tender: BANK_TRANSFER, reference, note: null } as const;
  return (await receivePayment(deps, work, actor, merchant, row, payment)).tenderId;
}

function checkReceivable(row: InvoiceRow, currency: string, amountMinor: number): void {
  const { id: invoiceId, number, status } = row;
  const conflict = (reason: string, message: string) =>
    new ServiceError('RESOURCE_CONFLICT', message, { field: 'parts', details: { reason, invoiceId, number } });
  if (row.currency !== currency)
    throw conflict('other_currency', `Invoice ${number} is in ${row.currency}, but the bank account is in ${currency}.`);
  if (status === 'paid') throw conflict('invoice_paid', `Invoice ${number} was paid in the meantime. Match the bank line otherwise.`);
  if (status === 'cancelled') throw conflict('invoice_canceled', `Invoice ${number} was canceled. Match the bank line otherwise.`);
  const available = payableAmount(row);
  if (available.minor === 0) throw conflict('payment_in_progress', `A pending payment covers invoice ${number}. Wait for its outcome.`);
  if (amountMinor > available.minor)
    throw new ServiceError('INVALID_AMOUNT', `The amount exceeds what can be paid of invoice ${number}.`, {
      status: 422,
      field: 'parts',
      details: { availableToMatch: available, invoiceId, number },
    });
}

/**
 * Takes the payment of an invoice by a bank transfer back, in the unit of work that undoes the match: the invoice is open again, and its reminders go on if
 * only this payment ended them. @throws ServiceError RESOURCE_CONFLICT if the payment was refunded.
 */
export async function undoTransfer(
  deps: Dependencies,
  work: Work,
  actor: Actor,
  merchant: Merchant,
  { invoiceId, tenderId }: { readonly invoiceId: string; readonly tenderId: string },
): Promise<void> {
  const row = await work.lockOne(INVOICES, { id: invoiceId });
  if (!row) throw invoiceNotFound(invoiceId);
  const payments = await work.find(INVOICE_PAYMENTS, { invoice_id: invoiceId, status: 'succeeded' });
  const payment = payments.find((each) => each.tender_id === tenderId);
  if (payment) {
    const now = deps.clockOf(actor.tenantId).now();
    const resumes = row.reminders_stop_reason === 'payment' && payments.length === 1;
    const resumed = { ...(resumes && NOT_STOPPED), reminders_since_day: dateIn(merchant.timezone, now) };
    await removePayment(deps, work, { row: { ...row, ...resumed }, payment, merchant, reason: UNDONE }, actor, now);
  }
  await deps.tenders.takeBackTransfer(work, actor, merchant, tenderId, UNDONE);
}
