import { type Actor, realNow } from '#core/kernel';
import type { HostedPageAddress } from '#core/processing/gateways';
import { payableAmount } from '../balance.ts';
import { isPageToken } from '../codes.ts';
import type { Dependencies } from '../dependencies.ts';
import { findInvoice } from '../read.ts';
import { findByPageToken, invoiceNotFound } from '../repository.ts';
import { checkNow, closePage, hostedPagesJob } from './check.ts';
import { createPage } from './create.ts';
import { addressOf, toHostedPage } from './page.ts';
import type { InvoiceHostedPages } from './records.ts';
import { HOSTED_PAGES } from './schema.ts';

export { HostedPage, InvoiceHostedPages } from './records.ts';

export const HOSTED_PAGE_TABLES = [HOSTED_PAGES];
const SHOWN = 20;

/** Payment pages at the processors of gateways, on which payers pay invoices and payment links of a server that they cannot reach. */
export function createHostedPages(deps: Dependencies) {
  deps.scheduler.register(hostedPagesJob(deps));
  return {
    create: (actor: Actor, invoiceId: string, input: { readonly email?: string }) => createPage(deps, actor, invoiceId, input),
    list: (actor: Actor, invoiceId: string) => listPages(deps, actor, invoiceId),
    check: (actor: Actor, invoiceId: string) => checkNow(deps, actor, invoiceId),
    close: (actor: Actor, invoiceId: string) => closePage(deps, actor, invoiceId),
    formOf: (pageToken: string) => formOf(deps, pageToken),
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

/**
 * Returns the form that opens the payment page of an invoice in a browser; null if there is none, or its time is over. @throws ServiceError
 * INVOICE_NOT_FOUND for an unknown token.
 */
async function formOf(deps: Dependencies, pageToken: string): Promise<(HostedPageAddress & { readonly gateway: string }) | null> {
  const row = isPageToken(pageToken) ? await findByPageToken(deps.database.readAcrossTenants(), pageToken) : null;
  if (!row) throw invoiceNotFound('');
  const page = await deps.database.read(row.tenant_id).one(HOSTED_PAGES, { invoice_id: row.id, ended_at: null });
  const isOver = page?.status !== 'open' || (page.opens_until_ms !== null && page.opens_until_ms <= realNow());
  const address = isOver || page.delivery !== 'form' ? null : await addressOf(deps, page);
  return address && page ? { ...address, gateway: page.gateway } : null;
}
