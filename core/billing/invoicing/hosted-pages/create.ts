import { type Actor, allows, EMAIL_MAX, isEmailAddress, isoTime, later, newId, newProcessorRef, realNow, ServiceError } from '#core/kernel';
import { brandOf } from '#core/platform/documents';
import { dueAt, released } from '#core/platform/scheduling';
import type { HostedPageCreation } from '#core/processing/gateways';
import { checkOpen } from '#core/processing/merchants';
import type { HostedGateway } from '#core/sales/payments';
import { checkPayable, payableAmount } from '../balance.ts';
import { type Dependencies, notifyScreens } from '../dependencies.ts';
import { auditInvoice } from '../events.ts';
import { hasOpenPayment, openPayment, reconcilePages } from '../hosted-page-state/ask.ts';
import { HOSTED_PAGES, type HostedPageRow } from '../hosted-page-state/schema.ts';
import { findInvoice } from '../read.ts';
import { lockInvoice } from '../repository.ts';
import { INVOICES, type InvoiceRow } from '../schema.ts';
import { INVOICE_STEPS } from '../steps.ts';
import { taxShare } from '../tax.ts';
import { changePage, ended, referenceOf, sealAddress, toHostedPage } from './page.ts';
import type { HostedPage } from './records.ts';

/** Time after which the request of a page that is still being created has certainly ended. */
const CREATED_WITHIN_MS = 200_000;

/**
 * Returns the open page of an invoice, or creates one for the amount due. The page is committed with its reference before the processor is called. Parallel
 * calls create one page. @throws ServiceError INVOICE_ALREADY_PAID, INVOICE_CANCELLED, PAYMENT_EXCEEDS_DUE; RESOURCE_CONFLICT with `details.reason` `draft`,
 * `payment_in_progress`, `expired`, `no_hosted_page`, `hosted_page_open` or `hosted_page_payment`; REQUIRED_FIELD_MISSING on `email`; GATEWAY_ERROR and GATEWAY_UNAVAILABLE if the processor did not
 * create it.
 */
export async function createPage(
  deps: Dependencies,
  actor: Actor,
  invoiceId: string,
  input: { readonly email?: string },
): Promise<HostedPage> {
  const { row: present, merchant } = await findInvoice(deps, actor, invoiceId);
  checkOpen(merchant);
  checkCreatable(deps, present);
  await reconcilePages(deps, actor.tenantId, invoiceId);
  const gateway = await deps.payments.hostedPages.gatewayFor(actor.tenantId, merchant, payableAmount(present));
  if (gateway === null) throw conflict('no_hosted_page', 'No gateway of this merchant has a payment page that Paydesk supports.');
  const { page, isNew, taxMinor } = await writeIntent(deps, actor, invoiceId, gateway, emailFor(gateway, present, input.email));
  if (!isNew) return toHostedPage(deps, page);
  const creation = await deps.payments.hostedPages.create({
    ...referenceOf(page),
    merchantId: page.merchant_id,
    amount: { minor: page.amount_minor, currency: payableAmount(present).currency },
    tax: { minor: taxMinor, currency: payableAmount(present).currency },
    description: textFor(present),
    companyName: brandOf(merchant).companyName,
    payer: { name: present.customer_name, email: page.emailed_to ?? present.customer_email },
  });
  return concludeCreation(deps, page, gateway, creation);
}

const conflict = (reason: string, message: string) => new ServiceError('RESOURCE_CONFLICT', message, { details: { reason } });

const textFor = ({ kind, number, description }: InvoiceRow): string =>
  [kind === 'invoice' ? `Invoice ${number}` : number, description].filter(Boolean).join(', ');

function checkCreatable(deps: Dependencies, row: InvoiceRow): void {
  if (row.status === 'draft') throw conflict('draft', 'This invoice is a draft. Send it first.');
  checkPayable(row, null);
  if (row.pending_minor > 0) throw conflict('payment_in_progress', 'A payment of this invoice is pending. Wait for its outcome.');
  if (row.expires_ms !== null && row.expires_ms <= deps.clockOf(row.tenant_id).now())
    throw conflict('expired', 'This link has expired. Create another one.');
}

/** Returns the address to which the processor emails its page; null for other pages. @throws ServiceError REQUIRED_FIELD_MISSING, INVALID_EMAIL. */
function emailFor({ delivery }: HostedGateway, row: InvoiceRow, given: string | undefined): string | null {
  if (delivery !== 'email') return null;
  const email = given ?? row.customer_email;
  if (email === null)
    throw new ServiceError('REQUIRED_FIELD_MISSING', '`email` is required, because the customer has none.', { field: 'email' });
  if (email.length <= EMAIL_MAX && isEmailAddress(email)) return email;
  throw new ServiceError('INVALID_EMAIL', '`email` must be an email address.', { field: 'email' });
}

/** Writes a page, unless the invoice has an open one for its amount due. */
async function writeIntent(
  deps: Dependencies,
  actor: Actor,
  invoiceId: string,
  { gatewayId, gateway, delivery, opensWithinMs }: HostedGateway,
  emailedTo: string | null,
): Promise<{ readonly page: HostedPageRow; readonly isNew: boolean; readonly taxMinor: number }> {
  const { tenantId } = actor;
  return deps.database.unitOfWork.transaction(tenantId, async (work) => {
    const row = await lockInvoice(work, invoiceId);
    checkCreatable(deps, row);
    const amount = payableAmount(row);
    const nowMs = realNow();
    const open = await work.one(HOSTED_PAGES, { invoice_id: invoiceId, ended_at: null });
    if (open !== null && hasOpenPayment(open)) throw openPayment();
    if (open !== null && open.status !== 'creating' && open.opens_until_ms !== null && open.opens_until_ms <= nowMs)
      await work.update(HOSTED_PAGES, { id: open.id }, { status: 'expired', ...ended(open) });
    else if (open !== null && open.amount_minor !== amount.minor)
      throw conflict('hosted_page_open', 'A page for another amount is still open. Close it first.');
    else if (open !== null) return { page: open, isNew: false, taxMinor: 0 };
    const page: HostedPageRow = {
      tenant_id: tenantId,
      id: newId('hpg', nowMs),
      invoice_id: invoiceId,
      merchant_id: row.merchant_id,
      gateway_id: gatewayId,
      gateway,
      processor_ref: newProcessorRef(),
      delivery,
      amount_minor: amount.minor,
      currency: amount.currency,
      status: 'creating',
      reference: null,
      sealed_address: null,
      emailed_to: emailedTo,
      opens_until_ms: opensWithinMs === null ? null : later(nowMs, opensWithinMs),
      watch_until_ms: null,
      is_close_wanted: 0,
      problem: null,
      found: null,
      transaction_id: null,
      payment_reference: null,
      unanswered_at: null,
      attention_at: null,
      note: null,
      created_by: actor.name,
      checked_at: null,
      ended_at: null,
      ...dueAt(later(nowMs, CREATED_WITHIN_MS)),
      created_at: isoTime(nowMs),
    };
    work.insert(HOSTED_PAGES, page);
    auditInvoice(deps, work, actor, 'hosted_page_created', row, row, {
      hostedPage: { hostedPageId: page.id, gateway, delivery, processorRef: page.processor_ref, emailedTo },
    });
    notifyScreens(deps, work, row);
    return { page, isNew: true, taxMinor: await taxShare(work, row, amount.minor) };
  });
}

/** Records the answer of the processor. Without an answer the payer may have the page, unless only the answer could have opened it. */
async function concludeCreation(
  deps: Dependencies,
  page: HostedPageRow,
  { delivery }: HostedGateway,
  creation: HostedPageCreation,
): Promise<HostedPage> {
  const address = creation.kind === 'created' ? creation.address : null;
  const sealed = address === null ? null : await sealAddress(deps, page.tenant_id, address);
  const next = await changePage(deps, page, null, async (current, invoice, work) => {
    if (current.status !== 'creating') return {};
    if (creation.kind === 'created') {
      if (delivery === 'link' && address !== null && allows(INVOICE_STEPS, invoice.status, 'pay'))
        await work.update(INVOICES, { id: invoice.id }, { hosted_url: address.url });
      return { status: 'open', reference: creation.reference, sealed_address: sealed };
    }
    if (creation.kind === 'not-sent') return { ...FAILED, ended_at: isoTime(realNow()) };
    return lostCreation(current);
  });
  if (creation.kind === 'not-sent') {
    const code = creation.retry === 'unavailable' ? 'GATEWAY_UNAVAILABLE' : 'GATEWAY_ERROR';
    throw new ServiceError(code, `The gateway did not create the page: ${creation.reason}`, { details: { reason: 'hosted_page' } });
  }
  return toHostedPage(deps, next ?? page);
}

const FAILED = { status: 'failed', ...released(null) } as const;

/** Returns the columns of a page whose creation has no answer. A form without its answer can be opened by nobody. */
export function lostCreation(page: HostedPageRow): Partial<HostedPageRow> {
  const problem = 'creation_unknown';
  return page.delivery === 'form' ? { ...FAILED, problem, ended_at: isoTime(realNow()) } : { status: 'open', problem };
}
