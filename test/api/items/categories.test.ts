import { expect } from 'vitest';
import { addItem, type ItemRecord, importItems } from '../../support/items.ts';
import { cardBody } from '../../support/sales.ts';
import { expectData, expectError, onAnyDatabase } from '../../support/server.ts';
import { createMerchant } from '../../support/settlements.ts';

interface ReportRecord {
  readonly items: readonly { readonly name: string; readonly category: string | null; readonly net: number }[];
  readonly categories: readonly Record<string, unknown>[];
  readonly total: { readonly net: number };
}

onAnyDatabase('keeps the category of an item, and imports and exports it', async (fixture) => {
  const { api } = fixture;
  const merchantId = await createMerchant(fixture);
  const add = (fields: object) => api.admin.post<ItemRecord>('/items', { merchantId, price: 3, ...fields });
  const tea = await expectData(add({ name: 'Tea', category: '  Hot   drinks ' }), 201);
  expect(tea.category).toBe('Hot drinks');
  expect((await expectData(add({ name: 'Mug' }), 201)).category).toBeNull();
  expect((await expectData(add({ name: 'Five', kind: 'amount', price: 5, category: 'Amounts' }), 201)).category).toBe('Amounts');
  await expectError(add({ name: 'Long', category: 'x'.repeat(41) }), 400, 'VALIDATION_ERROR', 'category');
  await expectError(add({ name: 'Card', category: '4111 1111 1111 1111' }), 400, 'VALIDATION_ERROR', 'category');
  const put = (fields: object) => expectData(api.admin.put<ItemRecord>(`/items/${tea.itemId}`, fields));
  expect((await put({ price: 4 })).category).toBe('Hot drinks');
  expect((await put({ category: null })).category).toBeNull();
  expect((await put({ category: 'Drinks' })).category).toBe('Drinks');

  const { text } = await api.admin.get(`/items/export?merchantId=${merchantId}`);
  const lines = text.trim().split('\r\n');
  expect(lines[0]).toMatch(/,status,category$/);
  expect(lines[1]).toMatch(/,active,Drinks$/);
  expect((await expectData(importItems(fixture, text, { merchantId }))).lines.map(({ result }) => result)).toEqual([
    'unchanged',
    'unchanged',
    'unchanged',
  ]);
  const changes = `itemId,name,price,category\n${tea.itemId},Tea,4,\n,Cake,5,Food\n`;
  expect(await expectData(importItems(fixture, changes, { merchantId }))).toMatchObject({
    stored: true,
    lines: [{ result: 'updated' }, { result: 'created' }],
  });
  // A file without the column leaves categories as they are.
  await expectData(importItems(fixture, 'name,price,key\nSoup,6,S\n', { merchantId }));
  const wrong = await expectData(
    importItems(fixture, `name,price,category\nA,1,${'x'.repeat(41)}\nB,1,4111111111111111\n`, { merchantId }),
  );
  expect(wrong).toMatchObject({ stored: false, lines: [{ result: 'error' }, { result: 'error' }] });
  expect(JSON.stringify(wrong)).not.toContain('4111111111111111');
  const items = await expectData(api.admin.get<ItemRecord[]>(`/items?merchantId=${merchantId}`));
  expect(items.map(({ name, category }) => [name, category])).toEqual([
    ['Tea', null],
    ['Mug', null],
    ['Five', 'Amounts'],
    ['Cake', 'Food'],
    ['Soup', null],
  ]);
});

onAnyDatabase('sums sales by the present category of their items, which adds up to the sales', async (fixture) => {
  const { api } = fixture;
  const merchantId = await createMerchant(fixture);
  const add = (fields: object) => addItem(fixture, { merchantId, ...fields });
  const report = () => expectData(api.admin.get<ReportRecord>(`/reporting/items?merchantId=${merchantId}`));
  const tea = await add({ name: 'Tea', price: 3 });
  const juice = await add({ name: 'Juice', price: 4, taxRate: 10 });
  const cake = await add({ name: 'Cake', price: 5 });
  const lineItems = [
    { itemId: tea.itemId, quantity: 2 },
    { itemId: juice.itemId },
    { itemId: cake.itemId },
    { description: 'Candle', unitPrice: 1.6 },
  ];
  const sale = await expectData(
    api.admin.post<{ transactionId: string }>('/transactions', { ...cardBody('17.00'), lineItems, merchantId }),
  );
  await expectData(api.admin.post('/tenders', { kind: 'cash', amount: '3.00', lineItems: [{ itemId: tea.itemId }], merchantId }), 201);
  await expectData(api.admin.post(`/transactions/${sale.transactionId}/refund`, { amount: '8.50' }));
  expect((await report()).categories).toEqual([]);

  for (const { itemId } of [tea, juice]) await expectData(api.admin.put(`/items/${itemId}`, { category: 'Drinks' }));
  const { items, categories, total } = await report();
  expect(items.map(({ name, category }) => [name, category])).toContainEqual(['Juice', 'Drinks']);
  expect(categories).toEqual([
    { category: 'Drinks', count: 2, quantity: 4, sales: 13.4, taxes: 0.4, discounts: 0, refunds: 5.2, net: 8.2 },
    { category: null, count: 1, quantity: 2, sales: 6.6, taxes: 0, discounts: 0, refunds: 3.3, net: 3.3 },
  ]);
  expect(total.net).toBe(11.5);
  const { text } = await api.admin.get(`/reporting/items/export?merchantId=${merchantId}`);
  const lines = text.trim().split('\r\n');
  expect(lines[0]).toMatch(/,currency,category,discounts$/);
  expect(lines.filter((line) => line.endsWith(',USD,Drinks,0.00'))).toHaveLength(2);
});
