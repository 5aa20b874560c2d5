import { expect, test } from 'vitest';
import { createOrder } from '../../support/orders.ts';
import { cardBody, type TransactionRecord } from '../../support/sales.ts';
import { type ApiFixture, describeOnAnyDatabase, expectData } from '../../support/server.ts';
import { createMerchant, zoneAtNoon } from '../../support/settlements.ts';
import { openShift, refundTender, reportOfShift, takeTender } from '../../support/tenders.ts';

const DRAWER = 'Counter of orders';
/** Lines that add up to 30.00 with a discount of 3.00. */
const LINES = [
  { description: 'Mug', quantity: 2, unitPrice: 13 },
  { description: 'Tea', unitPrice: 7, discountAmount: 3 },
];

/** Opens a drawer at a new merchant, sells there, and returns all reports. */
async function reportsOf(service: ApiFixture, sell: (merchantId: string) => Promise<void>) {
  const { api } = service;
  const merchantId = await createMerchant(service, { timezone: await zoneAtNoon(service), name: 'Same name' });
  const { shiftId } = await openShift(service, { merchantId, drawer: DRAWER, amount: 50 });
  await sell(merchantId);
  const read = (path: string) => expectData(api.admin.get(`${path}?merchantId=${merchantId}`));
  const reports = {
    shift: await reportOfShift(service, shiftId),
    day: await read('/reporting/daily-summary'),
    today: await read('/reporting/today'),
    tips: await read('/reporting/tips'),
  };
  // IDs and times differ between the merchants.
  return JSON.parse(JSON.stringify(reports, (key, value) => (/(?:Id|At)$|^(?:asOf|now|until)$/.test(key) ? undefined : value)));
}

/** Returns reports without the number of sales and their average, which an order with several payments changes. */
const withoutSales = (reports: object) =>
  JSON.parse(JSON.stringify(reports, (key, value) => (/^(?:salesCount|averageSaleAmount)$/.test(key) ? undefined : value)));

const HEADERS = { 'Paydesk-Drawer': encodeURIComponent(DRAWER) };

/** Takes 20.00 by card and 10.00 in cash at a drawer, as parts of one order or as single sales, and refunds a part of each. */
async function sellInParts(service: ApiFixture, merchantId: string, asOrder: boolean): Promise<void> {
  const { api } = service;
  const order = asOrder ? await createOrder(service, { merchantId, amount: 30 }) : null;
  const more = { merchantId, ...(order && { orderId: order.orderId }) };
  const card = await expectData(api.admin.post<TransactionRecord>('/transactions', { ...cardBody(20), ...more }, HEADERS));
  const cash = await takeTender(service, 10, { ...more, drawer: DRAWER });
  await expectData(api.admin.post(`/transactions/${card.transactionId}/refund`, { amount: 4 }, HEADERS));
  await expectData(refundTender(service, cash.tenderId, { amount: 2, drawer: DRAWER }), 201);
}

/** Repeats sales of the demo by card, each in one payment, with its tip, its tax and its refund. */
async function repeat(service: ApiFixture, merchantId: string, sales: readonly DemoSale[], asOrder: boolean): Promise<void> {
  const { api } = service;
  for (const { amount, tipAmount, taxAmount, refundedAmount } of sales) {
    const share = Math.round((amount - tipAmount) * 100) / 100;
    const order = asOrder ? await createOrder(service, { merchantId, amount: share, taxAmount }) : null;
    const parts = order ? { orderId: order.orderId, tipAmount } : { tipAmount, taxAmount };
    const body = { ...cardBody(amount), merchantId, ...parts };
    const { transactionId } = await expectData(api.admin.post<TransactionRecord>('/transactions', body, HEADERS));
    if (refundedAmount > 0) await expectData(api.admin.post(`/transactions/${transactionId}/refund`, { amount: refundedAmount }, HEADERS));
  }
}

interface DemoSale {
  readonly amount: number;
  readonly tipAmount: number;
  readonly taxAmount: number;
  readonly refundedAmount: number;
}

describeOnAnyDatabase('orders in reports', (fixture) => {
  test('have the same totals by kind of payment as single sales', async () => {
    const single = await reportsOf(fixture(), (merchantId) => sellInParts(fixture(), merchantId, false));
    expect(single.shift).toMatchObject({
      cashSales: { count: 1, amount: 10 },
      cards: { sales: { count: 1, amount: 20 } },
      salesCount: 2,
      paymentsCount: 2,
      netSalesAmount: 24,
    });
    const asOrder = await reportsOf(fixture(), (merchantId) => sellInParts(fixture(), merchantId, true));
    const [{ salesCount }, average] = [asOrder.day, asOrder.day.averageSaleAmount];
    expect({ salesCount, average }).toEqual({ salesCount: 1, average: 30 });
    expect(withoutSales(asOrder)).toEqual(withoutSales(single));
  });

  test('have the totals of the demo for its sales with one payment, whether each of them is an order or not', async () => {
    const { api } = fixture();
    const all = await expectData(api.admin.get<(DemoSale & { status: string; type: string })[]>('/transactions?type=sale&limit=40'));
    const sales = all.filter(({ status }) => status === 'approved' || status === 'settled');
    expect(sales.length).toBeGreaterThan(20);
    const single = await reportsOf(fixture(), (merchantId) => repeat(fixture(), merchantId, sales, false));
    const cents = (of: (sale: DemoSale) => number) => sales.reduce((sum, sale) => sum + Math.round(of(sale) * 100), 0);
    const { cards } = single.shift as { cards: { sales: { count: number; amount: number } } };
    expect(cards.sales).toMatchObject({ count: sales.length, amount: cents(({ amount }) => amount) / 100 });
    const { salesCount, paymentsCount } = single.shift;
    expect([salesCount, paymentsCount, single.day.salesCount, single.today.today.salesCount]).toEqual(Array(4).fill(sales.length));
    expect(await reportsOf(fixture(), (merchantId) => repeat(fixture(), merchantId, sales, true))).toEqual(single);
  });

  test('change no report of sales with one payment, and count items and their discount once', async () => {
    const { api } = fixture();
    const itemsOf = async () =>
      (await expectData(api.admin.get<{ items: { name: string; count: number; sales: number }[] }>('/reporting/items'))).items;
    const before = await itemsOf();
    const { orderId } = await createOrder(fixture(), { lineItems: LINES });
    const unpaid = await itemsOf();
    expect(unpaid).toEqual(before);
    for (const amount of [10, 8]) await expectData(api.admin.post('/transactions', { ...cardBody(amount), orderId }));
    await takeTender(fixture(), 12, { orderId });
    const after = await itemsOf();
    const added = after.filter(({ name }) => name === 'Mug' || name === 'Tea').map(({ name, count, sales }) => [name, count, sales]);
    expect(added).toEqual([
      ['Mug', 1, 26],
      ['Tea', 1, 4],
    ]);
    expect(after.filter(({ name }) => name !== 'Mug' && name !== 'Tea')).toEqual(before);
  });
});
