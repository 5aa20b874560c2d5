import { expect } from 'vitest';
import { addDays } from '#core/kernel';
import {
  type BankLineRecord,
  type BankShop,
  createBankShop,
  importLines,
  listBankLines,
  matchBankLine,
  undoBankMatch,
} from '../../support/bank.ts';
import { accountsOf, credit, today } from '../../support/bank-invoices.ts';
import { type ApiFixture, expectData, expectError, onAnyDatabase } from '../../support/server.ts';
import { takeTender } from '../../support/tenders.ts';

const MONTH = '2026-03';

interface Close {
  readonly closed: boolean;
  readonly figures: readonly { name: string; ledger: number | null; bank: number | null; difference: number }[];
}

/** Imports the statement of a bank that returned a check: the return, and the fee for it. */
async function importReturn(fixture: ApiFixture, shop: BankShop) {
  const lines = await importLines(fixture, shop, [
    { day: '2026-03-09', minor: -8_000, text: 'RETURNED CHECK 1042', reference: 'C1' },
    { day: '2026-03-09', minor: -1_200, text: 'RETURNED CHECK FEE', reference: 'C2' },
  ]);
  return lines as [BankLineRecord, BankLineRecord];
}

const matchLine = ({ api }: ApiFixture, { lineId }: BankLineRecord, kind: string) =>
  expectData(
    api.admin.post<{ learnedRule: { contains: string; kind: string } | null }>(`/settlement/bank-lines/${lineId}/match`, {
      parts: [{ kind }],
    }),
  );

/** Returns the postings of a journal as their description, account, debit and credit. */
async function journalOf({ api }: ApiFixture, merchantId: string, startDate: string, endDate: string) {
  const { text } = await api.admin.get(`/reporting/journal?startDate=${startDate}&endDate=${endDate}&merchantId=${merchantId}&format=csv`);
  const [head = '', ...rows] = text.trim().split('\r\n');
  const columns = head.split(',');
  const cell = (row: string, name: string) => row.split(',')[columns.indexOf(name)];
  return rows.map((row) => ['description', 'account', 'debit', 'credit'].map((name) => cell(row, name)).join(' '));
}

onAnyDatabase('books the fee of the bank for a returned check once, from the bank statement', async (fixture) => {
  const { api } = fixture;
  const shop = await createBankShop(fixture);
  const { merchantId } = shop;
  const { tenderId, createdAt } = await takeTender(fixture, 80, { kind: 'check', checkNumber: '1042', merchantId });
  await expectData(api.admin.post(`/tenders/${tenderId}/return`, { reason: 'insufficient funds' }));
  const [returned, fee] = await importReturn(fixture, shop);
  await matchLine(fixture, returned, 'own');
  await matchLine(fixture, fee, 'fee');

  const { figures } = await expectData(api.admin.get<Close>(`/settlement/close?merchantId=${merchantId}&month=${MONTH}`));
  expect(figures.find(({ name }) => name === 'bank')).toMatchObject({ ledger: -12, bank: -12, difference: 0 });
  expect(figures.every(({ difference }) => difference === 0)).toBe(true);
  expect(await expectData(api.admin.post<Close>('/settlement/close', { merchantId, date: MONTH }))).toMatchObject({ closed: true });
  expect(await journalOf(fixture, merchantId, `${MONTH}-01`, `${MONTH}-31`)).toEqual([
    expect.stringMatching(/^Bank line: fee bln_\w+ fees 12\.00 $/),
    expect.stringMatching(/^Bank line: fee bln_\w+ bank {2}12\.00$/),
  ]);
  const day = createdAt.slice(0, 10);
  expect((await journalOf(fixture, merchantId, day, addDays(day, 1))).toSorted()).toEqual([
    'Checks received checks 80.00 ',
    'Checks received sales  80.00',
    'Refunded and returned checks checks  80.00',
    'Refunded and returned checks refunds 80.00 ',
  ]);
  const path = `/settlement/ledger?merchantId=${merchantId}`;
  expect(await expectData(api.admin.get(path))).toMatchObject({
    balanced: true,
    merchants: [{ accounts: { bank: 12, bankFees: -12, bankChargebacks: 0, checks: 0 } }],
  });
});

onAnyDatabase('takes a deposited check back by the debit of the bank, exactly once', async (fixture) => {
  const { api } = fixture;
  const shop = await createBankShop(fixture);
  const { merchantId } = shop;
  const { tenderId } = await takeTender(fixture, 80, { kind: 'check', checkNumber: '1042', merchantId });
  const [deposit, returned, fee] = (await importLines(fixture, shop, [
    credit(8_000, 'DEPOSIT'),
    credit(-8_000, 'RETURNED CHECK 1042'),
    credit(-1_200, 'RETURNED CHECK FEE'),
  ])) as [BankLineRecord, BankLineRecord, BankLineRecord];
  const check = [{ kind: 'check', tenderId }];
  const early = await expectError(matchBankLine(fixture, returned.lineId, check), 409, 'RESOURCE_CONFLICT');
  expect(early.details).toMatchObject({ reason: 'not_returned' });
  await expectData(api.admin.post(`/tenders/${tenderId}/return`, { reason: 'insufficient funds' }));
  const undeposited = await expectError(matchBankLine(fixture, returned.lineId, check), 409, 'RESOURCE_CONFLICT');
  expect(undeposited.details).toMatchObject({ reason: 'not_deposited', availableToMatch: 0 });
  await expectData(matchBankLine(fixture, deposit.lineId, check));
  await matchLine(fixture, fee, 'fee');
  // A match of the deposit, or a written rule, makes the suggestion current.
  await expectData(api.admin.post('/settlement/bank-rules', { merchantId, contains: 'SOMETHING ELSE', kind: 'ignore' }), 201);
  await expect
    .poll(async () => (await listBankLines(fixture, shop, 'state=open'))[0]?.suggestion)
    .toMatchObject({ reason: 'deposit', ambiguous: false, parts: [{ kind: 'check', amount: -80, deposit: { tenderId, label: '1042' } }] });
  const listed = await expectData(
    api.admin.get<{ tenderId: string; remaining: number }[]>(`/settlement/bank-deposits?merchantId=${merchantId}&returned=true`),
  );
  expect(listed).toMatchObject([{ tenderId, remaining: 80 }]);

  const answers = await Promise.all(Array.from({ length: 10 }, () => matchBankLine(fixture, returned.lineId, check)));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(9).fill(409)]);
  const balances = async () => {
    const sums: Record<string, number> = {};
    for (const posting of await journalOf(fixture, merchantId, today(), addDays(today(), 1))) {
      const [, account = '', debit, creditOf] = /(\w+) ([\d.]*) ([\d.]*)$/.exec(posting) ?? [];
      sums[account] = (sums[account] ?? 0) + Number(debit) - Number(creditOf);
    }
    return sums;
  };
  expect(await balances()).toMatchObject({ checks: 0, bank: -12, fees: 12, sales: -80, refunds: 80 });
  expect(await accountsOf(fixture, shop)).toMatchObject({ bank: 12, tendersDeposited: 0, checks: 0 });

  const first = await expectError(undoBankMatch(fixture, deposit.lineId), 409, 'RESOURCE_CONFLICT');
  expect(first.details).toMatchObject({ reason: 'not_deposited' });
  await expectData(undoBankMatch(fixture, returned.lineId));
  await expectData(undoBankMatch(fixture, deposit.lineId));
  expect(await balances()).toMatchObject({ checks: 0, bank: -12 });
});

onAnyDatabase('learns a fee rule for a longer text than that of the rule for returned checks', async (fixture) => {
  const shop = await createBankShop(fixture);
  const [returned, fee] = await importReturn(fixture, shop);
  expect((await matchLine(fixture, returned, 'own')).learnedRule).toMatchObject({ contains: 'RETURNED CHECK', kind: 'own' });
  expect((await matchLine(fixture, fee, 'fee')).learnedRule).toMatchObject({ contains: 'RETURNED CHECK FEE', kind: 'fee' });
  await importLines(fixture, shop, [
    { day: '2026-04-09', minor: -3_000, text: 'RETURNED CHECK 1050', reference: 'C3' },
    { day: '2026-04-09', minor: -1_200, text: 'RETURNED CHECK FEE', reference: 'C4' },
  ]);
  await expect
    .poll(async () =>
      (await listBankLines(fixture, shop, 'state=open')).map(({ text, suggestion }) => [text, suggestion?.parts[0]?.kind]).toSorted(),
    )
    .toEqual([
      ['RETURNED CHECK 1050', 'own'],
      ['RETURNED CHECK FEE', 'fee'],
    ]);
});
