import { expect, test } from 'vitest';
import { receiptDocument } from '../../../core/billing/receipts/html.ts';
import { contentMail } from '../../../core/billing/receipts/mail.ts';
import { type TenderSubject, tenderContent } from '../../../core/billing/receipts/tender-content.ts';
import { receiptText } from '../../../core/billing/receipts/text.ts';
import { MERCHANT, usd } from './receipt-subject.ts';

const SALE: TenderSubject = {
  tender: {
    number: 'T-000003',
    kind: 'cash',
    name: null,
    amount: usd(1_002),
    roundingAmount: usd(-2),
    taxAmount: usd(0),
    discountAmount: usd(0),
    amountGiven: usd(2_000),
    change: usd(1_000),
    checkNumber: null,
    checkBank: null,
    giftCardLastCharacters: null,
    customerName: null,
    orderId: null,
    description: null,
    lineItems: [],
    createdAt: '2026-03-02T15:00:00.000Z',
  },
  refund: null,
  paid: null,
  merchant: MERCHANT,
  copy: 'customer',
  isSandbox: false,
  isDuplicate: false,
};

test('shows the rounding of cash on paper, on the screen and in emails, and nothing for exact amounts', () => {
  const content = tenderContent(SALE);
  const text = receiptText(content, 48);
  expect(text).toMatch(/Cash rounding +-0\.02 USD/);
  expect(text).toMatch(/In cash +10\.00 USD/);
  expect(text).toMatch(/Amount given +20\.00 USD/);
  expect(text).toMatch(/Change +10\.00 USD/);
  expect(text).toMatch(/10\.02 USD/);
  const { body, html } = contentMail(content, 'receipt');
  for (const shown of [receiptDocument(content, '80mm'), body, html]) {
    expect(shown).toContain('Cash rounding');
    expect(shown).toContain('-0.02 USD');
  }
  const exact = receiptText(tenderContent({ ...SALE, tender: { ...SALE.tender, roundingAmount: usd(0) } }), 48);
  expect(exact).not.toMatch(/rounding|In cash/);
});
