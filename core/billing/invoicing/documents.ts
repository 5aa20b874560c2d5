import type { Actor, Caller } from '#core/kernel';
import { type GeneratedFile, qrPng, type RenderCache } from '#core/platform/documents';
import type { Language } from '#shared/languages';
import type { Dependencies } from './dependencies.ts';
import { invoicePdf } from './pdf.ts';
import { addressesOf, findInvoice, loadInvoice } from './read.ts';
import { findByPageToken, invoiceNotFound } from './repository.ts';

/** Dependencies of generated documents. Documents that were rendered before come from the cache. */
type DocumentDependencies = Dependencies & { readonly renderCache: RenderCache };

/** Returns an invoice as a PDF. @throws ServiceError INVOICE_NOT_FOUND, MERCHANT_NOT_AUTHORIZED. */
export async function documentOf(
  deps: DocumentDependencies,
  actor: Caller,
  id: string,
  { isForPage = false, language }: { readonly isForPage?: boolean; readonly language?: Language | undefined } = {},
): Promise<GeneratedFile> {
  const { row, merchant: found } = await findInvoice(deps, actor, id);
  const merchant = language === undefined ? found : { ...found, language };
  const loaded = await loadInvoice(deps, deps.database.read(actor.tenantId), row, merchant);
  const invoice = isForPage && loaded.customer ? { ...loaded, customer: { ...loaded.customer, email: null, phone: null } } : loaded;
  const isSandbox = deps.environmentOf(actor.tenantId) === 'sandbox';
  const content = await deps.renderCache({ invoice, merchant, isSandbox }, () => invoicePdf(invoice, merchant, invoice.url, isSandbox));
  return { filename: `${invoice.number}.pdf`, contentType: 'application/pdf', content };
}

/**
 * Returns the invoice of a pay page as a PDF, for everyone who has the link: without the email address and the phone number of the customer. @throws ServiceError
 * INVOICE_NOT_FOUND for an unknown token.
 */
export async function documentOfPage(deps: DocumentDependencies, token: string, language: Language): Promise<GeneratedFile> {
  const row = await findByPageToken(deps.database.readAcrossTenants(), token);
  if (!row) throw invoiceNotFound('');
  return documentOf(deps, { tenantId: row.tenant_id, merchantId: null }, row.id, { isForPage: true, language });
}

/** Returns the address of an invoice's pay page, and a QR code of it. */
export async function qrCode(deps: Dependencies, actor: Actor, id: string): Promise<{ url: string; png: Buffer }> {
  const { row, merchant } = await findInvoice(deps, actor, id);
  const { url } = addressesOf(deps, merchant, row);
  return { url, png: await qrPng(url) };
}
