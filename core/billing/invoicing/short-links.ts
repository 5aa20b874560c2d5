import { type Actor, ServiceError, step } from '#core/kernel';
import { brandOf, formatMoney } from '#core/platform/documents';
import type { Merchant } from '#core/processing/merchants';
import { isPageToken, shortCodeFrom } from './codes.ts';
import type { Dependencies } from './dependencies.ts';
import type { Addresses } from './invoice.ts';
import { amountDueOf } from './invoice-email.ts';
import { addressesOf } from './read.ts';
import { findByPageToken, findByShortCode } from './repository.ts';
import type { InvoiceRow } from './schema.ts';
import { INVOICE_STEPS } from './steps.ts';
import { INVOICE_TEXTS, type InvoiceTexts } from './texts.ts';

/** Target of a short code. */
export interface ShortTarget {
  /** Path of the page. */
  readonly target: string;
  readonly isExpired: boolean;
}

/** Returns the target of a code in any spelling; null if it is unknown. */
export async function resolveShort(deps: Dependencies, typed: string): Promise<ShortTarget | null> {
  const code = shortCodeFrom(typed);
  const row = code === null ? null : await findByShortCode(deps.database.readAcrossTenants(), code);
  if (!row) return null;
  const { target, expires_ms, tenant_id } = row;
  return { target, isExpired: expires_ms !== null && expires_ms <= deps.clockOf(tenant_id).now() };
}

interface Found {
  readonly row: InvoiceRow;
  readonly merchant: Merchant;
  readonly addresses: Addresses;
}

/**
 * Finds the invoice of a pay page's address. @throws ServiceError VALIDATION_ERROR on `url` for an address of another server, tenant or
 * merchant, as for an unknown one.
 */
async function findPage(deps: Dependencies, actor: Actor, address: string): Promise<Found> {
  const url = URL.canParse(address) ? new URL(address) : null;
  const token = url?.pathname.startsWith('/pay/') ? url.pathname.slice('/pay/'.length) : '';
  const row = isPageToken(token) ? await findByPageToken(deps.database.read(actor.tenantId), token) : null;
  if (!url || !row || (actor.merchantId !== null && actor.merchantId !== row.merchant_id)) throw notAPayPage();
  const merchant = await deps.merchants.merchantFor(actor, row.merchant_id);
  const bases = [deps.merchants.pageUrl(merchant, ''), ...deps.ownUrls()].map((base) => new URL(base).origin);
  // The address must have no user, query or fragment.
  if (!bases.some((base) => url.href === `${base}/pay/${token}`)) throw notAPayPage();
  return { row, merchant, addresses: addressesOf(deps, merchant, row) };
}

function notAPayPage(): ServiceError {
  return new ServiceError('VALIDATION_ERROR', '`url` must be the address of one of your payment pages on this server.', { field: 'url' });
}

/** Returns the short address of a pay page; always the same one for a page. */
export async function shorten(deps: Dependencies, actor: Actor, url: string): Promise<{ shortUrl: string }> {
  const { addresses } = await findPage(deps, actor, url);
  return { shortUrl: addresses.shortUrl };
}

export interface TextInput {
  readonly url: string;
  readonly phone: string;
}

/** Sends the short address of a pay page with the name of the merchant, without the amount. */
export async function textLink(
  deps: Dependencies,
  actor: Actor,
  { url, phone }: TextInput,
): Promise<{ shortUrl: string; messageId: string }> {
  return sendText(deps, actor, phone, await findPage(deps, actor, url), (texts, details) => texts.textLink(details));
}

/** Sends a payment request with its amount. @throws ServiceError INVOICE_ALREADY_PAID, INVOICE_CANCELLED. */
export async function textRequest(
  deps: Dependencies,
  actor: Actor,
  { url, phone }: TextInput,
): Promise<{ shortUrl: string; messageId: string }> {
  const found = await findPage(deps, actor, url);
  step(INVOICE_STEPS, found.row.status, 'pay', { status: found.row.status });
  return sendText(deps, actor, phone, found, (texts, details) => texts.textRequest(details));
}

async function sendText(
  deps: Dependencies,
  actor: Actor,
  to: string,
  { row, merchant, addresses }: Found,
  bodyOf: (texts: InvoiceTexts, details: { from: string; amount: string; url: string }) => string,
): Promise<{ shortUrl: string; messageId: string }> {
  const { shortUrl } = addresses;
  const { language } = merchant;
  const { companyName: from } = brandOf(merchant);
  const body = bodyOf(INVOICE_TEXTS[language], { from, amount: formatMoney(amountDueOf(row), language), url: shortUrl });
  const messageId = await deps.database.unitOfWork.transaction(actor.tenantId, async (work) => {
    deps.audit(work, {
      actor,
      action: 'invoice.texted',
      resource: `invoices/${row.id}`,
      merchantId: row.merchant_id,
      after: { sentTo: to },
    });
    return deps.notify(work, {
      tenantId: row.tenant_id,
      merchantId: row.merchant_id,
      channel: 'sms',
      kind: 'link',
      resourceId: row.id,
      to,
      body,
      ...(row.expires_ms === null ? {} : { expiresMs: row.expires_ms }),
      atMs: deps.clockOf(actor.tenantId).now(),
      cause: 'request',
    });
  });
  return { shortUrl, messageId };
}
