import { expect, test } from 'vitest';
import { createPerson } from '../../support/approvals.ts';
import { getGiftCard } from '../../support/gift-cards.ts';
import { describeOnAnyDatabase, expectData, expectError } from '../../support/server.ts';
import { createMerchant } from '../../support/settlements.ts';

interface SoldOrder {
  readonly orderId: string;
  readonly giftCards: readonly { readonly giftCardId: string; readonly code: string }[];
}

describeOnAnyDatabase('a cashier who sells gift cards', (fixture) => {
  const cashierOf = async (merchantId: string) => (await createPerson(fixture(), 'cashier', merchantId)).as;

  test('loads no card with more than what was paid, whatever amount or discount the order has', async () => {
    const merchantId = await createMerchant(fixture());
    const as = await cashierOf(merchantId);
    await expectError(as.post('/orders', { amount: 1, giftCards: [{ amount: 50 }], merchantId }), 400, 'INVALID_AMOUNT');
    const mug = { description: 'Mug', unitPrice: 10, discountAmount: 10, taxRate: null };
    const sold = await expectData(as.post<SoldOrder>('/orders', { lineItems: [mug], giftCards: [{ amount: 50 }], merchantId }), 201);
    const { orderId, giftCards } = sold;
    const giftCardId = giftCards[0]?.giftCardId ?? '';
    await expectData(as.post('/tenders', { kind: 'check', checkNumber: '1', amount: 49.99, orderId, merchantId }), 201);
    expect(await getGiftCard(fixture(), giftCardId)).toMatchObject({ status: 'pending', balance: 0 });
    await expectError(
      as.post('/tenders', { kind: 'gift_card', giftCardCode: giftCards[0]?.code, amount: 0.01, orderId, merchantId }),
      404,
      'NOT_FOUND',
    );
    await expectData(as.post('/tenders', { kind: 'check', checkNumber: '2', amount: 0.01, orderId, merchantId }), 201);
    expect(await getGiftCard(fixture(), giftCardId)).toMatchObject({ status: 'active', balance: 50 });
  });

  test('reloads a card only through an order that is paid', async () => {
    const merchantId = await createMerchant(fixture());
    const as = await cashierOf(merchantId);
    const sell = async (body: object) => {
      const order = await expectData(as.post<SoldOrder>('/orders', { giftCards: [body], merchantId }), 201);
      return { ...order, giftCardId: order.giftCards[0]?.giftCardId ?? '' };
    };
    const { orderId, giftCardId } = await sell({ amount: 5 });
    await expectData(as.post('/tenders', { kind: 'check', checkNumber: '1', amount: 5, orderId, merchantId }), 201);
    await sell({ amount: 500, giftCardId });
    await expectData(as.post(`/gift-cards/${giftCardId}/reload`, { amount: 500, reason: 'Mistake' }), 202);
    expect(await getGiftCard(fixture(), giftCardId)).toMatchObject({ balance: 5 });
  });
});
