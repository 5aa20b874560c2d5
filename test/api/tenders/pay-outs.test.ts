import { expect, test } from 'vitest';
import { createPerson, createShop, type Person, type Waiting } from '../../support/approvals.ts';
import { type Answer, type ApiFixture, describeOnAnyDatabase, expectData, expectError, onBothDatabases } from '../../support/server.ts';
import { createMerchant } from '../../support/settlements.ts';

interface ShiftRecord {
  readonly shiftId: string;
  readonly expectedAmount: number | null;
}

const TEN = Array.from({ length: 10 }, (_, index) => index);
const succeeded = (answers: readonly Answer<unknown>[]) => answers.filter(({ status }) => status === 200).length;

const open = ({ as }: Pick<Person, 'as'>, merchantId: string, amount: number, drawer = 'Front') =>
  expectData(as.post<ShiftRecord>('/shifts/open', { merchantId, drawer, amount }), 201);
const payOut = ({ as }: Pick<Person, 'as'>, shiftId: string, amount: number) =>
  as.post<ShiftRecord & Waiting>(`/shifts/${shiftId}/pay-out`, { amount, reason: 'Cleaning supplies' });
const payIn = ({ as }: Pick<Person, 'as'>, shiftId: string, amount: number) =>
  as.post<ShiftRecord>(`/shifts/${shiftId}/pay-in`, { amount, reason: 'Change' });
const expectedOf = async ({ api }: ApiFixture, shiftId: string) =>
  (await expectData(api.admin.get<ShiftRecord>(`/shifts/${shiftId}`))).expectedAmount;

describeOnAnyDatabase('pay-outs from a drawer', (fixture) => {
  test('are refused above the expected cash, whose amount only those see who may manage shifts', async () => {
    const { merchantId, cashier, manager } = await createShop(fixture(), {});
    const { shiftId } = await open(cashier, merchantId, 100);
    const blind = await expectError(payOut(cashier, shiftId, 100.01), 422, 'INVALID_AMOUNT', 'amount');
    expect(blind.details).toMatchObject({ reason: 'drawer_cash' });
    expect(JSON.stringify(blind)).not.toMatch(/expectedAmount|100\.00/);
    const seen = await expectError(payOut(manager, shiftId, 100.01), 422, 'INVALID_AMOUNT', 'amount');
    expect(seen.details).toMatchObject({ reason: 'drawer_cash', expectedAmount: 100 });
    await expectData(payOut(cashier, shiftId, 100));
    await expectError(payOut(cashier, shiftId, 0.01), 422, 'INVALID_AMOUNT', 'amount');
    expect(await expectedOf(fixture(), shiftId)).toBe(0);
  });

  test('and pay-ins on the shift of another person need the permission to manage shifts', async () => {
    const merchantId = await createMerchant(fixture());
    await expectData(fixture().api.admin.put(`/merchants/${merchantId}/vt-settings`, { shiftPer: 'person' }));
    const [ann, ben] = [await createPerson(fixture(), 'cashier', merchantId), await createPerson(fixture(), 'cashier', merchantId)];
    const { shiftId } = await open(ann, merchantId, 100);
    for (const answer of [payOut(ben, shiftId, 10), payIn(ben, shiftId, 10)]) {
      const { details } = await expectError(answer, 403, 'PERMISSION_DENIED');
      expect(details).toMatchObject({ permission: 'shifts:manage' });
    }
    expect(await expectedOf(fixture(), shiftId)).toBe(100);
    await expectData(payOut(ann, shiftId, 10));
    const manager = await createPerson(fixture(), 'manager', merchantId);
    await expectData(payIn(manager, shiftId, 10));
  });

  test('above the rule need an approval, and count together for the day of the drawer, over its shifts', async () => {
    const { merchantId, cashier, manager } = await createShop(fixture(), { payOutAbove: 50 });
    const first = await open(cashier, merchantId, 200);
    await expectData(payOut(cashier, first.shiftId, 30));
    await expectData(cashier.as.post(`/shifts/${first.shiftId}/close`, { amount: 170 }));
    const { shiftId } = await open(cashier, merchantId, 170, 'FRONT');
    await expectData(payOut(cashier, shiftId, 20));
    const { approvalId } = await expectData(payOut(cashier, shiftId, 10), 202);
    expect(await expectedOf(fixture(), shiftId)).toBe(150);
    expect(await expectData(manager.as.get(`/approvals/${approvalId}`))).toMatchObject({
      kind: 'pay_out',
      amount: 10,
      reason: expect.stringContaining('60.00 USD'),
      details: { drawer: 'FRONT', reason: 'Cleaning supplies' },
    });
    await expectError(cashier.as.post(`/approvals/${approvalId}/approve`, {}), 403, 'PERMISSION_DENIED');
    await expectData(manager.as.post(`/approvals/${approvalId}/approve`, {}));
    expect(await expectedOf(fixture(), shiftId)).toBe(140);
    const other = await open(cashier, merchantId, 100, 'Back');
    await expectData(payOut(cashier, other.shiftId, 50));
  });

  test('all need an approval with 0, and those in another currency than that of the rule', async () => {
    const { merchantId, cashier } = await createShop(fixture(), { payOutAbove: 0 });
    const { shiftId } = await open(cashier, merchantId, 100);
    await expectData(payOut(cashier, shiftId, 0.01), 202);
    const other = await createShop(fixture(), { payOutAbove: 500, currency: 'JPY' });
    const shift = await open(cashier, other.merchantId, 100);
    await expectData(payOut(cashier, shift.shiftId, 1), 202);
  });

  test('are limited by the maximum amount of the merchant', async () => {
    const { merchantId, cashier } = await createShop(fixture(), {});
    await expectData(fixture().api.admin.put(`/merchants/${merchantId}/fraud-settings`, { maxAmount: 40 }));
    const { shiftId } = await open(cashier, merchantId, 100);
    const { details } = await expectError(payOut(cashier, shiftId, 41), 422, 'INVALID_AMOUNT', 'amount');
    expect(details).toMatchObject({ reason: 'merchant_limit' });
    await expectData(payOut(cashier, shiftId, 40));
  });
});

describeOnAnyDatabase('a refund in cash', (fixture) => {
  test('is at most the cash that the drawer holds', async () => {
    const { merchantId, cashier } = await createShop(fixture(), {});
    const cash = { kind: 'cash', merchantId, amount: 80, drawer: 'Front' };
    const { tenderId } = await expectData(cashier.as.post<{ tenderId: string }>('/tenders', cash), 201);
    const { shiftId } = await open(cashier, merchantId, 50);
    const refund = (amount: number) => cashier.as.post(`/tenders/${tenderId}/refund`, { amount });
    expect((await expectError(refund(51), 422, 'INVALID_AMOUNT', 'amount')).details).toMatchObject({ reason: 'drawer_cash' });
    await expectData(refund(50), 201);
    expect(await expectedOf(fixture(), shiftId)).toBe(0);
  });
});

onBothDatabases('ten parallel pay-outs never exceed the expected cash', async (fixture) => {
  const { merchantId, cashier } = await createShop(fixture, {});
  const { shiftId } = await open(cashier, merchantId, 100);
  expect(succeeded(await Promise.all(TEN.map(() => payOut(cashier, shiftId, 30))))).toBe(3);
  expect(await expectedOf(fixture, shiftId)).toBe(10);
});

onBothDatabases('ten parallel pay-outs from the shifts of two people at a drawer never exceed the rule together', async (fixture) => {
  const { merchantId } = await createShop(fixture, { payOutAbove: 100 });
  await expectData(fixture.api.admin.put(`/merchants/${merchantId}/vt-settings`, { shiftPer: 'person' }));
  const people = [await createPerson(fixture, 'cashier', merchantId), await createPerson(fixture, 'cashier', merchantId)] as const;
  const shifts = [await open(people[0], merchantId, 500), await open(people[1], merchantId, 500)] as const;
  const answers = await Promise.all(
    TEN.map((index) => payOut(people[index % 2 === 0 ? 0 : 1], shifts[index % 2 === 0 ? 0 : 1].shiftId, 30)),
  );
  expect(succeeded(answers)).toBe(3);
});
