import { describe, expect } from 'vitest';
import { createBankShop, listBankLines, sendStatement } from '../../support/bank.ts';
import { bai2, CSV_MAPPING, camt, csv, mt940, ofx, type TruthLine } from '../../support/bank-files.ts';
import { type ApiFixture, expectData, expectError, FULL, onAnyDatabase } from '../../support/server.ts';

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

  onAnyDatabase(
    'reads a file without a header by the numbers of its columns',
    async (fixture) => {
      const mapping = { header: 'none', date: '1', amount: '2', text: ['5'], dateFormat: 'MM/DD/YYYY' };
      const rows = ['"01/06/2026","50.00","*","","CARD PAYOUT"', '"01/07/2026","-1.00","*","","FEE"'];
      expect((await linesOf(fixture, rows, mapping)).lines).toEqual([
        ['2026-01-06', 50, 'CARD PAYOUT'],
        ['2026-01-07', -1, 'FEE'],
      ]);
    },
    FULL,
  );

  onAnyDatabase(
    'reads the sign from a column with the direction',
    async (fixture) => {
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
    },
    FULL,
  );

  onAnyDatabase('leaves out rows in other currencies and names them', async (fixture) => {
    const rows = ['Date,Description,Amount,Currency', '01/06/2026,EUROS,50.00,EUR', '01/07/2026,DOLLARS,50.00,USD'];
    const { imported, lines } = await linesOf(fixture, rows, { ...BASE, currency: 'Currency' });
    expect(imported).toMatchObject({ added: 1, skipped: [{ reason: 'currency', currency: 'EUR', count: 1 }] });
    expect(lines).toEqual([['2026-01-07', 50, 'DOLLARS']]);
    const error = await refusalOf(fixture, rows.slice(0, 2), { ...BASE, currency: 'Currency' });
    expect(error.message).toContain('EUR');
  });

  onAnyDatabase(
    'leaves out rows of other accounts and names them, and takes the number of the only account',
    async (fixture) => {
      const { api } = fixture;
      const [own, other] = ['NL91ABNA0417164300', 'NL20INGB0001234567'];
      const mapping = JSON.stringify({ date: 'Date', amount: 'Amount', text: ['Text'], account: 'IBAN' });
      const head = 'IBAN;Date;Text;Amount';
      const both = [head, `${other};2026-01-06;THEIRS;1,00`, `${own};2026-01-06;OURS;50,00`, `${other};2026-01-07;THEIRS;2,00`].join('\n');
      const create = async (accountNumber?: string) => {
        const { merchantId } = await createBankShop(fixture);
        const body = { merchantId, name: 'Second', ...(accountNumber && { accountNumber }) };
        const added = await expectData(api.admin.post<{ bankAccountId: string }>('/settlement/bank-accounts', body), 201);
        return { merchantId, bankAccountId: added.bankAccountId };
      };
      const known = await create(own);
      expect(await expectData(sendStatement(fixture, known, both, { mapping }))).toMatchObject({
        added: 1,
        skipped: [{ reason: 'account', last4: '4567', currency: null, count: 2 }],
      });
      expect((await listBankLines(fixture, known)).map(({ text, amount }) => [text, amount])).toEqual([['OURS', 50]]);
      const foreign = [head, `${other};2026-01-06;THEIRS;1,00`].join('\n');
      const refused = await expectError(sendStatement(fixture, known, foreign, { mapping }), 400, 'VALIDATION_ERROR', 'file');
      expect(refused.message).toContain('the line is of the account ending in 4567, not of this bank account');
      const unknown = await create();
      const several = await expectError(sendStatement(fixture, unknown, both, { mapping }), 400, 'VALIDATION_ERROR', 'file');
      expect(several).toMatchObject({ message: expect.stringContaining('several accounts'), details: { line: 3 } });
      await expectData(sendStatement(fixture, unknown, foreign, { mapping }));
      const blank = [head, `${other};2026-01-08;THEIRS;1,00`, ';2026-01-08;WHOSE;1,00'].join('\n');
      expect(
        (await expectError(sendStatement(fixture, unknown, blank, { mapping }), 400, 'VALIDATION_ERROR', 'file')).details,
      ).toMatchObject({
        line: 3,
      });
      const accounts = await expectData(
        api.admin.get<{ bankAccountId: string; last4: string | null }[]>(`/settlement/bank-accounts?merchantId=${unknown.merchantId}`),
      );
      expect(accounts.find(({ bankAccountId }) => bankAccountId === unknown.bankAccountId)?.last4).toBe('4567');
    },
    FULL,
  );

  onAnyDatabase(
    'keeps the sign of a negative credit',
    async (fixture) => {
      const mapping = { date: 'Date', text: ['Description'], credit: 'Credit', debit: 'Debit', dateFormat: 'MM/DD/YYYY' };
      const rows = ['Date,Description,Debit,Credit', '01/06/2026,REVERSED,,-13.50', '01/07/2026,FEE,-2.00,'];
      expect((await linesOf(fixture, rows, mapping)).lines).toEqual([
        ['2026-01-06', -13.5, 'REVERSED'],
        ['2026-01-07', -2, 'FEE'],
      ]);
    },
    FULL,
  );

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

  onAnyDatabase('reads cells that a spreadsheet has marked as text, and refuses references that it has rounded', async (fixture) => {
    const mapping = { ...BASE, dateFormat: undefined, reference: 'Ref' };
    const rows = (...cells: string[]) => ['Date,Description,Amount,Ref', ...cells];
    expect((await linesOf(fixture, rows('="2026-01-06",="CARD PAYOUT",="50.00",="7"', "'2026-01-07,FEE,'-1.00,8"), mapping)).lines).toEqual(
      [
        ['2026-01-06', 50, 'CARD PAYOUT'],
        ['2026-01-07', -1, 'FEE'],
      ],
    );
    const error = await refusalOf(fixture, rows('2026-01-06,A,50.00,1.23457E+11'), mapping);
    expect(error.message).toContain('Line 2 of the file cannot be imported: a spreadsheet has rounded the reference 1.23457E+11');
  });

  onAnyDatabase(
    'says which line before the header is no row',
    async (fixture) => {
      const error = await refusalOf(fixture, ['"Date" , "Description" , "Amount"', '"2026-01-06" , "A" , "5.00"'], BASE);
      expect(error).toMatchObject({ message: expect.stringContaining('quotation mark'), details: { line: 1 } });
    },
    FULL,
  );

  onAnyDatabase('reads the files of banks whose header is known', async (fixture) => {
    for (const rows of [
      [
        'Transaction Date,Transaction Type,Sort Code,Account Number,Transaction Description,Debit Amount,Credit Amount,Balance',
        "07/01/2026,DD,'12-34-56,12345678,FEE,1.00,,149.00",
        "06/01/2026,FPI,'12-34-56,12345678,PAYOUT,,50.00,150.00",
      ],
      [
        'Number,Date,Account,Amount,Subcategory,Memo',
        ',07/01/2026,20-00-00 123,-1.00,Debit,FEE',
        ',06/01/2026,20-00-00 123,50.00,Credit,PAYOUT',
      ],
    ])
      expect((await linesOf(fixture, rows)).lines).toEqual([
        ['2026-01-06', 50, 'PAYOUT'],
        ['2026-01-07', -1, 'FEE'],
      ]);
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

  onAnyDatabase('reads amounts with a currency or a mark for debits, and refuses other currencies', async (fixture) => {
    const rows = (...amounts: string[]) => ['Date;Description;Amount', ...amounts.map((amount) => `01/06/2026;LINE;${amount}`)];
    const amounts = ['50.00 DR', '50,00 CR', '1.234,50 USD', 'USD 7.00', '-3.00 USD', '12.00 USD DR', '$ 8.00'];
    expect((await linesOf(fixture, rows(...amounts), BASE)).lines.map(([, amount]) => amount)).toEqual([-50, 50, 1_234.5, 7, -3, -12, 8]);
    for (const amount of ['50.00 EUR', 'EUR 50.00', '-5.00 CR', '5.00 XR', '5.00 USD USD'])
      expect((await refusalOf(fixture, rows(amount), BASE)).message).toContain(`\`${amount}\` is not an amount`);
    const mapping = { ...BASE, balance: 'Balance' };
    const balanced = [
      'Date,Description,Amount,Balance',
      '01/06/2026,A,50.00 CR,30.00 CR',
      '01/06/2026,B,20.00 DR,10.00 CR',
      '01/06/2026,C,30.00 DR,20.00 DR',
    ];
    expect((await linesOf(fixture, balanced, mapping)).imported).toMatchObject({ openingBalance: -20, closingBalance: -20 });
  });

  onAnyDatabase(
    'refuses debits with both signs, unless the balances prove them',
    async (fixture) => {
      const mapping = { date: 'Date', credit: 'Credit', debit: 'Debit', text: ['Description'], dateFormat: 'MM/DD/YYYY' };
      const rows = (...debits: string[]) => ['Date,Description,Debit,Credit', ...debits.map((debit) => `01/06/2026,LINE,${debit},`)];
      for (const debits of [
        ['1.00', '2.00'],
        ['-1.00', '-2.00'],
      ])
        expect((await linesOf(fixture, rows(...debits), mapping)).lines.map(([, amount]) => amount)).toEqual([-1, -2]);
      const error = await refusalOf(fixture, rows('1.00', '-2.00'), mapping);
      expect(error.message).toContain('the column of debits has both signs');
      expect(error.details).toMatchObject({ line: 3 });
      const balanced = ['Date,Description,Debit,Credit,Balance', '01/06/2026,A,1.00,,9.00', '01/06/2026,B,-2.00,,7.00'];
      expect((await linesOf(fixture, balanced, { ...mapping, balance: 'Balance' })).lines.map(([, amount]) => amount)).toEqual([-1, -2]);
      await refusalOf(fixture, ['Date,Description,Debit,Credit,Balance', '01/06/2026,A,1.00,,9.00', '01/06/2026,B,-2.00,,11.00'], {
        ...mapping,
        balance: 'Balance',
      });
    },
    FULL,
  );
});

describe('a line in the future', () => {
  onAnyDatabase('refuses statements of every format', async (fixture) => {
    const shop = await createBankShop(fixture);
    const now = Date.parse((await expectData(fixture.api.admin.get<{ now: string }>('/sandbox/clock'))).now);
    const day = (days: number) => new Date(now + days * 86_400_000).toISOString().slice(0, 10);
    const lines = (date: string): TruthLine[] => [{ day: date, minor: 5_000, text: 'PAYOUT', reference: `R${date}` }];
    const files = (date: string) => {
      const truth = { account: '9876543210', opening: 0, lines: lines(date) };
      return [ofx(truth), camt(truth), mt940(truth), bai2(truth), csv(truth)];
    };
    const fields = { mapping: JSON.stringify(CSV_MAPPING) };
    for (const file of files(day(3))) {
      const error = await expectError(sendStatement(fixture, shop, file, fields), 400, 'VALIDATION_ERROR', 'file');
      expect(error.message).toContain(`the day ${day(3)} is in the future`);
    }
    expect(await listBankLines(fixture, shop)).toEqual([]);
    for (const file of files(day(1))) await expectData(sendStatement(fixture, shop, file, fields));
    expect(await listBankLines(fixture, shop)).toHaveLength(1);
  });
});
