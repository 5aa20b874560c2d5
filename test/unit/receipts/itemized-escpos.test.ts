import { expect, test } from 'vitest';
import { receiptContent } from '../../../core/billing/receipts/content.ts';
import { receiptEscpos } from '../../../core/billing/receipts/escpos.ts';
import { money } from '../../../core/kernel/index.ts';
import type { LineItem } from '../../../core/sales/items/index.ts';
import { readEscpos } from '../../support/fake-printer.ts';
import { withTransaction } from './receipt-subject.ts';

const usd = (minor: number) => money(minor, 'USD' as LineItem['amount']['currency']);
const line = (description: string, quantity: number, unitMinor: number, taxMinor: number, amountMinor: number): LineItem => ({
  itemId: null,
  description,
  quantity,
  unitPrice: usd(unitMinor),
  taxRate: 8,
  taxIncluded: false,
  discountAmount: usd(0),
  taxAmount: usd(taxMinor),
  amount: usd(amountMinor),
});

const ITEMIZED = withTransaction({
  amount: usd(3_400),
  capturedAmount: usd(3_400),
  tipAmount: usd(200),
  taxAmount: usd(237),
  lineItems: [
    line('Café crème', 2, 450, 72, 972),
    line('Sourdough loaf with a name that is longer than the paper of a small printer is wide', 1.5, 1_375, 165, 2_228),
  ],
});

/** Returns the amount at the end of a printed line, in cents; null for a line without one. */
const centsOf = (text: string) => {
  const [, amount] = /(\d+\.\d\d) USD$/.exec(text) ?? [];
  return amount === undefined ? null : Math.round(Number(amount) * 100);
};

test.each([32, 42, 48])('prints each line of an itemized receipt with its quantity and amount on %i columns, and adds up', (columns) => {
  const { lines, commands } = readEscpos(receiptEscpos(receiptContent(ITEMIZED), columns));
  const texts = lines.map((each) => each.toString('latin1'));
  expect(commands).toContain('ESC t 19');
  expect(texts.filter((text) => text.length > columns)).toEqual([]);

  const start = texts.findIndex((text) => text.startsWith('Caf'));
  const end = texts.findIndex((text, index) => index > start && text.startsWith('---'));
  const printed = texts.slice(start, end).join(' ').replaceAll(/\s+/g, ' ');
  // Bytes of the code page 858: é, è and the multiplication sign.
  expect(printed).toBe(
    'Caf\x82 cr\x8ame, 2 \x9e 4.50 USD 9.00 USD Sourdough loaf with a name that is longer than the paper of a small printer is wide, 1.5 \x9e 13.75 USD 20.63 USD',
  );
  const amounts = texts
    .slice(end + 1)
    .map(centsOf)
    .filter((cents) => cents !== null);
  expect(amounts).toEqual([900 + 2_063, 237, 200, 3_400]);
});
