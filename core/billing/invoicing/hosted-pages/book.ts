import type { Work } from '#core/database';
import { allows, isoTime, realNow, ServiceError, serviceActor } from '#core/kernel';
import { released } from '#core/platform/scheduling';
import type { HostedPayment } from '#core/processing/gateways';
import { payableAmount } from '../balance.ts';
import { type Dependencies, notifyScreens } from '../dependencies.ts';
import { auditInvoice } from '../events.ts';
import { HOSTED_PAGES, type HostedPageRow } from '../hosted-page-state/schema.ts';
import { charge, customerOf } from '../pay.ts';
import { findInvoice } from '../read.ts';
import { INVOICES, type InvoiceRow } from '../schema.ts';
import { INVOICE_STEPS } from '../steps.ts';
import { amountOf, ended, nextInquiry } from './page.ts';

/** Thrown in the unit of work of an intent if another process has recorded the payment of the page. */
class AlreadyRecorded extends Error {}

/** Codes of an invoice that does not accept the payment any more. */
const NOT_NEEDED: ReadonlySet<string> = new Set(['PAYMENT_EXCEEDS_DUE', 'INVOICE_ALREADY_PAID', 'INVOICE_CANCELLED', 'RESOURCE_CONFLICT']);

/**
 * Records the payment of a page once: as a payment of its invoice, or, if the invoice no longer needs it, as a payment to refund. `waits`: another payment
 * of the invoice is pending, so that it is not known yet. Its claim of the page is in the commit of the payment.
 */
export async function bookPayment(
  deps: Dependencies,
  page: HostedPageRow,
  payment: HostedPayment,
): Promise<'paid' | 'overpaid' | 'waits' | 'skipped'> {
  const actor = serviceActor(page.tenant_id);
  const { row, merchant } = await findInvoice(deps, actor, page.invoice_id);
  try {
    const isNeeded = accepts(row, page);
    if (isNeeded && payableAmount(row).minor < page.amount_minor) return 'waits';
    if (isNeeded && (await pay())) return 'paid';
    // A refusal while the amount is still due is by another payment that is not decided, or by a change: it is tried again.
    if (isNeeded && accepts((await findInvoice(deps, actor, page.invoice_id)).row, page)) return 'waits';
    await recordOverpayment(deps, page, payment, row);
    return 'overpaid';
  } catch (error) {
    if (error instanceof AlreadyRecorded) return 'skipped';
    throw error;
  }

  async function pay(): Promise<boolean> {
    try {
      const charged = await charge(
        deps,
        { ...actor, credentialId: 'page', name: 'payer' },
        {
          row,
          merchant,
          customerId: await customerOf(deps, row),
          amount: amountOf(page),
          invoiceMethod: 'card',
          origin: 'page',
          source: 'link',
          reference: page.processor_ref,
          note: null,
          receiptEmail: row.customer_email,
          hosted: { via: { gateway: page.gateway, gateway_id: page.gateway_id }, processorRef: page.processor_ref, payment },
          claim: (work, { transactionId }) => claimPage(deps, work, page, payment, 'paid', transactionId),
        },
      );
      // A charge without an error was recorded, and an error after the commit leaves it to recovery.
      return charged.paymentId !== '';
    } catch (error) {
      if (error instanceof ServiceError && NOT_NEEDED.has(error.code)) return false;
      throw error;
    }
  }
}

/** Returns true if the amount due of an invoice is at least that of its page. */
const accepts = (row: InvoiceRow, page: HostedPageRow): boolean =>
  allows(INVOICE_STEPS, row.status, 'pay') && row.currency === page.currency && row.amount_minor - row.paid_minor >= page.amount_minor;

async function claimPage(
  deps: Dependencies,
  work: Work,
  { id }: HostedPageRow,
  { reference }: HostedPayment,
  status: 'paid' | 'overpaid',
  transactionId: string,
): Promise<void> {
  const page = await work.lockOne(HOSTED_PAGES, { id });
  if (!page || page.transaction_id !== null) throw new AlreadyRecorded();
  const at = isoTime(realNow());
  const attention = { attention_at: status === 'overpaid' ? at : null, note: null };
  const payment = { transaction_id: transactionId, payment_reference: reference };
  const columns = { status, ...payment, problem: null, found: null, checked_at: at, unanswered_at: null, ...attention, ...ended(page) };
  await work.update(HOSTED_PAGES, { id }, { ...columns, ...released(nextInquiry({ ...page, ...columns })) });
  await work.update(INVOICES, { id: page.invoice_id }, { hosted_url: null });
  notifyScreens(deps, work, page);
}

/** Records a payment that the invoice no longer needs, without an invoice. */
async function recordOverpayment(deps: Dependencies, page: HostedPageRow, payment: HostedPayment, row: InvoiceRow): Promise<void> {
  const actor = { ...serviceActor(page.tenant_id), credentialId: 'page', name: 'payer' };
  const transaction = await deps.payments.hostedPages.record(actor, {
    merchantId: page.merchant_id,
    via: { gateway: page.gateway, gateway_id: page.gateway_id },
    processorRef: page.processor_ref,
    payment,
    details: {
      customer_name: row.customer_name,
      customer_email: row.customer_email?.toLowerCase() ?? null,
      customer_id: (await customerOf(deps, row)) ?? null,
      description: `Payment that ${row.number} no longer needed`,
    },
    claim: async (work, transactionId) => {
      const locked = (await work.lockOne(INVOICES, { id: row.id })) ?? row;
      await claimPage(deps, work, page, payment, 'overpaid', transactionId);
      const hostedPage = { hostedPageId: page.id, transactionId, reference: payment.reference };
      auditInvoice(deps, work, actor, 'hosted_page_overpaid', locked, locked, { hostedPage });
    },
  });
  const { id: hostedPageId, invoice_id: invoiceId } = page;
  const { transactionId } = transaction;
  deps.report('A payer paid on a page of the processor what the invoice no longer needed. Refund the payment', {
    invoiceId,
    hostedPageId,
    transactionId,
  });
}
