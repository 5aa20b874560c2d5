import { expect, test } from 'vitest';
import { receiptContent } from '../../../core/billing/receipts/content.ts';
import { receiptEscpos } from '../../../core/billing/receipts/escpos.ts';
import { receiptMail } from '../../../core/billing/receipts/mail.ts';
import { receiptPdf } from '../../../core/billing/receipts/pdf.ts';
import type { LineItem } from '../../../core/sales/items/index.ts';
import { readEscpos } from '../../support/fake-printer.ts';
import { readPdf } from '../documents/read-pdf.ts';
import { REFUND, usd, withTransaction } from './receipt-subject.ts';

const LINE: LineItem = {
  itemId: null,
  description: 'Chain',
  quantity: 2,
  unitPrice: usd(1_000),
  taxRate: 10,
  taxIncluded: false,
  discountAmount: usd(400),
  taxAmount: usd(160),
  amount: usd(1_760),
};

/** A sale of 2 × 10.00 with 4.00 off and 10 % tax added. */
const DISCOUNTED = withTransaction({
  amount: usd(1_760),
  capturedAmount: usd(1_760),
  taxAmount: usd(160),
  discountAmount: usd(400),
  lineItems: [LINE],
});

/** Labels and values in their order: the line with its discount, then the price, the discount, the tax and the total. */
const ROWS = [
  ['Chain, 2 × 10.00 USD', '20.00 USD'],
  ['Discount', '-4.00 USD'],
  ['Amount', '20.00 USD'],
  ['Discount', '-4.00 USD'],
  ['Sales tax', '1.60 USD'],
  ['Total', '17.60 USD'],
].map((row) => row.join(' '));

/** Asserts that a text contains all rows in their order. */
function expectRows(text: string): void {
  const flat = text.replaceAll(/\s+/g, ' ').replaceAll('-----', '');
  let from = 0;
  for (const row of ROWS) {
    const at = flat.indexOf(row, from);
    expect(at, `${row} in ${flat.slice(from)}`).toBeGreaterThanOrEqual(0);
    from = at + row.length;
  }
}

test('shows the discount in both parts of an email, in its lines and above its total', () => {
  const { body, html } = receiptMail(DISCOUNTED);
  expectRows(body);
  expectRows(html.replaceAll(/<[^>]*>/g, ' '));
});

test('shows the discount in the PDF', async () => {
  expectRows((await readPdf(await receiptPdf(DISCOUNTED))).text);
});

test.each([32, 48])('prints the discount on %i columns', (columns) => {
  const { lines } = readEscpos(receiptEscpos(receiptContent(DISCOUNTED), columns));
  // The multiplication sign in the code page 858.
  expectRows(lines.map((line) => line.toString('latin1').replaceAll('\x9e', '×')).join('\n'));
});

test('shows no discount on the receipts of a refund and of a capture of a part', () => {
  expect(receiptMail({ ...DISCOUNTED, refund: REFUND }).html).not.toContain('Discount');
  const part = receiptContent(withTransaction({ amount: usd(4_500), capturedAmount: usd(3_000), discountAmount: usd(500) }));
  expect(part.amounts).toEqual([]);
});

test('shows the amount that was authorized first instead of the discount after the amount was changed', () => {
  const lowered = receiptContent({
    ...withTransaction({
      type: 'auth',
      captured: false,
      capturedAmount: usd(0),
      amount: usd(880),
      taxAmount: usd(80),
      discountAmount: usd(400),
      lineItems: [LINE],
    }),
    originalAmount: usd(1_760),
  });
  expect(lowered.facts).toContainEqual({ label: 'Originally authorized', value: '17.60 USD' });
  expect(lowered.amounts).toEqual([
    { label: 'Amount', value: '8.00 USD' },
    { label: 'Sales tax', value: '0.80 USD' },
  ]);
  expect(lowered.total).toEqual({ label: 'Authorized', value: '8.80 USD' });
});
