import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatOf } from '#shared/statement-formats';
import { createStatementReader, StatementFault, type StatementPart } from '../../../core/books/bank/statements/index.ts';
import { foreignReason } from '../../../core/platform/imports/index.ts';
import { bai2, CSV_MAPPING, camt, csv, mt940, ofx, type StatementTruth } from '../../support/bank-files.ts';

const FILES = {
  'OFX 1': (truth: StatementTruth) => ofx(truth, 1),
  'OFX 2': (truth: StatementTruth) => ofx(truth, 2),
  'CAMT.053 version 02': (truth: StatementTruth) => camt(truth, '02'),
  'CAMT.053 version 08': (truth: StatementTruth) => camt(truth, '08'),
  'MT940 of SWIFT': (truth: StatementTruth) => mt940(truth, 'swift'),
  'MT940 of German banks': (truth: StatementTruth) => mt940(truth, 'german'),
  BAI2: bai2,
  'CSV, oldest first': (truth: StatementTruth) => csv(truth, 'ascending'),
  'CSV, newest first': (truth: StatementTruth) => csv(truth, 'descending'),
} as const;

const CSV_ONLY = { names: 'CSV' };
const STATEMENTS = { names: 'OFX or CSV', hasStatements: true };
const TRUTH: StatementTruth = {
  account: '9876543210',
  opening: 100_000,
  lines: [
    { day: '2026-03-02', minor: 123_45, text: 'ACME PAYDESK PAYOUT ABCDEFGH23', reference: 'R1' },
    { day: '2026-03-02', minor: -5_00, text: 'ACME PROCESSING FEE MARCH', reference: 'R2' },
    { day: '2026-03-03', minor: 1, text: 'SMALL CREDIT', reference: 'R3' },
  ],
};

/** Reads a file in pieces of a length. */
function partsOf(file: string, pieceLength = file.length): StatementPart[] {
  const reader = createStatementReader(formatOf(file.slice(0, 4_000)), { exponent: 2, currency: 'USD', number: null }, CSV_MAPPING);
  const parts: StatementPart[] = [];
  for (let from = 0; from < file.length; from += pieceLength) parts.push(...reader.read(file.slice(from, from + pieceLength)));
  return [...parts, ...reader.end()];
}

const entriesOf = (parts: readonly StatementPart[]) =>
  parts
    .flatMap((part) => (part.kind === 'entry' ? [{ day: part.day, minor: part.minor, text: part.text, reference: part.reference }] : []))
    .toSorted((left, right) => (left.reference ?? '').localeCompare(right.reference ?? '', 'en', { numeric: true }));

describe('reading a statement', () => {
  test.each(Object.entries(FILES))('gives the lines and the balances of %s', (_, write) => {
    const parts = partsOf(write(TRUTH));
    expect(entriesOf(parts)).toEqual(TRUTH.lines);
    const balances = parts.flatMap((part) => (part.kind === 'opening' || part.kind === 'closing' ? [[part.kind, part.minor]] : []));
    expect(balances.at(-1)).toEqual(['closing', 111_846]);
    if (!write(TRUTH).includes('OFX')) expect(balances[0]).toEqual(['opening', 100_000]);
  });

  test('gives the same lines for any amounts, days and texts, in pieces of any length', () => {
    const line = fc.record({
      minor: fc.integer({ min: -99_999_999, max: 99_999_999 }).filter((minor) => minor !== 0),
      day: fc.integer({ min: 1, max: 28 }).map((day) => `2026-02-${String(day).padStart(2, '0')}`),
      text: fc.stringMatching(/^[A-Z][A-Z0-9]{2,12}( [A-Z0-9]{2,12}){0,4}$/),
    });
    fc.assert(
      fc.property(
        fc.array(line, { minLength: 1, maxLength: 12 }),
        fc.constantFrom(...Object.values(FILES)),
        fc.integer({ min: 1, max: 300 }),
        (drawn, write, pieceLength) => {
          const lines = drawn
            .toSorted((left, right) => (left.day < right.day ? -1 : left.day > right.day ? 1 : 0))
            .map((each, index) => ({ ...each, reference: `R${index + 1}` }));
          const truth = { account: '12345678', opening: 5_000_000_000, lines };
          expect(entriesOf(partsOf(write(truth), pieceLength))).toEqual(lines);
        },
      ),
      { numRuns: 60 },
    );
  });

  test('treats a reversed credit of MT940 as a debit and a reversed debit as a credit', () => {
    const file = mt940(TRUTH).replace('C123,45', 'RC123,45').replace('D5,00', 'RD5,00');
    expect(entriesOf(partsOf(file)).map(({ minor }) => minor)).toEqual([-12_345, 500, 1]);
  });

  test('takes the year of the value date for a booking day after the new year', () => {
    const [entry] = entriesOf(partsOf(mt940(TRUTH).replace(':61:2603020302', ':61:2512310102')));
    expect(entry?.day).toBe('2026-01-02');
  });

  test('leaves out entries of CAMT.053 that are not booked', () => {
    const file = camt(TRUTH).replace('<Sts>BOOK</Sts>', '<Sts>PDNG</Sts>');
    expect(entriesOf(partsOf(file)).map(({ reference }) => reference)).toEqual(['R2', 'R3']);
  });
});

/** Writes a statement of MT940 with one entry, in a dialect of a bank. */
const dialect = (entry: string, { head = '', account = '12345678', currency = 'EUR' } = {}) =>
  `${head}:20:STARTUMS\r\n:25:${account}\r\n:28C:1/1\r\n:60F:C260227${currency}0,\r\n${entry}\r\n:62F:C260302${currency}0,\r\n-`;

describe('reading dialects of MT940', () => {
  test.each([
    ['without a comma', ':61:2603020302C500NTRFNONREF//B1', { minor: 50_000, text: '', reference: 'B1' }],
    ['with the third letter of the currency', ':61:2603020302CR12,3NTRFNONREF', { minor: 1_230, text: '', reference: null }],
    ['without an entry date and with a type of three letters', ':61:260302D7,03NOV NONREF', { minor: -703, text: '', reference: null }],
    ['with NONREF as reference of the bank', ':61:2603020302C9,FMSC01916//NONREF', { minor: 900, text: '01916', reference: null }],
    [
      'with a blank type and :NS:',
      ':61:2603020302DF5,00S   X\r\n:NS:15ACME\r\n16Ltd',
      { minor: -500, text: 'X ACME Ltd', reference: null },
    ],
    [
      'with the separator of Triodos',
      ':61:260302D1,N000NONREF\r\n:86:000>1001\r\n>20RENT>21 MARCH',
      { minor: -100, text: 'RENT MARCH', reference: null },
    ],
    [
      'with :86: in lines that begin with a code',
      ':61:260302C1,N229NONREF\r\n:86:229\r\n?00CREDIT\r\n?20ACME',
      { minor: 100, text: 'CREDIT ACME', reference: null },
    ],
    ['with four spaces for the entry date', ':61:260302    D65,00NTRFNONREF', { minor: -6_500, text: '', reference: null }],
    ['with a point and leading zeros', ':61:2603020302C000000000100.00NTRFNONREF', { minor: 10_000, text: '', reference: null }],
    [
      'with lines of a text that look like the end of the message or like a tag',
      ':61:260302C1,NTRFNONREF\r\n:86:sale\r\n-\r\nmore\r\n:12:30 o clock PAYOUT1',
      { minor: 100, text: 'sale - more :12:30 o clock PAYOUT1', reference: null },
    ],
    [
      'with a space before the code of :86:',
      ':61:260302C1,NTRFNONREF\r\n:86: 020?00TRANSFER?20ACME',
      { minor: 100, text: 'TRANSFER ACME', reference: null },
    ],
    [
      'with subfields of :86: without a code',
      ':61:260302C1,NTRFNONREF\r\n:86:>20INVOICE 1>32ACME',
      { minor: 100, text: 'INVOICE 1 ACME', reference: null },
    ],
    [
      'with spaces around the amount and before the tags',
      '  :61:2603020302C 1,00 NTRFNONREF//B1\r\n  :86:SALE',
      { minor: 100, text: 'SALE', reference: 'B1' },
    ],
    [
      'with a text that begins with a plus sign',
      ':61:260302C1,NTRFNONREF\r\n:86:+49 30 1234 CALL',
      { minor: 100, text: '+49 30 1234 CALL', reference: null },
    ],
  ])('an entry %s', (_, entry, expected) => {
    expect(entriesOf(partsOf(dialect(entry), 7))).toEqual([{ day: '2026-03-02', ...expected }]);
  });

  test.each(['C260227EUR000000000100.00', 'C260227EUR0000000000000100,00'])('the balance %s', (balance) => {
    const file = dialect(':61:2603020302C1,NTRFNONREF').replace('C260227EUR0,', balance);
    expect(partsOf(file)).toContainEqual({ kind: 'opening', line: 4, minor: 10_000 });
  });

  test.each([
    ['9912311231', '1999-12-31'],
    ['2602300301', '2026-03-01'],
    ['260230', '2026-02-28'],
  ])('the value date of February 30 in %s, which German banks write', (dates, day) => {
    expect(entriesOf(partsOf(dialect(`:61:${dates}D6,00N024NONREF`)))[0]?.day).toBe(day);
  });

  test.each([
    'ABNANL2A\n940\nABNANL2A\n',
    '0000 01INGBNL2AXXXX00001\n940 00\n',
    '\u0001{1:F01BANKDEFFXXXX0000000000}{2:O940}{4:\r\n',
    '\r\n\r\n',
  ])('the header %j', (head) => {
    const file = dialect(':61:2603020302C1,NTRFNONREF', { head });
    expect(formatOf(file)).toBe('mt940');
    expect(entriesOf(partsOf(file))).toHaveLength(1);
  });

  test.each(['BANK/12345678HUF', 'BANK/12345678/HUF'])('the account %s with its currency', (account) => {
    const [found] = partsOf(dialect(':61:2603020302C1,NTRFNONREF', { account, currency: 'HUF' }));
    expect(found).toMatchObject({ kind: 'account', number: 'BANK/12345678', currency: 'HUF' });
  });
});

describe('reading dialects of BAI2, OFX and CAMT.053', () => {
  const group = '01,0004,12345,260302,0829,1,,,2/\n02,12345,0004,1,260302,,USD,/\n';

  test('several records of BAI2 in one line, long amounts with signs, and texts in continuations', () => {
    const file = `${group}03,11111111,,015,+00000000000000600,,/\n88,100,600,2,V,260302,/\n16,142,500,Z,,,ACME/ 16,108,000000000000100,V,260302,,B1,/\n88,SECOND   /\n88,LINE/    49,+00000000000001800,6/\n98,1800,1,8/\n99,1800,1,10/`;
    const parts = partsOf(file, 11);
    expect(entriesOf(parts)).toEqual([
      { day: '2026-03-02', minor: 500, text: 'ACME', reference: null },
      { day: '2026-03-02', minor: 100, text: 'SECOND LINE', reference: 'B1' },
    ]);
    expect(parts.at(-1)).toMatchObject({ kind: 'closing', minor: 600 });
  });

  test('a text of BAI2 that contains commas and slashes, and continuations with a colon', () => {
    const file = `${group}03,11111111,,,,,/\n16,447,600,,REF1,CUST1,ACH Payment, AB/GS/1\n88:EREF: 1111\n49,600,4/\n98,600,1,6/\n99,600,1,8/`;
    expect(entriesOf(partsOf(file))).toEqual([
      { day: '2026-03-02', minor: -600, text: 'CUST1 ACH Payment, AB/GS/1 EREF: 1111', reference: 'REF1' },
    ]);
  });

  test('a text of BAI2 that is broken without a continuation record', () => {
    const account = `${group}03,11111111,,,,,/\n16,195,600,,REF1,,ACME PAYOUT\n16 MAIN STREET\nABCD/\n`;
    const end = '49,600,4/\n98,600,1,6/\n99,600,1,8/';
    expect(entriesOf(partsOf(account + end)).map(({ text }) => text)).toEqual(['ACME PAYOUT 16 MAIN STREET ABCD']);
    expect(() => partsOf(`${account}MORE\n${end}`)).toThrow('is not a BAI2 record');
    expect(() => partsOf(`${group}PAYOUT\n${end}`)).toThrow('is not a BAI2 record');
  });

  test('a record of BAI2 that ends with a comma before its continuation', () => {
    const file = `${group}03,98765,USD,010,10000,,,/\n88,015,15000,,/\n16,195,5000,,R1,,SALE/\n49,30000,4/\n98,30000,1,6/\n99,30000,1,8/`;
    expect(partsOf(file).map((part) => ('minor' in part ? [part.kind, part.minor] : part.kind))).toEqual([
      'account',
      ['opening', 10_000],
      ['entry', 5_000],
      ['closing', 15_000],
    ]);
  });

  test.each(['0829', '145935', '14:59:35', ''])('a file of BAI2 with the time %j', (time) => {
    expect(formatOf(group.replace('0829', time))).toBe('bai2');
  });

  test('records of BAI2 without an amount, and a trailer without a total', () => {
    const file = `${group}03,98765,USD,,,,/\n16,890,,,,,NOTE/\n16,195,5000,,R1,,SALE/\n49,,4/\n98,,1,6/\n99,,1,8/`;
    expect(entriesOf(partsOf(file))).toEqual([{ day: '2026-03-02', minor: 5_000, text: 'SALE', reference: 'R1' }]);
  });

  test('CDATA and comments of OFX, in pieces of any length', () => {
    for (const version of [1, 2] as const) {
      const file = ofx(TRUTH, version)
        .replace('ACME PAYDESK PAYOUT ABCDEFGH23', '<![CDATA[Card sale & <b>more</b>]]>')
        .replace('<BANKTRANLIST>', '<!-- from <STMTTRN> on\n -->\n<BANKTRANLIST>');
      for (const length of [1, 2, 5, 97, file.length])
        expect(entriesOf(partsOf(file, length)).map(({ text }) => text)).toEqual([
          'Card sale & <b>more</b>',
          'ACME PROCESSING FEE MARCH',
          'SMALL CREDIT',
        ]);
    }
  });

  test('OFX after a comment', () => {
    expect(formatOf('<?xml version="1.0"?><!-- made by bank --><?OFX OFXHEADER="200"?><OFX>')).toBe('ofx');
    expect(formatOf('<?xml version="1.0"?>\n<!-- a -->\n<!-- b --><OFX>')).toBe('ofx');
  });

  test.each([
    ['-.50', -50],
    ['.50', 50],
    ['-1,234.56', -123_456],
    ['1.234,56', 123_456],
    ['- 12.00', -1_200],
    ['12.00-', -1_200],
    ['-00000000001500.0000', -150_000],
  ])('the amount %s of OFX', (amount, minor) => {
    expect(entriesOf(partsOf(ofx(TRUTH).replace('<TRNAMT>123.45', `<TRNAMT>${amount}`)))[0]?.minor).toBe(minor);
  });

  test.each([
    ['$ 1,234.56', [123_456]],
    ['R$ 5.326,43', [532_643]],
    ['.', []],
  ])('the balance %s of OFX', (balance, expected) => {
    const parts = partsOf(ofx(TRUTH).replace(/<BALAMT>[^\n]*/, `<BALAMT>${balance}`));
    expect(parts.flatMap((part) => (part.kind === 'closing' ? [part.minor] : []))).toEqual(expected);
  });

  test('empty elements of OFX, and a balance without an amount', () => {
    const file = ofx(TRUTH, 2)
      .replace(/<BALAMT>[^<]*/, '<BALAMT>')
      .replace(/<FITID>R1/, '<FITID>');
    expect(partsOf(`\n\n${file}`).map(({ kind }) => kind)).toEqual(['account', 'entry', 'entry', 'entry']);
  });

  test('the currency of an account of OFX that follows its number', () => {
    const file = ofx(TRUTH).replace('<CURDEF>USD\n', '').replace('</BANKACCTFROM>', '</BANKACCTFROM><CURDEF>EUR');
    expect(partsOf(file, 5)[0]).toEqual({ kind: 'account', line: 12, number: '9876543210', currency: 'EUR' });
    const empty = file.replace(/<BANKTRANLIST>[\s\S]*<\/BANKTRANLIST>/, '').replace(/<LEDGERBAL>[\s\S]*<\/AVAILBAL>/, '');
    expect(partsOf(empty).map((part) => part.kind)).toEqual(['account']);
  });

  test.each(['2026-03-02', '2026/03/02 12:00:00'])('the day %s of OFX', (day) => {
    expect(entriesOf(partsOf(ofx(TRUTH).replace(/<DTPOSTED>20260302[^\n]*/, `<DTPOSTED>${day}`)))).toEqual(TRUTH.lines);
  });

  test('CAMT.053 after an empty line', () => {
    for (const length of [1, 500]) expect(entriesOf(partsOf(`\r\n ${camt(TRUTH)}`, length))).toEqual(TRUTH.lines);
  });

  test('entries of CAMT.053 that are not booked, in another currency', () => {
    const pending = camt(TRUTH).replace(
      '</Stmt>',
      '<Ntry><Amt Ccy="EUR">1.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>PDNG</Sts></Ntry></Stmt>',
    );
    expect(entriesOf(partsOf(pending))).toEqual(TRUTH.lines);
    expect(() => partsOf(pending.replace('PDNG', 'BOOK'))).toThrow('the amount is in EUR, but the account is in USD');
  });

  test('the opening balance of CAMT.053 beside an older closing balance', () => {
    const older = '<Bal><Tp><CdOrPrtry><Cd>PRCD</Cd></CdOrPrtry></Tp><Amt Ccy="USD">7</Amt><CdtDbtInd>CRDT</CdtDbtInd></Bal>';
    for (const file of [camt(TRUTH).replace('<Bal>', `${older}<Bal>`), camt(TRUTH).replace('<Ntry>', `${older}<Ntry>`)])
      expect(partsOf(file).filter(({ kind }) => kind === 'opening')).toMatchObject([{ minor: 100_000 }]);
  });

  test('the pages of a statement of CAMT.053 as one statement', () => {
    const [start = '', first = '', second = '', third = '', end = ''] = camt(TRUTH).split(/(?=<Ntry>)|(?=<\/Stmt>)/);
    const page = (isLast: boolean) => `<Stmt><StmtPgntn><PgNb>1</PgNb><LastPgInd>${isLast}</LastPgInd></StmtPgntn>`;
    const acct = /<Acct>.*<\/Acct>/.exec(start)?.[0] ?? '';
    const balances = [...start.matchAll(/<Bal>.*?<\/Bal>/g)].map(([balance]) => balance);
    const paged = (open: string, close: string) =>
      `${start.replace('<Stmt>', page(false)).replace(balances[1] ?? '', open)}${first}</Stmt>${page(true)}${acct}${close}${second}${third}${end}`;
    // The balances of all pages are on the first and the last one, or on each.
    for (const file of [paged('', balances[1] ?? ''), paged(balances[1] ?? '', balances.join(''))]) {
      const parts = partsOf(file);
      expect(parts.filter(({ kind }) => kind === 'account')).toHaveLength(1);
      expect(entriesOf(parts)).toEqual(TRUTH.lines);
      expect(parts.flatMap((part) => (part.kind === 'closing' ? [part.minor] : []))).toEqual([111_846]);
    }
  });

  test('the balance of a file that ends before the last page of its statement', () => {
    const page = '<Stmt><StmtPgntn><PgNb>1</PgNb><LastPgInd>false</LastPgInd></StmtPgntn>';
    expect(partsOf(camt(TRUTH).replace('<Stmt>', page)).filter(({ kind }) => kind === 'closing')).toMatchObject([{ minor: 111_846 }]);
  });

  test('the currency of the amounts of CAMT.053 if the account states none', () => {
    const file = camt(TRUTH).replaceAll(/<Ccy>USD<\/Ccy>/g, '');
    expect(partsOf(file)[0]).toMatchObject({ kind: 'account', currency: 'USD' });
  });
});

test.each([
  ['\u001f\u2039\u0008\u0000', 'gzip'],
  ['PK\u0003\u0004\u0014', 'ZIP'],
  ['%PDF-1.7\n', 'PDF'],
  ['<!DOCTYPE html><title>Sign in</title>', 'web page'],
  ['\u0000\u0001\u0002', 'not text'],
  ['!Type:Bank\nD01/06/26\nT50.00\n^\n', 'QIF'],
  [`0000018011830005        ${' '.repeat(40)}`, 'CODA'],
  ['11002100210123456789260101260131200000000001000978 3ACME', 'Norma 43'],
  ['0130003    00001EUR2 00000000000 050126 ', 'CFONB'],
  ['02RETORNO01COBRANCA       00000000000', 'CNAB'],
  ['0740000000123456789ACME', 'ABO'],
  ['{"transactions": []}', 'JSON'],
  ['{\\rtf1\\ansi', 'RTF'],
  ['<?xml version="1.0"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.03">', 'payment order'],
  ['BEGIN:VCARD\r\nVERSION:3.0', 'vCard'],
  ['<?xml version="1.0"?><customers/>', 'XML'],
  ['<?xml version="1.0"?><?mso-application progid="Excel.Sheet"?><Workbook>', 'spreadsheet'],
])('explains why %j is no statement', (head, word) => {
  expect(foreignReason(head, CSV_ONLY)).toContain(word);
});

test.each(Object.entries(FILES))('accepts %s as text', (_, write) => {
  expect(foreignReason(write(TRUTH), STATEMENTS)).toBeNull();
  expect(foreignReason(`\u0001${write(TRUTH)}\u0003`, STATEMENTS)).toBeNull();
  const format = formatOf(write(TRUTH));
  const reason = format === 'csv' ? null : `The file is a bank statement (${format.toUpperCase()}). Send the file as CSV.`;
  expect(foreignReason(write(TRUTH), CSV_ONLY)).toBe(reason);
});

describe('refusing a statement', () => {
  const faultOf = (file: string): StatementFault => {
    try {
      partsOf(file, 97);
    } catch (error) {
      if (error instanceof StatementFault) return error;
      throw error;
    }
    throw new Error('the file was accepted');
  };

  test('OFX in which debits have no sign, like all amounts', () => {
    const file = ofx(TRUTH).replace('<TRNAMT>-5.00', '<TRNAMT>5.00');
    expect(faultOf(file)).toMatchObject({ line: 24, message: expect.stringContaining('the amount of a debit has no sign') });
    // A debit that was reversed.
    expect(entriesOf(partsOf(ofx(TRUTH).replace('<TRNTYPE>CREDIT', '<TRNTYPE>DEBIT')))).toEqual(TRUTH.lines);
  });

  test('BAI2 without the trailer of the account, unless its closing balance proves the lines', () => {
    const file = bai2({ ...TRUTH, lines: TRUTH.lines.slice(0, 1) });
    expect(partsOf(file.replace(/\n49,[^\n]*/, '')).at(-1)).toMatchObject({ kind: 'closing', minor: 112_345 });
    for (const balance of [/,015,[^,]*/, /,010,[^,]*/])
      expect(faultOf(file.replace(/\n49,[^\n]*/, '').replace(balance, ',072,1')).message).toContain('(49) is missing');
  });

  test.each([
    [
      'a document type in CAMT.053',
      camt(TRUTH).replace('<Document', '<!DOCTYPE d [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>\n<Document'),
      2,
    ],
    ['a document type in OFX 2', ofx(TRUTH, 2).replace('<OFX>', '<!DOCTYPE OFX SYSTEM "file:///etc/passwd">\n<OFX>'), null],
    ['an entity that is not defined', camt(TRUTH).replace('SMALL CREDIT', '&secret;'), null],
    ['elements nested too deep', camt(TRUTH).replace('<GrpHdr>', `<GrpHdr>${'<a>'.repeat(100)}`), null],
    ['an element without an end', camt(TRUTH).replace('SMALL CREDIT', 'x'.repeat(400_000)), null],
    ['an OFX element without an end', ofx(TRUTH).replace('SMALL CREDIT', 'x'.repeat(400_000)), null],
    ['an endless line of MT940', mt940(TRUTH).replace('SMALL CREDIT', 'x'.repeat(400_000)), null],
    ['a truncated CAMT.053', camt(TRUTH).slice(0, -200), null],
    ['a truncated OFX', ofx(TRUTH).slice(0, ofx(TRUTH).indexOf('</STMTTRN>') - 4), null],
    ['a truncated BAI2', bai2(TRUTH).slice(0, -20), null],
    ['OFX that ends between two transactions', ofx(TRUTH).slice(0, ofx(TRUTH).lastIndexOf('<STMTTRN>')), null],
    ['MT940 that ends between two lines', mt940(TRUTH).slice(0, mt940(TRUTH).lastIndexOf(':61:')), 9],
    ['MT940 whose first statement has no closing balance', mt940(TRUTH).slice(0, mt940(TRUTH).indexOf(':62F:')) + mt940(TRUTH), 14],
    ['a month of MT940 that does not exist', mt940(TRUTH).replace(':61:2603', ':61:2699'), 6],
    ['OFX without a bank account', '<OFX><SIGNONMSGSRSV1><STATUS><CODE>15500<MESSAGE>Sign on again</STATUS></SIGNONMSGSRSV1></OFX>', null],
    ['CAMT.054', camt(TRUTH).replaceAll('BkToCstmrStmt', 'BkToCstmrDbtCdtNtfctn'), 2],
    [
      'an amount of OFX in another currency',
      ofx(TRUTH).replace('<TRNAMT>123.45', '<TRNAMT>123.45\n<CURRENCY>\n<CURRATE>1.1\n<CURSYM>EUR\n</CURRENCY>'),
      null,
    ],
    ['amounts of BAI2 with a point', bai2(TRUTH).replace('16,195,12345,', '16,195,123.45,'), null],
    ['MT942', `:20:X\n:25:1234\n:28C:1/1\n:34F:USD0,\n:61:2603020302C1,NTRFNONREF\n`, 4],
    ['MT940 without balances', `:20:X\n:25:1234\n:28C:1/1\n:61:2603020302C1,NTRFNONREF\n`, 4],
    ['amounts of CAMT.053 in two currencies', camt(TRUTH).replace('<Amt Ccy="USD">5.00<', '<Amt Ccy="EUR">5.00<'), null],
    ['an amount with three decimals', camt(TRUTH).replace('>123.45<', '>123.456<'), null],
    ['an amount that is not a number', mt940(TRUTH).replace('C123,45', 'CXX'), 6],
    ['a day that does not exist', ofx(TRUTH).replace('20260303235959', '20260231235959'), null],
    ['a wrong control total of BAI2', bai2(TRUTH).replace('\n49,', '\n49,9'), null],
    ['a balance of CSV that does not follow', csv(TRUTH).replace(',1118.45', ',1118.46'), 3],
    ['a missing column of CSV', csv(TRUTH).replace('Amount', 'Betrag'), 1],
    ['a CSV row with a bad date', csv(TRUTH).replace('2026-03-03', '03.03.2026'), 4],
  ] as const)('refuses %s', (_, file, line) => {
    const fault = faultOf(file);
    expect(fault.message).not.toBe('');
    if (line !== null) expect(fault.line).toBe(line);
  });
});

test.each(Object.entries(FILES))('recognizes %s by its content', (name, write) => {
  const expected = name.startsWith('OFX')
    ? 'ofx'
    : name.startsWith('CAMT')
      ? 'camt.053'
      : name.startsWith('MT')
        ? 'mt940'
        : name === 'BAI2'
          ? 'bai2'
          : 'csv';
  expect(formatOf(write(TRUTH).slice(0, 4_000))).toBe(expected);
});
