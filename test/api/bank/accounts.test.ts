import { describe, expect } from 'vitest';
import {
  type BankLineRecord,
  type BankShop,
  createBankShop,
  importLines,
  listBankLines,
  payOut,
  sendStatement,
} from '../../support/bank.ts';
import { ofx } from '../../support/bank-files.ts';
import { type ApiFixture, expectData, expectError, onAnyDatabase, onBothDatabases, sized } from '../../support/server.ts';
import { until } from '../../support/until.ts';

interface Account {
  readonly bankAccountId: string;
  readonly name: string;
  readonly last4: string | null;
  readonly openLines: number;
  readonly matchedLines: number;
}

const NUMBER = '9876543210';
/** Attempts to remove an account while statements are imported to it. */
const ROUNDS = sized(6, 40);
const PARALLEL = 10;

const pathOf = ({ bankAccountId }: BankShop) => `/settlement/bank-accounts/${bankAccountId}`;
const listAccounts = ({ api }: ApiFixture, { merchantId }: BankShop) =>
  expectData(api.admin.get<Account[]>(`/settlement/bank-accounts?merchantId=${merchantId}`));
const rename = ({ api }: ApiFixture, shop: BankShop, name: string, previousName?: string) =>
  api.admin.put<Account>(pathOf(shop), { name, ...(previousName === undefined ? {} : { previousName }) });
const remove = ({ api }: ApiFixture, shop: BankShop, openLines?: number) =>
  api.admin.delete<Account>(`${pathOf(shop)}${openLines === undefined ? '' : `?openLines=${openLines}`}`);
const linesOf = (count: number, text = 'LINE') =>
  Array.from({ length: count }, (_, n) => ({ day: '2026-03-02', minor: 100 + n, text: `${text} ${n}`, reference: `${text} ${n}` }));
const entriesOf = ({ api }: ApiFixture, shop: BankShop, action: string) =>
  expectData(
    api.admin.get<{ actor: string; before: unknown; after: unknown }[]>(`/audit-logs?action=${action}&resource=${pathOf(shop).slice(1)}`),
  );

describe('renaming a bank account', () => {
  onAnyDatabase('changes its name, with an audit entry, and keeps everything else', async (fixture) => {
    const shop = await createBankShop(fixture);
    await importLines(fixture, shop, linesOf(2));
    const [before] = await listAccounts(fixture, shop);
    expect(await expectData(rename(fixture, shop, '  Savings '))).toEqual({ ...before, name: 'Savings' });
    expect(await listAccounts(fixture, shop)).toEqual([{ ...before, name: 'Savings' }]);
    expect(before).toMatchObject({ openLines: 2, matchedLines: 0 });
    const [entry] = await entriesOf(fixture, shop, 'bank_account.updated');
    expect(entry).toMatchObject({ before: { name: 'Checking' }, after: { name: 'Savings' } });
  });

  onBothDatabases('succeeds for one of ten parallel requests that read the same name', async (fixture) => {
    const shop = await createBankShop(fixture);
    const answers = await Promise.all(Array.from({ length: PARALLEL }, (_, n) => rename(fixture, shop, `Name ${n}`, 'Checking')));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array<number>(PARALLEL - 1).fill(409)]);
    const [account] = await listAccounts(fixture, shop);
    const error = await expectError(rename(fixture, shop, 'Late', 'Checking'), 409, 'RESOURCE_CONFLICT', 'previousName');
    expect(error.details).toEqual({ reason: 'changed_meanwhile', name: account?.name });
    await expectData(rename(fixture, shop, 'Late', account?.name));
    expect(await entriesOf(fixture, shop, 'bank_account.updated')).toHaveLength(2);
  });

  onAnyDatabase('refuses an empty name, a long one, and an account that does not exist', async (fixture) => {
    const shop = await createBankShop(fixture);
    await expectError(rename(fixture, shop, '  '), 400, 'REQUIRED_FIELD_MISSING', 'name');
    await expectError(rename(fixture, shop, 'x'.repeat(81)), 400, 'VALIDATION_ERROR', 'name');
    await expectError(rename(fixture, { ...shop, bankAccountId: 'bac_none' }, 'Name'), 404, 'NOT_FOUND');
  });
});

describe('removing a bank account', () => {
  onBothDatabases('deletes an account without lines, once of ten parallel requests, and frees its number', async (fixture) => {
    const shop = await createBankShop(fixture);
    const answers = await Promise.all(Array.from({ length: PARALLEL }, () => remove(fixture, shop)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array<number>(PARALLEL - 1).fill(404)]);
    expect(await listAccounts(fixture, shop)).toEqual([]);
    await expectError(rename(fixture, shop, 'Name'), 404, 'NOT_FOUND');
    await expectError(sendStatement(fixture, shop, ofx({ account: NUMBER, opening: 0, lines: linesOf(1) })), 404, 'NOT_FOUND');
    const [entry, ...others] = await entriesOf(fixture, shop, 'bank_account.deleted');
    expect(entry).toMatchObject({ before: { name: 'Checking', currency: 'USD', last4: '3210', openLines: 0 } });
    expect(others).toEqual([]);
    const body = { merchantId: shop.merchantId, name: 'Again', accountNumber: NUMBER };
    await expectData(fixture.api.admin.post('/settlement/bank-accounts', body), 201);
  });

  onAnyDatabase(
    'deletes open lines only if their number is confirmed, with their part of the close and of suggestions',
    async (fixture) => {
      const shop = await createBankShop(fixture);
      const payout = await payOut(fixture, shop, 40);
      const day = payout.paidAt.slice(0, 10);
      const month = day.slice(0, 7);
      const close = () =>
        expectData(
          fixture.api.admin.get<{ figures: unknown[]; days: { bank: string }[]; blockers: { kind: string }[] }>(
            `/settlement/close?merchantId=${shop.merchantId}&month=${month}`,
          ),
        );
      const { figures } = await close();
      await importLines(fixture, shop, [
        { day, minor: Math.round(payout.amount * 100), text: `PAYDESK ${payout.reference}`, reference: 'F1' },
        { day, minor: -500, text: 'FEE', reference: 'F2' },
      ]);
      for (const openLines of [undefined, 1, 3]) {
        const error = await expectError(remove(fixture, shop, openLines), 409, 'RESOURCE_CONFLICT');
        expect(error.details).toEqual({ reason: 'lines', openLines: 2 });
      }
      await expectError(fixture.api.admin.delete(`${pathOf(shop)}?openLines=two`), 400, 'VALIDATION_ERROR', 'openLines');
      expect(await listBankLines(fixture, shop)).toHaveLength(2);
      expect(await expectData(remove(fixture, shop, 2))).toMatchObject({ openLines: 2, matchedLines: 0 });
      expect(await listBankLines(fixture, shop)).toEqual([]);
      const totals = await fixture.api.admin.get(`/settlement/bank-lines?merchantId=${shop.merchantId}`);
      expect(totals.body.pagination?.total).toBe(0);
      const after = await close();
      expect(after).toMatchObject({ hasBankAccount: false, figures: [{}, {}, {}, {}] });
      expect(figures).toHaveLength(5);
      expect(after.days.every(({ bank }) => bank === 'none')).toBe(true);
      expect(after.blockers.map(({ kind }) => kind)).not.toContain('open_lines');
      // The same statement is a first one for an account that is added again.
      const body = { merchantId: shop.merchantId, name: 'Again', accountNumber: NUMBER };
      const again = await expectData(fixture.api.admin.post<Account>('/settlement/bank-accounts', body), 201);
      const lines = await importLines(fixture, { ...shop, ...again }, [
        { day, minor: Math.round(payout.amount * 100), text: `PAYDESK ${payout.reference}`, reference: 'F1' },
      ]);
      expect(lines[0]?.suggestion).toMatchObject({ reason: 'reference', parts: [{ payout: { payoutId: payout.payoutId } }] });
    },
  );

  onAnyDatabase('is refused if a line is matched, in part or as a whole, or if its match was undone', async (fixture) => {
    const shop = await createBankShop(fixture);
    const [line] = (await importLines(fixture, shop, linesOf(1))) as [BankLineRecord];
    const path = `/settlement/bank-lines/${line.lineId}/match`;
    const refused = async (openLines: number) => (await expectError(remove(fixture, shop, openLines), 409, 'RESOURCE_CONFLICT')).details;
    await expectData(fixture.api.admin.post(path, { parts: [{ kind: 'fee', amount: 0.5 }] }));
    expect(await refused(1)).toEqual({ reason: 'matched', matchedLines: 0 });
    await expectData(fixture.api.admin.post(path, { parts: [{ kind: 'own' }] }));
    expect(await refused(0)).toEqual({ reason: 'matched', matchedLines: 1 });
    await expectData(fixture.api.admin.delete(path));
    expect(await refused(1)).toEqual({ reason: 'matched', matchedLines: 0 });
    expect(await listBankLines(fixture, shop)).toHaveLength(1);
  });

  onAnyDatabase('deletes more lines than one commit removes, and leaves those of other accounts', async (fixture) => {
    const shop = await createBankShop(fixture);
    const body = { merchantId: shop.merchantId, name: 'Other' };
    const other = await expectData(fixture.api.admin.post<Account>('/settlement/bank-accounts', body), 201);
    await expectData(sendStatement(fixture, { ...shop, ...other }, ofx({ account: '1111222233', opening: 0, lines: linesOf(3) })));
    await expectData(sendStatement(fixture, shop, ofx({ account: NUMBER, opening: 0, lines: linesOf(1_100) })));
    await expectData(remove(fixture, shop, 1_100));
    expect(await listAccounts(fixture, shop)).toMatchObject([{ bankAccountId: other.bankAccountId, openLines: 3 }]);
    const totalOf = async (query: string) =>
      (await fixture.api.admin.get(`/settlement/bank-lines?limit=1&${query}`)).body.pagination?.total;
    await until('the lines are deleted', async () => (await totalOf(`bankAccountId=${shop.bankAccountId}`)) === 0);
    expect(await totalOf(`merchantId=${shop.merchantId}`)).toBe(3);
  });

  onBothDatabases('never deletes lines that an import reported, while ten statements are imported in parallel', async (fixture) => {
    const results = { removed: 0, kept: 0 };
    for (let round = 0; round < ROUNDS; round += 1) {
      const shop = await createBankShop(fixture);
      const imports = Array.from({ length: PARALLEL }, (_, n) =>
        sendStatement(fixture, shop, ofx({ account: NUMBER, opening: 0, lines: linesOf(3, `ROUND ${round} FILE ${n}`) })),
      );
      const removals = Array.from({ length: 3 }, async (_, n) => {
        // In every second round, an import has added lines before the account is removed.
        if (round % 2 === 1)
          await until('lines are added', async () => ((await listAccounts(fixture, shop))[0]?.openLines ?? 0) > 0, { everyMs: 1 });
        if (n > 0) await imports[(n * round) % PARALLEL];
        return remove(fixture, shop);
      });
      const [imported, removed] = await Promise.all([Promise.all(imports), Promise.all(removals)]);
      const added = imported.reduce((sum, { status, body }) => sum + (status === 200 ? body.data.added : 0), 0);
      expect(imported.filter(({ status }) => ![200, 404, 409, 503].includes(status))).toEqual([]);
      const accounts = await listAccounts(fixture, shop);
      const total = (await fixture.api.admin.get(`/settlement/bank-lines?merchantId=${shop.merchantId}`)).body.pagination?.total;
      if (removed.some(({ status }) => status === 200)) {
        results.removed += 1;
        expect({ accounts, added, total }).toEqual({ accounts: [], added: 0, total: 0 });
      } else {
        results.kept += 1;
        expect(removed.every(({ status }) => status === 409)).toBe(true);
        expect({ accounts, total }).toMatchObject({ accounts: [{ openLines: added }], total: added });
        expect(added).toBeGreaterThan(0);
      }
    }
    expect(results.kept).toBeGreaterThanOrEqual(ROUNDS / 2);
    expect(results.removed + results.kept).toBe(ROUNDS);
  });
});
