import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type ReceiptSubject, receiptContent } from '../../../core/billing/receipts/content.ts';
import { receiptDocument } from '../../../core/billing/receipts/html.ts';
import { receiptMail, receiptSms } from '../../../core/billing/receipts/mail.ts';
import { receiptText } from '../../../core/billing/receipts/text.ts';
import { REFUND, SUBJECT, usd, withFooter, withMerchant, withTransaction } from './receipt-subject.ts';

const textOf = (subject: ReceiptSubject, columns = 48) => receiptText(receiptContent(subject), columns);
const pageOf = (subject: ReceiptSubject) => receiptDocument(receiptContent(subject), '80mm');

describe('a receipt', () => {
  test('names a captured authorization as a sale, and labels its description', () => {
    const captured = receiptContent(withTransaction({ type: 'auth', description: 'Deposit' }));
    expect([captured.title, captured.items]).toEqual(['Sale', ['Description: Deposit']]);
    const open = receiptContent(withTransaction({ type: 'auth', captured: false, description: null }));
    expect([open.title, open.items]).toEqual(['Authorization', []]);
  });

  test('shows merchant, time, items, amount, card and authorization', () => {
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
      'keep it for your records',
      'Refunds within 30 days',
    ]) {
      expect(text).toContain(part);
    }
    expect(text).not.toMatch(/[*]{3} /);
  });

  test('marks a refund or credit and omits the authorization code', () => {
    const refunded: ReceiptSubject = { ...SUBJECT, refund: REFUND };
    for (const subject of [withTransaction({ type: 'credit' }), refunded]) {
      const text = textOf(subject);
      expect(text).toContain('*** REFUND ***');
      expect(text).not.toContain('A1B2C3');
    }
    expect(textOf(refunded)).toMatch(/Refunded +10\.00 USD/);
    expect(textOf(refunded)).toContain('REFUNDREF4WXY5HJC6DQ');
    expect(textOf(withTransaction({ type: 'credit' }))).toMatch(/Credited +4,500\.00 USD/);
  });

  test.each([
    ['pending', 'Refund pending'],
    ['declined', 'Not refunded'],
    ['failed', 'Not refunded'],
  ] as const)('labels a %s refund as "%s"', (status, words) => {
    expect(textOf({ ...SUBJECT, refund: { ...REFUND, status } })).toMatch(new RegExp(`${words} +10\\.00 USD`));
  });

  test.each([
    ['declined', 'Not charged'],
    ['failed', 'Not charged'],
    ['pending', 'Not charged yet'],
  ] as const)('labels a %s payment as "%s"', (status, words) => {
    expect(textOf(withTransaction({ status, authCode: null }))).toMatch(new RegExp(`${words} +4,500\\.00 USD`));
  });

  test('shows an authorization as such until it is captured, then the captured amount', () => {
    expect(textOf(withTransaction({ type: 'auth', captured: false }))).toMatch(/Authorized +4,500\.00 USD/);
    const captured = textOf(withTransaction({ type: 'auth', capturedAmount: usd(120_000) }));
    expect(captured).toMatch(/Total +1,200\.00 USD/);
    expect(captured).toMatch(/Authorized +4,500\.00 USD/);
  });

  test('leaves lines for tip, total and signature on the merchant copy if the terminal asks for tips and there is none', () => {
    const asking = { merchant: { ...SUBJECT.merchant, vtSettings: { ...SUBJECT.merchant.vtSettings, tipEnabled: true } } };
    const copy = textOf({ ...SUBJECT, ...asking, copy: 'merchant' });
    expect(copy).toMatch(/^Tip _+$/m);
    expect(copy).toMatch(/^Total _+$/m);
    expect(copy).toMatch(/^X_+$/m);
    expect(textOf({ ...SUBJECT, ...asking })).not.toContain('Tip _');
    const tipped = withTransaction({ tipAmount: { ...SUBJECT.transaction.amount, minor: 500 } }, { ...asking, copy: 'merchant' });
    expect(textOf(tipped)).not.toContain('Tip _');
    expect(textOf(tipped)).toMatch(/^Tip +5\.00 USD$/m);
  });

  test('states how a card reader read a card and verified its holder, and asks for a signature only if the reader did', () => {
    const merchants = { copy: 'merchant' } as const;
    const terminal = {
      terminalId: 'trm_1',
      name: 'Counter 1',
      state: 'approved',
      requestedAmount: SUBJECT.transaction.amount,
      asksTip: false,
      tipAmount: null,
      cardFunding: null,
      canceledBy: null,
      entryMode: 'chip',
      applicationLabel: 'Visa Credit',
      applicationId: 'A0000000031010',
      verification: 'pin',
    } as const;
    const onReader = { source: 'terminal', channel: 'chip', terminal } as const;
    const text = textOf(withTransaction(onReader, merchants));
    for (const line of [/^Entry method +Chip$/m, /^Application +Visa Credit$/m, /^AID +A0000000031010$/m, /^Verification +PIN$/m])
      expect(text).toMatch(line);
    expect(text).toContain('No signature required');
    expect(textOf(withTransaction({ ...onReader, terminal: { ...terminal, verification: 'signature' } }, merchants))).toMatch(/X_{30,}/);
  });

  test('asks for a signature on the merchant copy of a swiped card only', () => {
    const merchants = { copy: 'merchant' } as const;
    expect(textOf(SUBJECT)).not.toContain('signature');
    expect(textOf({ ...SUBJECT, ...merchants })).toContain('Phone order, no signature');
    expect(textOf(withTransaction({ source: 'saved' }, merchants))).toContain('Card on file, no signature');
    expect(textOf(withTransaction({ channel: 'mail' }, merchants))).toContain('Mail order, no signature');
    expect(textOf(withTransaction({ channel: 'counter' }, merchants))).not.toContain('no signature');
    expect(textOf(withTransaction({ source: 'swiped' }, merchants))).toMatch(/X_{30,}/);
    expect(textOf(withTransaction({ source: 'swiped' }))).not.toContain('X___');
    expect(textOf(withTransaction({ source: 'swiped', status: 'declined' }, merchants))).not.toContain('X___');
  });

  test('marks a receipt with the state of the payment', () => {
    const text = textOf(withTransaction({ status: 'voided' }, { isSandbox: true, isDuplicate: true }));
    for (const mark of ['SANDBOX', 'VOID', 'DUPLICATE']) expect(text).toContain(`*** ${mark} ***`);
    expect(text).not.toContain('TEST');
    expect(textOf(withTransaction({}, { isTest: true }))).toContain('*** TEST, NO MONEY MOVED ***');
    expect(textOf(withMerchant({ language: 'es' }, { isTest: true }))).toContain('*** PRUEBA, SIN COBRO ***');
  });

  test('names the paid invoice, and states that a payment link was paid online', () => {
    const text = textOf(withTransaction({ source: 'link' }, { invoiceNumber: 'INV-000042' }));
    expect(text).toMatch(/Invoice +INV-000042/);
    expect(text).toContain('Paid online');
  });

  test('shows kind and last four digits of a bank account', () => {
    const bankAccount = { bankName: 'First Bank', last4: '6789', accountType: 'checking' };
    expect(textOf(withTransaction({ card: null, bankAccount, paymentMethod: 'ach' }))).toContain('Checking account ****6789');
  });

  test('prints a Spanish receipt for a Spanish merchant', () => {
    const text = textOf(withMerchant({ language: 'es' }, { isSandbox: true, isDuplicate: true, copy: 'merchant' }));
    for (const part of ['Venta', 'Pagado con', 'DUPLICADO', 'Copia del comercio', '20 nov 2026', 'Pedido por teléfono, sin firma'])
      expect(text).toContain(part);
    expect(pageOf(withMerchant({ language: 'es' }))).toContain('<html lang="es">');
  });

  test('shows the decimals of the currency by ISO 4217', () => {
    for (const [code, written] of [
      ['JPY', '450,000 JPY'],
      ['KWD', '450.000 KWD'],
      ['HUF', '4,500.00 HUF'],
    ] as const) {
      const amount = { ...usd(450_000), currency: code as never };
      expect(textOf(withTransaction({ amount, capturedAmount: amount }))).toContain(written);
    }
  });

  test('never shows the expiry date in any form', () => {
    const made = textOf(SUBJECT) + pageOf(SUBJECT) + JSON.stringify(receiptMail(SUBJECT)) + receiptSms(SUBJECT);
    expect(made).not.toMatch(/2028|12\s?\/\s?28/);
  });

  test('contains no five consecutive digits of a card, even if the number was typed into the order', () => {
    const around = fc.stringMatching(/^[a-z ,.]{0,30}$/);
    const spaced = (number: string) =>
      fc.constantFrom(
        number,
        number.replace(/(.{4})(?!$)/g, '$1 '),
        number.replace(/(.{4})(?!$)/g, '$1-'),
        [...number].join('\u200b'),
        number.replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
      );
    const card = fc
      .constantFrom('4111111111111111', '378282246310005', '6011111111111117', '5555555555554444')
      .chain((number) => fc.tuple(fc.constant(number), spaced(number)));
    fc.assert(
      fc.property(around, card, around, (before, [number, written], after) => {
        const typed = `${before}${written}${after}`;
        const subject = withFooter(typed, withTransaction({ description: typed, orderId: typed }));
        const mail = receiptMail(subject);
        for (const made of [textOf(subject, 32), textOf(subject), pageOf(subject), mail.body, mail.html, receiptSms(subject)]) {
          const flat = made
            .replace(/<style>.*<\/style>/s, '')
            .normalize('NFKC')
            .replace(/[^0-9a-zA-Z*]/g, '');
          for (let at = 0; at + 5 <= number.length; at += 1) expect(flat).not.toContain(number.slice(at, at + 5));
        }
      }),
    );
  });

  test('prints lines as wide as the paper roll', () => {
    const content = receiptContent(SUBJECT);
    expect(receiptDocument(content, '58mm')).toMatch(/@page \{ size: 58mm \d+mm;/);
    expect(receiptDocument(content, '80mm')).toMatch(/@page \{ size: 80mm \d+mm;/);
    expect(receiptDocument(content, 'letter')).toContain('@page { size: 215.9mm 279.4mm;');
  });

  test('a receipt fits into one text message', () => {
    expect(receiptSms(SUBJECT)).toBe('Harbour Cycle Works: 4,500.00 USD by Visa ****1111, Nov 20, 2026. Auth code A1B2C3.');
  });
});

describe('hostile text', () => {
  const HOSTILE = '<img src=x onerror=alert(1)>\u001b@\u001dV0\u202e</p><script>alert(2)</script>';

  test('hostile text is harmless on a page, in an email and on a printer', () => {
    const subject = withFooter(HOSTILE, withTransaction({ description: HOSTILE, orderId: `"'>${HOSTILE}` }, { invoiceNumber: HOSTILE }));
    const hostile = { ...subject, merchant: { ...subject.merchant, name: HOSTILE, city: HOSTILE } };
    const mail = receiptMail(hostile);
    for (const page of [pageOf(hostile), mail.html]) expect(page).not.toMatch(/<img|<script|onerror=alert\(1\)>/);
    for (const text of [textOf(hostile), mail.body, mail.subject, receiptSms(hostile)])
      expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    expect(mail.subject).not.toContain('\n');
  });

  test('keeps the columns of a printed receipt aligned', () => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 120 }),
      fc.string({ unit: 'binary', maxLength: 120 }),
      fc.stringMatching(/^[\u4e00-\u9fff\u{1f300}-\u{1f6ff}a ]{0,90}$/u),
      fc.stringMatching(/^[A-Za-z0-9]{0,200}$/),
    );
    fc.assert(
      fc.property(text, text, text, fc.constantFrom(32, 48), (description, orderId, footer, columns) => {
        const subject = withFooter(footer, withTransaction({ description, orderId }));
        for (const line of textOf(subject, columns).split('\n')) expect(columnsSeen(line)).toBeLessThanOrEqual(columns);
      }),
    );
  });

  test('keeps words longer than a line', () => {
    const word = 'x'.repeat(150);
    const text = textOf(withTransaction({ description: word }), 32);
    expect(text.replace(/[^x]/g, '')).toContain(word);
  });
});

/** Counts columns like a terminal: two for wide characters. */
function columnsSeen(line: string): number {
  return [...line].reduce((sum, sign) => sum + (/[\u4e00-\u9fff\u{1f300}-\u{1f6ff}]/u.test(sign) ? 2 : 1), 0);
}
