import { expect } from 'vitest';
import { type BankLineRecord, createBankShop, importLines, payOut } from '../../support/bank.ts';
import { type ApiFixture, expectData, expectError, onAnyDatabase, onBothDatabases } from '../../support/server.ts';
import { sell, settle } from '../../support/settlements.ts';

type Accounts = Record<string, number>;

const today = () => new Date().toISOString().slice(0, 10);
const journalOf = async ({ api }: ApiFixture, merchantId: string, format: string, more = '') => {
  const answer = await api.admin.get(
    `/reporting/journal?startDate=${today()}&endDate=${today()}&merchantId=${merchantId}&format=${format}${more}`,
  );
  expect(answer.status).toBe(200);
  return answer.text;
};
const ledgerOf = async ({ api }: ApiFixture, merchantId: string) =>
  (await expectData(api.admin.get<{ merchants: { accounts: Accounts }[] }>(`/settlement/ledger?merchantId=${merchantId}`))).merchants[0]
    ?.accounts as Accounts;

/** Adds up the postings of a plain-text journal by account, and checks that each transaction balances. */
function balancesOf(text: string): Accounts {
  const balances: Accounts = {};
  for (const block of text.split('\n\n')) {
    const postings = [...block.matchAll(/^ {2,4}(?<account>[A-Z][^\s"]*) {2}(?<amount>-?[\d.]+) (?<currency>[A-Z]{3})$/gm)];
    let sum = 0;
    for (const { groups } of postings) {
      const minor = Math.round(Number(groups?.amount) * 100);
      sum += minor;
      const account = groups?.account as string;
      balances[account] = (balances[account] ?? 0) + minor;
    }
    expect(sum).toBe(0);
  }
  return balances;
}

/** Balances that the books have if they agree with the ledger, in cents. */
function expectedBalances(ledger: Accounts): Accounts {
  const minor = (...names: string[]) => 0 - names.reduce((sum, name) => sum + Math.round((ledger[name] ?? 0) * 100), 0);
  return {
    'Assets:Processor': minor('unsettled', 'settled', 'credited'),
    'Assets:Payouts-in-Transit': minor('paidOut'),
    'Assets:Bank': minor('bank'),
    'Expenses:Processing-Fees': minor('fees', 'bankFees'),
    'Expenses:Chargebacks': minor('bankChargebacks'),
  };
}

/** A merchant with sales, a refund, a payout with a withheld fee, a chargeback and an unsettled sale. */
async function trade(fixture: ApiFixture) {
  const shop = await createBankShop(fixture);
  const { transactionId } = await sell(fixture, shop.merchantId, 80);
  await settle(fixture, shop.merchantId);
  await expectData(fixture.api.admin.post(`/transactions/${transactionId}/refund`, { amount: 5.5 }));
  const payout = await payOut(fixture, shop, 61.23);
  const minor = Math.round(payout.amount * 100) - 150;
  const lines = await importLines(fixture, shop, [
    { day: today(), minor, text: `PAYDESK ${payout.reference}`, reference: 'F1' },
    { day: today(), minor: -900, text: 'CHARGEBACK DEBIT', reference: 'F2' },
  ]);
  const [credit, debit] = lines as [BankLineRecord, BankLineRecord];
  const match = (lineId: string, part: object) =>
    expectData(fixture.api.admin.post(`/settlement/bank-lines/${lineId}/match`, { parts: [part] }));
  await match(credit.lineId, { kind: 'payout', payoutId: payout.payoutId, fee: 1.5 });
  await match(debit.lineId, { kind: 'chargeback' });
  await sell(fixture, shop.merchantId, 12.34);
  return shop;
}

onAnyDatabase('exports a plain-text journal whose balances are those of the ledger', async (fixture) => {
  const { merchantId } = await trade(fixture);
  const ledger = await ledgerOf(fixture, merchantId);
  for (const format of ['hledger', 'beancount']) {
    const balances = balancesOf(await journalOf(fixture, merchantId, format));
    expect(balances).toMatchObject(expectedBalances(ledger));
    expect((balances['Income:Sales'] ?? 0) + (balances['Income:Refunds'] ?? 0)).toBe(-Math.round((80 + 61.23 + 12.34 - 5.5) * 100));
  }
});

onBothDatabases('gives entries the same IDs in every export, and adds changes as entries of their own', async (fixture) => {
  const { merchantId } = await trade(fixture);
  const first = await journalOf(fixture, merchantId, 'csv');
  const second = await journalOf(fixture, merchantId, 'csv');
  expect(first).toContain(',new,');
  expect(second).toBe(first.replaceAll(',new,', ',exported,'));
  expect((await journalOf(fixture, merchantId, 'csv', '&only=new')).trim().split('\r\n')).toHaveLength(1);
  await sell(fixture, merchantId, 10);
  const third = await journalOf(fixture, merchantId, 'csv');
  const idsOf = (text: string) => new Set(text.match(/PD-[0-9A-F]{16}/g));
  const added = [...idsOf(third)].filter((id) => !idsOf(second).has(id));
  expect(added).toHaveLength(1);
  expect(third).toContain(`${added[0]},changed,`);
  expect(balancesOf(await journalOf(fixture, merchantId, 'hledger'))).toMatchObject(expectedBalances(await ledgerOf(fixture, merchantId)));
});

onAnyDatabase('writes the formats of Xero and QuickBooks with the account names of the merchant', async (fixture) => {
  const { merchantId } = await trade(fixture);
  const path = `/reporting/journal/accounts?merchantId=${merchantId}`;
  await expectData(fixture.api.admin.put(path, { sales: { name: 'Card sales', code: '200' }, bank: { name: 'Assets:Main bank' } }));
  // Accounting programs need the exact names, so those that a spreadsheet would evaluate are refused.
  for (const name of ['a"b', '=cmd()', '+cash', '-cash', '@cash', ' =cash', '\uFF1Dcash'])
    expect((await expectError(fixture.api.admin.put(path, { sales: { name } }), 400, 'VALIDATION_ERROR')).field).toBe('sales.name');
  expect((await expectError(fixture.api.admin.put(path, { sales: { code: '-200' } }), 400, 'VALIDATION_ERROR')).field).toBe('sales.code');
  const sumOf = (numbers: readonly string[]) => numbers.reduce((sum, number) => sum + Math.round(Number(number) * 100), 0);
  const xero = (await journalOf(fixture, merchantId, 'xero')).trim().split('\r\n');
  expect(xero[0]).toMatch(/^\*Narration,\*Date,Description,\*AccountCode,\*TaxRate,\*Amount/);
  expect(xero.some((row) => row.includes(',200,'))).toBe(true);
  // The help of Xero allows `dd mmm yyyy` and `dd/mm/yyyy`.
  for (const row of xero.slice(1)) expect(row.split(',')[1]).toMatch(/^\d\d [A-Z][a-z]{2} \d{4}$/);
  expect(sumOf(xero.slice(1).map((row) => row.split(',')[5] ?? ''))).toBe(0);
  const quickbooks = (await journalOf(fixture, merchantId, 'quickbooks')).trim().split('\r\n').slice(1);
  const columnOf = (index: number) => sumOf(quickbooks.map((row) => row.split(',')[index] || '0'));
  expect(columnOf(4)).toBe(columnOf(5));
  expect(quickbooks.join('\n')).toContain(',Assets:Main bank,');
  const iif = (await journalOf(fixture, merchantId, 'iif')).split('\r\n');
  expect(iif.filter((row) => row.startsWith('TRNS')).length).toBe(iif.filter((row) => row === 'ENDTRNS').length);
  expect(sumOf(iif.filter((row) => /^(TRNS|SPL)\t/.test(row)).map((row) => row.split('\t')[4] ?? ''))).toBe(0);
});
