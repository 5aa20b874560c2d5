import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { receiptContent } from '../../../renderer/receipt/content.ts';
import { receiptBody, receiptDocument } from '../../../renderer/receipt/html.ts';
import type { ReceiptSubject } from '../../../renderer/receipt/subject.ts';
import { receiptText } from '../../../renderer/receipt/text.ts';

const SUBJECT: ReceiptSubject = {
  transaction: {
    transactionId: 'txn_01kx8b5w7vfa1r3m9c2q4z6d8e',
    type: 'sale',
    paymentMethod: 'card',
    amount: 4500,
    currency: 'USD',
    status: 'approved',
    refundedAmount: 0,
    authCode: 'A1B2C3',
    processorRef: 'KQ7ZB2MNRT4WXY5HJC6D',
    declineReason: null,
    card: { brand: 'visa', last4: '1111' },
    bankAccount: null,
    orderId: 'A-100',
    description: 'Brake pads, front',
    source: 'keyed',
    createdAt: '2026-11-20T22:14:00Z',
  },
  merchant: {
    name: 'Harbour Cycle Works',
    timezone: 'America/New_York',
    city: 'Portland',
    state: 'ME',
    vtSettings: { receiptFooter: 'Refunds within 30 days with this receipt.' },
  },
  copy: 'customer',
  sandbox: false,
  duplicate: false,
};

const textOf = (subject: ReceiptSubject, columns = 48) => receiptText(receiptContent(subject), columns);
const withTransaction = (change: Partial<ReceiptSubject['transaction']>, rest: Partial<ReceiptSubject> = {}): ReceiptSubject => ({
  ...SUBJECT,
  ...rest,
  transaction: { ...SUBJECT.transaction, ...change },
});

describe('a receipt', () => {
  test('says who, when, what, how much, by which card and how it was authorized', () => {
    const text = textOf(SUBJECT);
    for (const part of [
      'Harbour Cycle Works',
      'Portland, ME',
      'Nov 20, 2026, 5:14 PM',
      'Sale',
      '4,500.00 USD',
      'Visa ****1111',
      'A1B2C3',
      'KQ7ZB2MNRT4WXY5HJC6D',
      'A-100',
      'Brake pads, front',
      'Customer copy',
      'Refunds within 30 days',
    ]) {
      expect(text.replace(/\u202f/g, ' ')).toContain(part);
    }
    expect(text).not.toMatch(/[*]{3} /);
  });

  test('leaves the auth code off what gives money back, and marks it', () => {
    for (const subject of [
      withTransaction({ type: 'credit' }),
      { ...SUBJECT, refund: { refundId: 'ref_1', amount: 10, refundedAt: '2026-11-21T10:00:00Z' } },
    ]) {
      const text = textOf(subject);
      expect(text).toContain('*** REFUND ***');
      expect(text).not.toContain('A1B2C3');
    }
    expect(textOf({ ...SUBJECT, refund: { refundId: 'ref_1', amount: 10, refundedAt: null } })).toMatch(/Refunded +10\.00 USD/);
  });

  test('asks for a signature on the merchant copy only, and not from a caller', () => {
    expect(textOf(SUBJECT)).not.toContain('signature');
    expect(textOf({ ...SUBJECT, copy: 'merchant' })).toContain('Phone order, no signature');
    expect(textOf(withTransaction({ source: 'swiped' }, { copy: 'merchant' }))).toMatch(/X_{30,}/);
    expect(textOf(withTransaction({ source: 'swiped' }))).not.toContain('X___');
  });

  test('bears the marks of what it is', () => {
    const text = textOf(withTransaction({ status: 'voided' }, { sandbox: true, duplicate: true }));
    for (const mark of ['SANDBOX', 'VOID', 'DUPLICATE']) expect(text).toContain(`*** ${mark} ***`);
  });

  test('keeps to the columns of the paper, whatever the record holds', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 120 });
    fc.assert(
      fc.property(text, text, text, fc.constantFrom(32, 48), (description, orderId, footer, columns) => {
        const subject = withTransaction(
          { description, orderId },
          { merchant: { ...SUBJECT.merchant, vtSettings: { receiptFooter: footer } } },
        );
        for (const line of textOf(subject, columns).split('\n')) expect([...line].length).toBeLessThanOrEqual(columns);
      }),
    );
  });

  test('holds no run of five digits of a card, even when a clerk typed the number into the order', () => {
    const around = fc.stringMatching(/^[a-z ,.]{0,30}$/);
    const spaced = (number: string) =>
      fc.constantFrom(number, number.replace(/(.{4})(?!$)/g, '$1 '), number.replace(/(.{4})(?!$)/g, '$1-'));
    const card = fc.constantFrom('4111111111111111', '378282246310005', '6011111111111117', '5555555555554444').chain(spaced);
    fc.assert(
      fc.property(around, card, around, (before, number, after) => {
        const typed = `${before}${number}${after}`;
        const subject = withTransaction(
          { description: typed, orderId: typed },
          { merchant: { ...SUBJECT.merchant, vtSettings: { receiptFooter: typed } } },
        );
        const digits = number.replace(/\D/g, '');
        for (const made of [textOf(subject, 32), textOf(subject), receiptBody(receiptContent(subject))]) {
          const flat = made.replace(/[^0-9a-zA-Z*]/g, '');
          for (let at = 0; at + 5 <= digits.length; at += 1) expect(flat).not.toContain(digits.slice(at, at + 5));
        }
      }),
    );
  });

  test('never shows an expiry: it is not even told one', () => {
    const record = { ...SUBJECT.transaction, card: { brand: 'visa', last4: '1111', expiryMonth: '12', expiryYear: '2028' } };
    const content = receiptContent({ ...SUBJECT, transaction: record });
    expect(receiptText(content, 48) + receiptBody(content)).not.toMatch(/2028|12\/28/);
  });

  test('does no harm to a page or a printer', () => {
    const subject = withTransaction({ description: '<img src=x onerror=alert(1)>\u001b@\u001dV0\u202e', orderId: '"><script>1</script>' });
    const page = receiptDocument(receiptContent(subject), '80mm');
    expect(page).not.toMatch(/<img|<script/);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control signs are what is looked for
    expect(textOf(subject)).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f\u202e]/);
  });

  test('prints on the paper that was chosen', () => {
    const content = receiptContent(SUBJECT);
    expect(receiptDocument(content, '58mm', 120)).toContain('@page { size: 58mm 120mm');
    expect(receiptDocument(content, '80mm', 120.2)).toContain('@page { size: 80mm 121mm');
    expect(receiptDocument(content, 'letter')).toContain('@page { size: 215.9mm 279.4mm');
  });
});
