import { type Actor, ServiceError, step } from '#core/kernel';
import type { Merchant } from '#core/merchants';
import { brandOf, formatMoney } from '#core/platform/documents';
import { isPageToken, shortCodeFrom } from './codes.ts';
import type { Addresses } from './invoice.ts';
import { dueOf } from './letter.ts';
import type { Needs } from './needs.ts';
import { addressesOf } from './read.ts';
import { ofCode, ofPage } from './repository.ts';
import type { InvoiceRow } from './schema.ts';
import { INVOICE_STEPS } from './steps.ts';
import { INVOICE_WORDS, type InvoiceWords } from './words.ts';

/** What a short code leads to. */
export interface ShortTarget {
  /** Path of the page. */
  readonly target: string;
  readonly isExpired: boolean;
}

/** What a code stands for, however it was typed; null for an unknown one. */
export async function resolveShort(on: Needs, typed: string): Promise<ShortTarget | null> {
  const code = shortCodeFrom(typed);
  const row = code === null ? null : await ofCode(on.database.readAcrossTenants(), code);
  if (!row) return null;
  const { target, expires_ms, tenant_id } = row;
  return { target, isExpired: expires_ms !== null && expires_ms <= on.clockOf(tenant_id).now() };
}

interface Found {
  readonly row: InvoiceRow;
  readonly merchant: Merchant;
  readonly addresses: Addresses;
}

/** The invoice of a pay page's address. Another server's, another tenant's or another merchant's is VALIDATION_ERROR on `url`, as if there were none. */
async function find(on: Needs, by: Actor, address: string): Promise<Found> {
  const url = URL.canParse(address) ? new URL(address) : null;
  const token = url?.pathname.startsWith('/pay/') ? url.pathname.slice('/pay/'.length) : '';
  const row = isPageToken(token) ? await ofPage(on.database.read(by.tenantId), token) : null;
  if (!url || !row || (by.merchantId !== null && by.merchantId !== row.merchant_id)) throw notOurs();
  const merchant = await on.merchants.merchantFor(by, row.merchant_id);
  const bases = [on.merchants.pageUrl(merchant, ''), ...on.ownUrls()].map((base) => new URL(base).origin);
  // Nothing before, between and behind: no user, no query, no fragment.
  if (!bases.some((base) => url.href === `${base}/pay/${token}`)) throw notOurs();
  return { row, merchant, addresses: addressesOf(on, merchant, row) };
}

function notOurs(): ServiceError {
  return new ServiceError('VALIDATION_ERROR', 'url must be the address of one of your pay pages on this server.', { field: 'url' });
}

/** The short address of a pay page: the same page has the same one. */
export async function shorten(on: Needs, by: Actor, url: string): Promise<{ shortUrl: string }> {
  const { addresses } = await find(on, by, url);
  return { shortUrl: addresses.shortUrl };
}

interface TextInput {
  readonly url: string;
  readonly phone: string;
}

/** Sends a short address and whose it is, nothing else. */
export async function textLink(on: Needs, by: Actor, { url, phone }: TextInput): Promise<{ shortUrl: string; messageId: string }> {
  return text(on, by, phone, await find(on, by, url), (words, of) => words.textLink(of));
}

/** Asks for a payment with its amount. INVOICE_ALREADY_PAID, INVOICE_CANCELLED. */
export async function textRequest(on: Needs, by: Actor, { url, phone }: TextInput): Promise<{ shortUrl: string; messageId: string }> {
  const found = await find(on, by, url);
  step(INVOICE_STEPS, found.row.status, 'pay', { status: found.row.status });
  return text(on, by, phone, found, (words, of) => words.textRequest(of));
}

async function text(
  on: Needs,
  by: Actor,
  to: string,
  { row, merchant, addresses }: Found,
  bodyOf: (words: InvoiceWords, of: { from: string; amount: string; url: string }) => string,
): Promise<{ shortUrl: string; messageId: string }> {
  const { shortUrl } = addresses;
  const { language } = merchant;
  const { companyName: from } = brandOf(merchant);
  const body = bodyOf(INVOICE_WORDS[language], { from, amount: formatMoney(dueOf(row), language), url: shortUrl });
  const messageId = await on.database.unitOfWork.run(by.tenantId, async (work) => {
    on.audit(work, { by, action: 'invoice.texted', resource: `invoices/${row.id}`, merchantId: row.merchant_id, after: { sentTo: to } });
    return on.notify(work, {
      tenantId: row.tenant_id,
      merchantId: row.merchant_id,
      channel: 'sms',
      kind: 'link',
      resourceId: row.id,
      to,
      body,
      ...(row.expires_ms === null ? {} : { expiresMs: row.expires_ms }),
      atMs: on.clockOf(by.tenantId).now(),
    });
  });
  return { shortUrl, messageId };
}
