import { stringify } from 'csv-stringify/sync';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { exponentOf, parseCurrency } from '#core/kernel';
import { readAmountCell, readDateCell } from '#shared/file-cells';
import { encodingOf } from '../../../core/books/reconciliation/upload-file.ts';
import { createCsvReader, delimiterOf, type Row } from '../../../core/platform/csv/index.ts';

function rowsOf(text: string, delimiter = ',', size = text.length + 1): Row[] {
  const csv = createCsvReader(delimiter);
  const rows: Row[] = [];
  for (let at = 0; at < text.length; at += size) rows.push(...csv.read(text.slice(at, at + size)));
  return [...rows, ...csv.end()];
}
const cellsOf = (rows: readonly Row[]) => rows.map((row) => ('cells' in row ? row.cells : row.reason));

describe('rows', () => {
  test('reads back written CSV in any pieces', () => {
    const cell = fc.string({ unit: fc.constantFrom('a', 'é', ',', ';', '"', '\n', '=', ' ', '1'), maxLength: 8 });
    const table = fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { maxLength: 8 });
    fc.assert(
      fc.property(
        table,
        fc.constantFrom(',', ';', '\t'),
        fc.constantFrom('\n', '\r\n'),
        fc.integer({ min: 1, max: 9 }),
        (rows, delimiter, end, size) => {
          const text = stringify(rows, { delimiter, record_delimiter: end, quoted: true });
          expect(cellsOf(rowsOf(text, delimiter, size))).toEqual(rows);
        },
      ),
    );
  });

  test('reads any text to its end in rows of bounded length', () => {
    const odd = fc.string({ unit: fc.constantFrom('a', ',', '"', '\n', '\r', '\u0000'), maxLength: 60 });
    fc.assert(
      fc.property(odd, fc.integer({ min: 1, max: 7 }), (text, size) => {
        const rows = rowsOf(text, ',', size);
        expect(rows).toEqual(rowsOf(text));
        const lines = rows.map(({ line }) => line);
        expect(lines).toEqual([...new Set(lines)].sort((left, right) => left - right));
      }),
    );
  });

  test('limits an unclosed quotation mark to its own row', () => {
    expect(cellsOf(rowsOf('1,2\n"3,4\n5,6\n7,8\n'))).toEqual([['1', '2'], 'a quotation mark is not closed', ['5', '6'], ['7', '8']]);
    expect(cellsOf(rowsOf('5" pipe,2\n6" pipe,4\n'))).toEqual([
      ['5" pipe', '2'],
      ['6" pipe', '4'],
    ]);
  });

  test('refuses a huge field without the following rows', () => {
    const huge = 'x'.repeat(2_000_000);
    for (const text of [`1,2\n"${huge}",4\n5,6\n`, `1,2\n${huge},4\n5,6\n`, `1,2\n"${'x\n'.repeat(200)}",4\n5,6\n`]) {
      const rows = rowsOf(text, ',', 65_536);
      expect(rows[0]).toEqual({ line: 1, cells: ['1', '2'] });
      expect(rows.find(({ line }) => line === 2)).toHaveProperty('reason');
      expect(rows.at(-1)).toMatchObject({ cells: ['5', '6'] });
    }
  });

  test.each([
    ['id,amount,date', ','],
    ['id;amount;date', ';'],
    ['id\tamount\tdate', '\t'],
    ['"a,b,c";d;e', ';'],
    ['alone', ','],
  ])('detects in %j the separator %j', (head, delimiter) => {
    expect(delimiterOf(`${head}\n1,1,1,1,1;2`)).toBe(delimiter);
  });
});

describe('amounts', () => {
  test.each([
    ['12', 1_200],
    ['12.5', 1_250],
    ['1,234.50', 123_450],
    ['1.234,50', 123_450],
    ['1 234,50', 123_450],
    ["1'234.50", 123_450],
    ['1,234', 123_400],
    ['1,234,567', 123_456_700],
    ['$ 12.00', 1_200],
    ['12,00 €', 1_200],
    ['-12.00', -1_200],
    ['\u221212.00', -1_200],
    ['12.00-', -1_200],
    ['(12.00)', -1_200],
    ['+12', 1_200],
    ['.50', 50],
    ['0.00', 0],
    ['99,999,999,999.99', 9_999_999_999_999],
    ['000012.00', 1_200],
  ])('reads %j as %i cents', (text, minor) => expect(readAmountCell(text, exponentOf(parseCurrency('USD')))).toBe(minor));

  test.each([
    '',
    'x',
    '1.005',
    '1e3',
    '=1+1',
    '--1',
    '(-1)',
    '1(',
    '12,34,56',
    '1.2.3',
    '1,23.4',
    '9'.repeat(20),
    '100000000000.00',
    '0x10',
    'NaN',
    '1,',
  ])('refuses %j as an amount', (text) => expect(readAmountCell(text, exponentOf(parseCurrency('USD')))).toBeNull());

  test('reads amounts with the decimals of the currency', () => {
    expect(readAmountCell('1.234', exponentOf(parseCurrency('KWD')))).toBe(1_234);
    expect(readAmountCell('1,234', exponentOf(parseCurrency('KWD')))).toBe(1_234);
    expect(readAmountCell('1,234', exponentOf(parseCurrency('JPY')))).toBe(1_234);
    expect(readAmountCell('1.5', exponentOf(parseCurrency('JPY')))).toBeNull();
  });
});

describe('days', () => {
  test.each([
    ['2026-03-04', 'YYYY-MM-DD'],
    ['2026-03-04T23:59:59Z', 'YYYY-MM-DD'],
    ['2026/3/4', 'YYYY/MM/DD'],
    ['20260304', 'YYYYMMDD'],
    ['03/04/2026', 'MM/DD/YYYY'],
    ['4/3/2026 08:00', 'DD/MM/YYYY'],
    ['04.03.2026', 'DD.MM.YYYY'],
  ] as const)('reads %j in the format %s', (text, format) => expect(readDateCell(text, format)).toBe('2026-03-04'));

  test.each([
    ['2026-02-30', 'YYYY-MM-DD'],
    ['13/01/2026', 'MM/DD/YYYY'],
    ['2026-03-04x', 'YYYY-MM-DD'],
    ['', 'DD.MM.YYYY'],
  ] as const)('refuses %j as a date in the format %s', (text, format) => expect(readDateCell(text, format)).toBeNull());
});

test('treats an empty file as UTF-8', () => expect(encodingOf(Buffer.alloc(0), true)).toBe('utf-8'));
