import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DATE_FORMATS, readAmountCell, readDateCell, readStandardAmount } from '#shared/file-cells';
import { readAmountCells, readBookedAmount } from '#shared/file-columns';
import { type Mapping, readerOf } from '../../../core/books/reconciliation/mapping.ts';
import { type Currency, exponentOf, formatDecimal, money, parseCurrency } from '../../../core/kernel/money.ts';

const LAST_DAY = '2099-12-31';

const USD = parseCurrency('USD');
const JPY = parseCurrency('JPY');
const KWD = parseCurrency('KWD');

describe('an amount in a file', () => {
  test.each([
    ['12', 1_200],
    ['12.5', 1_250],
    ['12.50', 1_250],
    ['1,234.50', 123_450],
    ['1.234,50', 123_450],
    ['1 234,50', 123_450],
    ["1'234’567.50", 123_456_750],
    ['1,234', 123_400],
    ['1,23', 123],
    ['1,234,567', 123_456_700],
    ['1.234.567', 123_456_700],
    ['12.345.678', 1_234_567_800],
    ['123.456.789', 12_345_678_900],
    ['12,345.6', 1_234_560],
    ['123,456', 12_345_600],
    ['$ 12.00', 1_200],
    ['$1 $2', 1_200],
    ['12,00 €', 1_200],
    ['-12.00', -1_200],
    ['\u221212.00', -1_200],
    ['12.00-', -1_200],
    ['(12.00)', -1_200],
    ['+12', 1_200],
    ['.50', 50],
    [',5', 50],
    ['-.5', -50],
    ['0.00', 0],
    ['99,999,999,999.99', 9_999_999_999_999],
    ['0000000000012.00', 1_200],
    ['61.2000', 6_120],
    ['R$ 5.326,43', 532_643],
    ['US$ 12.00', 1_200],
    ['-0.00', 0],
    ['12,34,567.50', 123_456_750],
    ['₹ 1,23,456', 12_345_600],
  ])('reads %j as %i cents', (text, minor) => {
    expect(readAmountCell(text, exponentOf(USD))).toBe(minor);
  });

  test.each([
    ...['', 'x', '1.005', '-1.005', '1e3', '=1+1', '--1', '-1-', '+1-', '(-1)', '(1', '1)', '1(', '-(1)', '((1))', 'x1', '1x', '1,', '1.'],
    ...['12,34,56', '1.2.3', '1,23.4', '1234,567.00', ',234.00', '1,234.567', '100000000000.00', '0x10', 'NaN', '\u2212\u22121'],
  ])('refuses %j as an amount', (text) => {
    expect(readAmountCell(text, exponentOf(USD))).toBeNull();
  });

  test.each([
    ['1.234', KWD, 1_234],
    ['1,234', KWD, 1_234],
    ['1,234,567', KWD, 1_234_567_000],
    ['1,234', JPY, 1_234],
    ['1.234', JPY, 1_234],
    ['5.000', JPY, 5_000],
    ['1.5', JPY, null],
    ['1.5', KWD, 1_500],
    ['1.2345', KWD, null],
  ] as const)('reads %j with the decimals of %s', (text, currency, minor) => {
    expect(readAmountCell(text, exponentOf(currency))).toBe(minor);
  });

  test.each([
    ['-.50', -50],
    ['-1,234.56', -123_456],
    ['1.234,56', 123_456],
    ['- 12.00', -1_200],
    ['12.00-', -1_200],
    ['12,', 1_200],
    [',5', 50],
    ['-00000000001500.0000', -150_000],
    ['000000000100.00', 10_000],
    ['1234567890123,45', 123_456_789_012_345],
    ['1,234', null],
    ['1.234', null],
    ['1.2.', null],
  ])('reads %j of a standard format as %s cents', (text, minor) => {
    expect(readStandardAmount(text, exponentOf(USD))).toBe(minor);
  });

  test.each([
    ['50,00 kr', 'SEK', 5_000],
    ['kr -50,00', 'NOK', -5_000],
    ['50,00 zł', 'PLN', 5_000],
    ['R 1 234,50', 'ZAR', 123_450],
    ['500円', 'JPY', 500],
    ['-USD 50.00', 'USD', -5_000],
    ['50.00USD', 'USD', 5_000],
    ['1.234,56 C', 'BRL', 123_456],
    ['1.234,56 D', 'BRL', -123_456],
    ['12,34,567.50Cr', 'INR', 123_456_750],
    ['50.00 kr', 'USD', null],
    ['50.00 EUR', 'USD', null],
    ['-EUR 50.00', 'USD', null],
    ['50.00 X', 'USD', null],
  ])('reads %j of an account in %s as %s', (text, code, minor) => {
    expect(readBookedAmount(text, exponentOf(parseCurrency(code)), code)).toBe(minor);
  });

  // A search for the currency in a cell of thousands of letters would take longer than the import.
  test('refuses a cell that is longer than any amount', () => {
    expect(readBookedAmount(`1${'a'.repeat(59)}1`, 2, 'USD')).toBe(null);
    expect(readBookedAmount(`USD${' '.repeat(50)}1.00`, 2, 'USD')).toBe(100);
    expect(readBookedAmount(`USD${' '.repeat(60)}1.00`, 2, 'USD')).toBe(null);
  });

  test('takes a dash in one of two columns as blank', () => {
    expect(readAmountCells({ credit: '5.00', debit: '-' }, 2)).toBe(500);
    expect(readAmountCells({ credit: '\u2014', debit: '5.00' }, 2)).toBe(-500);
    expect(readAmountCells({ amount: '-' }, 2)).toEqual({ fault: '`-` is not an amount' });
  });

  test('reads back an amount written with a point, a comma or thousands separators', () => {
    const amount = fc.record({ currency: fc.constantFrom(USD, JPY), minor: fc.integer({ min: 1, max: 9_999_999_999 }) });
    fc.assert(
      fc.property(amount, ({ currency, minor }) => {
        const text = formatDecimal(money(minor, currency));
        const [whole = '', fraction] = text.split('.');
        const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
        for (const sign of ['', '-']) {
          const expected = sign === '' ? minor : -minor;
          expect(readAmountCell(sign + text, exponentOf(currency))).toBe(expected);
          if (exponentOf(currency) > 0) expect(readAmountCell(`${sign}${whole},${fraction}`, exponentOf(currency))).toBe(expected);
          expect(readAmountCell(sign + grouped + (fraction === undefined ? '' : `.${fraction}`), exponentOf(currency))).toBe(expected);
        }
      }),
    );
  });
});

describe('a date in a file', () => {
  const written = {
    'YYYY-MM-DD': ['2026-03-04', '2026-3-4'],
    'YYYY/MM/DD': ['2026/03/04', '2026/3/4'],
    YYYYMMDD: ['20260304'],
    'MM/DD/YYYY': ['03/04/2026', '3/4/2026'],
    'DD/MM/YYYY': ['04/03/2026', '4/3/2026'],
    'MM-DD-YYYY': ['03-04-2026', '3-4-2026'],
    'DD-MM-YYYY': ['04-03-2026', '4-3-2026'],
    'DD.MM.YYYY': ['04.03.2026', '4.3.2026'],
    'YYYY.MM.DD': ['2026.03.04', '2026.03.04.'],
    'MM/DD/YY': ['03/04/26', '3/4/26'],
    'DD/MM/YY': ['04/03/26'],
    'MM-DD-YY': ['03-04-26'],
    'DD-MM-YY': ['04-03-26'],
    'DD.MM.YY': ['04.03.26', '4.3.26'],
    'YY-MM-DD': ['26-03-04'],
    YYMMDD: ['260304'],
    'DD MMM YYYY': [
      '04 Mar 2026',
      '4-March-2026',
      '04/mars/2026',
      '4. März 2026',
      '04MAR2026',
      '4 mrt. 2026',
      '4 marca 2026',
      '4 mars 2026',
    ],
    'DD MMM YY': ['04 Mar 26', '04-MAR-26'],
    'MMM DD YYYY': ['Mar 04, 2026', 'March 4 2026'],
  } as const;

  test('reads a date in each format, also with a time after it', () => {
    expect(Object.keys(written).toSorted()).toEqual([...DATE_FORMATS].toSorted());
    for (const format of DATE_FORMATS) {
      for (const text of written[format]) {
        for (const time of ['', 'T23:59:59Z', ' 08:00', ' 03:25:12 AM PST'])
          expect(readDateCell(text + time, format), `${text}${time}`).toBe('2026-03-04');
      }
    }
  });

  test.each([
    ['31 dic 1999', 'DD MMM YYYY', '1999-12-31'],
    ['12/31/99', 'MM/DD/YY', '1999-12-31'],
    ['31.12.79', 'DD.MM.YY', '2079-12-31'],
    ['05-Jan-2026 03:25:12 AM PST', 'DD MMM YYYY', '2026-01-05'],
    ['15 août 2026', 'DD MMM YYYY', '2026-08-15'],
    ['1 juin 2026', 'DD MMM YYYY', '2026-06-01'],
    ['1 juil. 2026', 'DD MMM YYYY', '2026-07-01'],
    ['24. Dez 2026', 'DD MMM YYYY', '2026-12-24'],
  ] as const)('reads %j in the format %s', (text, format, day) => {
    expect(readDateCell(text, format)).toBe(day);
  });

  test.each([
    ['01 Foo 2026', 'DD MMM YYYY'],
    ['2026-02-30', 'YYYY-MM-DD'],
    ['13/01/2026', 'MM/DD/YYYY'],
    ['01/13/2026', 'DD/MM/YYYY'],
    ['2026-03-04x', 'YYYY-MM-DD'],
    ['x2026-03-04', 'YYYY-MM-DD'],
    ['2026-003-04', 'YYYY-MM-DD'],
    ['2026-03-004', 'YYYY-MM-DD'],
    ['202634', 'YYYYMMDD'],
    ['04x03x2026', 'DD.MM.YYYY'],
    ['', 'DD.MM.YYYY'],
  ] as const)('refuses %j as a date in the format %s', (text, format) => {
    expect(readDateCell(text, format)).toBeNull();
  });
});

describe('a line of a file', () => {
  const MAPPING: Mapping = { transactionId: 'Reference', amount: 'Amount', date: 'Date' };
  const HEADER = ['Date', ' Reference ', 'Amount', 'Currency'];
  const line = (cells: readonly string[], overrides: Partial<Mapping> = {}, header = HEADER, currency: Currency = USD) =>
    readerOf({ ...MAPPING, ...overrides }, header, currency, LAST_DAY)(cells);
  const EXPECTED = { reference: 'txn_1', currency: 'USD', minor: 1_250, day: '2026-03-04' };

  test('reads a line from the mapped columns without surrounding spaces', () => {
    expect(line([' 2026-03-04 ', ' txn_1 ', ' 12.50 ', 'EUR'])).toEqual(EXPECTED);
  });

  test('reads the currency from its column if one is mapped, in any case', () => {
    expect(line(['2026-03-04', 'txn_1', '12.50', 'eur'], { currency: 'Currency' })).toEqual({ ...EXPECTED, currency: 'EUR' });
    expect(line(['2026-03-04', 'txn_1', '1250', 'JPY'], { currency: 'Currency' })).toEqual({ ...EXPECTED, currency: 'JPY' });
  });

  test('inverts the sign if the file writes payments below zero', () => {
    expect(line(['2026-03-04', 'txn_1', '-12.50'], { sign: 'negative' })).toEqual(EXPECTED);
    expect(line(['2026-03-04', 'txn_1', '-12.50'], { sign: 'positive' })).toEqual({ ...EXPECTED, minor: -1_250 });
  });

  test('reads the date in the mapped format', () => {
    expect(line(['04.03.2026', 'txn_1', '12.50'], { dateFormat: 'DD.MM.YYYY' })).toEqual(EXPECTED);
  });

  test('finds a column by its exact name first, then in any case', () => {
    expect(line(['2026-03-04', 'txn_1', '9', '12.50'], { amount: ' Total ' }, ['date', 'REFERENCE', 'TOTAL', 'Total'])).toEqual(EXPECTED);
    expect(line(['2026-03-04', 'txn_1', '12.50', '9'], { amount: ' tOTAL ' }, ['date', 'reference', 'TOTAL', 'Total'])).toEqual(EXPECTED);
  });

  test.each([
    [['2026-03-04', '', '12.50'], {}, 'the transaction ID is empty'],
    [['2026-03-04'], {}, 'the transaction ID is empty'],
    [['2026-03-04', 'x'.repeat(101), '12.50'], {}, 'the transaction ID is longer than 100 characters'],
    [['2026-03-04', 'a\u0007b', '12.50'], {}, 'the transaction ID contains control characters'],
    [['2026-03-04', 'a\ud800b', '12.50'], {}, 'the transaction ID contains control characters'],
    [['2026-03-04', 'txn_1', '12.50', 'XXQ'], { currency: 'Currency' }, 'the currency is not an ISO 4217 code'],
    [['2026-03-04', 'txn_1', '12.505'], {}, 'the amount is not a decimal number of USD with at most 11 digits before its decimals'],
    [['2026-03-04', 'txn_1', '0.00'], {}, 'the amount is zero'],
    [['2026-02-30', 'txn_1', '12.50'], {}, 'the date is not an existing day in the format YYYY-MM-DD'],
    [['2026-03-04', 'txn_1', '12.50'], { dateFormat: 'DD.MM.YYYY' }, 'the date is not an existing day in the format DD.MM.YYYY'],
  ] as const)('refuses a line: %o with %o because %s', (cells, overrides, reason) => {
    expect(line(cells, overrides)).toEqual({ reason });
  });

  test('marks an ID that looks like a card number, but not another number of the processor', () => {
    expect(line(['2026-03-04', '4111 1111 1111 1111', '12.50'])).toMatchObject({ isCardLike: true });
    expect(line(['2026-03-04', '8800000000000009', '12.50'])).toEqual({ ...EXPECTED, reference: '8800000000000009' });
  });

  test('reads credits and debits, directions and minor units', () => {
    const header = ['Date', 'Reference', 'Credit', 'Debit'];
    const columns = { amount: undefined, credit: 'Credit', debit: 'Debit' };
    expect(line(['2026-03-04', 'txn_1', '12.50', ''], columns, header)).toEqual(EXPECTED);
    expect(line(['2026-03-04', 'txn_1', '', '12.50'], columns, header)).toEqual({ ...EXPECTED, minor: -1_250 });
    expect(line(['2026-03-04', 'txn_1', '', ''], columns, header)).toHaveProperty('reason');
    expect(line(['2026-03-04', 'txn_1', '12.50', 'Refund'], { direction: 'Type' }, ['Date', 'Reference', 'Amount', 'Type'])).toEqual({
      ...EXPECTED,
      minor: -1_250,
    });
    expect(line(['2026-03-04', 'txn_1', '1250'], { unit: 'minor' })).toEqual(EXPECTED);
    expect(line(['2026-03-04', 'txn_1', '12.50'], { unit: 'minor' })).toEqual({
      reason: 'the amount is not a whole number of minor units of USD',
    });
  });

  test('reads amounts with the currency of the line or a mark for debits', () => {
    const amount = (text: string) => line(['2026-03-04', 'txn_1', text]);
    for (const text of ['12.50 USD', 'usd 12,50', 'USD12.50', '$12.50 CR', '12.50 cr.', '12.50 USD CR'])
      expect(amount(text), text).toEqual(EXPECTED);
    for (const text of ['12.50 DR', '-12.50 DR', '12.50DR', '12.50 USD DB'])
      expect(amount(text), text).toEqual({ ...EXPECTED, minor: -1_250 });
    for (const text of [
      '12.50 EUR',
      '12.50 USD USD 1',
      '-12.50 CR',
      '12.50 DRX',
      'CR',
      'USD',
      `${' '.repeat(4_000)}${'1 '.repeat(2_000)}USD`,
    ])
      expect(amount(text), text).toHaveProperty('reason');
    expect(line(['2026-03-04', 'txn_1', '12.50 EUR', 'EUR'], { currency: 'Currency' })).toEqual({ ...EXPECTED, currency: 'EUR' });
  });

  test('refuses refunds with both signs in their own column', () => {
    const header = ['Date', 'Reference', 'Credit', 'Debit'];
    const read = readerOf({ ...MAPPING, amount: undefined, credit: 'Credit', debit: 'Debit' }, header, USD, LAST_DAY);
    expect(read(['2026-03-04', 'txn_1', '', '-12.50'])).toEqual({ ...EXPECTED, minor: -1_250 });
    expect(read(['2026-03-04', 'txn_2', '', '12.50'])).toEqual({
      reason: 'the column of refunds has both signs, so a negative refund can be a reversal',
    });
  });

  test('refuses a row with more cells than the header', () => {
    expect(line(['2026-03-04', 'txn_1', '1', '234.50', 'USD'])).toEqual({ reason: 'the row has 5 cells, but the header has 4 columns' });
  });

  test('accepts a name of 100 characters', () => {
    expect(line(['2026-03-04', 'x'.repeat(100), '12.50'])).toMatchObject({ reference: 'x'.repeat(100) });
  });

  test.each(['transactionId', 'amount', 'date', 'currency'] as const)('refuses a line without the column of %s', (field) => {
    expect(() => readerOf({ ...MAPPING, [field]: 'Missing' }, HEADER, USD, LAST_DAY)).toThrowError(
      expect.objectContaining({
        code: 'VALIDATION_ERROR',
        field: `mapping.${field}`,
        details: { columns: ['Date', 'Reference', 'Amount', 'Currency'] },
      }),
    );
  });

  test('lists at most 50 columns of 100 characters without card numbers', () => {
    const header = ['4111 1111 1111 1111', 'y'.repeat(101), 'a\u0000b', 'c\ud800', ...Array.from({ length: 60 }, (_, at) => `c${at}`)];
    try {
      readerOf(MAPPING, header, USD, LAST_DAY);
      expect.unreachable();
    } catch (error) {
      const { columns } = (error as { details: { columns: string[] } }).details;
      expect(columns).toHaveLength(50);
      expect(columns.slice(0, 4)).toEqual(['[card number]', 'y'.repeat(100), 'ab', 'c\ufffd']);
    }
  });
});
