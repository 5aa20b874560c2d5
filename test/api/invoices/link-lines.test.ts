import { expect } from 'vitest';
import { cardPaymentBody, createPaymentLink, payInvoice } from '../../support/invoices.ts';
import { CARDS, type TransactionRecord } from '../../support/sales.ts';
import { type ApiFixture, expectData, onAnyDatabase } from '../../support/server.ts';
import { createMerchant } from '../../support/settlements.ts';
import { getTender } from '../../support/tenders.ts';

interface Itemized {
  taxAmount: number;
  lineItems: { itemId: string | null; description: string; quantity: number; amount: number; taxAmount: number }[];
}
interface Sold {
  items: { itemId: string | null; name: string; count: number; quantity: number; sales: number; taxes: number; refunds: number }[];
}

const linkOf = async (fixture: ApiFixture, more: Record<string, unknown> = {}) => {
  const merchantId = await createMerchant(fixture);
  const body = { name: 'Flat white', price: 4.5, taxRate: 8.875, merchantId };
  const { itemId } = await expectData(fixture.api.admin.post<{ itemId: string }>('/items', body), 201);
  const items = [
    { itemId, quantity: 3 },
    { description: 'Delivery', quantity: 1, unitPrice: 5.3 },
  ];
  const { invoiceId } = await expectData(
    fixture.api.admin.post<{ invoiceId: string }>('/payment-links', { items, merchantId, taxAmount: 1.61, ...more }),
    201,
  );
  return { merchantId, itemId, invoiceId };
};

const transactionOf = async ({ api }: ApiFixture, payments: readonly { transactionId: string | null }[]) =>
  expectData(api.admin.get<TransactionRecord & Itemized>(`/transactions/${payments.at(-1)?.transactionId}`));

const soldItems = async ({ api }: ApiFixture, merchantId: string) =>
  (await expectData(api.admin.get<Sold>(`/reporting/items?merchantId=${merchantId}`))).items;

onAnyDatabase('carries the lines of a payment link in its card payment, receipt and sales by item, less refunds', async (fixture) => {
  const { api } = fixture;
  const { merchantId, itemId, invoiceId } = await linkOf(fixture);
  const { payments } = await expectData(payInvoice(fixture, invoiceId, cardPaymentBody(CARDS.visa)));
  const paid = await transactionOf(fixture, payments);
  expect(paid).toMatchObject({
    amount: 20,
    taxAmount: 1.61,
    lineItems: [
      { itemId, description: 'Flat white', quantity: 3, amount: 14.7, taxAmount: 1.18 },
      { itemId: null, description: 'Delivery', quantity: 1, amount: 5.3, taxAmount: 0.43 },
    ],
  });
  const { transactionId } = paid;
  const receipt = await expectData(
    api.admin.post<{ content: string }>('/notifications/receipt/print', { transactionId, format: 'text', width: '80mm' }),
  );
  expect(receipt.content).toMatch(/Flat white, 3 × 4\.90 USD +14\.70 USD/);
  await expectData(api.admin.post(`/transactions/${transactionId}/refund`, { amount: 10 }));
  expect(await soldItems(fixture, merchantId)).toMatchObject([
    { itemId, count: 1, quantity: 3, sales: 14.7, taxes: 1.18, refunds: 7.35 },
    { itemId: null, name: 'Delivery', count: 1, sales: 5.3, taxes: 0.43, refunds: 2.65 },
  ]);
});

onAnyDatabase('carries the lines of a payment link in its tender, and none in payments of a part', async (fixture) => {
  const cash = await linkOf(fixture);
  const recorded = await expectData(payInvoice(fixture, cash.invoiceId, { paymentMethod: 'cash' }));
  const tender = await getTender(fixture, (recorded.payments.at(-1) as unknown as { tenderId: string }).tenderId);
  expect(tender).toMatchObject({ amount: 20, taxAmount: 1.61, lineItems: [{ itemId: cash.itemId, taxAmount: 1.18 }, { taxAmount: 0.43 }] });

  const parts = await linkOf(fixture, { allowPartial: true });
  const first = await expectData(payInvoice(fixture, parts.invoiceId, cardPaymentBody(CARDS.visa, { amount: 8 })));
  expect(await transactionOf(fixture, first.payments)).toMatchObject({ amount: 8, lineItems: [] });
  const rest = await expectData(payInvoice(fixture, parts.invoiceId, cardPaymentBody(CARDS.visa)));
  expect(await transactionOf(fixture, rest.payments)).toMatchObject({ amount: 12, lineItems: [] });
  expect(await soldItems(fixture, parts.merchantId)).toEqual([]);

  const plain = await createPaymentLink(fixture, { amount: 25 });
  const whole = await expectData(payInvoice(fixture, plain.invoiceId, cardPaymentBody(CARDS.visa)));
  expect(await transactionOf(fixture, whole.payments)).toMatchObject({ amount: 25, lineItems: [] });
});
