import fc from 'fast-check';
import { expect, test } from 'vitest';
import { receiptPdf } from '../../../core/billing/receipts/pdf.ts';
import { sized } from '../../support/tier.ts';
import { readPdf } from '../documents/read-pdf.ts';
import { REFUND, SUBJECT, withFooter, withMerchant, withTransaction } from './receipt-subject.ts';

test('contains the same content on one page as the paper receipt', async () => {
  const { pages, text, info } = await readPdf(await receiptPdf({ ...SUBJECT, isSandbox: true, invoiceNumber: 'INV-000042' }));
  expect(pages).toHaveLength(1);
  for (const part of [
    'SANDBOX',
    'Harbour Cycle Works',
    'Portland, ME',
    'Date Nov 20, 2026, 5:14 PM',
    'Paid by Visa ****1111',
    'Auth code A1B2C3',
    'Reference KQ7ZB2MNRT4WXY5HJC6D',
    'Invoice INV-000042',
    'Brake pads, front',
    'Total 4,500.00 USD',
    'Customer copy',
    'Refunds within 30 days',
  ]) {
    expect(text).toContain(part);
  }
  expect(text).not.toMatch(/2028/);
  expect(info).toMatchObject({ Title: `Receipt ${SUBJECT.transaction.transactionId}`, Author: 'Harbour Cycle Works', Language: 'en' });
});

test('marks a refund and omits the authorization code', async () => {
  const { text } = await readPdf(await receiptPdf({ ...SUBJECT, refund: REFUND }));
  expect(text).toContain('REFUND');
  expect(text).toContain('Refunded 10.00 USD');
  expect(text).not.toContain('A1B2C3');
});

test('uses the language of the merchant', async () => {
  const { text, info } = await readPdf(await receiptPdf(withMerchant({ language: 'es' })));
  expect(text).toContain('Copia del cliente');
  expect(info).toMatchObject({ Language: 'es' });
});

test('renders any record', async () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc.string({ unit: 'grapheme', maxLength: 300 }),
    fc.stringMatching(/^\w{0,500}$/),
  );
  await fc.assert(
    fc.asyncProperty(text, text, async (description, footer) => {
      const pdf = await receiptPdf(withFooter(footer, withTransaction({ description, orderId: description })));
      expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
      expect(pdf.subarray(-6).toString()).toContain('%%EOF');
    }),
    { numRuns: sized(5, 100) },
  );
});
