import { expect, test } from 'vitest';
import { surfaceOf } from '../../support/api-client.ts';
import { createClerk, createPerson, createShop, type Waiting } from '../../support/approvals.ts';
import { CONFIRMED, startLiveServer } from '../../support/live-server.ts';
import { CARDS, createDeclinedSale, type TransactionRecord } from '../../support/sales.ts';
import {
  ANY_DATABASE,
  type Answer,
  type ApiFixture,
  describeOnAnyDatabase,
  expectData,
  expectError,
  onBothDatabases,
  type Surface,
} from '../../support/server.ts';
import { createMerchant, sell } from '../../support/settlements.ts';

const TEN = Array.from({ length: 10 }, (_, index) => index);
const succeeded = (answers: readonly Answer<unknown>[]) => answers.filter(({ status }) => status === 200).length;
const creditOf = (as: Surface, transactionId: string, amount: number) =>
  as.post<TransactionRecord & Waiting>(`/transactions/${transactionId}/credit`, { amount });

const limit = ({ api }: ApiFixture, merchantId: string, settings: object) =>
  expectData(api.admin.put(`/merchants/${merchantId}/fraud-settings`, settings));

async function keyWith({ api, baseUrl }: ApiFixture, merchantId: string, permissions?: readonly string[]) {
  const body = { name: 'till', scope: 'merchant', merchantId, permissions, currentPassword: api.adminPassword };
  const { key } = await expectData(api.admin.post<{ key: string }>('/api-keys', body), 201);
  return surfaceOf(baseUrl, '/api/v1/sdk', () => ({ Authorization: `Bearer ${key}` }));
}

describeOnAnyDatabase('the permission for unlinked credits', (fixture) => {
  test.each(['cashier', 'accountant', 'viewer'])('the role %s lacks it', async (role) => {
    const merchantId = await createMerchant(fixture());
    const { transactionId } = await sell(fixture(), merchantId, 1.5);
    const { as } = await createPerson(fixture(), role, merchantId);
    const { details } = await expectError(creditOf(as, transactionId, 5000), 403, 'PERMISSION_DENIED');
    expect(details).toMatchObject({ permission: 'credits:write' });
  });

  test('a key has it if it names no permissions, and lacks it with those for payments and refunds', async () => {
    const merchantId = await createMerchant(fixture());
    const { transactionId } = await sell(fixture(), merchantId, 20);
    const body = { TransactionId: transactionId, Amount: 5 };
    const named = await keyWith(fixture(), merchantId, ['transactions', 'refunds']);
    await expectError(named.post('/credit', body), 403, 'PERMISSION_DENIED');
    const unnamed = await keyWith(fixture(), merchantId);
    await expectData(unnamed.post('/credit', body));
  });

  test('a manager has it, and approves credits only with it', async () => {
    const shop = await createShop(fixture(), { unlinkedCredit: true });
    const { transactionId } = await sell(fixture(), shop.merchantId, 20);
    const clerk = await createClerk(fixture(), shop.merchantId);
    const { approvalId } = await expectData(creditOf(clerk.as, transactionId, 5), 202);
    const body = { permissions: ['transactions', 'approvals'] };
    const other = await createPerson(fixture(), 'cashier', shop.merchantId, body);
    const { details } = await expectError(other.as.post(`/approvals/${approvalId}/approve`, {}), 403, 'PERMISSION_DENIED');
    expect(details).toMatchObject({ permission: 'credits:write' });
    await expectData(shop.manager.as.post(`/approvals/${approvalId}/approve`, {}));
  });
});

describeOnAnyDatabase('unlinked credits', (fixture) => {
  test('name an approved payment: voided, declined and unconfirmed ones are refused', async () => {
    const { api, credentials } = fixture();
    const merchantId = await createMerchant(fixture());
    const voided = await sell(fixture(), merchantId, 20);
    await expectData(api.admin.post(`/transactions/${voided.transactionId}/void`, {}));
    await expectError(creditOf(api.admin, String(voided.transactionId), 5), 409, 'ALREADY_VOIDED');
    const declined = await createDeclinedSale(fixture(), CARDS.noFunds, 20, { merchantId: credentials.merchantId });
    await expectError(creditOf(api.admin, declined.transactionId, 5), 422, 'TRANSACTION_DECLINED');
  });

  test('are limited by the maximum amount of the merchant', async () => {
    const { api } = fixture();
    const merchantId = await createMerchant(fixture());
    const { transactionId } = await sell(fixture(), merchantId, 20);
    await limit(fixture(), merchantId, { maxAmount: 100, maxCreditsPerDay: 1000 });
    const { details } = await expectError(creditOf(api.admin, transactionId, 100.01), 422, 'INVALID_AMOUNT', 'amount');
    expect(details).toMatchObject({ reason: 'merchant_limit' });
    await expectData(creditOf(api.admin, transactionId, 100));
  });

  test('are limited per day of the merchant, over all payments, by the maximum amount unless the day has a limit of its own', async () => {
    const { api } = fixture();
    const merchantId = await createMerchant(fixture());
    const payments = [await sell(fixture(), merchantId, 20), await sell(fixture(), merchantId, 21)];
    const [one, two] = payments.map(({ transactionId }) => String(transactionId)) as [string, string];
    await limit(fixture(), merchantId, { maxAmount: 100 });
    await expectData(creditOf(api.admin, one, 60));
    const { details } = await expectError(creditOf(api.admin, two, 41), 422, 'INVALID_AMOUNT', 'amount');
    expect(details).toMatchObject({ reason: 'merchant_credits_limit', creditsOfDay: 101 });
    await expectData(creditOf(api.admin, two, 40));
    await limit(fixture(), merchantId, { maxCreditsPerDay: 150 });
    await expectError(creditOf(api.admin, two, 51), 422, 'INVALID_AMOUNT', 'amount');
    await expectData(creditOf(api.admin, two, 50));
  });

  test('of a day count together for the rule of refunds, on whichever payments', async () => {
    const { merchantId } = await createShop(fixture(), { refundAbove: 50 });
    const clerk = await createClerk(fixture(), merchantId);
    const [one, two] = [await sell(fixture(), merchantId, 1), await sell(fixture(), merchantId, 1.1)];
    await expectData(creditOf(clerk.as, String(one.transactionId), 50));
    const { reason } = (await expectData(creditOf(clerk.as, String(two.transactionId), 1), 202)) as unknown as { reason: string };
    expect(reason).toContain('credits of today are 51.00 USD');
  });
});

onBothDatabases('of ten parallel credits on ten payments, only those within the limit of the day run', async (fixture) => {
  const { api } = fixture;
  const merchantId = await createMerchant(fixture);
  await limit(fixture, merchantId, { maxCreditsPerDay: 100 });
  const payments = await Promise.all(TEN.map((index) => sell(fixture, merchantId, 10 + index)));
  const answers = await Promise.all(payments.map(({ transactionId }) => creditOf(api.admin, String(transactionId), 30)));
  expect(succeeded(answers)).toBe(3);
});

test.each(ANY_DATABASE)(
  'a live account asks a second person for credits, and gives a key the permission only by name (%s)',
  async (kind) => {
    const live = await startLiveServer(kind);
    try {
      const { api, merchantId } = live;
      expect(await expectData(api.admin.get(`/approvals/rules?merchantId=${merchantId}`))).toMatchObject({
        unlinkedCredit: true,
        inherited: true,
      });
      const permissionsOf = async (permissions?: readonly string[]) => {
        const body = { name: 'till', scope: 'merchant', merchantId, permissions, ...CONFIRMED };
        return (await expectData(api.admin.post<{ permissions: string[] }>('/api-keys', body), 201)).permissions;
      };
      expect(await permissionsOf()).toContain('refunds:write');
      expect(await permissionsOf()).not.toContain('credits:write');
      expect(await permissionsOf(['transactions', 'credits'])).toContain('credits:write');
      const put = (rules: object) => api.admin.put(`/approvals/rules?merchantId=${merchantId}`, { ...rules, ...CONFIRMED });
      expect(await expectData(put({ refundAbove: 50 }))).toMatchObject({ unlinkedCredit: true, refundAbove: 50 });
      expect(await expectData(put({ unlinkedCredit: false }))).toMatchObject({ unlinkedCredit: false });
    } finally {
      await live.stop();
    }
  },
);
