import type { Read, Work } from '#core/database';
import { allows, isoTime, realNow, ServiceError, serviceActor } from '#core/kernel';
import { released } from '#core/platform/scheduling';
import { extraReference, type HostedPayment, isAmountOf } from '#core/processing/gateways';
import { payableAmount } from '../balance.ts';
import { type Dependencies, notifyScreens } from '../dependencies.ts';
import { auditInvoice } from '../events.ts';
import { HOSTED_PAGE_OVERPAYMENTS, HOSTED_PAGES, type HostedPageRow } from '../hosted-page-state/schema.ts';
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
 * Records the payments that the processor shows on a page, each once. The first one of its amount pays the invoice if the invoice needs it; all others are
 * recorded to be refunded. Null if nothing was recorded: without a payment of the amount, a person decides whether the page is closed.
 */
export async function bookPayments(
  deps: Dependencies,
  page: HostedPageRow,
  payments: readonly HostedPayment[],
): Promise<'paid' | 'overpaid' | 'waits' | 'skipped' | null> {
  const read = deps.database.read(page.tenant_id);
  const present = async () => (await read.one(HOSTED_PAGES, { id: page.id })) ?? page;
  let booked: Awaited<ReturnType<typeof bookPayments>> = null;
  const fitting = page.transaction_id === null ? payments.find((payment) => isAmountOf(payment, amountOf(page))) : undefined;
  if (fitting !== undefined) {
    booked = await bookPayment(deps, page, fitting);
    if (booked === 'waits' || payments.length === 1) return booked;
  }
  for (const payment of payments) {
    const known = await present();
    const isDecided =
      known.transaction_id === null ? known.ended_at !== null || known.is_close_wanted > 0 : known.payment_reference !== null;
    if (!isDecided) return booked;
    const isRecorded = (await recordedReferences(read, known)).has(payment.reference);
    if (!isRecorded && (await recordOverpayment(deps, known, payment))) booked = 'overpaid';
  }
  return booked;
}

/** Returns the processor's references of the payments on a page that are recorded. */
export async function recordedReferences(read: Pick<Read, 'find'>, page: HostedPageRow): Promise<ReadonlySet<string | null>> {
  const overpayments = await read.find(HOSTED_PAGE_OVERPAYMENTS, { hosted_page_id: page.id });
  return new Set([page.payment_reference, ...overpayments.map(({ reference }) => reference)]);
}

/**
 * Records a payment of the amount of its page once: as a payment of its invoice, or, if the invoice no longer needs it, as a payment to refund. `waits`: another payment
 * of the invoice is pending, so that it is not known yet. Its claim of the page is in the commit of the payment.
 */
async function bookPayment(
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
    return (await recordOverpayment(deps, page, payment)) ? 'overpaid' : 'skipped';
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
          claim: (work, { transactionId }) => claimPage(deps, work, page, payment, transactionId),
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

/** Claims a page for the payment that pays its invoice, in the commit of the payment. */
async function claimPage(
  deps: Dependencies,
  work: Work,
  { id }: HostedPageRow,
  { reference }: HostedPayment,
  transactionId: string,
): Promise<void> {
  const page = await work.lockOne(HOSTED_PAGES, { id });
  if (!page || page.transaction_id !== null) throw new AlreadyRecorded();
  const payment = { transaction_id: transactionId, payment_reference: reference, attention_at: null };
  await endPaid(deps, work, page, { status: 'paid', ...payment });
}

/** Claims a payment that the invoice does not need, in its commit. The page waits for a person until it is refunded. */
async function claimOverpayment(
  deps: Dependencies,
  work: Work,
  { id }: HostedPageRow,
  { reference }: HostedPayment,
  transactionId: string,
): Promise<void> {
  const page = await work.lockOne(HOSTED_PAGES, { id });
  if (!page || (await recordedReferences(work, page)).has(reference)) throw new AlreadyRecorded();
  work.insert(HOSTED_PAGE_OVERPAYMENTS, {
    tenant_id: page.tenant_id,
    hosted_page_id: id,
    reference,
    transaction_id: transactionId,
  });
  const first = page.transaction_id === null && { transaction_id: transactionId, payment_reference: reference };
  await endPaid(deps, work, page, { status: 'overpaid', ...first, attention_at: isoTime(realNow()) });
}

async function endPaid(deps: Dependencies, work: Work, page: HostedPageRow, payment: Partial<HostedPageRow>): Promise<void> {
  const answer = { problem: null, found: null, checked_at: isoTime(realNow()), unanswered_at: null };
  const columns = { ...payment, ...answer, note: null, ...ended(page) };
  await work.update(HOSTED_PAGES, { id: page.id }, { ...columns, ...released(nextInquiry({ ...page, ...columns })) });
  await work.update(INVOICES, { id: page.invoice_id }, { hosted_url: null });
  notifyScreens(deps, work, page);
}

/** Records a payment that the invoice does not need, without an invoice. Returns false if another process has recorded it. */
async function recordOverpayment(deps: Dependencies, page: HostedPageRow, payment: HostedPayment): Promise<boolean> {
  const actor = { ...serviceActor(page.tenant_id), credentialId: 'page', name: 'payer' };
  const { row } = await findInvoice(deps, actor, page.invoice_id);
  const { id: hostedPageId, invoice_id: invoiceId } = page;
  try {
    const { transactionId } = await deps.payments.hostedPages.record(actor, {
      merchantId: page.merchant_id,
      via: { gateway: page.gateway, gateway_id: page.gateway_id },
      // An attempt has a reference of its own.
      processorRef: page.transaction_id === null ? page.processor_ref : extraReference(page.processor_ref, payment.reference),
      payment,
      details: {
        customer_name: row.customer_name,
        customer_email: row.customer_email?.toLowerCase() ?? null,
        customer_id: (await customerOf(deps, row)) ?? null,
        description: `Payment that ${row.number} did not need`,
      },
      claim: async (work, id) => {
        const locked = (await work.lockOne(INVOICES, { id: row.id })) ?? row;
        await claimOverpayment(deps, work, page, payment, id);
        const hostedPage = { hostedPageId, transactionId: id, reference: payment.reference };
        auditInvoice(deps, work, actor, 'hosted_page_overpaid', locked, locked, { hostedPage });
      },
    });
    deps.report('A payer paid on a page of the processor what the invoice did not need. Refund the payment', {
      invoiceId,
      hostedPageId,
      transactionId,
    });
    return true;
  } catch (error) {
    if (error instanceof AlreadyRecorded) return false;
    throw error;
  }
}
