import type { Actor } from '#core/kernel';
import { qrPng, type RenderCache } from '#core/platform/documents';
import type { Dependencies } from './dependencies.ts';
import { invoicePdf } from './pdf.ts';
import { addressesOf, present, shown } from './read.ts';
import { missing, ofPage } from './repository.ts';

/** A generated file. */
export interface PaperDocument {
  readonly filename: string;
  readonly contentType: string;
  readonly content: Buffer;
}

/** Dependencies of generated documents. Documents that were rendered before come from the cache. */
type PaperNeeds = Dependencies & { readonly lastDrawn: RenderCache };

/** An invoice as a PDF. INVOICE_NOT_FOUND, MERCHANT_NOT_AUTHORIZED. */
export async function documentOf(on: PaperNeeds, actor: Pick<Actor, 'tenantId' | 'merchantId'>, id: string): Promise<PaperDocument> {
  const { row, merchant } = await present(on, actor, id);
  const invoice = await shown(on, on.database.read(actor.tenantId), row, merchant);
  const isSandbox = on.environmentOf(actor.tenantId) === 'sandbox';
  const content = await on.lastDrawn({ invoice, merchant, isSandbox }, () => invoicePdf(invoice, merchant, invoice.url, isSandbox));
  return { filename: `${invoice.number}.pdf`, contentType: 'application/pdf', content };
}

/** The invoice of a page as a PDF, for the payer. INVOICE_NOT_FOUND for an unknown token. */
export async function documentOfPage(on: PaperNeeds, token: string): Promise<PaperDocument> {
  const row = await ofPage(on.database.readAcrossTenants(), token);
  if (!row) throw missing('');
  return documentOf(on, { tenantId: row.tenant_id, merchantId: null }, row.id);
}

/** The address of an invoice's page, and the same as a QR code. */
export async function qrCode(deps: Dependencies, actor: Actor, id: string): Promise<{ url: string; png: Buffer }> {
  const { row, merchant } = await present(deps, actor, id);
  const { url } = addressesOf(deps, merchant, row);
  return { url, png: await qrPng(url) };
}
