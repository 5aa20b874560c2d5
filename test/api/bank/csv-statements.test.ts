import { describe, expect } from 'vitest';
import { createBankShop, listBankLines, sendStatement } from '../../support/bank.ts';
import { type ApiFixture, expectData, expectError, onAnyDatabase } from '../../support/server.ts';

/** Imports a CSV file into a new account and returns its lines, oldest first. */
async function linesOf(fixture: ApiFixture, rows: readonly string[], mapping?: object) {
  const shop = await createBankShop(fixture);
  const fields: Record<string, string> = mapping === undefined ? {} : { mapping: JSON.stringify(mapping) };
  const imported = await expectData(sendStatement(fixture, shop, rows.join('\n'), fields));
  const lines = (await listBankLines(fixture, shop)).toReversed();
  return { imported, lines: lines.map(({ day, amount, text }) => [day, amount, text]) };
}

/** Sends a CSV file that is refused, and returns the error. */
async function refusalOf(fixture: ApiFixture, rows: readonly string[], mapping: object) {
  const shop = await createBankShop(fixture);
  const error = await expectError(
    sendStatement(fixture, shop, rows.join('\n'), { mapping: JSON.stringify(mapping) }),
    400,
    'VALIDATION_ERROR',
  );
  expect(await listBankLines(fixture, shop)).toEqual([]);
  return error;
}

const BASE = { date: 'Date', amount: 'Amount', text: ['Description'], dateFormat: 'MM/DD/YYYY' };

describe('importing CSV files of banks', () => {
  onAnyDatabase('finds the header after lines with a summary, and the layout of a known bank without a mapping', async (fixture) => {
    const rows = [
      'Description,,Summary Amt.',
      'Beginning balance as of 01/01/2026,,"100.00"',
      'Total credits,,"50.00"',
      'Ending balance as of 01/31/2026,,"150.00"',
      '',
      'Date,Description,Amount,Running Bal.',
      '01/01/2026,Beginning balance as of 01/01/2026,,"100.00"',
      '01/06/2026,"CARD PAYOUT","50.00","150.00"',
    ];
    const expected = [['2026-01-06', 50, 'CARD PAYOUT']];
    expect((await linesOf(fixture, rows, BASE)).lines).toEqual(expected);
    expect((await linesOf(fixture, rows)).lines).toEqual(expected);
    expect((await linesOf(fixture, ['sep=;', 'Date;Description;Amount', '01/06/2026;CARD PAYOUT;50,00'], BASE)).lines).toEqual(expected);
  });

  onAnyDatabase('reads a file without a header by the numbers of its columns', async (fixture) => {
    const mapping = { header: 'none', date: '1', amount: '2', text: ['5'], dateFormat: 'MM/DD/YYYY' };
    const rows = ['"01/06/2026","50.00","*","","CARD PAYOUT"', '"01/07/2026","-1.00","*","","FEE"'];
    expect((await linesOf(fixture, rows, mapping)).lines).toEqual([
      ['2026-01-06', 50, 'CARD PAYOUT'],
      ['2026-01-07', -1, 'FEE'],
    ]);
  });

  onAnyDatabase('reads the sign from a column with the direction', async (fixture) => {
    const rows = ['Date,Description,Amount,DC', '01/06/2026,FEE,50.00,D', '01/07/2026,PAYOUT,70.00,C'];
    const expected = [
      ['2026-01-06', -50, 'FEE'],
      ['2026-01-07', 70, 'PAYOUT'],
    ];
    expect((await linesOf(fixture, rows, { ...BASE, direction: 'DC' })).lines).toEqual(expected);
    const own = rows
      .map((row) => row.replace(',D', ',out!').replace(',C', ',in!'))
      .map((row, index) => (index === 0 ? rows[0] : row)) as string[];
    expect((await linesOf(fixture, own, { ...BASE, direction: 'DC', debitValues: ['OUT!'] })).lines).toEqual(expected);
    expect((await refusalOf(fixture, own, { ...BASE, direction: 'DC' })).details).toMatchObject({ line: 2 });
  });

  onAnyDatabase('leaves out rows in other currencies and names them', async (fixture) => {
    const rows = ['Date,Description,Amount,Currency', '01/06/2026,EUROS,50.00,EUR', '01/07/2026,DOLLARS,50.00,USD'];
    const { imported, lines } = await linesOf(fixture, rows, { ...BASE, currency: 'Currency' });
    expect(imported).toMatchObject({ added: 1, skipped: [{ reason: 'currency', currency: 'EUR', count: 1 }] });
    expect(lines).toEqual([['2026-01-07', 50, 'DOLLARS']]);
    const error = await refusalOf(fixture, rows.slice(0, 2), { ...BASE, currency: 'Currency' });
    expect(error.message).toContain('EUR');
  });

  onAnyDatabase('keeps the sign of a negative credit and reads debits with both signs', async (fixture) => {
    const mapping = { date: 'Date', text: ['Description'], credit: 'Credit', debit: 'Debit', dateFormat: 'MM/DD/YYYY' };
    const rows = ['Date,Description,Debit,Credit', '01/06/2026,REVERSED,,-13.50', '01/07/2026,FEE,-2.00,', '01/08/2026,RENT,3.00,'];
    expect((await linesOf(fixture, rows, mapping)).lines).toEqual([
      ['2026-01-06', -13.5, 'REVERSED'],
      ['2026-01-07', -2, 'FEE'],
      ['2026-01-08', -3, 'RENT'],
    ]);
  });

  onAnyDatabase('refuses rows with too many or too few cells with their line', async (fixture) => {
    const header = 'Date,Description,Amount,Type';
    for (const row of ['01/06/2026,Coffee,100,20.00,DEBIT', '01/06/2026,Coffee'])
      expect((await refusalOf(fixture, [header, '01/05/2026,Tea,1.00,DEBIT', row], BASE)).details).toMatchObject({ line: 3 });
    expect((await linesOf(fixture, [header, '01/06/2026,Coffee,20.00,DEBIT,'], BASE)).lines).toEqual([['2026-01-06', 20, 'Coffee']]);
  });

  onAnyDatabase('reads years of two digits and names of months, and asks for the format of ambiguous dates', async (fixture) => {
    const { dateFormat: _, ...mapping } = BASE;
    const file = (date: string) => ['Date,Description,Amount', `${date},PAYOUT,50.00`];
    for (const [date, day] of [
      ['01/16/26', '2026-01-16'],
      ['16.01.26', '2026-01-16'],
      ['06 Jan 2026', '2026-01-06'],
    ] as const)
      expect((await linesOf(fixture, file(date), mapping)).lines).toEqual([[day, 50, 'PAYOUT']]);
    const error = await refusalOf(fixture, file('01/06/26'), mapping);
    expect(error.details).toEqual({ format: 'csv', dateFormats: ['MM/DD/YY', 'DD/MM/YY'] });
  });

  onAnyDatabase('reads the balances of rows in either order if the first amounts cancel each other', async (fixture) => {
    const rows = ['2026-01-06,A,50.00,150.00', '2026-01-06,B,-7.00,100.00', '2026-01-06,C,7.00,107.00'];
    const mapping = { date: 'Date', amount: 'Amount', text: ['Description'], balance: 'Balance' };
    const { imported } = await linesOf(fixture, ['Date,Description,Amount,Balance', ...rows], mapping);
    expect(imported).toMatchObject({ openingBalance: 100, closingBalance: 150 });
  });

  onAnyDatabase('names foreign formats', async (fixture) => {
    const shop = await createBankShop(fixture);
    for (const [file, name] of [
      ['!Type:Bank\nD01/06/26\nT50.00\n^\n', 'QIF'],
      ['0000018011830005        59501140  ACME', 'CODA'],
      ['[{"amount": 1}]', 'JSON'],
    ] as const)
      expect((await expectError(sendStatement(fixture, shop, file), 400, 'VALIDATION_ERROR', 'file')).message).toContain(name);
  });
});
