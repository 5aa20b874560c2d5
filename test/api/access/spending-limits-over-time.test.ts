import { expect, test } from 'vitest';
import { surfaceOf } from '../../support/api-client.ts';
import { createCustomerWithCard } from '../../support/customers.ts';
import { CARDS } from '../../support/sales.ts';
import { ANY_DATABASE, describeOnSmallData, expectData, expectError } from '../../support/server.ts';

interface Key {
  readonly id: string;
  readonly key: string;
  readonly spendingLimits: { readonly movedToday: number };
}

const DAY_SECONDS = 86_400;
const sale = (amount: number) => ({ Amount: amount, CardNumber: CARDS.visa, ExpiryMonth: '12', ExpiryYear: '2039', CVV: '123' });

// The tests move the test clock forward, one after the other.
describeOnSmallData('spending limits over time', ANY_DATABASE, (fixture) => {
  async function limitedKey(perDay: number) {
    const { api, baseUrl, credentials } = fixture();
    const { merchantId, tenantId } = credentials;
    const spendingLimits = { currency: 'USD', perPayment: perDay, perDay };
    const body = { name: 'agent', scope: 'merchant', merchantId, spendingLimits, currentPassword: api.adminPassword };
    const { id, key } = await expectData(api.admin.post<Key>('/api-keys', body), 201);
    const asKey = surfaceOf(baseUrl, '/api/v1/public', () => ({ 'X-Tenant-ID': tenantId, 'x-api-key': key }));
    const moved = async () => (await expectData(api.admin.get<Key>(`/api-keys/${id}`))).spendingLimits.movedToday;
    return { id, asKey, moved };
  }
  const moveClock = (body: object) => expectData(fixture().api.admin.post<{ now: string }>('/sandbox/clock', body));
  /** Moves the test clock to a minute before midnight in UTC. */
  async function moveBeforeMidnight(): Promise<void> {
    const { now } = await expectData(fixture().api.admin.get<{ now: string }>('/sandbox/clock'));
    await moveClock({ now: `${new Date(Date.parse(now) + DAY_SECONDS * 1_000).toISOString().slice(0, 10)}T23:59:00Z` });
  }

  test('the sum of a day starts again at midnight in UTC, by the test clock', async () => {
    const { asKey, moved } = await limitedKey(100);
    await moveBeforeMidnight();
    await expectData(asKey.post('/transaction', sale(100)));
    await expectError(asKey.post('/transaction', sale(1)), 403, 'PERMISSION_DENIED');
    await moveClock({ advanceSeconds: 120 });
    expect(await moved()).toBe(0);
    await expectData(asKey.post('/transaction', sale(100)));
    // The same day in UTC, but another one in the time zone of the merchant.
    await moveClock({ advanceSeconds: 20 * 3_600 });
    const { details } = await expectError(asKey.post('/transaction', sale(1)), 403, 'PERMISSION_DENIED');
    expect(details).toMatchObject({ reason: 'key_daily_limit' });
    expect(await moved()).toBe(100);
  });

  test('a subscription counts once, with its amount; its later payments are charged and do not count', async () => {
    const { api } = fixture();
    const { id, asKey, moved } = await limitedKey(100);
    await moveBeforeMidnight();
    const { customerId } = await createCustomerWithCard(fixture());
    const { now } = await expectData(api.admin.get<{ now: string }>('/sandbox/clock'));
    const startDate = new Date(Date.parse(now) + 2 * DAY_SECONDS * 1_000).toISOString().slice(0, 10);
    const body = { customerId, amount: 60, frequency: 'weekly', startDate };
    const { subscriptionId } = await expectData(asKey.post<{ subscriptionId: string }>('/recurring', body), 201);
    expect(await moved()).toBe(60);
    await expectError(asKey.post('/recurring', body), 403, 'PERMISSION_DENIED');

    // A lower limit stops new operations, and not the payments that the customer agreed to.
    const limits = { spendingLimits: { currency: 'USD', perDay: 10 }, currentPassword: api.adminPassword };
    await expectData(api.admin.put(`/api-keys/${id}`, limits));
    await moveClock({ advanceSeconds: 12 * DAY_SECONDS });
    const payments = await expectData(api.admin.get<{ status: string; amount: number }[]>(`/recurring/${subscriptionId}/payments`));
    expect(payments).toEqual([
      expect.objectContaining({ status: 'succeeded', amount: 60 }),
      expect.objectContaining({ status: 'succeeded', amount: 60 }),
    ]);
    expect(await moved()).toBe(0);
    await expectData(asKey.post('/transaction', sale(10)));
  });
});
