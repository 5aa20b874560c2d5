import type { Work } from '#core/database';
import { type Actor, isoTime, type Money, newId, type TenantTime, timeAfter } from '#core/kernel';
import { NO_IDEMPOTENCY_KEY, runIdempotent } from '#core/platform/idempotency';
import { dueAt } from '#core/platform/scheduling';
import type { Merchant } from '#core/processing/merchants';
import type { InvoiceTender } from '#core/sales/tenders';
import { afterPayment, checkPayable } from './balance.ts';
import { writeInvoice } from './change.ts';
import { trimmedOrNull } from './create.ts';
import type { Dependencies, PaidInvoice } from './dependencies.ts';
import { auditInvoice, emitInvoiceEvent, paymentFields } from './events.ts';
import type { PayInput } from './input.ts';
import { contentOfPayment, linesOfPayment } from './items.ts';
import { loadInvoice } from './read.ts';
import { lockInvoice } from './repository.ts';
import { INVOICE_PAYMENTS, type InvoicePaymentRow, type InvoiceRow } from './schema.ts';
import { taxShare } from './tax.ts';

const PAID_BY_HAND = { transactionId: null, status: 'approved', declineCode: null, declineReason: null, retryAdvice: null } as const;

/** Returns the columns of a new payment; those of its method and outcome are added. */
export function paymentRow(
  { tenantId, name }: Pick<Actor, 'tenantId' | 'name'>,
  row: InvoiceRow,
  id: string,
  amount_minor: number,
  at: string,
) {
  return {
    tenant_id: tenantId,
    id,
    invoice_id: row.id,
    amount_minor,
    tax_minor: 0,
    tip_minor: 0,
    surcharge_minor: 0,
    currency: row.currency,
    actor: name,
    transaction_id: null,
    tender_id: null,
    attempt_key: null,
    decline_code: null,
    decline_reason: null,
    receipt_email: null,
    ...NO_IDEMPOTENCY_KEY,
    ...dueAt(null),
    created_at: at,
    concluded_at: null,
  };
}

/** A payment of an invoice that was received without a gateway. */
export interface ManualPayment {
  readonly method: 'cash' | 'check' | 'other' | 'bank_transfer';
  readonly amount: Money;
  /** Kind, name and drawer of its tender. */
  readonly tender: Pick<InvoiceTender, 'kind' | 'reference' | 'drawer'>;
  readonly reference: string | null;
  readonly note: string | null;
}

/**
 * Records a payment that needs no gateway: its tender and the changed invoice are one unit of work, in which the invoice is locked.
 * @throws ServiceError INVOICE_ALREADY_PAID, INVOICE_CANCELLED, PAYMENT_EXCEEDS_DUE.
 */
export async function receivePayment(
  deps: Dependencies,
  work: Work,
  actor: Actor,
  merchant: Merchant,
  row: InvoiceRow,
  { method, amount, tender: received, reference, note }: ManualPayment,
): Promise<{ readonly row: InvoiceRow; readonly tenderId: string; readonly now: TenantTime }> {
  checkPayable(row, amount);
  const now = timeAfter(deps.clockOf(actor.tenantId).now(), row.updated_at);
  const at = isoTime(now);
  const amount_minor = amount.minor;
  const taxMinor = await taxShare(work, row, amount_minor);
  const { orderId, tipMinor, discountMinor, granted } = contentOfPayment(row, amount_minor);
  const tender = await deps.tenders.receiveForInvoice(work, actor, merchant, {
    ...received,
    invoiceId: row.id,
    orderId,
    amount,
    taxMinor,
    // A tender has no tip, so lines without it would not add up.
    lines: tipMinor === 0 ? linesOfPayment(row, amount_minor) : [],
    discountMinor,
    granted,
    earlierTenders: (await work.find(INVOICE_PAYMENTS, { invoice_id: row.id })).flatMap(({ tender_id }) => tender_id ?? []),
    customerId: row.customer_id,
    customerName: row.customer_name,
    customerEmail: row.customer_email,
    now,
  });
  const payment: InvoicePaymentRow = {
    ...paymentRow(actor, row, newId('ivp', now), amount_minor, at),
    tax_minor: taxMinor,
    method,
    status: 'succeeded',
    origin: 'desk',
    tender_id: tender.tenderId,
    reference,
    note,
    concluded_at: at,
  };
  work.insert(INVOICE_PAYMENTS, payment);
  const next = await writeInvoice(deps, work, row, afterPayment(row, amount_minor, at), merchant, now, PAID_BY_HAND);
  auditInvoice(deps, work, actor, 'payment_received', row, next, paymentFields(payment));
  await emitInvoiceEvent(deps, work, next.status === 'paid' ? 'invoice.paid' : 'invoice.partially_paid', next, null, now);
  return { row: next, tenderId: tender.tenderId, now };
}

/** Records a payment at the counter. */
export async function recordManualPayment(
  deps: Dependencies,
  actor: Actor,
  id: string,
  merchant: Merchant,
  amount: Money,
  input: PayInput & { readonly paymentMethod: 'cash' | 'check' | 'other' },
): Promise<PaidInvoice> {
  const { paymentMethod, drawer } = input;
  const reference = trimmedOrNull(input.reference);
  const { paidInvoice } = await runIdempotent(deps, actor, async (work) => {
    const { row } = await receivePayment(deps, work, actor, merchant, await lockInvoice(work, id), {
      method: paymentMethod,
      amount,
      tender: { kind: paymentMethod, reference, ...(drawer === undefined ? {} : { drawer }) },
      reference,
      note: trimmedOrNull(input.note),
    });
    return { paidInvoice: { invoice: await loadInvoice(deps, work, row, merchant), transaction: null } };
  });
  return paidInvoice;
}
