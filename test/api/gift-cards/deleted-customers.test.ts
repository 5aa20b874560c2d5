import { expect, test } from 'vitest';
import { createCustomer } from '../../support/customers.ts';
import { type GiftCardRecord, getGiftCard, giveGiftCard, liabilityOf, redeem } from '../../support/gift-cards.ts';
import { createOrder } from '../../support/orders.ts';
import { describeOnBothDatabases, expectData, expectError } from '../../support/server.ts';
import { createMerchant } from '../../support/settlements.ts';
import { getTender, takeTender } from '../../support/tenders.ts';
import { findEvent } from '../../support/webhooks.ts';

const AMOUNT = 20;

describeOnBothDatabases('store credit of deleted customers', (fixture) => {
  const remove = (customerId: string) => fixture().api.admin.delete(`/customers/${customerId}`);
  const reload = (giftCardId: string) =>
    fixture().api.admin.post(`/gift-cards/${giftCardId}/reload`, { amount: 5, reason: 'Late delivery' });
  const refund = (tenderId: string, to: object = {}) =>
    fixture().api.admin.post<{ giftCard: GiftCardRecord }>('/gift-cards/refund', { paymentId: tenderId, ...to });
  const auditOf = async (resource: string) =>
    expectData(
      fixture().api.admin.get<{ action: string; before: object | null; after: object }[]>(
        `/audit-logs?resource=${encodeURIComponent(resource)}`,
      ),
    );

  /** Gives store credit to a new customer, who spends all of it. */
  async function spentCredit() {
    const { customerId, merchantId } = await createCustomer(fixture());
    const { giftCardId } = await giveGiftCard(fixture(), AMOUNT, { merchantId, customerId });
    const { tenderId } = await takeTender(fixture(), AMOUNT, { kind: 'gift_card', giftCardId, customerId, merchantId });
    return { customerId, merchantId, giftCardId, tenderId };
  }

  test('is closed by the deletion and gets no further money', async () => {
    const { customerId, merchantId, giftCardId, tenderId } = await spentCredit();
    await expectData(remove(customerId));
    expect(await getGiftCard(fixture(), giftCardId)).toMatchObject({
      status: 'canceled',
      balance: 0,
      actions: { reload: { allowed: false }, replace: { allowed: false } },
    });
    const { message, details } = await expectError(reload(giftCardId), 409, 'RESOURCE_CONFLICT');
    expect([message, details?.reason]).toEqual(['The customer of this store credit was deleted.', 'store_credit_closed']);
    const order = { giftCards: [{ amount: 5, giftCardId }], merchantId };
    await expectError(fixture().api.admin.post('/orders', order), 409, 'RESOURCE_CONFLICT');
    const cash = await takeTender(fixture(), 5, { kind: 'cash', merchantId });
    await expectError(refund(cash.tenderId, { giftCardId }), 409, 'RESOURCE_CONFLICT');
    await expectError(refund(cash.tenderId, { customerId }), 404, 'CUSTOMER_NOT_FOUND');
    const direct = await expectError(fixture().api.admin.post(`/tenders/${tenderId}/refund`, {}), 422, 'NOT_REFUNDABLE');
    expect(direct.details).toMatchObject({ reason: 'store_credit_closed', giftCardId });
    expect(await getGiftCard(fixture(), giftCardId)).toMatchObject({ balance: 0 });
    expect(await findEvent(fixture(), 'gift_card.canceled', ({ data }) => data.giftCardId === giftCardId)).toMatchObject({
      data: { customerId, kind: 'store_credit' },
    });
  });

  test('gives way to a new gift card in refunds of what it paid', async () => {
    const { customerId, giftCardId, tenderId, merchantId } = await spentCredit();
    const { tenderId: other } = await takeTender(fixture(), 5, { kind: 'cash', merchantId });
    await expectData(refund(other, { customerId }), 201);
    // While the customer exists, the money returns to its store credit only.
    await expectError(refund(tenderId), 422, 'NOT_REFUNDABLE');
    await expectData(fixture().api.admin.post('/tenders', { kind: 'gift_card', giftCardId, customerId, amount: 5, merchantId }), 201);
    await expectData(remove(customerId));
    expect(await getTender(fixture(), tenderId)).toMatchObject({ actions: { refund: { allowed: false, code: 'NOT_REFUNDABLE' } } });
    const before = await liabilityOf(fixture());
    const { giftCard } = await expectData(refund(tenderId), 201);
    expect(giftCard).toMatchObject({ kind: 'gift_card', balance: AMOUNT, customerId: null });
    await expectError(refund(tenderId), 409, 'ALREADY_REFUNDED');
    expect((await liabilityOf(fixture())).ledger).toBe(before.ledger + 100 * AMOUNT);
    await expectData(redeem(fixture(), String(giftCard.code), AMOUNT, { merchantId }), 201);
    expect(await getGiftCard(fixture(), giftCardId)).toMatchObject({ balance: 0 });
  });

  test('keeps the customer while an open sale adds to the store credit', async () => {
    const { customerId, giftCardId, merchantId } = await spentCredit();
    const { orderId } = await createOrder(fixture(), { giftCards: [{ amount: 5, giftCardId }], merchantId });
    const { details } = await expectError(remove(customerId), 409, 'RESOURCE_CONFLICT');
    expect(details).toMatchObject({ reason: 'store_credit_order', orderId });
    await expectData(fixture().api.admin.post(`/orders/${orderId}/cancel`, {}));
    await expectData(remove(customerId));
  });

  test('cannot be loaded while its customer is deleted', async () => {
    const { api } = fixture();
    const loads: readonly ((of: Awaited<ReturnType<typeof spentCredit>>) => Promise<{ status: number }>)[] = [
      ({ giftCardId }) => reload(giftCardId),
      ({ customerId, merchantId }) => api.admin.post('/gift-cards', { amount: 5, reason: 'Late delivery', customerId, merchantId }),
      ({ tenderId }) => api.admin.post(`/tenders/${tenderId}/refund`, {}),
      async ({ merchantId, customerId }) => refund((await takeTender(fixture(), 5, { kind: 'cash', merchantId })).tenderId, { customerId }),
      async ({ merchantId, giftCardId }) => refund((await takeTender(fixture(), 5, { kind: 'cash', merchantId })).tenderId, { giftCardId }),
      ({ giftCardId, merchantId }) => api.admin.post('/orders', { giftCards: [{ amount: 5, giftCardId }], merchantId }),
    ];
    const rounds = await Promise.all([...loads, ...loads].map(async (load) => ({ load, credit: await spentCredit() })));
    const results = await Promise.all(
      rounds.map(async ({ load, credit }, index) => {
        const first = index < loads.length ? remove(credit.customerId) : load(credit);
        const second = index < loads.length ? load(credit) : remove(credit.customerId);
        const statuses = (await Promise.all([first, second])).map(({ status }) => status < 300);
        const [deleted, loaded] = index < loads.length ? statuses : statuses.toReversed();
        return { index, deleted, loaded, card: await getGiftCard(fixture(), credit.giftCardId) };
      }),
    );
    for (const { index, deleted, loaded, card } of results) {
      expect({ index, exactlyOne: deleted !== loaded }).toEqual({ index, exactlyOne: true });
      expect(card.status).toBe(deleted ? 'canceled' : 'active');
      if (deleted) expect(card.balance).toBe(0);
    }
    const { ledger, cards } = await liabilityOf(fixture());
    expect(ledger).toBe(cards);
  });

  test('audits the name that is taken off a gift card', async () => {
    const { api } = fixture();
    const merchantId = await createMerchant(fixture());
    const { customerId } = await createCustomer(fixture(), { merchantId });
    const { giftCardId } = await giveGiftCard(fixture(), AMOUNT, { merchantId });
    await expectData(api.admin.post(`/gift-cards/${giftCardId}/assign`, { customerId }));
    await expectData(remove(customerId));
    const [removed, named] = (await auditOf(`gift-cards/${giftCardId}`)).filter(({ action }) => action === 'gift_card.assigned');
    expect(removed).toMatchObject({ before: { customerId }, after: { customerId: null } });
    expect(named).toMatchObject({ before: { customerId: null }, after: { customerId } });
    expect(
      await findEvent(fixture(), 'gift_card.assigned', ({ data }) => data.giftCardId === giftCardId && data.customerId === null),
    ).toMatchObject({ data: { balance: AMOUNT } });
  });
});
