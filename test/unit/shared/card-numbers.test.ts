import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  containsCardNumber,
  FILE_CELL,
  isCardInteger,
  LOG_LINE,
  maskCardNumbers,
  PRINTED_TEXT,
  redactCardNumbers,
  redactLongNumbers,
  SENT_TEXT,
} from '#shared/card-numbers';

const RULES = { sent: SENT_TEXT, printed: PRINTED_TEXT, file: FILE_CELL, log: LOG_LINE };
type RuleName = keyof typeof RULES;
const ALL: RuleName[] = ['sent', 'printed', 'file', 'log'];

const CARDS = ['4111111111111111', '5105105105105100', '378282246310005', '6011111111111117', '6304000000000000'];

const spaced = (number: string, separator: string) => number.replace(/(\d{4})(?=\d)/g, `$1${separator}`);

/** Texts, and the rules that find a card number in them. */
const CASES: [text: string, rules: RuleName[]][] = [
  // Every rule.
  ['4111 1111 1111 1111', ALL],
  ['378282246310005', ALL],
  ['5555-5555-5555-4444', ALL],
  ['PAN 4111111111111111', ALL],
  ['no 12 4111 1111 1111 1111 of 2026', ALL],
  ['6304000000000000', ALL],
  ['\uff14111 1111 1111 1111', ALL],
  ['number=4242424242424242&cvv=', ALL],
  ['4111111111111111,1.00', ALL],
  // 13 digits with a correct check digit: numbers of former Visa and Maestro cards, which barcodes and times resemble.
  ['4222222222222', []],
  ['5018000000007', []],
  ['4006381333931 4006381333931', ['printed']],
  // Digits and separators that only people and spreadsheets use.
  ['card:4111\u00a01111\u20111111\u00a01111/USD', ['sent', 'printed', 'file']],
  // Dots between the groups of a printed card number.
  ['4111.1111.1111.1111', ['sent', 'printed']],
  ['Card 3782.822463.10005.', ['sent', 'printed']],
  ['4111\u00b71111\u00b71111\u00b71111', ['sent', 'printed']],
  // Dots between other groups: amounts, versions, coordinates.
  ['4.111.111.111.111.111', ['printed']],
  ['411111.1111111111', ['printed']],
  ['4111.1111.11111111', ['printed']],
  ['192.168.4.11.4111', []],
  // Digits of other scripts.
  ['\u0664\u0661\u0661\u0661 \u0661\u0661\u0661\u0661 \u0661\u0661\u0661\u0661 \u0661\u0661\u0661\u0661', ALL],
  ['\u06f4\u06f1\u06f1\u06f1\u06f1\u06f1\u06f1\u06f1\u06f1\u06f1\u06f1\u06f1\u06f1\u06f1\u06f1\u06f1', ALL],
  ['\uff14\uff11\uff11\uff11.\uff11\uff11\uff11\uff11.\uff11\uff11\uff11\uff11.\uff11\uff11\uff11\uff11', ['sent', 'printed']],
  ['\u{1d7d2}\u{1d7cf}\u{1d7cf}\u{1d7cf}111111111111', ALL],
  ['\u0664\u0661\u0661\u0661\u0661\u0661\u0661\u0661\u0661\u0661\u0661\u0661\u0661\u0661\u0661\u0662', []],
  // More than one separator.
  ['4111  1111  1111  1111', ['printed', 'file']],
  ['4111\u00a01111\u20111111 - 1111', ['printed', 'file']],
  ['4111 / 1111 / 1111 / 1111', ['printed']],
  // Within a longer number.
  ['14111111111111111', ['printed']],
  // Maestro with 12 digits; a processor's retrieval reference has as many.
  ['MAESTRO-501800000009', ['file', 'log']],
  ['602218407933', ['log']],
  // A correct check digit in no known range.
  ['9999999999999995', []],
  ['6304000000000000000 paid', ALL],
  // Identifiers, which logs and files have in other forms.
  ['6c84fb90-12c4-11e1-840d-7b25c5ee775a', []],
  ['550e8400-e29b-41d4-a416-446655440000', []],
  // Decimals of a number, which the rule for printed text does not look at.
  ['"responseTime":4.4111111111111111', ['printed']],
  ['k0.4111111111111111', ['printed']],
  ['rate 12345678.4111111111111111, total 2', ['printed']],
  ['4111111111111111.4111111111111111', ALL],
  ['0.4111 1111 1111 1111', ALL],
  ['no.4111111111111111', ALL],
  ['\u00b74111111111111111', ALL],
  // Global IDs of platforms.
  ['gid://shopify/Order/4111111111111111', ['printed', 'file', 'log']],
  ['gid://shopify/Order/4111111111111111/4111111111111111', ALL],
  // Not a card number.
  ['', []],
  ['123', []],
  ['order 12345678', []],
  ['4111111111111112', []],
  ['1234567890123456', []],
  ['txn_0000', []],
  ['txn_01kaf4111111a11111111', []],
  ['9'.repeat(30), []],
  ['2026-11-23 07:24:44', []],
  ['+12075550142', []],
];

describe('card numbers', () => {
  test.each(CASES)('finds in %j the card number %j', (text, expected) => {
    expect(ALL.filter((name) => containsCardNumber(text, RULES[name]))).toEqual(expected);
  });

  test.each(CARDS)('finds %s alone, in a sentence, between letters and in groups', (number) => {
    const texts = [number, `card ${number}.`, `a${number}b`, spaced(number, ' '), spaced(number, '-'), `${number} 123`, `12 ${number}`];
    for (const text of texts) expect([text, containsCardNumber(text)]).toEqual([text, true]);
  });

  test('finds no card number in a hexadecimal identifier', () => {
    expect(containsCardNumber('a4111111111111111deadbeef')).toBe(false);
  });

  test('leaves no card number in a masked text and changes no text without one', () => {
    const part = fc.oneof(fc.constantFrom(...CARDS), fc.constantFrom(' ', '-', '  ', '.', 'x', 'deadbeef'), fc.stringMatching(/^\d{1,6}$/));
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), fc.constantFrom(...ALL), (parts, name) => {
        const text = parts.join('');
        const masked = maskCardNumbers(text, RULES[name]);
        expect(masked === text).toBe(!containsCardNumber(text, RULES[name]));
        expect(containsCardNumber(redactCardNumbers(text, RULES[name]), RULES[name])).toBe(false);
      }),
      { numRuns: 2_000 },
    );
  });

  test('keeps the last four digits and the text around them', () => {
    expect(maskCardNumbers('card 4111 1111-1111 1111, thanks')).toBe('card ****1111, thanks');
    expect(maskCardNumbers('12 4111111111111111 and 5105105105105100')).toBe('12 ****1111 and ****5100');
    expect(redactCardNumbers('Paid with 4242 4242 4242 4242 today', LOG_LINE)).toBe('Paid with [card number] today');
    const request = '{"requestId":"req_4c4242424242424242b739e42ab25dc4"}';
    expect(redactCardNumbers(request, LOG_LINE)).toBe(request);
  });

  test('masks digits of other scripts and dotted groups with the last four digits', () => {
    expect(maskCardNumbers('card 4111.1111.1111.1111.')).toBe('card ****1111.');
    expect(maskCardNumbers('\u0664\u0662\u0664\u0662\u0664\u0662\u0664\u0662\u0664\u0662\u0664\u0662\u0664\u0662\u0664\u0662')).toBe(
      '****4242',
    );
  });

  test('recognizes a whole number that is a card number', () => {
    expect([4111111111111111, 411111111111111, 4111111111111112, 1.5, 5].map(isCardInteger)).toEqual([true, false, false, false, false]);
  });

  test('redacts every number as long as a card number in a text that is only shown', () => {
    expect(redactLongNumbers('PAN 4111 1111-1111 1112!')).toBe('PAN [card number]!');
    expect(redactLongNumbers('Order 12345678901')).toBe('Order 12345678901');
  });
});
