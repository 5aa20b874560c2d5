import { describe, expect, test } from 'vitest';
import type { Invoice, InvoiceItem } from '#core/billing/invoicing';
import type { Merchant } from '#core/processing/merchants';
import { invoicePdf } from '../../../core/billing/invoicing/pdf.ts';
import { MERCHANT, usd } from '../receipts/receipt-subject.ts';
import { readPdf } from './read-pdf.ts';

const URL = 'https://pay.example/pay/k3Jq8ZyR2mXvB7wNfT4c';

function item(description: string, quantity: number, unitMinor: number): InvoiceItem {
  return { itemId: null, description, quantity, unitPrice: usd(unitMinor), amount: usd(Math.round(quantity * unitMinor)) };
}

function invoiceOf(items: readonly InvoiceItem[], change: Partial<Invoice> = {}): Invoice {
  const amount = usd(items.reduce((sum, one) => sum + one.amount.minor, 0));
  return {
    invoiceId: 'inv_1',
    number: 'INV-000042',
    kind: 'invoice',
    merchantId: 'mer_1',
    customerId: 'cus_1',
    customer: { name: 'Ada Lovelace', email: 'ada@example.com', phone: null, company: null, address: null },
    amount,
    taxAmount: usd(0),
    purchaseOrderNumber: null,
    amountPaid: usd(0),
    amountPending: usd(0),
    amountDue: amount,
    currency: amount.currency,
    dueDate: '2026-12-20',
    items,
    note: null,
    description: null,
    allowPartial: false,
    collectShippingAddress: false,
    askForTip: 'default',
    delivery: null,
    promise: null,
    remindersStopped: null,
    status: 'sent',
    sentAt: '2026-11-20T22:14:00.000Z',
    paidAt: null,
    overdueAt: null,
    cancelledAt: null,
    cancelReason: null,
    expiresAt: null,
    url: URL,
    shortUrl: 'https://pay.example/s/abc',
    isLocalOnly: false,
    payments: [],
    createdAt: '2026-11-20T22:14:00.000Z',
    updatedAt: '2026-11-20T22:14:00.000Z',
    ...change,
  };
}

const ITEMS = [item('Brake pads, front', 2, 1_250), item('Labour', 1.5, 8_000)];
const read = async (invoice: Invoice, merchant: Merchant = MERCHANT, isSandbox = false) =>
  readPdf(await invoicePdf(invoice, merchant, URL, isSandbox));
const minor = (text: string) => Number(text.replace(/[^\d]/g, ''));

describe('the PDF of an invoice', () => {
  test('bills the company of the customer at its address', async () => {
    const address = { street: '12 Dock Road\nUnit 4', city: 'Halifax', state: 'NS', zip: 'B3H 4R2', country: 'CA' };
    const customer = { name: 'Ada Lovelace', email: 'ada@example.com', phone: '+12075550142', company: 'Engine Works Ltd', address };
    const { text } = await read(invoiceOf(ITEMS, { customer }));
    const at = ['Bill to', 'Engine Works Ltd', 'Ada Lovelace', '12 Dock Road', 'Unit 4', 'Halifax, NS B3H 4R2', 'ada@example.com'].map(
      (line) => text.indexOf(line),
    );
    expect(at).toEqual(at.toSorted((left, right) => left - right));
    expect(Math.min(...at)).toBeGreaterThan(0);
    const company = await read(invoiceOf(ITEMS, { customer: { ...customer, name: 'Engine Works Ltd', address: null } }));
    expect(company.text.split('Engine Works Ltd')).toHaveLength(2);
  });

  test('shows merchant, customer, items and due date', async () => {
    const { text, info } = await read(invoiceOf(ITEMS));
    for (const part of [
      'Harbour Cycle Works',
      '1 Quay Street',
      'Portland, ME 04101',
      'Ada Lovelace',
      'ada@example.com',
      'INV-000042',
      'Nov 20, 2026',
      'Dec 20, 2026',
      'Brake pads, front 2 12.50 25.00',
      'Labour 1.5 80.00 120.00',
      'Total 145.00 USD',
      'Amount due 145.00 USD',
      'Page 1 of 1',
    ]) {
      expect(text).toContain(part);
    }
    expect(info).toMatchObject({ Title: 'Invoice INV-000042', Author: 'Harbour Cycle Works', Language: 'en' });
    expect(text).not.toMatch(/SANDBOX|PAID|OVERDUE|CANCELED/);
  });

  test('shows the pay page as QR code, link and text', async () => {
    const { codes, links, text } = await read(invoiceOf(ITEMS));
    expect(codes).toEqual([URL]);
    expect(links).toContain(URL);
    expect(text).toContain(URL);
  });

  test('omits the payment link of a paid or canceled invoice', async () => {
    const paid = await read(invoiceOf(ITEMS, { status: 'paid', amountPaid: usd(14_500), amountDue: usd(0) }));
    expect(paid.text).toContain('PAID');
    expect(paid.text).toContain('Amount due 0.00 USD');
    expect(paid.codes).toEqual([]);
    const cancelled = await read(invoiceOf(ITEMS, { status: 'cancelled' }));
    expect(cancelled.text).toContain('CANCELED');
    expect(cancelled.codes).toEqual([]);
  });

  test('shows the status of the invoice', async () => {
    const { text } = await read(invoiceOf(ITEMS, { status: 'overdue' }), MERCHANT, true);
    expect(text).toContain('OVERDUE');
    expect(text).toContain('SANDBOX');
  });

  test('shows totals that add up, with payments and their methods', async () => {
    const payment = {
      paymentId: 'ivp_1',
      method: 'card',
      amount: usd(4_500),
      status: 'succeeded',
      transactionId: 'txn_1',
      tenderId: null,
      card: { brand: 'visa', last4: '1111' },
      bankAccount: null,
      reference: null,
      note: null,
      origin: 'page',
      actor: 'payer',
      declineCode: null,
      declineReason: null,
      taxAmount: usd(0),
      tipAmount: usd(0),
      surchargeAmount: usd(0),
      refundedAmount: usd(500),
      roundingAmount: usd(0),
      createdAt: '2026-11-21T10:00:00.000Z',
    } as const;
    const declined = { ...payment, paymentId: 'ivp_2', status: 'failed', amount: usd(9_999) } as const;
    const { text } = await read(
      invoiceOf(ITEMS, { status: 'partially_paid', amountPaid: usd(4_500), amountDue: usd(10_000), payments: [payment, declined] }),
    );
    const [, total = ''] = /Total ([\d.,]+) USD/.exec(text) ?? [];
    const [, paid = ''] = /Paid -([\d.,]+) USD/.exec(text) ?? [];
    const due = [...text.matchAll(/Amount due ([\d.,]+) USD/g)].map(([, amount = '']) => minor(amount));
    expect(due).toEqual([minor(total) - minor(paid), minor(total) - minor(paid)]);
    expect(text).toContain('Card ****1111 5.00 USD refunded 45.00');
    expect(text).not.toContain('99.99');
  });

  test('continues on as many pages as needed, each with the table head and its number', async () => {
    const items = Array.from({ length: 200 }, (_, index) => item(`Part no. ${index + 1}`, 1, 100 + index));
    const { pages, text } = await read(invoiceOf(items));
    expect(pages.length).toBeGreaterThan(3);
    const rows = [...text.matchAll(/Part no\. (\d+) 1 ([\d.]+) ([\d.]+)/g)];
    expect(rows.map(([, number]) => Number(number))).toEqual(items.map((_, index) => index + 1));
    expect(rows.reduce((sum, [, , , amount = '']) => sum + minor(amount), 0)).toBe(
      items.reduce((sum, { amount }) => sum + amount.minor, 0),
    );
    pages.forEach((page, index) => {
      expect(page).toContain(`Page ${index + 1} of ${pages.length}`);
      if (page.includes('Part no.')) expect(page).toContain('Description');
    });
  });

  test('prints a note of five thousand characters and a word as long as a page', async () => {
    const note = `${'All our work is guaranteed. '.repeat(180).slice(0, 4_990)}\nThe end.`;
    const { text } = await read(invoiceOf([item('y'.repeat(3_000), 1, 100)], { note }));
    expect(text.match(/guaranteed/g)?.length).toBeGreaterThan(170);
    expect(text).toContain('The end.');
    expect(text.replace(/[^y]/g, '').length).toBeGreaterThanOrEqual(3_000);
  });

  test('shows the purpose of a link', async () => {
    const { text } = await read(
      invoiceOf([], { kind: 'link', amount: usd(5_000), amountDue: usd(5_000), description: 'Deposit', customer: null, dueDate: null }),
    );
    expect(text).toContain('Deposit 50.00');
    expect(text).not.toContain('Bill to');
  });

  test('prints a Spanish PDF for a Spanish merchant', async () => {
    const { text, info } = await read(invoiceOf(ITEMS, { status: 'overdue' }), { ...MERCHANT, language: 'es' });
    for (const part of ['Factura', 'Facturar a', 'VENCIDA', 'Importe pendiente', 'Página 1 de 1']) expect(text).toContain(part);
    expect(info).toMatchObject({ Language: 'es' });
  });

  test('prints a box for characters missing in all fonts, and hostile text as text', async () => {
    const hostile = '<script>alert(1)</script>\u0000\u001b@\u202e 中文 \u{12000} \ud800 4111111111111111';
    const merchant = { ...MERCHANT, branding: { ...MERCHANT.branding, companyName: hostile } };
    const { text } = await read(
      invoiceOf([item(hostile, 1, 100)], {
        note: hostile,
        customer: { name: hostile, email: null, phone: null, company: null, address: null },
      }),
      merchant,
    );
    expect(text).toContain('中文 □');
    expect(text).toContain('****1111');
    expect(text).not.toContain('411111');
  });

  test('shows the stored logo, and omits a damaged one', async () => {
    const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
    const withLogo = (data: string) => ({ ...MERCHANT, branding: { ...MERCHANT.branding, logoUrl: `data:image/png;base64,${data}` } });
    const [none, whole, broken] = await Promise.all([
      invoicePdf(invoiceOf(ITEMS), MERCHANT, URL),
      invoicePdf(invoiceOf(ITEMS), withLogo(pixel), URL),
      invoicePdf(invoiceOf(ITEMS), withLogo(pixel.slice(0, 60)), URL),
    ]);
    const pictures = (pdf: Buffer) => pdf.toString('latin1').match(/\/Subtype \/Image/g)?.length;
    expect(pictures(whole)).toBeGreaterThan(pictures(none) ?? 0);
    expect(pictures(broken)).toBe(pictures(none));
  });
});
