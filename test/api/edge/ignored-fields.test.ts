import { expect, test } from 'vitest';
import { CARDS, cardBody } from '../../support/sales.ts';
import { describeOnAnyDatabase, expectData, expectError } from '../../support/server.ts';

const HEADER = 'paydesk-ignored-fields';
const CARD = { cardNumber: CARDS.visa, expiryMonth: '12', expiryYear: '2031', cvv: '123' };

describeOnAnyDatabase('fields that an operation does not have', (fixture) => {
  test('are named in the response of each surface, also of an error and of a repeated request', async () => {
    const { api } = fixture();
    const more = { nickname: 'Ann', customer: { nickname: 'A', email: 'ann@shop.example' } };
    const key = { 'idempotency-key': `ignored-${Date.now()}` };
    for (const _ of ['first', 'repeated']) {
      const sale = await api.admin.post('/transactions', { ...cardBody(12), ...more }, key);
      expect(await expectData(sale)).toMatchObject({ status: 'approved', customer: { email: 'ann@shop.example' } });
      expect(sale.headers.get(HEADER)).toBe('nickname, customer.nickname');
    }
    const unknown = await api.public.post('/void', { transactionId: 'txn_none', 'näme, x': 1 });
    await expectError(unknown, 404, 'TRANSACTION_NOT_FOUND');
    expect(unknown.headers.get(HEADER)).toBe('n%C3%A4me%2C%20x');
    const sdk = await api.sdk.post('/void', { TransactionId: 'txn_none', Nickname: 1 });
    expect(sdk.headers.get(HEADER)).toBe('Nickname');
    const withoutBody = await api.admin.post('/transactions/txn_none/rerun', { nickname: 1 });
    expect(withoutBody.headers.get(HEADER)).toBe('nickname');
    expect((await api.public.get('/transaction-list')).headers.get(HEADER)).toBeNull();
  });

  test('are named in at most about 1,000 characters', async () => {
    const many = Object.fromEntries([...Array(90).keys()].map((number) => [`nickname_of_the_buyer_${number}`, 1]));
    const header = (await fixture().api.public.post('/void', { transactionId: 'txn_none', ...many })).headers.get(HEADER) ?? '';
    expect(header.length).toBeLessThan(1_010);
    expect(header.split(', ').at(-1)).toBe('...');
  });

  test('are named for a form, and refused if they would change money', async () => {
    const { api, baseUrl } = fixture();
    const { tenantId, adminEmail: email, adminPassword: password } = fixture().credentials;
    const { token } = await expectData(
      api.bare.post<{ token: string }>('/api/v1/auth/login', { email, password }, { 'x-tenant-id': tenantId }),
    );
    const send = async (fields: Record<string, string>) => {
      const form = new FormData();
      for (const [name, value] of Object.entries({ dryRun: 'true', ...fields })) form.append(name, value);
      form.append('file', new Blob(['name,price\nTea,2.50\n']), 'items.csv');
      const headers = { authorization: `Bearer ${token}`, 'x-tenant-id': tenantId };
      return fetch(`${baseUrl}/api/v1/items/import`, { method: 'POST', headers, body: form });
    };
    const ignored = await send({ nickname: 'x' });
    expect([ignored.status, ignored.headers.get(HEADER)]).toEqual([200, 'nickname']);
    for (const [name, message] of [
      ['dryrun', 'Did you mean `dryRun`?'],
      ['currency', 'cannot choose the currency'],
    ] as const) {
      const refused = await send({ [name]: 'x' });
      expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining(message)]);
    }
  });

  test('of a query are ignored if they begin with `_`, and refused otherwise', async () => {
    const { api } = fixture();
    await expectData(api.public.get('/transaction-list?_=1732856400&_nocache=x&limit=1'));
    await expectError(api.public.get('/transaction-list?cache=x'), 400, 'VALIDATION_ERROR', 'cache');
  });

  test('can be read by pages whose origin an API key allows', async () => {
    const { api, baseUrl } = fixture();
    const origin = 'https://shop.example';
    const body = { name: 'Origin', scope: 'tenant', allowedOrigins: [origin], currentPassword: api.adminPassword };
    const { key } = await expectData(api.admin.post<{ key: string }>('/api-keys', body), 201);
    const headers = { authorization: `Bearer ${key}`, origin, 'content-type': 'application/json' };
    const answer = await fetch(`${baseUrl}/api/v1/sdk/void`, { method: 'POST', headers, body: '{"TransactionId":"txn_none","Shelf":1}' });
    expect(answer.headers.get('access-control-expose-headers')).toContain('Paydesk-Ignored-Fields');
    expect(answer.headers.get(HEADER)).toBe('Shelf');
  });
});

describeOnAnyDatabase('the spelling of fields on the Public surface', (fixture) => {
  test('is camelCase or PascalCase, and one request in both is one request', async () => {
    const { api } = fixture();
    const key = { 'idempotency-key': `spelling-${Date.now()}` };
    const camel = await expectData(api.public.post('/transaction', { amount: '12.00', ...CARD }, key));
    const pascal = { Amount: '12.00', CardNumber: CARDS.visa, ExpiryMonth: '12', ExpiryYear: '2031', CVV: '123' };
    expect(await expectData(api.public.post('/transaction', pascal, key))).toEqual(camel);
    const refund = { TransactionId: camel.transactionId, Amount: 2 };
    expect(await expectData(api.public.post('/refund', refund))).toMatchObject({ amount: 2 });
  });

  test('is that of the caller in errors', async () => {
    const { api } = fixture();
    const missing = await expectError(api.public.post('/transaction', { amount: 5 }), 400, 'REQUIRED_FIELD_MISSING', 'cardNumber');
    expect(missing.message).toBe('`cardNumber` is required.');
    const wrong = await expectError(api.public.post('/transaction', { ...CARD, amount: -5 }), 400, 'INVALID_AMOUNT', 'amount');
    expect(wrong.message).toContain('`amount` must');
    await expectError(api.public.post('/transaction', { Amount: 5 }), 400, 'REQUIRED_FIELD_MISSING', 'CardNumber');
    const declined = { ...CARD, amount: 5, expiryMonth: '13' };
    await expectError(api.public.post('/transaction', declined), 400, 'INVALID_EXPIRY', 'expiryMonth');
    const twice = await expectError(api.public.post('/transaction', { ...CARD, amount: 5, Amount: 6 }), 400, 'VALIDATION_ERROR', 'amount');
    expect(twice.message).toBe('`amount` and `Amount` are the same field, with different values. Send one of them.');
  });
});

describeOnAnyDatabase('requests that cannot be meant', (fixture) => {
  test('a wrong method answers 404 with the methods of the path', async () => {
    const { api } = fixture();
    const wrong = await api.public.put('/transaction-list', {});
    expect((await expectError(wrong, 404, 'NOT_FOUND')).message).toBe(
      'There is no route PUT /api/v1/public/transaction-list. It has the methods GET.',
    );
    expect(wrong.headers.get('allow')).toBe('GET');
    expect((await api.admin.post('/transactions/txn_1', {})).headers.get('allow')).toBe('GET');
    const nowhere = await api.public.get('/nowhere');
    expect([nowhere.status, nowhere.headers.get('allow')]).toEqual([404, null]);
  });

  test('a field that is given twice is refused before anything is charged', async () => {
    const { baseUrl, credentials } = fixture();
    const headers = { 'x-api-key': credentials.apiKey, 'x-tenant-id': credentials.tenantId, 'content-type': 'application/json' };
    const body = JSON.stringify({ Amount: '5.00', ...CARD }).replace('{', '{"Amount":"500.00",');
    const answer = await fetch(`${baseUrl}/api/v1/public/transaction`, { method: 'POST', headers, body });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ error: { code: 'VALIDATION_ERROR', field: 'Amount' } });
  });
});
