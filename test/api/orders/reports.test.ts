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

/** Takes 20.00 by card and 10.00 in cash at a drawer, as parts of one order or as single sales, and refunds a part of each. Returns all reports. */
async function reportsOf(service: ApiFixture, asOrder: boolean) {
  const { api } = service;
  const merchantId = await createMerchant(service, { timezone: await zoneAtNoon(service), name: 'Same name' });
  const { shiftId } = await openShift(service, { merchantId, drawer: DRAWER, amount: 50 });
  const order = asOrder ? await createOrder(service, { merchantId, amount: 30 }) : null;
  const more = { merchantId, ...(order && { orderId: order.orderId }) };
  const headers = { 'Paydesk-Drawer': encodeURIComponent(DRAWER) };
  const card = await expectData(api.admin.post<TransactionRecord>('/transactions', { ...cardBody(20), ...more }, headers));
  const cash = await takeTender(service, 10, { ...more, drawer: DRAWER });
  await expectData(api.admin.post(`/transactions/${card.transactionId}/refund`, { amount: 4 }, headers));
  await expectData(refundTender(service, cash.tenderId, { amount: 2, drawer: DRAWER }), 201);
  const read = (path: string) => expectData(api.admin.get(`${path}?merchantId=${merchantId}`));
  const reports = {
    shift: await reportOfShift(service, shiftId),
    day: await read('/reporting/daily-summary'),
    today: await read('/reporting/today'),
  };
  // IDs and times differ between the merchants.
  return JSON.parse(JSON.stringify(reports, (key, value) => (/(?:Id|At)$|^(?:asOf|now|until)$/.test(key) ? undefined : value)));
}

describeOnAnyDatabase('orders in reports', (fixture) => {
  test('have the same totals by kind of payment as single sales', async () => {
    const single = await reportsOf(fixture(), false);
    expect(single.shift).toMatchObject({
      cashSales: { count: 1, amount: 10 },
      cards: { sales: { count: 1, amount: 20 } },
      netSalesAmount: 24,
    });
    expect(await reportsOf(fixture(), true)).toEqual(single);
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
