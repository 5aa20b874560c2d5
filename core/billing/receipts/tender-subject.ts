import type { Invoice, InvoicePayment } from '#core/billing/invoicing';
import { type Actor, assert, ServiceError } from '#core/kernel';
import type { ReceiptCopy } from './content.ts';
import type { Dependencies } from './dependencies.ts';
import type { TenderSubject } from './tender-content.ts';

/** Identifies the tender of a receipt, or a refund of it. */
export interface TenderReference {
  readonly tenderId: string;
  readonly refundId?: string;
}

/** Reads the data of a tender's receipt. @throws ServiceError NOT_FOUND, MERCHANT_NOT_AUTHORIZED. */
export async function tenderSubjectOf(
  deps: Dependencies,
  actor: Actor,
  { tenderId, refundId }: TenderReference,
  copy: ReceiptCopy = 'customer',
): Promise<TenderSubject> {
  const { refunds, ...tender } = await deps.tenders.get(actor, tenderId);
  const merchant = await deps.merchantFor(actor, tender.merchantId);
  const refund = refundId === undefined ? null : refunds.find((one) => one.refundId === refundId);
  if (refund === undefined)
    throw new ServiceError('NOT_FOUND', `There is no refund ${String(refundId).slice(0, 60)} of this tender.`, { details: { refundId } });
  const isSandbox = deps.environmentOf(actor.tenantId) === 'sandbox';
  // Only the notice of a returned check shows the invoice of a refunded tender, with what is due now.
  const invoice = refund?.isReturn && tender.invoiceId !== null ? await deps.invoiceOf(actor.tenantId, tender.invoiceId) : null;
  const payment = invoice?.payments.find((one) => one.tenderId === tenderId);
  const paid = invoice && payment ? { invoice, payment } : null;
  return { tender, refund, paid, merchant, copy, isSandbox, isDuplicate: false };
}

/** Reads the data of the receipt of a payment that was recorded on an invoice. */
export async function invoiceTenderSubject(
  deps: Dependencies,
  actor: Actor,
  paid: { readonly invoice: Invoice; readonly payment: InvoicePayment },
  copy: ReceiptCopy,
): Promise<TenderSubject> {
  const { tenderId } = paid.payment;
  assert(tenderId !== null, 'a payment without a processor has a tender');
  return { ...(await tenderSubjectOf(deps, actor, { tenderId }, copy)), paid };
}
