import { type Actor, ServiceError, step } from '#core/kernel';
import type { Merchant } from '#core/merchants';
import { brandOf, formatMoney } from '#core/platform/documents';
import { isPageToken, shortCodeFrom } from './codes.ts';
import type { Dependencies } from './dependencies.ts';
import type { Addresses } from './invoice.ts';
import { dueOf } from './invoice-email.ts';
import { addressesOf } from './read.ts';
import { ofCode, ofPage } from './repository.ts';
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
  const row = code === null ? null : await ofCode(deps.database.readAcrossTenants(), code);
  if (!row) return null;
  const { target, expires_ms, tenant_id } = row;
  return { target, isExpired: expires_ms !== null && expires_ms <= deps.clockOf(tenant_id).now() };
}

interface Found {
  readonly row: InvoiceRow;
  readonly merchant: Merchant;
  readonly addresses: Addresses;
}

/** The invoice of a pay page's address. Another server's, another tenant's or another merchant's is VALIDATION_ERROR on `url`, as if there were none. */
async function find(deps: Dependencies, actor: Actor, address: string): Promise<Found> {
  const url = URL.canParse(address) ? new URL(address) : null;
  const token = url?.pathname.startsWith('/pay/') ? url.pathname.slice('/pay/'.length) : '';
  const row = isPageToken(token) ? await ofPage(deps.database.read(actor.tenantId), token) : null;
  if (!url || !row || (actor.merchantId !== null && actor.merchantId !== row.merchant_id)) throw notOurs();
  const merchant = await deps.merchants.merchantFor(actor, row.merchant_id);
  const bases = [deps.merchants.pageUrl(merchant, ''), ...deps.ownUrls()].map((base) => new URL(base).origin);
  // Nothing before, between and behind: no user, no query, no fragment.
  if (!bases.some((base) => url.href === `${base}/pay/${token}`)) throw notOurs();
  return { row, merchant, addresses: addressesOf(deps, merchant, row) };
}

function notOurs(): ServiceError {
  return new ServiceError('VALIDATION_ERROR', 'url must be the address of one of your pay pages on this server.', { field: 'url' });
}

/** The short address of a pay page: the same page has the same one. */
export async function shorten(deps: Dependencies, actor: Actor, url: string): Promise<{ shortUrl: string }> {
  const { addresses } = await find(deps, actor, url);
  return { shortUrl: addresses.shortUrl };
}

interface TextInput {
  readonly url: string;
  readonly phone: string;
}

/** Sends a short address and whose it is, nothing else. */
export async function textLink(
  deps: Dependencies,
  actor: Actor,
  { url, phone }: TextInput,
): Promise<{ shortUrl: string; messageId: string }> {
  return text(deps, actor, phone, await find(deps, actor, url), (words, of) => words.textLink(of));
}

/** Returns the text of a payment request with its amount. @throws ServiceError INVOICE_ALREADY_PAID, INVOICE_CANCELLED. */
export async function textRequest(
  deps: Dependencies,
  actor: Actor,
  { url, phone }: TextInput,
): Promise<{ shortUrl: string; messageId: string }> {
  const found = await find(deps, actor, url);
  step(INVOICE_STEPS, found.row.status, 'pay', { status: found.row.status });
  return text(deps, actor, phone, found, (words, of) => words.textRequest(of));
}

async function text(
  deps: Dependencies,
  actor: Actor,
  to: string,
  { row, merchant, addresses }: Found,
  bodyOf: (words: InvoiceTexts, of: { from: string; amount: string; url: string }) => string,
): Promise<{ shortUrl: string; messageId: string }> {
  const { shortUrl } = addresses;
  const { language } = merchant;
  const { companyName: from } = brandOf(merchant);
  const body = bodyOf(INVOICE_TEXTS[language], { from, amount: formatMoney(dueOf(row), language), url: shortUrl });
  const messageId = await deps.database.unitOfWork.run(actor.tenantId, async (work) => {
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
    });
  });
  return { shortUrl, messageId };
}
