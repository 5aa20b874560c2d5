import { expect, test } from 'vitest';
import { addItem, type ItemRecord, importItems } from '../../support/items.ts';
import { describeOnAnyDatabase, expectData, expectError, onAnyDatabase, onBothDatabases } from '../../support/server.ts';
import { createMerchant } from '../../support/settlements.ts';
import { createUser } from '../../support/users.ts';

const NO_ITEM = 'itm_00000000000000000000000000';

onAnyDatabase('keeps the items of a merchant with unique keys and barcodes, in an order', async (fixture) => {
  const { api } = fixture;
  const merchantId = await createMerchant(fixture);
  const coffee = await addItem(fixture, {
    name: ' Flat white ',
    price: '4.50',
    taxRate: 8.875,
    key: 'fw',
    barcode: '4006381333931',
    merchantId,
  });
  expect(coffee).toMatchObject({ name: 'Flat white', price: 4.5, taxRate: 8.875, key: 'FW', status: 'active', position: 1 });
  const tea = await addItem(fixture, { name: 'Tea', price: 3, merchantId });
  const gift = await addItem(fixture, { kind: 'amount', name: 'Donation', price: 20, merchantId });
  const conflict = await expectError(
    api.admin.post('/items', { name: 'Copy', price: 1, key: 'FW', merchantId }),
    409,
    'RESOURCE_CONFLICT',
    'key',
  );
  expect(conflict.details).toMatchObject({ itemId: coffee.itemId });
  await expectError(api.admin.put(`/items/${tea.itemId}`, { barcode: '4006381333931' }), 409, 'RESOURCE_CONFLICT', 'barcode');
  await expectError(api.admin.put(`/items/${gift.itemId}`, { taxRate: 5 }), 400, 'VALIDATION_ERROR', 'taxRate');

  const ordered = await expectData(api.admin.post<ItemRecord[]>('/items/order', { itemIds: [gift.itemId, tea.itemId], merchantId }));
  expect(ordered.map(({ name }) => name)).toEqual(['Donation', 'Tea', 'Flat white']);
  const archived = await expectData(api.admin.put<ItemRecord>(`/items/${coffee.itemId}`, { status: 'archived' }));
  expect(archived).toMatchObject({ status: 'archived', key: null, barcode: '4006381333931' });
  await addItem(fixture, { name: 'Filter', price: 3.2, key: 'FW', merchantId });
  const active = await expectData(api.admin.get<ItemRecord[]>(`/items?status=active&merchantId=${merchantId}`));
  expect(active.map(({ name }) => name)).toEqual(['Donation', 'Tea', 'Filter']);
  const found = await expectData(api.admin.get<ItemRecord[]>(`/items?q=4006381333931&merchantId=${merchantId}`));
  expect(found.map(({ itemId }) => itemId)).toEqual([coffee.itemId]);
});

onBothDatabases('gives a key to one of ten items that are created with it in parallel', async (fixture) => {
  const merchantId = await createMerchant(fixture);
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, index) => fixture.api.admin.post('/items', { name: `Item ${index}`, price: 1, key: 'X', merchantId })),
  );
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array<number>(9).fill(409)]);
});

describeOnAnyDatabase('items', (fixture) => {
  test.each([
    [{ price: 1 }, 'REQUIRED_FIELD_MISSING', 'name'],
    [{ name: 'Tea' }, 'REQUIRED_FIELD_MISSING', 'price'],
    [{ name: 'Tea', price: -1 }, 'INVALID_AMOUNT', 'price'],
    [{ name: 'Tea', price: 1.005 }, 'INVALID_AMOUNT', 'price'],
    [{ name: 'Tea', price: 1, taxRate: 100.5 }, 'VALIDATION_ERROR', 'taxRate'],
    [{ name: 'Tea', price: 1, key: 'A B' }, 'VALIDATION_ERROR', 'key'],
    [{ name: 'Tea', price: 1, barcode: '12 34' }, 'VALIDATION_ERROR', 'barcode'],
    [{ name: 'Tea', price: 1, barcode: '4111111111111111' }, 'VALIDATION_ERROR', 'barcode'],
    [{ name: 'Card 4111 1111 1111 1111', price: 1 }, 'VALIDATION_ERROR', 'name'],
    [{ kind: 'amount', name: 'None', price: 0 }, 'INVALID_AMOUNT', 'price'],
  ])('refuses %o', async (body, code, field) => {
    await expectError(fixture().api.admin.post('/items', body), 400, code, field);
  });

  test('accepts an item that costs nothing, and says so for a negative price', async () => {
    const merchantId = await createMerchant(fixture());
    expect(await addItem(fixture(), { name: 'Tap water', price: 0, merchantId })).toMatchObject({ price: 0 });
    const refused = await expectError(fixture().api.admin.post('/items', { name: 'Tea', price: -1 }), 400, 'INVALID_AMOUNT', 'price');
    expect(refused.message).toBe('`price` must be 0 or more, with at most the decimals of the currency.');
  });

  test('accepts a barcode that begins like a card number', async () => {
    // A GTIN-13 of Germany with the check digits of both a GTIN and a card number.
    const merchantId = await createMerchant(fixture());
    expect(await addItem(fixture(), { name: 'Pen', price: 1, barcode: '4000000000006', merchantId })).toMatchObject({
      barcode: '4000000000006',
    });
  });

  test('lets a cashier read items, and a manager and the Public API change them', async () => {
    const { api } = fixture();
    const { itemId } = await addItem(fixture(), { name: 'Soup', price: 6 });
    const path = `/api/v1/items/${itemId}`;
    const cashier = await createUser(fixture(), 'cashier');
    expect(await expectData(api.bare.get<ItemRecord>(path, cashier.headers))).toMatchObject({ name: 'Soup' });
    await expectError(api.bare.put(path, { price: 1 }, cashier.headers), 403, 'PERMISSION_DENIED');
    await expectError(api.bare.post('/api/v1/items/import', {}, cashier.headers), 403, 'PERMISSION_DENIED');
    const manager = await createUser(fixture(), 'manager');
    expect(await expectData(api.bare.put<ItemRecord>(path, { price: 7 }, manager.headers))).toMatchObject({ price: 7 });
    expect(await expectData(api.public.put<ItemRecord>(`/items/${itemId}`, { price: 8 }))).toMatchObject({ price: 8 });
    await expectError(api.admin.put(`/items/${NO_ITEM}`, { price: 1 }), 404, 'NOT_FOUND');
  });

  test('imports a file after a dry run, updates by barcode and key, and exports what it can import again', async () => {
    const { api } = fixture();
    const merchantId = await createMerchant(fixture());
    const file = '\uFEFFName;Price;Tax rate;Key;Barcode\r\n"=SUM(A1)";4.50;8.875;;4006381333931\r\n"Tea; green";3;;T;\r\n';
    const dry = await expectData(importItems(fixture(), file, { dryRun: 'true', merchantId }));
    expect(dry).toMatchObject({ stored: false, created: 2, failed: 0 });
    expect(await expectData(api.admin.get<ItemRecord[]>(`/items?merchantId=${merchantId}`))).toEqual([]);
    expect(await expectData(importItems(fixture(), file, { merchantId }))).toMatchObject({ stored: true, created: 2 });

    const change = 'barcode,key,name,price\n4006381333931,,=SUM(A1),5\n,t,Tea,3\n';
    expect(await expectData(importItems(fixture(), change, { merchantId }))).toMatchObject({ stored: true, updated: 2, created: 0 });
    const exported = await api.admin.get(`/items/export?merchantId=${merchantId}`);
    expect(exported.text).toContain("'=SUM(A1),5.00,8.875,false,,4006381333931,active");
    const again = await expectData(importItems(fixture(), exported.text, { merchantId }));
    expect(again).toMatchObject({ created: 0, updated: 0, unchanged: 2, failed: 0 });
  });

  test('creates nothing if a file without keys and barcodes is sent again', async () => {
    const merchantId = await createMerchant(fixture());
    const file = 'name,price,category\nTea,3,Drinks\nTea,3,Drinks\nCake,4.50,\n';
    const send = (text = file) => expectData(importItems(fixture(), text, { merchantId }));
    expect(await send()).toMatchObject({ stored: true, created: 3 });
    expect(await send()).toMatchObject({ stored: true, created: 0, updated: 0, unchanged: 3 });
    // Another price is another item, and so is a third one of the same.
    expect(await send('name,price\nTea,3.50\n')).toMatchObject({ created: 1, unchanged: 0 });
    expect(await send(`${file}Tea,3,Drinks\n`)).toMatchObject({ created: 1, unchanged: 3 });
  });

  test('stores nothing of a file with errors and states the reason of each line', async () => {
    const merchantId = await createMerchant(fixture());
    const file = [
      'name,price,key,status',
      'Tea,3,T,',
      ',1,,',
      'Soup,6.005,,',
      'Cake,4,T,',
      'Pie,4,,sold',
      'Card 4111111111111111,1,,',
      '"open,1',
      'Bun,2,B,',
    ];
    const result = await expectData(importItems(fixture(), `${file.join('\n')}\n`, { merchantId }));
    expect(result).toMatchObject({ stored: false, created: 2, failed: 6 });
    expect(result.lines.map(({ line, result: outcome }) => `${line} ${outcome}`)).toEqual([
      '2 created',
      '3 error',
      '4 error',
      '5 error',
      '6 error',
      '7 error',
      '8 error',
      '9 created',
    ]);
    expect(JSON.stringify(result)).not.toContain('4111111111111111');
    expect(await expectData(fixture().api.admin.get<ItemRecord[]>(`/items?merchantId=${merchantId}`))).toEqual([]);
  });

  test.each([
    ['a file without its columns', 'title,cost\nTea,3\n'],
    ['an empty file', ''],
    ['a column twice', 'name,price,Name\nTea,3,Tea\n'],
    ['bytes that are no text', new Uint8Array([0, 255, 254, 1, 2, 3, 0])],
    ['more than 2,000 lines', `name,price\n${'Tea,3\n'.repeat(2_001)}`],
  ])('refuses %s', async (_, file) => {
    const merchantId = await createMerchant(fixture());
    await expectError(importItems(fixture(), file, { merchantId }), 400, 'VALIDATION_ERROR', 'file');
  });
});
