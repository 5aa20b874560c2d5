import { type Actor, bind, type Money, realNow } from '#core/kernel';
import { type Brand, brandOf } from '#core/platform/documents';
import type { HostedPageAddress } from '#core/processing/gateways';
import { payableAmount } from '../balance.ts';
import { isPageToken } from '../codes.ts';
import type { Dependencies } from '../dependencies.ts';
import { HOSTED_PAGE_OVERPAYMENTS, HOSTED_PAGES } from '../hosted-page-state/schema.ts';
import { findInvoice } from '../read.ts';
import { findByPageToken, invoiceNotFound } from '../repository.ts';
import { notePage, pagesForPerson } from './attention.ts';
import { checkNow, closePage, hostedPagesJob } from './check.ts';
import { createPage } from './create.ts';
import { addressOf, amountOf, isNeeded, toHostedPage } from './page.ts';
import type { InvoiceHostedPages } from './records.ts';

export { HostedPage, InvoiceHostedPages } from './records.ts';

export const HOSTED_PAGE_TABLES = [HOSTED_PAGES, HOSTED_PAGE_OVERPAYMENTS];
const SHOWN = 20;

/** Payment pages at the processors of gateways, on which payers pay invoices and payment links of a server that they cannot reach. */
export function createHostedPages(deps: Dependencies) {
  deps.scheduler.register(hostedPagesJob(deps));
  return {
    ...bind(deps, {
      create: createPage,
      list: listPages,
      check: checkNow,
      close: closePage,
      note: notePage,
      forPerson: pagesForPerson,
      formOf,
    }),
  };
}

async function listPages(deps: Dependencies, actor: Actor, invoiceId: string): Promise<InvoiceHostedPages> {
  const { row, merchant } = await findInvoice(deps, actor, invoiceId);
  const found = await deps.database
    .read(actor.tenantId)
    .find(HOSTED_PAGES, { invoice_id: row.id }, { limit: SHOWN, orderBy: [['id', 'desc']] });
  const payable = payableAmount(row);
  const isOpen = payable.minor > 0 && row.status !== 'paid' && row.status !== 'cancelled' && row.status !== 'draft';
  const gateway =
    isOpen && merchant.deletedAt === null ? await deps.payments.hostedPages.gatewayFor(actor.tenantId, merchant, payable) : null;
  return {
    offer: gateway && { gatewayId: gateway.gatewayId, gateway: gateway.gateway, delivery: gateway.delivery },
    pages: await Promise.all(found.map((page) => toHostedPage(deps, page))),
  };
}

/** The form that opens the payment page of an invoice, with what its payer should know before. */
export interface PaymentForm extends HostedPageAddress {
  readonly gateway: string;
  readonly number: string;
  readonly amount: Money;
  readonly brand: Brand;
}

/**
 * Returns the form that opens the payment page of an invoice in a browser; null if there is none, its time is over, or the invoice no longer needs it.
 * @throws ServiceError INVOICE_NOT_FOUND for an unknown token.
 */
async function formOf(deps: Dependencies, pageToken: string): Promise<PaymentForm | null> {
  const row = isPageToken(pageToken) ? await findByPageToken(deps.database.readAcrossTenants(), pageToken) : null;
  if (!row) throw invoiceNotFound('');
  const page = await deps.database.read(row.tenant_id).one(HOSTED_PAGES, { invoice_id: row.id, ended_at: null });
  if (page?.status !== 'open' || page.delivery !== 'form' || page.is_close_wanted > 0 || row.pending_minor > 0) return null;
  if (!isNeeded(deps, row, page) || (page.opens_until_ms !== null && page.opens_until_ms <= realNow())) return null;
  const address = await addressOf(deps, page);
  if (address === null) return null;
  const merchant = await deps.merchants.merchantFor({ tenantId: row.tenant_id, merchantId: null }, row.merchant_id);
  return { ...address, gateway: page.gateway, number: row.number, amount: amountOf(page), brand: brandOf(merchant) };
}
