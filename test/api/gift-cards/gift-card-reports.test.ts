import { expect, test } from 'vitest';
import { orderGiftCard, redeem } from '../../support/gift-cards.ts';
import { createOrder } from '../../support/orders.ts';
import { CARDS, cardBody } from '../../support/sales.ts';
import { type ApiFixture, describeOnBothDatabases, expectData } from '../../support/server.ts';
import { createMerchant, zoneAtNoon } from '../../support/settlements.ts';
import { refundTender, type TenderRecord } from '../../support/tenders.ts';

/** Returns the net sales of a merchant by each report, and by the journal. */
async function netSales({ api }: Pick<ApiFixture, 'api'>, merchantId: string, shiftId: string): Promise<Record<string, number>> {
  interface Sums {
    readonly date: string;
    readonly salesAmount: number;
    readonly refundsAmount: number;
    readonly giftCardsSoldAmount: number;
    readonly netAmount: number;
    readonly shifts?: { readonly payments: { readonly totalAmount: number; readonly withoutShiftAmount: number } };
  }
  const of = `merchantId=${merchantId}`;
  const { today } = await expectData(api.admin.get<{ today: Sums }>(`/reporting/today?${of}`));
  const summary = await expectData(api.admin.get<Sums>(`/reporting/daily-summary?${of}&date=${today.date}`));
  const report = await expectData(api.admin.get<{ netSalesAmount: number }>(`/shifts/${shiftId}/report`));
  const journal = (await api.admin.get(`/reporting/journal?${of}&startDate=${today.date}&endDate=${today.date}&format=hledger`)).text;
  const incomes = [...journal.matchAll(/Income:(?:Sales|Refunds) +(-?[\d.]+)/g)];
  return {
    shift: report.netSalesAmount,
    today: today.salesAmount - today.refundsAmount - today.giftCardsSoldAmount,
    day: summary.netAmount,
    dayOfShifts: summary.shifts?.payments.totalAmount ?? Number.NaN,
    withoutShift: summary.shifts?.payments.withoutShiftAmount ?? Number.NaN,
    journal: incomes.reduce((sum, [, amount]) => sum - Math.round(Number(amount) * 100), 0) / 100,
  };
}

const all = (amount: number) => ({ shift: amount, today: amount, day: amount, dayOfShifts: amount, withoutShift: 0, journal: amount });

describeOnBothDatabases('reports with gift cards', (fixture) => {
  test('count a gift card as a sale when it pays, in the shift, the day and the journal', async () => {
    const { api } = fixture();
    const merchantId = await createMerchant(fixture(), { timezone: await zoneAtNoon(fixture()) });
    const { shiftId } = await expectData(api.admin.post<{ shiftId: string }>('/shifts/open', { merchantId, amount: 0 }), 201);
    const pay = async (orderId: string, amount: number) =>
      (await expectData(api.admin.post<TenderRecord>('/tenders', { kind: 'cash', amount, orderId, merchantId }), 201)).tenderId;
    const net = () => netSales(fixture(), merchantId, shiftId);

    const sold = await orderGiftCard(fixture(), 100, { merchantId });
    await pay(sold.orderId, 100);
    expect(await net()).toEqual(all(0));
    const { tenderId } = await expectData(redeem(fixture(), sold.code, 60, { merchantId }), 201);
    expect(await net()).toEqual(all(60));
    await expectData(refundTender(fixture(), tenderId, { amount: 15 }), 201);
    expect(await net()).toEqual(all(45));

    const goods = await createOrder(fixture(), {
      merchantId,
      giftCards: [{ amount: 20 }],
      lineItems: [{ description: 'Mug', unitPrice: 8 }],
    });
    const paid = await pay(goods.orderId, 28);
    expect(await net()).toEqual(all(53));
    await expectData(refundTender(fixture(), paid, { amount: 28 }), 201);
    expect(await net()).toEqual(all(45));

    const byCard = await orderGiftCard(fixture(), 30, { merchantId });
    await expectData(
      api.admin.post('/transactions', cardBody(30, CARDS.visa, { merchantId, orderId: byCard.orderId }), { 'Paydesk-Drawer': 'Drawer 1' }),
    );
    expect(await net()).toEqual(all(45));

    await expectData(api.admin.post(`/shifts/${shiftId}/close`, { amount: 100 }));
    expect(await net()).toEqual(all(45));
  });
});
