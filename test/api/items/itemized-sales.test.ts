import { expect, test } from 'vitest';
import { addItem, type ItemRecord } from '../../support/items.ts';
import { cardBody } from '../../support/sales.ts';
import { describeOnAnyDatabase, expectData, expectError, onAnyDatabase } from '../../support/server.ts';
import { createMerchant } from '../../support/settlements.ts';

interface LineRecord {
  itemId: string | null;
  description: string;
  quantity: number;
  unitPrice: number;
  taxAmount: number;
  amount: number;
}

interface ItemReportRecord {
  total: Record<string, number>;
  items: Record<string, unknown>[];
}

interface Sale {
  transactionId: string;
  tenderId: string;
  amount: number;
  taxAmount: number;
  lineItems: LineRecord[];
}

onAnyDatabase('sells items by card and cash with their taxes, and keeps the copy when the item changes', async (fixture) => {
  const { api } = fixture;
  const merchantId = await createMerchant(fixture);
  const coffee = await addItem(fixture, { name: 'Flat white', price: 4.5, taxRate: 8.875, merchantId });
  const lineItems = [
    { itemId: coffee.itemId, quantity: 2 },
    { description: 'Tote bag', unitPrice: '12.00', taxRate: 5.5, taxIncluded: true },
  ];
  const body = { ...cardBody('23.80'), tipAmount: 2, lineItems, merchantId };
  const sale = await expectData(api.admin.post<Sale>('/transactions', body));
  expect(sale).toMatchObject({ amount: 23.8, taxAmount: 1.43 });
  expect(sale.lineItems).toEqual([
    {
      itemId: coffee.itemId,
      description: 'Flat white',
      quantity: 2,
      unitPrice: 4.5,
      taxRate: 8.875,
      taxIncluded: false,
      discountAmount: 0,
      taxAmount: 0.8,
      amount: 9.8,
    },
    {
      itemId: null,
      description: 'Tote bag',
      quantity: 1,
      unitPrice: 12,
      taxRate: 5.5,
      taxIncluded: true,
      discountAmount: 0,
      taxAmount: 0.63,
      amount: 12,
    },
  ]);
  const cash = { kind: 'cash', amount: '9.80', lineItems: lineItems.slice(0, 1), merchantId };
  const tender = await expectData(api.admin.post<Sale>('/tenders', cash), 201);
  expect(tender.lineItems).toMatchObject([{ description: 'Flat white', quantity: 2, amount: 9.8 }]);

  await expectData(api.admin.put<ItemRecord>(`/items/${coffee.itemId}`, { name: 'Latte', price: 5, taxRate: null }));
  expect(await expectData(api.admin.get<Sale>(`/transactions/${sale.transactionId}`))).toMatchObject({ lineItems: sale.lineItems });
  const receiptOf = async (subject: object) =>
    (await expectData(api.admin.post<{ content: string }>('/notifications/receipt/print', { ...subject, format: 'text', preview: true })))
      .content;
  const receipt = await receiptOf({ transactionId: sale.transactionId });
  expect(receipt).toMatch(/Flat white, 2 × 4\.50 USD +9\.00 USD/);
  expect(receipt).toMatch(/Sales tax +1\.43 USD/);
  expect(await receiptOf({ tenderId: tender.tenderId })).toMatch(/Sales tax +0\.80 USD/);
});

onAnyDatabase('reports sales by item with refunds in proportion, which add up to the sales', async (fixture) => {
  const { api } = fixture;
  const merchantId = await createMerchant(fixture);
  const { itemId } = await addItem(fixture, { name: 'Soup', price: 6, taxRate: 10, merchantId });
  const lineItems = [
    { itemId, quantity: 2 },
    { description: 'Bread', unitPrice: 3.4 },
  ];
  const card = await expectData(api.admin.post<Sale>('/transactions', { ...cardBody('18.60'), tipAmount: 2, lineItems, merchantId }));
  await expectData(api.admin.post<Sale>('/tenders', { kind: 'cash', amount: '6.60', lineItems: [{ itemId }], merchantId }), 201);
  const voided = await expectData(api.admin.post<Sale>('/transactions', { ...cardBody('6.60'), lineItems: [{ itemId }], merchantId }));
  await expectData(api.admin.post(`/transactions/${voided.transactionId}/void`));
  await expectData(api.admin.post(`/transactions/${card.transactionId}/refund`, { amount: '9.30' }));

  const report = await expectData(api.admin.get<ItemReportRecord>(`/reporting/items?merchantId=${merchantId}`));
  expect(report.items).toEqual([
    { itemId, name: 'Soup', category: null, count: 2, quantity: 3, sales: 19.8, taxes: 1.8, discounts: 0, refunds: 6.6, net: 13.2 },
    { itemId: null, name: 'Bread', category: null, count: 1, quantity: 1, sales: 3.4, taxes: 0, discounts: 0, refunds: 1.7, net: 1.7 },
  ]);
  // Half of the card sale is refunded: half of its 16.60 without the tip.
  expect(report.total).toEqual({ count: 2, sales: 23.2, taxes: 1.8, discounts: 0, refunds: 8.3, net: 14.9 });
  const csv = await api.admin.get(`/reporting/items/export?merchantId=${merchantId}`);
  expect(csv.text.split('\r\n')[1]).toBe(`${itemId},Soup,2,3,19.80,1.80,6.60,13.20,USD,,0.00`);
});

describeOnAnyDatabase('line items', (fixture) => {
  const two = [{ description: 'Soup', quantity: 2, unitPrice: 6, taxRate: 10 }];

  test.each([
    ['an amount that they do not add up to', { amount: 13, lineItems: two }, 'INVALID_AMOUNT', 'amount'],
    ['a tax that they do not add up to', { amount: 13.2, taxAmount: 1, lineItems: two }, 'INVALID_AMOUNT', 'taxAmount'],
    ['a tip that is missing in the amount', { amount: 13.2, tipAmount: 1, lineItems: two }, 'INVALID_AMOUNT', 'amount'],
    ['a line without a price', { amount: 6, lineItems: [{ description: 'Soup' }] }, 'REQUIRED_FIELD_MISSING', 'lineItems.0.unitPrice'],
    ['a line without a description', { amount: 6, lineItems: [{ unitPrice: 6 }] }, 'REQUIRED_FIELD_MISSING', 'lineItems.0.description'],
    [
      'a quantity of 0',
      { amount: 6, lineItems: [{ description: 'Soup', quantity: 0, unitPrice: 6 }] },
      'VALIDATION_ERROR',
      'lineItems.0.quantity',
    ],
    ['a negative price', { amount: 6, lineItems: [{ description: 'Soup', unitPrice: -6 }] }, 'INVALID_AMOUNT', 'lineItems.0.unitPrice'],
  ])('refuses %s', async (_, body, code, field) => {
    const error = await expectError(fixture().api.admin.post('/transactions', { ...cardBody(body.amount), ...body }), 400, code, field);
    if (code === 'INVALID_AMOUNT' && field === 'amount') expect(error.details).toHaveProperty('expectedAmount');
  });

  test('refuses the item of another merchant, and a price in another currency', async () => {
    const { api } = fixture();
    const merchantId = await createMerchant(fixture());
    const { itemId } = await addItem(fixture(), { name: 'Soup', price: 6, merchantId });
    const lineItems = [{ itemId }];
    await expectError(api.admin.post('/transactions', { ...cardBody(6), lineItems }), 404, 'NOT_FOUND', 'lineItems.0.itemId');
    const euros = { ...cardBody(6), currency: 'EUR', lineItems, merchantId };
    await expectError(api.admin.post('/transactions', euros), 400, 'VALIDATION_ERROR', 'lineItems.0.unitPrice');
    await expectError(api.admin.post('/tenders', { kind: 'cash', amount: 7, lineItems, merchantId }), 400, 'INVALID_AMOUNT', 'amount');
  });

  test('takes lines on the Public surface and repeats them for a rerun', async () => {
    const { api } = fixture();
    const lineItems = [{ description: 'Soup', unitPrice: 6 }];
    const { CardNumber, ...card } = { CardNumber: '4111111111111111', ExpiryMonth: '12', ExpiryYear: '2030', CVV: '123' };
    const sale = await expectData(api.public.post<Sale>('/transaction', { Amount: 6, CardNumber, ...card, LineItems: lineItems }));
    expect(sale.lineItems).toMatchObject([{ description: 'Soup', amount: 6 }]);
  });

  test('names the fields of lines as the Public and the SDK surface spell them', async () => {
    const { api } = fixture();
    const body = { Amount: '6.00', CardNumber: '4111111111111111' };
    const lines = [{ description: 'Soup', unitPrice: 6, quantity: '1.0001' }];
    const payByPublic = api.public.post('/transaction', { ...body, LineItems: lines, ExpiryMonth: '12', ExpiryYear: '2030', CVV: '123' });
    await expectError(payByPublic, 400, 'VALIDATION_ERROR', 'LineItems.0.quantity');
    const sdk = { ...body, ExpiryDate: '1230', Cvv: '123' };
    const sdkLines = [{ Description: 'Soup', UnitPrice: 6, Quantity: '1.0001' }];
    const payBySdk = api.sdk.post('/transaction', { ...sdk, LineItems: sdkLines });
    await expectError(payBySdk, 400, 'VALIDATION_ERROR', 'LineItems.0.Quantity');
    const plainLines = api.sdk.post('/transaction', { ...sdk, LineItems: lines });
    await expectError(plainLines, 400, 'VALIDATION_ERROR', 'LineItems.0.description');
  });

  test('names the entry of a list that is no object', async () => {
    const { api } = fixture();
    const body = { Amount: '6.00', CardNumber: '4111111111111111', ExpiryDate: '1230', Cvv: '123' };
    const LineItems = [{ Description: 'Soup', UnitPrice: 6 }, null];
    const error = await expectError(api.sdk.post('/transaction', { ...body, LineItems }), 400, 'VALIDATION_ERROR', 'LineItems.1');
    expect(error.message).toBe('`LineItems.1` must be an object, not null.');
  });

  test('takes lines on the SDK surface in its naming', async () => {
    const { api } = fixture();
    const LineItems = [
      { Description: 'Soup', Quantity: 2, UnitPrice: '3.00', TaxRate: 10, TaxIncluded: true, DiscountAmount: '1.00' },
      { Description: 'Bread', UnitPrice: 1 },
    ];
    const card = { CardNumber: '4111111111111111', ExpiryDate: '1230', Cvv: '123' };
    const { status, body } = await api.sdk.post('/transaction', { Amount: '6.00', LineItems, ...card });
    expect({ status, body }).toMatchObject({
      status: 200,
      body: {
        success: true,
        data: {
          LineItems: [
            { Description: 'Soup', Quantity: 2, UnitPrice: '3.00', TaxIncluded: true, DiscountAmount: '1.00', Amount: '5.00' },
            { Description: 'Bread', Quantity: 1, Amount: '1.00' },
          ],
        },
      },
    });
  });
});
