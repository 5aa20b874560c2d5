import { describe, expect } from 'vitest';
import { type BankShop, createBankShop, listBankLines, sendStatement } from '../../support/bank.ts';
import { ofx, type TruthLine } from '../../support/bank-files.ts';
import { type ApiFixture, expectData, expectError, onAnyDatabase } from '../../support/server.ts';

const DAY = '2026-01-06';
const credit = (minor: number, text: string, reference: string, day = DAY): TruthLine => ({ day, minor, text, reference });

/** Creates a bank account without a number in a currency. */
async function createAccount(fixture: ApiFixture, currency = 'USD', accountNumber?: string): Promise<BankShop> {
  const shop = await createBankShop(fixture);
  const body = { merchantId: shop.merchantId, name: `Account in ${currency}`, currency, accountNumber };
  return { ...shop, ...(await expectData(fixture.api.admin.post<{ bankAccountId: string }>('/settlement/bank-accounts', body), 201)) };
}

/** Returns the amounts of the lines of an account in minor units, in ascending order. */
const amountsOf = async (fixture: ApiFixture, shop: BankShop) =>
  (await listBankLines(fixture, shop)).map(({ amount }) => Math.round(amount * 100)).toSorted((one, other) => one - other);

const statement = (opening: string, entries: readonly string[], closing: string, account = '12345678') =>
  `:20:START\n:25:${account}\n:28C:1/1\n:60F:C260105EUR${opening}\n${entries.map((entry) => `:61:2601060106${entry}\n`).join('')}:62F:C260106EUR${closing}\n-\n`;
const PAYOUT = 'C50,00NTRFNONREF\n:86:CARD PAYOUT';

describe('a line that comes again with another text', () => {
  onAnyDatabase('is recognized by a reference of many digits', async (fixture) => {
    const references = [
      '20260106183630',
      '2380370270281083201810302054456',
      '00000000000000000000000001',
      '202601060012',
      '8c1f8a1e-0001-4000-8000-123456789012',
      'FT-77',
    ];
    for (const reference of references) {
      const shop = await createBankShop(fixture);
      const file = (lines: TruthLine[]) => ofx({ account: '9876543210', opening: 0, lines });
      await expectData(sendStatement(fixture, shop, file([credit(5_000, 'CARD PAYOUT PENDING', reference)])));
      const later = file([credit(5_000, 'CARD PAYOUT HARBOR', reference), credit(700, 'NEXT', 'N-1')]);
      expect(await expectData(sendStatement(fixture, shop, later))).toMatchObject({ added: 1 });
      expect(await amountsOf(fixture, shop)).toEqual([700, 5_000]);
    }
  });

  onAnyDatabase('is shown to a person if it has no reference and no balance', async (fixture) => {
    const file = (...rows: string[]) => ['Date,Text,Amount', ...rows.map((row) => `${DAY},${row}`)].join('\n');
    const fields = { mapping: JSON.stringify({ date: 'Date', amount: 'Amount', text: ['Text'] }) };
    for (const [doubtfulLines, expected] of [
      ['add', [5_000, 5_000]],
      ['skip', [5_000]],
    ] as const) {
      const shop = await createBankShop(fixture);
      await expectData(sendStatement(fixture, shop, file('PAYOUT PENDING,50.00'), fields));
      const error = await expectError(sendStatement(fixture, shop, file('PAYOUT HARBOR,50.00'), fields), 409, 'RESOURCE_CONFLICT');
      expect(error.details).toMatchObject({ reason: 'doubtful_lines', lines: [{ line: 2, day: DAY, amount: 50, hasSameText: false }] });
      expect(await amountsOf(fixture, shop)).toEqual([5_000]);
      await expectData(sendStatement(fixture, shop, file('PAYOUT HARBOR,50.00'), { ...fields, doubtfulLines }));
      expect(await amountsOf(fixture, shop)).toEqual(expected);
    }
  });
});

describe('two statements of one day', () => {
  onAnyDatabase('add equal lines if the second one continues the balance of the first one', async (fixture) => {
    for (const [one, two] of [
      [PAYOUT, PAYOUT],
      ['C50,00NTRFNONREF//B001\n:86:terminal 1', 'C50,00NTRFNONREF//B001\n:86:terminal 2'],
    ] as const) {
      const shop = await createAccount(fixture, 'EUR');
      await expectData(sendStatement(fixture, shop, statement('100,00', [one], '150,00')));
      expect(await expectData(sendStatement(fixture, shop, statement('150,00', [two], '200,00')))).toMatchObject({ added: 1 });
      // The whole day in one file adds nothing.
      expect(await expectData(sendStatement(fixture, shop, statement('100,00', [one, two], '200,00')))).toMatchObject({ added: 0 });
      expect(await amountsOf(fixture, shop)).toEqual([5_000, 5_000]);
    }
  });

  onAnyDatabase('add equal lines if the one between two others comes last', async (fixture) => {
    const shop = await createAccount(fixture, 'EUR');
    await expectData(sendStatement(fixture, shop, statement('100,00', [PAYOUT], '150,00')));
    const between = await expectError(sendStatement(fixture, shop, statement('200,00', [PAYOUT], '250,00')), 409, 'RESOURCE_CONFLICT');
    expect(between.details).toEqual({ reason: 'balances', missing: 50, doubtful: 1 });
    await expectData(sendStatement(fixture, shop, statement('150,00', [PAYOUT], '200,00')));
    await expectData(sendStatement(fixture, shop, statement('200,00', [PAYOUT], '250,00')));
    expect(await amountsOf(fixture, shop)).toEqual([5_000, 5_000, 5_000]);
  });

  onAnyDatabase('of an account that is emptied every day are compared by their lines', async (fixture) => {
    const shop = await createAccount(fixture, 'EUR');
    const sweep = (amount: string, text: string) => [`C${amount}NTRFNONREF\n:86:${text}`, `D${amount}NTRFNONREF\n:86:SWEEP`];
    await expectData(sendStatement(fixture, shop, statement('0,00', sweep('50,00', 'A'), '0,00')));
    expect(await expectData(sendStatement(fixture, shop, statement('0,00', sweep('70,00', 'B'), '0,00')))).toMatchObject({ added: 2 });
    expect(await expectData(sendStatement(fixture, shop, `${statement('0,00', sweep('50,00', 'A'), '0,00')}\r\n`))).toMatchObject({
      added: 0,
      repeated: true,
    });
    expect(await amountsOf(fixture, shop)).toEqual([-7_000, -5_000, 5_000, 7_000]);
  });
});

describe('statements of one day whose lines are equal', () => {
  /** Writes a statement of payouts and reversals of 50.00. */
  const moves = (opening: number, signs: string, text = 'CARD PAYOUT') => {
    let balance = opening;
    const entries = [...signs].map((sign) => {
      balance += sign === '+' ? 50 : -50;
      return `${sign === '+' ? 'C' : 'D'}50,00NTRFNONREF\n:86:${text}`;
    });
    return statement(`${opening},00`, entries, `${balance},00`);
  };

  onAnyDatabase('add the lines after the last known one, although other lines between would cancel out', async (fixture) => {
    for (const [stored, file, added] of [
      [[moves(100, '++-+++')], moves(150, '++++'), 1],
      [[moves(100, '++-+++')], moves(150, '+-+++-'), 1],
      [[moves(100, '++-+')], moves(0, '++++'), 2],
      [[moves(100, '+-+'), moves(150, '++')], moves(150, '+++'), 1],
      // The third statement fills the space between two others; the fourth one begins within it.
      [[moves(100, '+'), moves(300, '-'), moves(100, '++++-')], moves(200, '++--'), 1],
    ] as const) {
      const shop = await createAccount(fixture, 'EUR');
      for (const each of stored) await expectData(sendStatement(fixture, shop, each));
      expect(await expectData(sendStatement(fixture, shop, file))).toMatchObject({ added });
    }
  });

  onAnyDatabase('ask if the lines can be known or new', async (fixture) => {
    for (const [doubtfulLines, expected] of [
      ['add', [-5_000, 5_000, 5_000]],
      ['skip', [-5_000, 5_000]],
    ] as const) {
      const shop = await createAccount(fixture, 'EUR');
      await expectData(sendStatement(fixture, shop, moves(100, '+-')));
      const error = await expectError(sendStatement(fixture, shop, moves(100, '+')), 409, 'RESOURCE_CONFLICT');
      expect(error.details).toMatchObject({ reason: 'doubtful_lines', doubtful: 1, lines: [{ day: DAY, amount: 50, hasSameText: true }] });
      await expectData(sendStatement(fixture, shop, moves(100, '+'), { doubtfulLines }));
      expect(await amountsOf(fixture, shop)).toEqual(expected);
    }
  });

  onAnyDatabase('of another format ask if they list the lines in another order', async (fixture) => {
    const shop = await createAccount(fixture, 'EUR');
    await expectData(sendStatement(fixture, shop, moves(100, '++-')));
    const rows = [50, 7, 50, -50].map((amount, index, all) => {
      const balance = all.slice(0, index + 1).reduce((sum, each) => sum + each, 100);
      return `${DAY},CARD PAYOUT,${amount}.00,${balance}.00`;
    });
    const mapping = JSON.stringify({ date: 'Date', amount: 'Amount', text: ['Text'], balance: 'Balance' });
    const error = await expectError(
      sendStatement(fixture, shop, ['Date,Text,Amount,Balance', ...rows].join('\n'), { mapping }),
      409,
      'RESOURCE_CONFLICT',
    );
    expect(error.details).toMatchObject({ reason: 'doubtful_lines', doubtful: 3 });
    expect(await amountsOf(fixture, shop)).toEqual([-5_000, 5_000, 5_000]);
  });

  onAnyDatabase('are known in a file whose newest line is the first one', async (fixture) => {
    const mapping = JSON.stringify({ date: 'Date', amount: 'Amount', text: ['Text'], balance: 'Balance' });
    const file = (...rows: string[]) => ['Date,Text,Amount,Balance', ...rows.map((row) => `${DAY},${row}`)].join('\n');
    const shop = await createAccount(fixture, 'EUR');
    await expectData(sendStatement(fixture, shop, file('B,7.00,157.00', 'A,50.00,150.00'), { mapping }));
    const later = file('D,50.00,257.00', 'C,50.00,207.00', 'B,7.00,157.00');
    expect(await expectData(sendStatement(fixture, shop, later, { mapping }))).toMatchObject({ added: 2 });
    const whole = file('E,1.00,258.00', 'D,50.00,257.00', 'C,50.00,207.00', 'B,7.00,157.00', 'A,50.00,150.00');
    expect(await expectData(sendStatement(fixture, shop, whole, { mapping }))).toMatchObject({ added: 1 });
    expect(await amountsOf(fixture, shop)).toEqual([100, 700, 5_000, 5_000, 5_000]);
  });
});

describe('two equal credits of one day', () => {
  const rows = (...lines: string[]) =>
    ['Date,Description,Amount,Ref', ...lines.map((line) => `${DAY},CARD PAYOUT,50.00,${line}`)].join('\n');
  const fields = { mapping: JSON.stringify({ date: 'Date', amount: 'Amount', text: ['Description'], reference: 'Ref' }) };

  onAnyDatabase('stay two lines in CSV and OFX, newest first, and in files that do not overlap', async (fixture) => {
    for (const second of [['a2', 'a1'], ['a1', 'a2'], ['a2']]) {
      const shop = await createBankShop(fixture);
      await expectData(sendStatement(fixture, shop, rows('a1'), fields));
      expect(await expectData(sendStatement(fixture, shop, rows(...second), fields))).toMatchObject({ added: 1 });
      const other = await createBankShop(fixture);
      const file = (ids: string[]) => ofx({ account: '9876543210', opening: 0, lines: ids.map((id) => credit(5_000, 'CARD PAYOUT', id)) });
      await expectData(sendStatement(fixture, other, file(['a1'])));
      expect(await expectData(sendStatement(fixture, other, file(second)))).toMatchObject({ added: 1 });
      for (const each of [shop, other]) expect(await amountsOf(fixture, each)).toEqual([5_000, 5_000]);
    }
  });
});

describe('a file with several statements', () => {
  const first = statement('100,00', [PAYOUT], '150,00');
  const second = statement('150,00', ['C7,00NTRFNONREF\n:86:NEXT'], '157,00');

  onAnyDatabase('is read in any order, and with a statement that is in it twice', async (fixture) => {
    for (const file of [first + second, second + first, first + second + first]) {
      const shop = await createAccount(fixture, 'EUR');
      expect(await expectData(sendStatement(fixture, shop, file))).toMatchObject({ added: 2, openingBalance: 100, closingBalance: 157 });
      expect(await amountsOf(fixture, shop)).toEqual([700, 5_000]);
    }
  });

  onAnyDatabase('is refused with the missing amount if a statement between them is missing', async (fixture) => {
    const shop = await createAccount(fixture, 'EUR');
    const third = statement('160,00', ['C1,00NTRFNONREF\n:86:LAST'], '161,00');
    const error = await expectError(sendStatement(fixture, shop, first + third), 400, 'VALIDATION_ERROR', 'file');
    expect(error.details).toMatchObject({ missing: 10 });
    expect(await amountsOf(fixture, shop)).toEqual([]);
  });

  onAnyDatabase('names the statements of other accounts and currencies that it leaves out', async (fixture) => {
    const shop = await createAccount(fixture, 'EUR', '12345678');
    const other = statement('1,00', [PAYOUT], '51,00', '99998888');
    const dollars = first.replaceAll('EUR', 'USD');
    expect(await expectData(sendStatement(fixture, shop, dollars + first + other))).toMatchObject({
      added: 1,
      skipped: [
        { reason: 'currency', last4: '5678', currency: 'USD', count: 1 },
        { reason: 'account', last4: '8888', currency: 'EUR', count: 1 },
      ],
    });
    await expectError(sendStatement(fixture, shop, dollars), 400, 'VALIDATION_ERROR', 'file');
  });
});

describe('the account of a statement', () => {
  onAnyDatabase('is compared by its significant digits', async (fixture) => {
    const shop = await createAccount(fixture, 'EUR', 'DE89370400440532013000');
    const file = (account: string, minor: string) => statement('100,00', [`C${minor}NTRFNONREF\n:86:X`], `10${minor}`, account);
    await expectData(sendStatement(fixture, shop, file('37040044/532013000', '1,00')));
    for (const account of ['3000', '37040044/992013000', '10020030/532013000', 'DE89370400440532013999', '32013000'])
      await expectError(sendStatement(fixture, shop, file(account, '2,00')), 400, 'VALIDATION_ERROR', 'file');
  });

  onAnyDatabase('is checked in MT942 and in MT940 without balances', async (fixture) => {
    const shop = await createAccount(fixture, 'USD', 'GB29NWBK60161331926819');
    const entry = ':61:2601060106D93,17FMSCNONREF\n:86:tax\n';
    const report = `:20:X1\n:25:PL61109010140000071219812874\n:28C:1/1\n:34F:PLN0,\n:13D:2601061200+0100\n${entry}:90D:1PLN93,17\n:90C:0PLN0,`;
    const refused = await expectError(sendStatement(fixture, shop, report), 400, 'VALIDATION_ERROR', 'file');
    expect(refused.message).toContain('MT942');
    const plain = `:20:X1\n:25:PL61109010140000071219812874\n:28C:1/1\n${entry}`;
    await expectError(sendStatement(fixture, shop, plain), 400, 'VALIDATION_ERROR', 'file');
    expect(await amountsOf(fixture, shop)).toEqual([]);
  });
});

onAnyDatabase('masks card numbers and IBANs in texts, but neither trace nor order numbers', async (fixture) => {
  const shop = await createBankShop(fixture);
  const texts = [
    ['TRACE 000123456789 45ZWNWTOF3', 'TRACE 000123456789 45ZWNWTOF3'],
    ['KREF+SEPA-20260106123456-P1', 'KREF+SEPA-20260106123456-P1'],
    ['CARD 4111 1111 1111 1111 SALE', 'CARD [card number] SALE'],
    ['FROM DE89 3704 0044 0532 0130 00 ACME', 'FROM IBAN …3000 ACME'],
    ['ORDER AB12 3456 7890 1234 5678', 'ORDER AB12 3456 7890 1234 5678'],
  ] as const;
  const lines = texts.map(([text], index) => credit(100 + index, text, `20260106183630${index}`));
  await expectData(sendStatement(fixture, shop, ofx({ account: '9876543210', opening: 0, lines })));
  const stored = (await listBankLines(fixture, shop)).toSorted((one, other) => one.amount - other.amount);
  expect(stored.map(({ text }) => text)).toEqual(texts.map(([, shown]) => shown));
  expect(stored.map((line) => (line as unknown as { reference: string }).reference)).toEqual(lines.map(({ reference }) => reference));
});
