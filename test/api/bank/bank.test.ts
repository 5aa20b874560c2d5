import { describe, expect } from 'vitest';
import {
  type BankLineRecord,
  createBankShop,
  importLines,
  listBankLines,
  matchBankLine as match,
  payOut,
  sendStatement,
  suggestedParts,
  undoBankMatch,
} from '../../support/bank.ts';
import { bai2, CSV_MAPPING, camt, csv, mt940, ofx, type StatementTruth } from '../../support/bank-files.ts';
import { type ApiFixture, expectData, expectError, onAnyDatabase, onBothDatabases } from '../../support/server.ts';
import { createMerchant } from '../../support/settlements.ts';
import { createUser } from '../../support/users.ts';

interface Ledger {
  merchants: { merchantId: string; accounts: Record<string, number> }[];
}

const ledgerOf = async ({ api }: ApiFixture, merchantId: string) =>
  (await expectData(api.admin.get<Ledger>(`/settlement/ledger?merchantId=${merchantId}`))).merchants[0]?.accounts;

const TRUTH: StatementTruth = {
  account: '9876543210',
  opening: 100_000,
  lines: [
    { day: '2026-03-02', minor: 12_345, text: 'ACME DEPOSIT DE89370400440532013000', reference: 'R1' },
    { day: '2026-03-02', minor: -500, text: 'ACME PROCESSING FEE', reference: 'R2' },
    { day: '2026-03-02', minor: -500, text: 'ACME PROCESSING FEE', reference: 'R3' },
  ],
};

onAnyDatabase('lets only an owner reopen a closed period, and only with a reason', async (fixture) => {
  const { api } = fixture;
  const { merchantId } = await createBankShop(fixture);
  const month = '2026-03';
  await expectData(api.admin.post('/settlement/close', { merchantId, date: month }));
  const request = { merchantId, date: month, reason: 'The bank corrected a line' };
  for (const role of ['admin', 'manager', 'accountant', 'viewer', 'cashier']) {
    const { headers } = await createUser(fixture, role, { allMerchants: true });
    await expectError(api.admin.post('/settlement/reopen', request, headers), 403, 'PERMISSION_DENIED');
  }
  await expectError(api.admin.post('/settlement/reopen', { merchantId, date: month }), 400, 'REQUIRED_FIELD_MISSING', 'reason');
  const stateOf = async () =>
    (await expectData(api.admin.get<{ closed: boolean }>(`/settlement/close?merchantId=${merchantId}&month=${month}`))).closed;
  expect(await stateOf()).toBe(true);
  const { headers } = await createUser(fixture, 'owner', { allMerchants: true });
  await expectData(api.admin.post('/settlement/reopen', request, headers));
  expect(await stateOf()).toBe(false);
});

describe('importing bank statements', () => {
  onAnyDatabase('adds the lines of a statement once, in any format and however often it is sent', async (fixture) => {
    const shop = await createBankShop(fixture);
    const first = await expectData(sendStatement(fixture, shop, camt(TRUTH)));
    expect(first).toMatchObject({ format: 'camt.053', added: 3, lineCount: 3, repeated: false });
    expect(await expectData(sendStatement(fixture, shop, camt(TRUTH)))).toMatchObject({ added: 0, repeated: true });
    for (const other of [mt940(TRUTH), ofx(TRUTH), ofx(TRUTH, 2), bai2(TRUTH)])
      expect(await expectData(sendStatement(fixture, shop, other))).toMatchObject({ added: 0 });
    const mapping = { mapping: JSON.stringify(CSV_MAPPING), mappingName: 'House bank' };
    expect(await expectData(sendStatement(fixture, shop, csv(TRUTH), mapping))).toMatchObject({ added: 0, repeated: true });
    const more = { ...TRUTH, lines: [...TRUTH.lines, { day: '2026-03-03', minor: 7, text: 'NEW', reference: 'R4' }] };
    const later = sendStatement(fixture, shop, csv(more, 'descending'), { mappingName: 'House bank' });
    expect(await expectData(later)).toMatchObject({ added: 1, lineCount: 4 });
    const lines = await listBankLines(fixture, shop);
    expect(lines.map(({ amount }) => amount)).toEqual([0.07, -5, -5, 123.45]);
    expect(lines.at(-1)?.text).toBe('ACME DEPOSIT IBAN …3000');
  });

  onAnyDatabase('refuses a statement with its line if the balances do not agree, and stores nothing', async (fixture) => {
    const shop = await createBankShop(fixture);
    const file = mt940(TRUTH).replace(':62F:C260302USD1113,45', ':62F:C260302USD1113,46');
    const error = await expectError(sendStatement(fixture, shop, file), 400, 'VALIDATION_ERROR', 'file');
    expect(error.details).toMatchObject({ line: 12, format: 'mt940' });
    expect(error.message).toContain('1113.45 USD');
    expect(await listBankLines(fixture, shop)).toEqual([]);
  });

  onAnyDatabase('refuses a statement of another account, another currency, or a CSV file without a mapping', async (fixture) => {
    const shop = await createBankShop(fixture);
    const send = (content: string) => expectError(sendStatement(fixture, shop, content), 400, 'VALIDATION_ERROR');
    expect((await send(ofx({ ...TRUTH, account: '1111222233' }))).message).toContain('2233');
    expect((await send(ofx(TRUTH).replace('USD', 'EUR'))).message).toContain('EUR');
    expect((await send(csv(TRUTH))).details).toMatchObject({ columns: ['Date', 'Description', 'Reference', 'Amount', 'Balance'] });
    expect((await send('\u001f\u008b\u0008\u0000')).message).toContain('gzip');
    await send(camt(TRUTH).replace('<Document', '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><Document'));
  });

  onAnyDatabase('takes its part of a file with statements of several accounts', async (fixture) => {
    const shop = await createBankShop(fixture);
    const other = { ...TRUTH, account: '1111222233', lines: TRUTH.lines.map((line) => ({ ...line, text: `OTHER ${line.text}` })) };
    const file = `${mt940(other)}\r\n${mt940(TRUTH)}\r\n${mt940(other)}`;
    expect(await expectData(sendStatement(fixture, shop, file))).toMatchObject({ added: 3, lineCount: 3 });
    expect((await listBankLines(fixture, shop)).some(({ text }) => text.includes('OTHER'))).toBe(false);
    const body = { merchantId: shop.merchantId, name: 'Without a number' };
    const unnamed = await expectData(fixture.api.admin.post<{ bankAccountId: string }>('/settlement/bank-accounts', body), 201);
    const error = await expectError(sendStatement(fixture, { ...shop, ...unnamed }, file), 400, 'VALIDATION_ERROR', 'file');
    expect(error.message).toContain('several accounts');
  });

  onAnyDatabase('takes the number of the account from its first statement and shows its last four digits only', async (fixture) => {
    const shop = await createBankShop(fixture);
    const body = { merchantId: shop.merchantId, name: 'Second' };
    const made = await fixture.api.admin.post<{ bankAccountId: string; last4: string | null }>('/settlement/bank-accounts', body);
    expect((await expectData(made, 201)).last4).toBeNull();
    const account = '1357913210';
    await expectData(sendStatement(fixture, { ...shop, bankAccountId: made.body.data.bankAccountId }, ofx({ ...TRUTH, account })));
    const accounts = await fixture.api.admin.get(`/settlement/bank-accounts?merchantId=${shop.merchantId}`);
    expect(accounts.text).toContain('"last4":"3210"');
    for (const number of [account, TRUTH.account]) expect(accounts.text).not.toContain(number);
  });
});

describe('numbers of bank accounts', () => {
  const post = ({ api }: ApiFixture, body: object) => api.admin.post<{ bankAccountId: string }>('/settlement/bank-accounts', body);

  onBothDatabases(
    'refuses a second account with a number, also of ten parallel requests, so that no statement is counted twice',
    async (fixture) => {
      const merchantId = await createMerchant(fixture);
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, n) =>
          post(fixture, { merchantId, name: `Checking ${n}`, accountNumber: 'GB33 BUKB 2020 1555 5555 55' }),
        ),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(409)]);
      const created = answers.find(({ status }) => status === 201)?.body.data;
      const again = await expectError(
        post(fixture, { merchantId, name: 'Savings', accountNumber: '20201555555555' }),
        409,
        'RESOURCE_CONFLICT',
        'accountNumber',
      );
      expect(again.details).toEqual({ bankAccountId: created?.bankAccountId });
      await expectData(post(fixture, { merchantId, name: 'Euros', currency: 'EUR', accountNumber: 'GB33BUKB20201555555555' }), 201);
      await expectData(post(fixture, { merchantId, name: 'Savings', accountNumber: '99995555' }), 201);
    },
  );

  onAnyDatabase('refuses an IBAN with wrong check digits, which no statement would match', async (fixture) => {
    const merchantId = await createMerchant(fixture);
    const body = { merchantId, name: 'Checking', accountNumber: 'DE89 3704 0044 0532 0130 01' };
    const error = await expectError(post(fixture, body), 400, 'VALIDATION_ERROR', 'accountNumber');
    expect(error.message).toContain('check digits');
    await expectData(post(fixture, { ...body, accountNumber: 'de89 3704 0044 0532 0130 00' }), 201);
    await expectData(post(fixture, { ...body, accountNumber: '000-123456789' }), 201);
  });

  onAnyDatabase('refuses the first statement of an account without a number if another account has its number', async (fixture) => {
    const { merchantId, bankAccountId } = await createBankShop(fixture);
    const { bankAccountId: unnamed } = await expectData(post(fixture, { merchantId, name: 'Unnamed' }), 201);
    const statement = ofx(TRUTH);
    const error = await expectError(sendStatement(fixture, { merchantId, bankAccountId: unnamed }, statement), 409, 'RESOURCE_CONFLICT');
    expect(error.details).toEqual({ bankAccountId });
    expect(await expectData(fixture.api.admin.get(`/settlement/bank-lines?bankAccountId=${unnamed}`))).toEqual([]);
    await expectData(sendStatement(fixture, { merchantId, bankAccountId }, statement));
  });

  onBothDatabases('gives a number to one of two accounts whose first statements arrive at the same time', async (fixture) => {
    const merchantId = await createMerchant(fixture);
    const accounts = await Promise.all(['One', 'Two'].map((name) => expectData(post(fixture, { merchantId, name }), 201)));
    const answers = await Promise.all(
      accounts.map(({ bankAccountId }) => sendStatement(fixture, { merchantId, bankAccountId }, ofx(TRUTH))),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const lines = await expectData(fixture.api.admin.get<unknown[]>(`/settlement/bank-lines?merchantId=${merchantId}`));
    expect(lines).toHaveLength(TRUTH.lines.length);
  });
});

describe('listing bank lines', () => {
  onAnyDatabase('returns the total of an account and a merchant in each state, after matches and their undoing', async (fixture) => {
    const { api } = fixture;
    const shop = await createBankShop(fixture);
    const other = await createBankShop(fixture);
    const totalOf = async (query: string) =>
      (await api.admin.get<unknown>(`/settlement/bank-lines?limit=1&${query}`)).body.pagination?.total;
    const totals = async () => ({
      account: await totalOf(`bankAccountId=${shop.bankAccountId}`),
      merchant: await totalOf(`merchantId=${shop.merchantId}`),
      open: await totalOf(`bankAccountId=${shop.bankAccountId}&state=open`),
      matched: await totalOf(`merchantId=${shop.merchantId}&state=matched`),
      ofDays: await totalOf(`bankAccountId=${shop.bankAccountId}&startDate=2026-03-02&endDate=2026-03-03`),
      fromDay: await totalOf(`merchantId=${shop.merchantId}&startDate=2026-03-02`),
      ofOther: await totalOf(`bankAccountId=${shop.bankAccountId}&merchantId=${other.merchantId}`),
    });
    const lines = [1, 2, 3].map((n) => ({ day: `2026-03-0${n}`, minor: -100 * n, text: `LINE ${n}`, reference: `F${n}` }));
    const imported = await importLines(fixture, shop, lines);
    await importLines(fixture, shop, [...lines, { day: '2026-03-04', minor: -400, text: 'LINE 4', reference: 'F4' }]);
    const counted = { account: 4, merchant: 4, open: 4, matched: 0, ofDays: 2, fromDay: 3, ofOther: 0 };
    expect(await totals()).toEqual(counted);
    const { lineId } = imported[0] as BankLineRecord;
    await expectData(match(fixture, lineId, [{ kind: 'own', amount: 0.5 }]));
    expect(await totals()).toEqual(counted);
    await expectData(match(fixture, lineId, [{ kind: 'own' }]));
    expect(await totals()).toEqual({ ...counted, open: 3, matched: 1 });
    await expectData(api.admin.delete(`/settlement/bank-lines/${lineId}/match`));
    expect(await totals()).toEqual(counted);
  });
});

describe('listing payouts without a bank line', () => {
  onAnyDatabase('includes those before the first statement that may arrive in it, and never as missing', async (fixture) => {
    const shop = await createBankShop(fixture);
    const payout = await payOut(fixture, shop, 35);
    const dayAfter = (days: number, { paidAt } = payout) =>
      new Date(Date.parse(`${paidAt.slice(0, 10)}T12:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
    const wait = () => expectData(fixture.api.admin.post('/sandbox/clock', { advanceSeconds: 21 * 86_400 }));
    await wait();
    const listed = async ({ merchantId }: { merchantId: string }) =>
      (
        await expectData(
          fixture.api.admin.get<{ payoutId: string; missing: boolean }[]>(`/settlement/bank-payouts?merchantId=${merchantId}`),
        )
      ).map(({ payoutId, missing }) => ({ payoutId, missing }));
    const lines = [3, 20].map((days) => ({ day: dayAfter(days), minor: 777, text: `CREDIT ${days}`, reference: `F${days}` }));
    const [first] = (await importLines(fixture, shop, lines)) as [BankLineRecord];
    expect(await listed(shop)).toEqual([{ payoutId: payout.payoutId, missing: false }]);
    await expectData(match(fixture, first.lineId, [{ kind: 'payout', payoutId: payout.payoutId, amount: 7.77 }]));
    const later = await createBankShop(fixture);
    const second = await payOut(fixture, later, 36);
    await wait();
    await importLines(fixture, later, [{ day: dayAfter(20, second), minor: 778, text: 'CREDIT', reference: 'F1' }]);
    expect(await listed(later)).toEqual([]);
  });
});

/** Returns an account number of Malta, with correct check digits, that ends with a text. */
function ibanWith(end: string): string {
  const bban = `MALT01100${end.padStart(18, '0')}`;
  const digits = [...`${bban}MT00`].map((character) => Number.parseInt(character, 36)).join('');
  return `MT${String(98n - (BigInt(digits) % 97n)).padStart(2, '0')}${bban}`;
}

describe('matching bank lines', () => {
  onAnyDatabase('suggests a payout whose reference is part of a number that is masked', async (fixture) => {
    const shop = await createBankShop(fixture);
    const payout = await payOut(fixture, shop, 41);
    const minor = Math.round(payout.amount * 100);
    const iban = ibanWith(payout.reference);
    const lines = [{ day: payout.paidAt.slice(0, 10), minor, text: `PAYDESK ${iban}`, reference: 'F1' }];
    const [line] = await importLines(fixture, shop, lines);
    expect(line?.text).toBe(`PAYDESK IBAN …${iban.slice(-4)} ${payout.reference}`);
    expect(line?.suggestion).toMatchObject({ reason: 'reference', parts: [{ payout: { payoutId: payout.payoutId } }] });
  });

  onBothDatabases('makes one match of ten parallel requests, posts it to the ledger, and undoes it', async (fixture) => {
    const shop = await createBankShop(fixture);
    const payout = await payOut(fixture, shop, 40);
    const minor = Math.round(payout.amount * 100);
    const day = payout.paidAt.slice(0, 10);
    const [line] = await importLines(fixture, shop, [{ day, minor, text: `PAYDESK ${payout.reference}`, reference: 'F1' }]);
    expect(line?.suggestion).toMatchObject({
      reason: 'reference',
      parts: [{ payout: { payoutId: payout.payoutId }, amount: payout.amount }],
    });
    const { lineId } = line as BankLineRecord;
    const before = await ledgerOf(fixture, shop.merchantId);
    expect(before).toMatchObject({ paidOut: -payout.amount, bank: 0 });
    const answers = await Promise.all(Array.from({ length: 10 }, () => match(fixture, lineId, suggestedParts(line as BankLineRecord))));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array<number>(9).fill(409)]);
    expect(await ledgerOf(fixture, shop.merchantId)).toMatchObject({ paidOut: 0, bank: -payout.amount });
    await expectData(fixture.api.admin.delete(`/settlement/bank-lines/${lineId}/match`));
    expect(await ledgerOf(fixture, shop.merchantId)).toEqual(before);
    await expectError(fixture.api.admin.delete(`/settlement/bank-lines/${lineId}/match`), 409, 'RESOURCE_CONFLICT');
  });

  onAnyDatabase('says with the sentences of the operations whether a line can be matched and undone', async (fixture) => {
    const { api } = fixture;
    const shop = await createBankShop(fixture);
    const [{ lineId }] = (await importLines(fixture, shop, [{ day: '2026-03-02', minor: -500, text: 'RENT', reference: 'R1' }])) as [
      BankLineRecord,
    ];
    const path = `/settlement/bank-lines/${lineId}`;
    const actionsFor = async (headers?: Record<string, string>) =>
      (await expectData(api.admin.get<{ actions: object }>(path, headers))).actions;
    const refused = async (response: Parameters<typeof expectError>[0], status = 409, code = 'RESOURCE_CONFLICT') => ({
      allowed: false,
      code,
      message: (await expectError(response, status, code)).message,
    });
    const undo = (headers?: Record<string, string>) => undoBankMatch(fixture, lineId, headers);
    expect(await actionsFor()).toEqual({ match: { allowed: true }, undo: await refused(undo()) });
    const { headers } = await createUser(fixture, 'viewer', { allMerchants: true });
    const denied = await refused(undo(headers), 403, 'PERMISSION_DENIED');
    expect(await actionsFor(headers)).toEqual({ match: denied, undo: denied });
    await expectData(match(fixture, lineId, [{ kind: 'own' }]));
    expect(await actionsFor()).toEqual({ match: await refused(match(fixture, lineId, [{ kind: 'own' }])), undo: { allowed: true } });
    await expectData(api.admin.post('/settlement/close', { merchantId: shop.merchantId, date: '2026-03' }));
    expect(await actionsFor()).toMatchObject({ match: { allowed: false }, undo: await refused(undo()) });
  });

  onAnyDatabase('splits a line between payouts and a fee, and covers one payout by two lines', async (fixture) => {
    const shop = await createBankShop(fixture);
    const one = await payOut(fixture, shop, 30);
    const two = await payOut(fixture, shop, 50);
    const day = one.paidAt.slice(0, 10);
    const cents = (amount: number) => Math.round(amount * 100);
    const [first, second] = (await importLines(fixture, shop, [
      { day, minor: cents(one.amount) + 1_000, text: 'COLLECTED', reference: 'F1' },
      { day, minor: cents(two.amount) - 1_000 - 100, text: 'REMAINDER', reference: 'F2' },
    ])) as [BankLineRecord, BankLineRecord];
    const parts = [
      { kind: 'payout', payoutId: one.payoutId, amount: one.amount },
      { kind: 'payout', payoutId: two.payoutId, amount: 10 },
    ];
    await expectData(match(fixture, first.lineId, parts));
    await expectError(match(fixture, second.lineId, [{ kind: 'payout', payoutId: two.payoutId, fee: 2 }]), 422, 'INVALID_AMOUNT');
    const { line } = await expectData(match(fixture, second.lineId, [{ kind: 'payout', payoutId: two.payoutId, fee: 1 }]));
    expect(line).toMatchObject({ state: 'matched', remaining: 0, matches: [{ amount: second.amount, fee: 1 }] });
    const accounts = await ledgerOf(fixture, shop.merchantId);
    expect(accounts).toMatchObject({ paidOut: 0, bankFees: -1 });
    expect(accounts?.bank).toBeCloseTo(-(first.amount + second.amount), 2);
    const open = await expectData(fixture.api.admin.get<unknown[]>(`/settlement/bank-payouts?merchantId=${shop.merchantId}`));
    expect(open).toEqual([]);
  });

  onAnyDatabase('refuses amounts above the line, payouts of others, and parts without a payout', async (fixture) => {
    const shop = await createBankShop(fixture);
    const other = await createBankShop(fixture);
    const payout = await payOut(fixture, other, 20);
    const [line] = (await importLines(fixture, shop, [{ day: '2026-03-02', minor: 2_000, text: 'X', reference: 'F1' }])) as [
      BankLineRecord,
    ];
    await expectError(match(fixture, line.lineId, [{ kind: 'payout', payoutId: payout.payoutId }]), 404, 'NOT_FOUND');
    await expectError(match(fixture, line.lineId, [{ kind: 'payout' }]), 400, 'VALIDATION_ERROR');
    await expectError(match(fixture, line.lineId, [{ kind: 'own', amount: 20.01 }]), 422, 'INVALID_AMOUNT');
    await expectError(match(fixture, line.lineId, [{ kind: 'own', amount: -1 }]), 400, 'INVALID_AMOUNT');
    await expectError(match(fixture, 'bln_nothing', [{ kind: 'own' }]), 404, 'NOT_FOUND');
  });

  onAnyDatabase('learns a rule from a fee, suggests it for the next one, and lets it be changed and removed', async (fixture) => {
    const shop = await createBankShop(fixture);
    const [march] = (await importLines(fixture, shop, [
      { day: '2026-03-02', minor: -500, text: 'ACME PROCESSING FEE 03/26', reference: 'F1' },
    ])) as [BankLineRecord];
    const { learnedRule } = await expectData(match(fixture, march.lineId, [{ kind: 'fee' }]));
    expect(learnedRule?.contains).toBe('ACME PROCESSING FEE');
    expect(await ledgerOf(fixture, shop.merchantId)).toMatchObject({ bank: 5, bankFees: -5 });
    const [april] = await importLines(fixture, shop, [
      { day: '2026-04-02', minor: -700, text: 'ACME PROCESSING FEE 04/26', reference: 'F2' },
    ]);
    expect(april?.suggestion).toMatchObject({ reason: 'rule', ruleText: 'ACME PROCESSING FEE', parts: [{ kind: 'fee', amount: -7 }] });
    const path = `/settlement/bank-rules/${learnedRule?.ruleId}`;
    await expectData(fixture.api.admin.put(path, { contains: 'ACME', kind: 'own' }));
    await expect.poll(async () => (await listBankLines(fixture, shop, 'state=open'))[0]?.suggestion?.parts[0]?.kind).toBe('own');
    await expectData(fixture.api.admin.delete(path));
    expect(await expectData(fixture.api.admin.get(`/settlement/bank-rules?merchantId=${shop.merchantId}`))).toEqual([]);
  });

  onAnyDatabase('refuses a second rule for the same text, in any case and with any spaces', async (fixture) => {
    const { merchantId } = await createBankShop(fixture);
    const { api } = fixture;
    const add = (contains: string, kind: string) =>
      api.admin.post<{ ruleId: string }>('/settlement/bank-rules', { merchantId, contains, kind });
    const { ruleId } = await expectData(add('ACME FEE', 'fee'), 201);
    const { ruleId: rent } = await expectData(add('ACME RENT', 'ignore'), 201);
    const conflict = async (answer: ReturnType<typeof add>) => (await expectError(answer, 409, 'RESOURCE_CONFLICT', 'contains')).details;
    expect(await conflict(add('acme  fee', 'own'))).toEqual({ ruleId });
    expect(await conflict(api.admin.put(`/settlement/bank-rules/${rent}`, { contains: 'Acme Fee', kind: 'own' }))).toEqual({ ruleId });
    await expectData(api.admin.put(`/settlement/bank-rules/${ruleId}`, { contains: 'acme fee', kind: 'own' }));
  });

  onAnyDatabase('suggests a payout that was made after the import', async (fixture) => {
    const shop = await createBankShop(fixture);
    const today = new Date().toISOString().slice(0, 10);
    const [early] = await importLines(fixture, shop, [{ day: today, minor: 5_917, text: 'EARLY', reference: 'F1' }]);
    expect(early?.suggestion).toBeNull();
    const payout = await payOut(fixture, shop, 59.17);
    const expected = payout.amount === 59.17 ? 'amount' : 'fee';
    if (expected === 'amount')
      await expect.poll(async () => (await listBankLines(fixture, shop, 'state=open'))[0]?.suggestion?.reason).toBe(expected);
  });
});
