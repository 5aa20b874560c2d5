import { expect } from 'vitest';
import { addItem } from '../../support/items.ts';
import { cardBody, type TransactionRecord } from '../../support/sales.ts';
import { type ApiFixture, expectData, onAnyDatabase } from '../../support/server.ts';
import { createMerchant } from '../../support/settlements.ts';
import { closeShift, openShift, refundTender, reportOfShift, takeTender } from '../../support/tenders.ts';
import { findEvent } from '../../support/webhooks.ts';

const DRAWER = 'Counter';

const sellAtDrawer = ({ api }: ApiFixture, amount: number, body: object) =>
  expectData(api.admin.post<TransactionRecord>('/transactions', { ...cardBody(amount), ...body }, { 'Paydesk-Drawer': DRAWER }));

const textOf = async ({ api }: ApiFixture, subject: object) =>
  (await expectData(api.admin.post<{ content: string }>('/notifications/receipt/print', { ...subject, format: 'text', preview: true })))
    .content;

onAnyDatabase('counts the discounts of cards and tenders in X and Z reports, and stores them at the close', async (fixture) => {
  const { api } = fixture;
  const merchantId = await createMerchant(fixture);
  const { shiftId } = await openShift(fixture, { merchantId, drawer: DRAWER, amount: 0 });
  await sellAtDrawer(fixture, 45, { merchantId, discountAmount: 5 });
  await sellAtDrawer(fixture, 20, { merchantId });
  const voided = await sellAtDrawer(fixture, 9, { merchantId, discountAmount: 1 });
  await expectData(api.admin.post(`/transactions/${voided.transactionId}/void`, {}, { 'Paydesk-Drawer': DRAWER }));
  const held = await sellAtDrawer(fixture, 30, { merchantId, type: 'auth', discountAmount: 3 });
  expect((await reportOfShift(fixture, shiftId)).discounts).toEqual({ count: 1, amount: 5 });
  await expectData(api.admin.post(`/transactions/${held.transactionId}/capture`, {}, { 'Paydesk-Drawer': DRAWER }));
  const cash = await takeTender(fixture, 8, { merchantId, drawer: DRAWER, discountAmount: 2 });
  await expectData(refundTender(fixture, cash.tenderId, { amount: 8 }), 201);
  const discounts = { count: 3, amount: 10 };
  expect(await reportOfShift(fixture, shiftId)).toMatchObject({ kind: 'x', discounts, netSalesAmount: 95 });
  expect(await textOf(fixture, { shiftId })).toMatch(/Discounts given \(3\) +10\.00 USD/);
  const csvOf = async () => {
    const [header = '', line = ''] = (await api.admin.get(`/shifts/export?merchantId=${merchantId}`)).text.split('\r\n');
    const first = header.split(',').indexOf('discountsCount');
    return line.split(',').slice(first, first + 2);
  };
  expect(await csvOf()).toEqual(['3', '10.00']);
  await expectData(closeShift(fixture, shiftId, { amount: 0 }));
  const closed = await findEvent(fixture, 'shift.closed', ({ data }) => data.shiftId === shiftId);
  expect(closed.data).toMatchObject({ discountsAmount: 10, netSalesAmount: 95 });
  expect(await reportOfShift(fixture, shiftId)).toMatchObject({ kind: 'z', discounts });
  expect(await csvOf()).toEqual(['3', '10.00']);
});

onAnyDatabase('shows discounts on receipts and in the sales by item', async (fixture) => {
  const { api } = fixture;
  const merchantId = await createMerchant(fixture);
  const { itemId } = await addItem(fixture, { name: 'Chain', price: 10, taxRate: 10, merchantId });
  const lineItems = [
    { itemId, quantity: 2, discountAmount: 4 },
    { description: 'Bell', unitPrice: 10 },
  ];
  const sale = await expectData(api.admin.post<TransactionRecord>('/transactions', { ...cardBody(27.6), lineItems, merchantId }));
  const receipt = await textOf(fixture, { transactionId: sale.transactionId });
  expect(receipt).toMatch(/Chain, 2 × 10\.00 USD +20\.00 USD\nDiscount +-4\.00 USD\nBell +10\.00 USD\n/);
  expect(receipt).toMatch(/Amount +30\.00 USD\nDiscount +-4\.00 USD\nSales tax +1\.60 USD\nTotal +27\.60 USD/);
  const tender = await takeTender(fixture, 45, { merchantId, discountAmount: 5 });
  expect(await textOf(fixture, { tenderId: tender.tenderId })).toMatch(/Amount +50\.00 USD\nDiscount +-5\.00 USD\nTotal +45\.00 USD/);
  const html = await expectData(
    api.admin.post<{ content: string }>('/notifications/receipt/print', { tenderId: tender.tenderId, format: 'html', preview: true }),
  );
  expect(html.content).toContain('<dt>Discount</dt><dd>-5.00 USD</dd>');

  const report = await expectData(api.admin.get<{ total: object; items: { name: string }[] }>(`/reporting/items?merchantId=${merchantId}`));
  expect(report.total).toMatchObject({ sales: 27.6, taxes: 1.6, discounts: 4, net: 27.6 });
  expect(report.items.find(({ name }) => name === 'Chain')).toMatchObject({ sales: 17.6, discounts: 4 });
  const csv = await api.admin.get(`/reporting/items/export?merchantId=${merchantId}`);
  expect(csv.text).toContain('17.60,1.60,0.00,17.60,USD,,4.00');

  await expectData(api.admin.put(`/merchants/${merchantId}/settings`, { language: 'es' }));
  expect(await textOf(fixture, { tenderId: tender.tenderId })).toContain('Descuento');
  await expectData(api.admin.post(`/transactions/${sale.transactionId}/refund`, { amount: 10 }));
  const [refund] = await expectData(api.admin.get<{ refundId: string }[]>(`/refunds?merchantId=${merchantId}`));
  expect(await textOf(fixture, { transactionId: sale.transactionId, refundId: refund?.refundId })).not.toContain('Descuento');
});
