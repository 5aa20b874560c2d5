import { expect } from 'vitest';
import {
  type BankLineRecord,
  createBankShop,
  importLines,
  listBankLines,
  matchBankLine,
  suggestedParts,
  undoBankMatch,
} from '../../support/bank.ts';
import { accountsOf, bankFigure, credit, today } from '../../support/bank-invoices.ts';
import { expectData, expectError, onBothDatabases } from '../../support/server.ts';
import { closeShift, openShift, takeTender } from '../../support/tenders.ts';

interface Deposit {
  readonly shiftId: string | null;
  readonly tenderId: string | null;
  readonly remaining: number;
}

onBothDatabases('matches a deposit with the shifts and checks that it contains, each once', async (fixture) => {
  const { api } = fixture;
  const shop = await createBankShop(fixture);
  const { merchantId } = shop;
  const { shiftId } = await openShift(fixture, { merchantId, drawer: 'Front', amount: 50 });
  await takeTender(fixture, 120, { merchantId, drawer: 'Front' });
  await expectData(closeShift(fixture, shiftId, { amount: 170 }));
  const first = await takeTender(fixture, 80, { merchantId, kind: 'check', checkNumber: '1042' });
  const second = await takeTender(fixture, 33.3, { merchantId, kind: 'check', checkNumber: '77' });
  const open = async () => expectData(api.admin.get<Deposit[]>(`/settlement/bank-deposits?merchantId=${merchantId}`));
  expect((await open()).map(({ remaining }) => remaining).toSorted((one, other) => one - other)).toEqual([33.3, 80, 170]);

  const lines = await importLines(fixture, shop, [credit(17_000, 'CASH DEPOSIT'), credit(11_330, 'DEPOSIT'), credit(1_000, 'OTHER')]);
  const [cash, checks, other] = lines as [BankLineRecord, BankLineRecord, BankLineRecord];
  expect(cash.suggestion).toMatchObject({ reason: 'deposit', parts: [{ kind: 'cash', deposit: { shiftId, label: 'Front, Z 1' } }] });
  expect(checks.suggestion?.parts.map(({ kind, deposit }) => [kind, deposit?.tenderId]).toSorted()).toEqual(
    [first, second].map(({ tenderId }) => ['check', tenderId]).toSorted(),
  );
  expect(other.suggestion).toBeNull();
  const before = await accountsOf(fixture, shop);
  for (const line of [cash, checks]) await expectData(matchBankLine(fixture, line.lineId, suggestedParts(line)));
  expect(await open()).toEqual([]);
  expect(await accountsOf(fixture, shop)).toEqual({ ...before, bank: -283.3, tendersDeposited: 283.3 });
  expect(await bankFigure(fixture, shop, `date=${today()}`)).toMatchObject({ ledger: 283.3, bank: 293.3 });

  // The same cash is not deposited again, also by ten requests at once, nor more than was counted.
  const again = await expectError(matchBankLine(fixture, other.lineId, [{ kind: 'cash', shiftId }]), 409, 'RESOURCE_CONFLICT');
  expect(again.details).toMatchObject({ reason: 'deposited' });
  await expectData(undoBankMatch(fixture, checks.lineId));
  const parts = [{ kind: 'check', tenderId: second.tenderId, amount: 10 }];
  const answers = await Promise.all(Array.from({ length: 10 }, () => matchBankLine(fixture, other.lineId, parts)));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(9).fill(409)]);
  expect((await open()).map(({ tenderId, remaining }) => [tenderId, remaining]).toSorted()).toEqual(
    [
      [first.tenderId, 80],
      [second.tenderId, 23.3],
    ].toSorted(),
  );
  const tooMuch = matchBankLine(fixture, checks.lineId, [{ kind: 'check', tenderId: second.tenderId, amount: 23.31 }]);
  expect((await expectError(tooMuch, 422, 'INVALID_AMOUNT')).details).toMatchObject({ availableToMatch: 23.3 });
  expect(await listBankLines(fixture, shop, 'state=open')).toHaveLength(1);
});
