import { type Currency, isoTime, type Money, money } from '#core/kernel';
import { brandOf, escapeHtml, formatDay, formatMoney, formatTime, plainLines, readableColor } from '#core/platform/documents';
import type { Merchant } from '#core/processing/merchants';
import type { Language } from '#shared/languages';
import type { Addresses } from './invoice.ts';
import type { InvoiceRow } from './schema.ts';
import { INVOICE_TEXTS } from './texts.ts';

const BUTTON_TEXT = '#ffffff';

/** Email of an invoice or a payment link: plain text, and HTML with a button. */
interface InvoiceEmail {
  readonly subject: string;
  readonly body: string;
  readonly html: string;
}

/** Returns the amount due of an invoice. */
export function amountDueOf(row: Pick<InvoiceRow, 'amount_minor' | 'paid_minor' | 'currency'>): Money {
  return money(row.amount_minor - row.paid_minor, row.currency as Currency);
}

/** Returns the email in the merchant's language. `message` is an additional text of the merchant. */
export function invoiceEmail(row: InvoiceRow, merchant: Merchant, { url }: Addresses, message: string | undefined): InvoiceEmail {
  const { language, timezone } = merchant;
  const texts = INVOICE_TEXTS[language];
  const { companyName: from } = brandOf(merchant);
  const amount = formatMoney(amountDueOf(row), language);
  const { number } = row;
  const isLink = row.kind === 'link';
  const subject = isLink
    ? texts.linkSubject({ from, amount })
    : row.sent_at === null
      ? texts.subject({ number, from, amount })
      : texts.reminder({ number, from, amount });
  const day = row.due_date === null ? null : formatDay(row.due_date, language);
  const due = day === null ? [] : [row.status === 'overdue' ? texts.overdue({ amount, day }) : texts.due({ amount, day })];
  const until = row.expires_ms === null ? [] : [texts.payableUntil({ at: formatTime(isoTime(row.expires_ms), timezone, language) })];
  const lines = [
    isLink ? texts.linkOpening({ from, amount }) : texts.opening({ number, from }),
    ...plainLines(row.description),
    ...plainLines(message),
    ...due,
    ...until,
  ];
  return payEmail(row, merchant, { subject, lines, url, language });
}

/** Returns an email with lines of text and a button to the pay page of an invoice. */
export function payEmail(
  row: Pick<InvoiceRow, 'amount_minor' | 'paid_minor' | 'currency'>,
  merchant: Merchant,
  {
    subject,
    lines,
    url,
    language,
  }: { readonly subject: string; readonly lines: readonly string[]; readonly url: string; readonly language: Language },
): InvoiceEmail {
  const texts = INVOICE_TEXTS[language];
  const amount = formatMoney(amountDueOf(row), language);
  const paragraphs = lines.map((line) => `<p style="margin:0 0 16px">${escapeHtml(line)}</p>`).join('');
  const style = `display:inline-block;padding:12px 24px;border-radius:6px;background:${readableColor(brandOf(merchant).primaryColor, BUTTON_TEXT)};color:${BUTTON_TEXT};text-decoration:none;font-weight:600`;
  const button = `<p style="margin:24px 0"><a href="${escapeHtml(url)}" style="${style}">${escapeHtml(texts.button({ amount }))}</a></p>`;
  const address = `<p style="margin:0;font-size:13px">${escapeHtml(url)}</p>`;
  return { subject, body: [...lines, '', texts.payHere, url].join('\n'), html: paragraphs + button + address };
}

/** Returns the text message of an invoice or a payment link. */
export function invoiceSms(row: InvoiceRow, merchant: Merchant, { shortUrl: url }: Addresses): string {
  const texts = INVOICE_TEXTS[merchant.language];
  const { companyName: from } = brandOf(merchant);
  const amount = formatMoney(amountDueOf(row), merchant.language);
  return row.kind === 'link' ? texts.textRequest({ from, amount, url }) : texts.text({ number: row.number, from, amount, url });
}
