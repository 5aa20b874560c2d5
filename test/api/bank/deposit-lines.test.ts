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
import { closeShift, openShift, refundTender, takeTender } from '../../support/tenders.ts';

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

onBothDatabases('matches a deposit with cash that was taken without a shift, and never above what remains of it', async (fixture) => {
  const { api } = fixture;
  const shop = await createBankShop(fixture);
  const { merchantId } = shop;
  const first = await takeTender(fixture, 61.2, { merchantId, drawer: 'Front' });
  const second = await takeTender(fixture, 40, { merchantId, drawer: 'Front' });
  await expectData(refundTender(fixture, second.tenderId, { amount: 15 }), 201);
  const { shiftId } = await openShift(fixture, { merchantId, drawer: 'Back', amount: 0 });
  const counted = await takeTender(fixture, 9, { merchantId, drawer: 'Back' });
  const open = async () =>
    (await expectData(api.admin.get<Deposit[]>(`/settlement/bank-deposits?merchantId=${merchantId}`)))
      .map(({ tenderId, remaining }) => [tenderId, remaining])
      .toSorted((one, other) => Number(one[1]) - Number(other[1]));
  const both = [
    [second.tenderId, 25],
    [first.tenderId, 61.2],
  ];
  expect(await open()).toEqual(both);

  const lines = await importLines(fixture, shop, [credit(8_620, 'CASH DEPOSIT'), credit(20_000, 'OTHER')]);
  const [cash, other] = lines as [BankLineRecord, BankLineRecord];
  expect(cash.suggestion).toMatchObject({ reason: 'deposit' });
  expect(cash.suggestion?.parts.map(({ kind, deposit }) => [kind, deposit?.label]).toSorted()).toEqual(
    [first, second].map(({ number }) => ['cash', number]).toSorted(),
  );
  const before = await accountsOf(fixture, shop);
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => matchBankLine(fixture, other.lineId, [{ kind: 'cash', tenderId: first.tenderId, amount: 61.2 }])),
  );
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(9).fill(409)]);
  expect(await open()).toEqual([[second.tenderId, 25]]);
  await expectData(undoBankMatch(fixture, other.lineId));
  expect(await open()).toEqual(both);
  expect(await accountsOf(fixture, shop)).toEqual(before);
  await expectData(matchBankLine(fixture, cash.lineId, suggestedParts(cash)));
  expect(await open()).toEqual([]);
  expect(await accountsOf(fixture, shop)).toEqual({ ...before, bank: -86.2, tendersDeposited: 86.2 });
  expect(await bankFigure(fixture, shop, `date=${today()}`)).toMatchObject({ ledger: 86.2, bank: 286.2 });
  const [matched] = await listBankLines(fixture, shop, 'state=matched');
  expect(matched?.matches.map(({ deposit }) => deposit?.label).toSorted()).toEqual([first.number, second.number].toSorted());

  const refused = async (part: object, status: number, code: string) =>
    (await expectError(matchBankLine(fixture, other.lineId, [{ kind: 'cash', ...part }]), status, code)).details;
  expect(await refused({ tenderId: first.tenderId }, 409, 'RESOURCE_CONFLICT')).toMatchObject({ reason: 'deposited' });
  expect(await refused({ tenderId: counted.tenderId }, 409, 'RESOURCE_CONFLICT')).toMatchObject({ shiftId });
  await refused({ tenderId: counted.tenderId, shiftId }, 400, 'VALIDATION_ERROR');
  const check = await takeTender(fixture, 5, { merchantId, kind: 'check', checkNumber: '7' });
  await refused({ tenderId: check.tenderId }, 404, 'NOT_FOUND');
  const elsewhere = await takeTender(fixture, 5, { merchantId: (await createBankShop(fixture)).merchantId });
  await refused({ tenderId: elsewhere.tenderId }, 404, 'NOT_FOUND');
  await expectData(undoBankMatch(fixture, cash.lineId));
  const tooMuch = await refused({ tenderId: second.tenderId, amount: 25.01 }, 422, 'INVALID_AMOUNT');
  expect(tooMuch).toMatchObject({ availableToMatch: 25 });
});
