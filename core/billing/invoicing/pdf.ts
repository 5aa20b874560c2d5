import { dateIn } from '#core/kernel';
import {
  type Brand,
  brandOf,
  createPdf,
  formatAmount,
  formatDay,
  formatMoney,
  type PdfSheet,
  plain,
  plainLines,
  qrPng,
  readableColor,
} from '#core/platform/documents';
import type { Merchant } from '#core/processing/merchants';
import { LOCALES } from '#shared/languages';
import { countryName, isHomeCountry } from '#shared/shipping-address';
import { type InvoicePdfTexts, invoicePdfTexts } from './pdf-texts.ts';
import type { Invoice, InvoicePayment } from './records.ts';

const WHITE = '#ffffff';
const LOGO = { width: 180, height: 56 } as const;
const QR_PT = 104;
const STAMP_COLORS = { paid: '#17683d', cancelled: '#4a5560', overdue: '#8a1c1c', draft: '#4a5560', sandbox: '#7a4b00' } as const;

/** Data for the parts of the PDF. */
interface InvoiceDocument {
  readonly sheet: PdfSheet;
  readonly invoice: Invoice;
  readonly merchant: Merchant;
  readonly brand: Brand;
  readonly texts: InvoicePdfTexts;
}

/**
 * Returns an invoice as a PDF in the merchant's brand. While an amount is due, a QR code leads to
 * `url`, which is printed beside it. Items and notes continue on as many pages as they need.
 */
export async function invoicePdf(invoice: Invoice, merchant: Merchant, url: string, isSandbox = false): Promise<Buffer> {
  const { language } = merchant;
  const texts = invoicePdfTexts(language);
  const brand = brandOf(merchant);
  const qr = isPayable(invoice) ? await qrPng(url) : null;
  const documentOptions = {
    title: `${texts.invoice} ${invoice.number}`,
    author: brand.companyName,
    language,
    footer: (page: number, pages: number) => `${invoice.number} · ${texts.page(page, pages)}`,
  };
  return createPdf(documentOptions, (sheet) => {
    const document: InvoiceDocument = { sheet, invoice, merchant, brand, texts };
    writeHead(document, isSandbox);
    writeParties(document);
    writeItems(document);
    writeTotals(document);
    if (qr !== null) writePaymentCode(document, url, qr);
    writePayments(document);
    writeNote(document);
  });
}

function isPayable({ status, amountDue }: Invoice): boolean {
  return amountDue.minor > 0 && status !== 'cancelled';
}

function writeHead({ sheet, invoice, brand, texts }: InvoiceDocument, isSandbox: boolean): void {
  const half = sheet.width / 2;
  sheet.band(brand.primaryColor, 10);
  const stamps = [...(isSandbox ? (['sandbox'] as const) : []), ...stampOf(invoice)];
  sheet.beside(
    () => {
      if (brand.logo && sheet.picture(brand.logo, { x: sheet.left, ...LOGO, alt: brand.companyName })) sheet.skip(6);
      sheet.text(brand.companyName, { size: 13, font: 'strong', width: half });
      for (const line of brand.lines) sheet.text(line, { size: 9, color: 'quiet', width: half });
    },
    () => {
      const column = { x: sheet.left + half, width: half, align: 'right' } as const;
      sheet.text(texts.invoice, { ...column, size: 22, font: 'strong', color: readableColor(brand.primaryColor, WHITE), tag: 'H1' });
      for (const stamp of stamps) {
        sheet.skip(4);
        sheet.stamp(texts.stamps[stamp], STAMP_COLORS[stamp], column);
      }
    },
  );
  sheet.skip(20);
}

function stampOf({ status }: Invoice): (keyof typeof STAMP_COLORS & keyof InvoicePdfTexts['stamps'])[] {
  return status === 'paid' || status === 'cancelled' || status === 'overdue' || status === 'draft' ? [status] : [];
}

function writeParties({ sheet, invoice, merchant, texts }: InvoiceDocument): void {
  const { language, timezone } = merchant;
  const half = sheet.width / 2;
  const { customer } = invoice;
  const customerLines = billTo(customer, merchant.country);
  const issued = dateIn(timezone, Date.parse(invoice.sentAt ?? invoice.createdAt));
  sheet.beside(
    () => {
      if (customerLines.length === 0) return;
      sheet.text(texts.billTo, { size: 9, color: 'quiet', width: half - 20 });
      customerLines.forEach((line, index) => void sheet.text(line, { width: half - 20, font: index === 0 ? 'strong' : 'regular' }));
    },
    () =>
      sheet.pairs(
        [
          { label: texts.number, value: invoice.number },
          { label: texts.date, value: formatDay(issued, language) },
          ...(invoice.dueDate === null ? [] : [{ label: texts.dueDate, value: formatDay(invoice.dueDate, language) }]),
          ...(invoice.purchaseOrderNumber === null ? [] : [{ label: texts.purchaseOrder, value: plain(invoice.purchaseOrderNumber) }]),
          { label: texts.totals.due, value: formatMoney(invoice.amountDue, language), isStrong: true },
        ],
        { x: sheet.left + half, width: half },
      ),
  );
  sheet.skip(18);
}

/** Returns the lines of the customer: the company first, whose order the person places. */
function billTo(customer: Invoice['customer'], home: string): string[] {
  if (customer === null) return [];
  const { name, company, address, email, phone } = customer;
  const { street, city, state, zip, country } = address ?? {};
  const place = [city, [state, zip].filter(Boolean).join(' ')].filter(Boolean).join(', ');
  const land = country && !isHomeCountry(country, home) ? countryName(country) : undefined;
  const lines = [company, name === company ? null : name, ...(street?.split('\n') ?? []), place, land, email, phone];
  return lines.filter((line): line is string => !!line?.trim());
}

function writeItems({ sheet, invoice, merchant, brand, texts }: InvoiceDocument): void {
  const { language } = merchant;
  const quantity = new Intl.NumberFormat(LOCALES[language], { maximumFractionDigits: 3 });
  const head = { background: brand.primaryColor, textColor: readableColor(WHITE, brand.primaryColor) };
  const right = { align: 'right' } as const;
  const { columns } = texts;
  const amount = { title: columns.amount(invoice.currency), width: 110, ...right };
  if (invoice.items.length === 0) {
    const description = invoice.description ?? texts.invoice;
    sheet.table([{ title: columns.description }, amount], [[description, formatAmount(invoice.amount, language)]], head);
    return;
  }
  if (invoice.description !== null) {
    sheet.text(invoice.description);
    sheet.skip(6);
  }
  sheet.table(
    [
      { title: columns.description },
      { title: columns.quantity, width: 80, ...right },
      { title: columns.unitPrice, width: 100, ...right },
      amount,
    ],
    invoice.items.map((item) => [
      item.description,
      quantity.format(item.quantity),
      formatAmount(item.unitPrice, language),
      formatAmount(item.amount, language),
    ]),
    head,
  );
}

function writeTotals({ sheet, invoice, merchant, texts }: InvoiceDocument): void {
  const { language } = merchant;
  const { totals } = texts;
  const isPaidInPart = invoice.amountPaid.minor > 0;
  const rows = [
    ...(invoice.taxAmount.minor > 0 ? [{ label: totals.tax, value: formatMoney(invoice.taxAmount, language) }] : []),
    { label: totals.total, value: formatMoney(invoice.amount, language), isStrong: !isPaidInPart },
    ...(isPaidInPart ? [{ label: totals.paid, value: `-${formatMoney(invoice.amountPaid, language)}` }] : []),
    { label: totals.due, value: formatMoney(invoice.amountDue, language), isStrong: true },
    ...(invoice.amountPending.minor > 0 ? [{ label: totals.pending, value: formatMoney(invoice.amountPending, language) }] : []),
  ];
  sheet.skip(8);
  sheet.keepTogether(rows.length * 16);
  sheet.pairs(rows, { x: sheet.left + sheet.width / 2, width: sheet.width / 2 - 4, size: 11 });
  sheet.skip(18);
}

function writePaymentCode({ sheet, merchant, brand, texts }: InvoiceDocument, url: string, qr: Buffer): void {
  sheet.keepTogether(QR_PT + 8);
  const beside = { x: sheet.left + QR_PT + 14, width: sheet.width - QR_PT - 14 };
  sheet.beside(
    () => {
      const picture = { bytes: qr, type: 'image/png' } as const;
      sheet.picture(picture, { x: sheet.left, width: QR_PT, height: QR_PT, alt: texts.payOnline, link: url });
    },
    () => {
      sheet.skip(14);
      sheet.text(texts.payOnline, { ...beside, size: 12, font: 'strong', tag: 'H2' });
      sheet.text(texts.scan, { ...beside, color: 'quiet' });
      sheet.link(url, { ...beside, color: readableColor(brand.accentColor, WHITE) });
      if (merchant.phone) sheet.text(merchant.phone, { ...beside, color: 'quiet' });
    },
  );
  sheet.skip(14);
}

function writeNote({ sheet, invoice }: InvoiceDocument): void {
  const lines = plainLines(invoice.note);
  for (const line of lines) sheet.text(line);
  if (lines.length > 0) sheet.skip(14);
}

function writePayments({ sheet, invoice, merchant, brand, texts }: InvoiceDocument): void {
  const succeeded = invoice.payments.filter(({ status }) => status === 'succeeded');
  if (succeeded.length === 0) return;
  const { language, timezone } = merchant;
  sheet.keepTogether(80);
  sheet.text(texts.payments, { size: 12, font: 'strong', tag: 'H2' });
  sheet.skip(6);
  sheet.table(
    [
      { title: texts.paymentColumns.date, width: 100 },
      { title: texts.paymentColumns.method, width: 150 },
      { title: texts.paymentColumns.reference },
      { title: texts.columns.amount(invoice.currency), width: 110, align: 'right' },
    ],
    succeeded.map((payment) => [
      formatDay(dateIn(timezone, Date.parse(payment.createdAt)), language),
      methodOf(payment, texts),
      referenceOf(payment, merchant, texts),
      formatAmount(payment.amount, language),
    ]),
    { background: brand.primaryColor, textColor: readableColor(WHITE, brand.primaryColor) },
  );
  sheet.skip(14);
}

function methodOf({ method, card, bankAccount }: InvoicePayment, { methods }: InvoicePdfTexts): string {
  const last4 = card?.last4 ?? bankAccount?.last4;
  return last4 === undefined ? methods[method] : `${methods[bankAccount ? 'ach' : 'card']} ****${last4}`;
}

function referenceOf({ reference, refundedAmount }: InvoicePayment, { language }: Merchant, texts: InvoicePdfTexts): string {
  const refunded = refundedAmount.minor > 0 ? texts.refunded(formatMoney(refundedAmount, language)) : null;
  return [reference, refunded].filter((part) => part !== null).join(', ');
}
