import { expect, test } from 'vitest';
import { getGiftCard, orderGiftCard, redeem } from '../../support/gift-cards.ts';
import { createOrder } from '../../support/orders.ts';
import { CARDS, cardBody, type TransactionRecord } from '../../support/sales.ts';
import { type ApiFixture, describeOnBothDatabases, expectData, expectError } from '../../support/server.ts';
import { createMerchant, zoneAtNoon } from '../../support/settlements.ts';
import { closeShift, openShift, refundTender, reportOfShift, type TenderRecord, takeTender } from '../../support/tenders.ts';
import { concludeUnconfirmed, gatewayMode } from '../../support/unconfirmed-payments.ts';
import { describeWithLedger } from '../reporting/ledger-server.ts';

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

describeWithLedger('the shift of a gift card', (server) => {
  const service = () => server().service;

  test('leaves a card out of the next Z report if its payment was decided after the close', async () => {
    const { api } = service();
    const merchantId = await createMerchant(service(), { timezone: await zoneAtNoon(service()) });
    const shift = { merchantId, drawer: 'Bar', amount: 0 };
    const first = await openShift(service(), shift);
    const { orderId, giftCardId } = await orderGiftCard(service(), 30, { merchantId });
    await gatewayMode(service(), 'silent');
    try {
      await expectError(
        api.admin.post('/transactions', { ...cardBody(30), merchantId, orderId }, { 'Paydesk-Drawer': 'Bar' }),
        502,
        'GATEWAY_TIMEOUT',
      );
      await expectData(closeShift(service(), first.shiftId, { amount: 0 }));
    } finally {
      await concludeUnconfirmed(service());
    }
    expect(await getGiftCard(service(), giftCardId)).toMatchObject({ balance: 30 });
    const late = async () =>
      (
        await expectData(
          api.admin.get<{ netAmount: number; shifts: { payments: Record<string, number> } }>(
            `/reporting/daily-summary?merchantId=${merchantId}`,
          ),
        )
      ).shifts.payments;
    expect(await late()).toMatchObject({
      lateAmount: 0,
      zReportsAmount: 0,
      inOtherReportsAmount: 0,
      withoutShiftAmount: 0,
      totalAmount: 0,
    });
    const next = await openShift(service(), shift);
    const figures = { giftCardsSold: { count: 1, amount: 30 }, netSalesAmount: 0, cards: { totalAmount: 30 } };
    expect(await reportOfShift(service(), next.shiftId)).toMatchObject(figures);
    await expectData(closeShift(service(), next.shiftId, { amount: 0 }));
    expect(await reportOfShift(service(), next.shiftId)).toMatchObject(figures);
    expect(await reportOfShift(service(), first.shiftId)).toMatchObject({ giftCardsSold: { count: 0 }, netSalesAmount: 0 });
    expect(await late()).toMatchObject({ lateAmount: 0, zReportsAmount: 0, totalAmount: 0 });
    expect(await server().differences()).toEqual([]);
  });

  test('counts the discount of an order once, whatever its payments', async () => {
    const { api } = service();
    const merchantId = await createMerchant(service());
    const { shiftId } = await openShift(service(), { merchantId, drawer: 'Bar', amount: 0 });
    const { orderId } = await createOrder(service(), { merchantId, amount: 90, discountAmount: 10 });
    await takeTender(service(), 33.34, { merchantId, drawer: 'Bar', orderId });
    const card = await expectData(
      api.admin.post<TransactionRecord>('/transactions', { ...cardBody(33.33), merchantId, orderId }, { 'Paydesk-Drawer': 'Bar' }),
    );
    await takeTender(service(), 23.33, { merchantId, drawer: 'Bar', orderId });
    expect((await reportOfShift(service(), shiftId)).discounts?.amount).toBe(10);
    await expectData(api.admin.post(`/transactions/${card.transactionId}/void`, {}, { 'Paydesk-Drawer': 'Bar' }));
    await takeTender(service(), 33.33, { merchantId, drawer: 'Bar', orderId });
    expect((await reportOfShift(service(), shiftId)).discounts?.amount).toBe(10);
    await expectData(closeShift(service(), shiftId, { amount: 90 }));
    expect((await reportOfShift(service(), shiftId)).discounts?.amount).toBe(10);
  });
});

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

    const cash = await expectData(api.admin.post<TenderRecord>('/tenders', { kind: 'cash', amount: 12, merchantId }), 201);
    expect(await net()).toEqual(all(57));
    await expectData(api.admin.post('/gift-cards/refund', { paymentId: cash.tenderId }, { 'Paydesk-Drawer': 'Drawer 1' }), 201);
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
