import { expect, test } from 'vitest';
import type { Invoice, InvoicePayment } from '../../../core/billing/invoicing/index.ts';
import { receiptDocument } from '../../../core/billing/receipts/html.ts';
import { contentMail } from '../../../core/billing/receipts/mail.ts';
import { type TenderSubject, tenderContent } from '../../../core/billing/receipts/tender-content.ts';
import { receiptText } from '../../../core/billing/receipts/text.ts';
import { MERCHANT, usd } from './receipt-subject.ts';

/** A check of 80.00 of which 30.00 was refunded before the bank returned it. */
const RETURNED: TenderSubject = {
  tender: {
    number: 'T-000007',
    kind: 'check',
    name: null,
    amount: usd(8_000),
    roundingAmount: usd(0),
    taxAmount: usd(500),
    discountAmount: usd(0),
    amountGiven: null,
    change: null,
    checkNumber: '1042',
    checkBank: 'First Harbor Bank',
    giftCardLastCharacters: null,
    customerName: 'Ann Marsh',
    orderId: null,
    description: null,
    lineItems: [],
    createdAt: '2026-03-02T15:00:00.000Z',
  },
  refund: {
    refundId: 'trf_1',
    number: 'T-000009',
    tenderId: 'tnd_1',
    merchantId: 'mer_1',
    amount: usd(5_000),
    roundingAmount: usd(0),
    currency: MERCHANT.currency,
    taxAmount: usd(313),
    reason: 'insufficient funds',
    drawer: 'Counter',
    shiftId: null,
    createdBy: 'Owner',
    approvedBy: null,
    isReturn: true,
    giftCardId: null,
    createdAt: '2026-03-09T15:00:00.000Z',
  },
  paid: null,
  merchant: MERCHANT,
  copy: 'customer',
  isSandbox: false,
  isDuplicate: false,
};

const ofInvoice = (status: Invoice['status'], amountDueMinor: number): TenderSubject => ({
  ...RETURNED,
  paid: {
    invoice: { number: 'INV-000004', status, amountDue: usd(amountDueMinor), currency: MERCHANT.currency, customer: null } as Invoice,
    payment: {} as InvoicePayment,
  },
});

test('shows the check, the return and the amount due of a returned check, not a refund', () => {
  const text = receiptText(tenderContent(RETURNED), 48);
  expect(text).toMatch(/Returned check/);
  expect(text).toMatch(/Notice +T-000009/);
  expect(text).toMatch(/Return recorded +Mar 9, 2026/);
  expect(text).toMatch(/Reason +insufficient funds/);
  expect(text).toMatch(/Paid by +Check 1042, First Harbor Bank/);
  expect(text).toMatch(/Receipt +T-000007/);
  expect(text).toMatch(/Amount of the check +80\.00 USD/);
  expect(text).toMatch(/Amount due +80\.00 USD/);
  expect(text).toContain('Your bank did not pay this check.');
  expect(text).not.toMatch(/refund/i);
});

test('shows what the invoice of a returned check asks for at present', () => {
  const open = receiptText(tenderContent(ofInvoice('partially_paid', 12_000)), 48);
  expect(open).toMatch(/Invoice +INV-000004/);
  expect(open).toMatch(/Amount due +120\.00 USD/);
  expect(open).toContain('Its amount is due again.');
  for (const settled of [ofInvoice('paid', 0), ofInvoice('cancelled', 12_000)]) {
    const text = receiptText(tenderContent(settled), 48);
    expect(text).toMatch(/Amount due +0\.00 USD/);
    expect(text).not.toContain('due again');
  }
});

test('writes the notice of a returned check in Spanish, on narrow paper and as an email', () => {
  const content = tenderContent({ ...RETURNED, merchant: { ...MERCHANT, language: 'es' }, isSandbox: true, isDuplicate: true });
  const lines = receiptText(content, 32).split('\n');
  for (const line of lines) expect([...line].length).toBeLessThanOrEqual(32);
  expect(lines.join('\n')).toMatch(/Importe pendiente +80[.,]00 USD/);
  expect(content.marks).toEqual(['SANDBOX', 'DUPLICADO']);
  expect(contentMail(content, 'return').subject).toBe('Su cheque devuelto en Harbour Cycle Works');
  expect(receiptDocument(content, '58mm')).toContain('Cheque devuelto');
});
