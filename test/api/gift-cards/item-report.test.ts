import { expect, test } from 'vitest';
import { giveGiftCard, redeem } from '../../support/gift-cards.ts';
import { createOrder } from '../../support/orders.ts';
import { type ApiFixture, describeOnBothDatabases, expectData } from '../../support/server.ts';
import { createMerchant } from '../../support/settlements.ts';
import { refundTender, takeTender } from '../../support/tenders.ts';

interface ItemReport {
  readonly total: { readonly count: number; readonly sales: number; readonly refunds: number; readonly net: number };
  readonly items: readonly { readonly name: string; readonly net: number }[];
}

async function reportsOf({ api }: ApiFixture, merchantId: string) {
  const { total, items } = await expectData(api.admin.get<ItemReport>(`/reporting/items?merchantId=${merchantId}`));
  const day = await expectData(api.admin.get<{ netAmount: number }>(`/reporting/daily-summary?merchantId=${merchantId}`));
  return { total, names: items.map(({ name }) => name), netSales: day.netAmount };
}

describeOnBothDatabases('gift cards in the report of items', (fixture) => {
  test('leaves out sold and reloaded cards and agrees with net sales, also after refunds', async () => {
    const service = fixture();
    const merchantId = await createMerchant(service, { name: 'Cards and mugs' });
    const mug = { description: 'Mug', unitPrice: 12 };
    const { giftCardId } = await giveGiftCard(service, 5, { merchantId });
    const mixed = await createOrder(service, { merchantId, lineItems: [mug], giftCards: [{ amount: 25 }, { amount: 10, giftCardId }] });
    const { tenderId } = await takeTender(service, 47, { orderId: mixed.orderId, merchantId });
    const onlyCard = await createOrder(service, { merchantId, giftCards: [{ amount: 12 }] });
    await takeTender(service, 12, { orderId: onlyCard.orderId, merchantId });
    expect(await reportsOf(service, merchantId)).toEqual({
      total: expect.objectContaining({ count: 1, sales: 12, refunds: 0, net: 12 }),
      names: ['Mug'],
      netSales: 12,
    });

    await expectData(refundTender(service, tenderId, { amount: 5 }), 201);
    expect(await reportsOf(service, merchantId)).toMatchObject({ total: { sales: 12, refunds: 5, net: 7 }, netSales: 7 });
    // 7.00 of the mug and 20.00 of the cards.
    await expectData(refundTender(service, tenderId, { amount: 27 }), 201);
    expect(await reportsOf(service, merchantId)).toMatchObject({ total: { sales: 12, refunds: 12, net: 0 }, netSales: 0 });
  });

  test('counts what a gift card pays as items', async () => {
    const service = fixture();
    const merchantId = await createMerchant(service, { name: 'Paid by card' });
    const { code } = await giveGiftCard(service, 30, { merchantId });
    const lineItems = [{ description: 'Gift card 2HJK', unitPrice: 9 }];
    await expectData(redeem(service, code ?? '', 9, { merchantId, lineItems }), 201);
    expect(await reportsOf(service, merchantId)).toMatchObject({ total: { net: 9 }, names: ['Gift card 2HJK'], netSales: 9 });
  });
});
