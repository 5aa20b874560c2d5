import { describe, expect, test } from 'vitest';
import { surfaceOf } from '../../support/api-client.ts';
import { createPerson, setPin, setRules } from '../../support/approvals.ts';
import { createCustomer } from '../../support/customers.ts';
import { type GiftCardRecord, getGiftCard, giveGiftCard, inOneHour, orderGiftCard } from '../../support/gift-cards.ts';
import { describeOnBothDatabases, expectData, expectError } from '../../support/server.ts';
import { createMerchant } from '../../support/settlements.ts';

const REASON = 'Late delivery';

describeOnBothDatabases('attacks on gift cards', (fixture, inFull) => {
  async function keyWith(merchantId: string, permissions: readonly string[]) {
    const { api, baseUrl, credentials } = fixture();
    const body = { name: 'till', scope: 'merchant', merchantId, permissions, currentPassword: api.adminPassword };
    const { key } = await expectData(api.admin.post<{ key: string }>('/api-keys', body), 201);
    return surfaceOf(baseUrl, '/api/v1/public', () => ({ 'X-Tenant-ID': credentials.tenantId, 'x-api-key': key }));
  }

  describe('gifts', () => {
    test('of an API key without gift-cards:manage need an approval', inFull, async () => {
      const merchantId = await createMerchant(fixture());
      const { giftCardId } = await giveGiftCard(fixture(), 5, { merchantId });
      const as = await keyWith(merchantId, ['gift-cards:read', 'gift-cards:write']);
      await expectData(as.post('/gift-cards', { amount: 5000, reason: REASON }), 202);
      await expectData(as.post(`/gift-cards/${giftCardId}/reload`, { amount: 0.01, reason: REASON }), 202);
      expect(await getGiftCard(fixture(), giftCardId)).toMatchObject({ balance: 5 });
      const manager = await keyWith(merchantId, ['gift-cards']);
      await expectData(manager.post('/gift-cards', { amount: 5, reason: REASON }), 201);
    });

    test('in parts do not pass refundAbove, and name card and customer to the approver', inFull, async () => {
      const { api } = fixture();
      const merchantId = await createMerchant(fixture());
      await setRules(fixture(), { refundAbove: 50, currency: 'USD', approversExempt: false }, merchantId);
      const { customerId } = await createCustomer(fixture(), { merchantId });
      const gift = { amount: 20, reason: REASON, merchantId };
      const answers = await Promise.all(Array.from({ length: 10 }, () => api.admin.post<{ giftCardId: string }>('/gift-cards', gift)));
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(2);
      expect(answers.filter(({ status }) => status === 202)).toHaveLength(8);
      const approvalOf = async (path: string, body: object) => {
        const { approvalId } = await expectData(api.admin.post<{ approvalId: string }>(path, body), 202);
        return expectData(api.admin.get(`/approvals/${approvalId}`));
      };
      expect(await approvalOf('/gift-cards', { ...gift, customerId })).toMatchObject({ details: { customerId } });
      const [card] = await expectData(api.admin.get<GiftCardRecord[]>(`/gift-cards?merchantId=${merchantId}`));
      const giftCardId = card?.giftCardId;
      expect(await approvalOf(`/gift-cards/${giftCardId}/reload`, { amount: 10.01, reason: REASON })).toMatchObject({
        details: { giftCardId },
      });
      await expectData(api.admin.post(`/gift-cards/${giftCardId}/reload`, { amount: 10, reason: REASON }));
    });

    test('do not reach blocked store credit', inFull, async () => {
      const { api } = fixture();
      const { customerId, merchantId } = await createCustomer(fixture());
      const { giftCardId } = await giveGiftCard(fixture(), 5, { customerId, merchantId });
      await expectData(api.admin.post(`/gift-cards/${giftCardId}/block`, {}));
      const { details } = await expectError(
        api.admin.post('/gift-cards', { amount: 5, reason: REASON, customerId, merchantId }),
        409,
        'RESOURCE_CONFLICT',
      );
      expect(details).toMatchObject({ reason: 'gift_card_blocked', giftCardId });
      expect(await getGiftCard(fixture(), giftCardId)).toMatchObject({ balance: 5 });
    });
  });

  describe('guesses', () => {
    const HUNDRED = Array.from({ length: 100 }, (_, index) => index);
    const asCashier = async (merchantId: string) => (await createPerson(fixture(), 'cashier', merchantId)).as;

    test('in parallel do not pass the limit of a user', async () => {
      const statuses = await inOneHour(async () => {
        const as = await asCashier(await createMerchant(fixture()));
        const guesses = HUNDRED.map((index) => as.post('/gift-cards/balance', { code: `X4TN81QB0KDW7${index}` }));
        return (await Promise.all(guesses)).map(({ status }) => status);
      });
      expect(statuses.filter((status) => status === 404)).toHaveLength(20);
      expect(statuses.filter((status) => status === 429)).toHaveLength(80);
    });

    test('of the PIN of one card by several people stay within its limit', async () => {
      const { statuses, right } = await inOneHour(async () => {
        const merchantId = await createMerchant(fixture());
        const code = '4443332221';
        await giveGiftCard(fixture(), 5, { merchantId, code, pin: '4821' });
        const [first, second] = [await asCashier(merchantId), await asCashier(merchantId)];
        const guesses = HUNDRED.slice(0, 30).map((index) =>
          (index % 2 === 0 ? first : second).post('/gift-cards/balance', { code, pin: `${1_000 + index}` }),
        );
        const statuses = (await Promise.all(guesses)).map(({ status }) => status);
        return { statuses, right: await first.post('/gift-cards/balance', { code, pin: '4821' }) };
      });
      expect(statuses.filter((status) => status === 404)).toHaveLength(10);
      expect(statuses.filter((status) => status === 429)).toHaveLength(20);
      await expectError(right, 429, 'RATE_LIMIT_EXCEEDED');
    });

    test('by new cards conflict whatever the PIN, and are counted', inFull, async () => {
      const { statuses, right, giftCardId } = await inOneHour(async () => {
        const merchantId = await createMerchant(fixture());
        const code = '4443332221';
        const { giftCardId } = await giveGiftCard(fixture(), 5, { merchantId, code, pin: '4821' });
        const { as } = await createPerson(fixture(), 'manager', merchantId);
        const lost = await giveGiftCard(fixture(), 5, { merchantId });
        const attempts = HUNDRED.slice(0, 10).flatMap((index) => {
          const named = { code, pin: `${4_816 + index}` };
          return [
            as.post('/orders', { giftCards: [{ amount: 5, ...named }] }),
            as.post('/gift-cards', { amount: 5, reason: REASON, ...named }),
            as.post(`/gift-cards/${lost.giftCardId}/replace`, named),
          ];
        });
        const statuses = (await Promise.all(attempts)).map(({ status }) => status);
        return { statuses, right: await as.post('/gift-cards/balance', { code, pin: '4821' }), giftCardId };
      });
      expect(statuses.filter((status) => status === 409)).toHaveLength(20);
      expect(statuses.filter((status) => status === 429)).toHaveLength(10);
      await expectError(right, 429, 'RATE_LIMIT_EXCEEDED');
      expect(await getGiftCard(fixture(), giftCardId)).toMatchObject({ balance: 5 });
    });
  });

  test('a PIN of a manager neither replaces nor unblocks a card, and gives nothing without a second person', inFull, async () => {
    const { api, baseUrl, credentials } = fixture();
    const merchantId = await createMerchant(fixture());
    const { giftCardId } = await giveGiftCard(fixture(), 5, { merchantId });
    const manager = await createPerson(fixture(), 'manager', merchantId);
    await setPin(manager, '739154');
    const onScreen = (headers: object) =>
      surfaceOf(baseUrl, '/api/v1', () => ({ 'X-Tenant-ID': credentials.tenantId, 'X-Paydesk-Client': 'screen', ...headers }));
    const { email, password, userId } = manager;
    const { token } = await expectData(onScreen({}).post<{ token: string }>('/auth/login', { email, password }));
    const screen = onScreen({ Authorization: `Bearer ${token}` });
    const switched = await expectData(screen.post<{ token: string }>('/auth/switch', { userId, pin: '739154' }));
    const byPin = onScreen({ Authorization: `Bearer ${switched.token}` });
    await expectError(byPin.post(`/gift-cards/${giftCardId}/replace`, {}), 403, 'PERMISSION_DENIED');
    await expectData(byPin.post(`/gift-cards/${giftCardId}/block`, {}));
    await expectError(byPin.post(`/gift-cards/${giftCardId}/unblock`), 403, 'PERMISSION_DENIED');
    await expectData(api.admin.post(`/gift-cards/${giftCardId}/unblock`));
    // Managers are exempt from approvals for gifts in a session with a password only.
    await expectData(manager.as.post(`/gift-cards/${giftCardId}/reload`, { amount: 1, reason: REASON }));
    await expectData(byPin.post('/gift-cards', { amount: 500, reason: REASON }), 202);
    await expectData(byPin.post(`/gift-cards/${giftCardId}/reload`, { amount: 500, reason: REASON }), 202);
    expect(await getGiftCard(fixture(), giftCardId)).toMatchObject({ balance: 6 });
  });

  test('a customer with store credit is not deleted until it is spent', inFull, async () => {
    const { api } = fixture();
    const { customerId, merchantId } = await createCustomer(fixture());
    const { giftCardId } = await giveGiftCard(fixture(), 5, { customerId, merchantId });
    const { details } = await expectError(api.admin.delete(`/customers/${customerId}`), 409, 'RESOURCE_CONFLICT');
    expect(details).toMatchObject({ reason: 'store_credit', giftCardIds: [giftCardId] });
    await expectData(api.admin.post('/tenders', { kind: 'gift_card', giftCardId, customerId, merchantId, amount: 5 }), 201);
    await expectData(api.admin.delete(`/customers/${customerId}`));
  });

  test('a printed card can be sold again after its order was canceled', inFull, async () => {
    const { api } = fixture();
    const card = { code: '5556667778', pin: '4821' };
    const { orderId, giftCardId } = await orderGiftCard(fixture(), 0, { giftCards: [{ amount: 5, ...card }] });
    await expectError(api.admin.post('/orders', { giftCards: [{ amount: 5, ...card }] }), 409, 'RESOURCE_CONFLICT');
    await expectData(api.admin.post(`/orders/${orderId}/cancel`, {}));
    const next = await orderGiftCard(fixture(), 0, { giftCards: [{ amount: 5, ...card }] });
    expect(next.giftCardId).not.toBe(giftCardId);
    expect(await getGiftCard(fixture(), giftCardId)).toMatchObject({ status: 'canceled', lastCharacters: '7778' });
    const again: GiftCardRecord = await getGiftCard(fixture(), next.giftCardId);
    expect(again).toMatchObject({ status: 'pending', lastCharacters: '7778' });
  });
});
