import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { createCustomer, createCustomerWithCard } from '../../support/customers.ts';
import { CARDS, cardBody, createSale, type TransactionRecord } from '../../support/sales.ts';
import { type ApiFixture, describeOnAnyDatabase, expectData, expectError } from '../../support/server.ts';
import { createMerchant } from '../../support/settlements.ts';
import { startReceiver } from '../../support/webhook-receiver.ts';
import { registerEndpoint } from '../../support/webhooks.ts';

type Fields = Readonly<Record<string, unknown>>;
type Sell = (fixture: ApiFixture, fields: Fields) => Promise<{ readonly status: number; readonly text: string; readonly body: never }>;

const pascalCase = (fields: Fields) =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name.charAt(0).toUpperCase() + name.slice(1), value]));
const CARD = { CardNumber: CARDS.visa, ExpiryMonth: '12', ExpiryYear: '2031', CVV: '123' };
const ACCOUNT = {
  SuggestedMode: 'ACH',
  RoutingNumber: '021000021',
  AccountNumber: '123456789',
  AccountType: 'checking',
  BillingCustomerName: 'Ann Example',
};

async function tokenOf({ api }: ApiFixture): Promise<string> {
  const card = { cardNumber: CARDS.visa, expiryMonth: '12', expiryYear: '2031' };
  return (await expectData(api.public.post<{ token: string }>('/tokenize-card', card))).token;
}

/** Every operation of a program or person that creates a payment. */
const SALES: Readonly<Record<string, Sell>> = {
  Admin: ({ api, credentials }, fields) =>
    api.admin.post('/transactions', { ...cardBody(12), merchantId: credentials.merchantId, ...fields }) as never,
  Public: ({ api }, fields) => api.public.post('/transaction', { Amount: 12, ...CARD, ...pascalCase(fields) }) as never,
  'Public in camelCase': ({ api }, fields) => api.public.post('/transaction', { Amount: 12, ...CARD, ...fields }) as never,
  'Public by ACH': ({ api }, fields) => api.public.post('/transaction', { Amount: 12, ...ACCOUNT, ...pascalCase(fields) }) as never,
  'Public by token': async (fixture, fields) =>
    fixture.api.public.post('/token-transaction', { token: await tokenOf(fixture), amount: 12, ...fields }) as never,
  'Public of a platform': async (fixture, fields) => {
    const paymentMethod = { type: 'token', data: { token: await tokenOf(fixture) } };
    return fixture.api.public.post('/shopifyTransaction', {
      gid: `gid-${randomUUID()}`,
      amount: 12,
      currency: 'USD',
      paymentMethod,
      ...fields,
    }) as never;
  },
  SDK: ({ api }, fields) =>
    api.sdk.post('/transaction', {
      Amount: '12.00',
      CardNumber: CARDS.visa,
      ExpiryDate: '1231',
      Cvv: '123',
      ...pascalCase(fields),
    }) as never,
  'SDK authorization': ({ api }, fields) => {
    const card = { CardNumber: CARDS.visa, ExpiryDate: '1231', Cvv: '123', TransactionType: '0' };
    return api.sdk.post('/transaction', { Amount: '12.00', ...card, ...pascalCase(fields) }) as never;
  },
};

describeOnAnyDatabase('order ID, description, metadata and customer of a payment', (fixture) => {
  test.each(Object.keys(SALES))('reach the record, the list, its filter and the webhook: %s', async (name) => {
    const { api } = fixture();
    const { customerId } = await createCustomer(fixture());
    const orderId = `order-${name.replaceAll(' ', '-')}`;
    const receiver = await startReceiver();
    const endpoint = await registerEndpoint(fixture(), receiver.url('/hook'), ['transaction.approved']);
    const sale = await SALES[name]?.(fixture(), { orderId, description: 'Two teas', metadata: { table: 4 }, customerId });
    const { transactionId, TransactionId } = (await expectData(sale as never)) as Readonly<Record<string, string>>;
    const id = transactionId ?? TransactionId;
    const expected = { orderId, description: 'Two teas', metadata: { table: 4 }, customerId };
    expect(await expectData(api.admin.get(`/transactions/${id}`))).toMatchObject(expected);
    const listed = await expectData(api.public.get<TransactionRecord[]>(`/transaction-list?q=${orderId}`));
    expect(listed).toMatchObject([{ transactionId: id, ...expected }]);
    const [received] = await receiver.waitFor('/hook', 1);
    expect(JSON.parse(received?.body ?? '')).toMatchObject({ data: { transactionId: id, orderId, customerId, metadata: { table: 4 } } });
    await api.admin.delete(`/webhooks/${endpoint.id}`);
    await receiver.stop();
  });

  test('a refund shows its own metadata in its record and the list, and on every surface', async () => {
    const { api } = fixture();
    const { transactionId } = await createSale(fixture(), 31);
    const refund = (amount: number, more: object) =>
      expectData(api.admin.post<{ refundId: string }>(`/transactions/${transactionId}/refund`, { amount, ...more }));
    const metadata = { returnCase: 'R-17', nested: { shelf: 4 } };
    const { refundId } = await refund(5, { metadata });
    expect(await expectData(api.admin.get(`/refunds/${refundId}`))).toMatchObject({ metadata });
    const listed = await expectData(api.admin.get<object[]>(`/refunds?transactionId=${transactionId}`));
    expect(listed).toMatchObject([{ refundId, metadata }]);
    expect(await refund(6, {})).toMatchObject({ metadata: null });
    const byPublic = { transactionId, amount: 7, metadata };
    expect(await expectData(api.public.post('/refund', byPublic))).toMatchObject({ metadata });
    const bySdk = { TransactionId: transactionId, Amount: '8', Metadata: metadata };
    expect(await expectData(api.sdk.post('/refund', bySdk))).toMatchObject({ Metadata: metadata });
  });

  test.each(Object.keys(SALES))('refuse the customer of another merchant or account, and too much metadata: %s', async (name) => {
    const { api } = fixture();
    const merchantId = await createMerchant(fixture());
    const other = await expectData(api.admin.post<{ customerId: string }>('/customers', { firstName: 'Bob', merchantId }), 201);
    const sell = (fields: Fields) => SALES[name]?.(fixture(), fields) as never;
    const foreign = await (sell({ customerId: other.customerId }) as Promise<{ status: number; text: string }>);
    expect(foreign.status, foreign.text).toBeGreaterThanOrEqual(400);
    await expectError(sell({ customerId: 'cus_00000000000000000000000000' }), 404, 'CUSTOMER_NOT_FOUND');
    const field = /^(Public|Public by ACH|SDK.*)$/.test(name) ? 'Metadata' : 'metadata';
    await expectError(sell({ metadata: { note: 'x'.repeat(5_000) } }), 400, 'VALIDATION_ERROR', field);
  });

  test('charge the stored payment method of the customer if the request has none', async () => {
    const { api } = fixture();
    const { customerId } = await createCustomerWithCard(fixture());
    const sale = await expectData(api.public.post<TransactionRecord>('/transaction', { Amount: 12, CustomerId: customerId }));
    expect(sale).toMatchObject({ status: 'approved', customerId, card: { last4: expect.any(String) } });
    const without = await createCustomer(fixture());
    const refused = api.public.post('/transaction', { Amount: 12, CustomerId: without.customerId });
    await expectError(refused, 400, 'REQUIRED_FIELD_MISSING', 'CardNumber');
  });

  test('are taken with a refund, and a void has its reason, on each surface', async () => {
    const { api } = fixture();
    const sell = async () => (await expectData(api.admin.post<TransactionRecord>('/transactions', cardBody(12)))).transactionId;
    const given = { reason: 'Cold tea', metadata: { table: 4 } };
    const publicRefund = { transactionId: await sell(), amount: 2, ...given };
    expect(await expectData(api.public.post('/refund', publicRefund))).toMatchObject({ reason: 'Cold tea' });
    const sdkRefund = { TransactionId: await sell(), Amount: '2.00', ...pascalCase(given) };
    expect(await expectData(api.sdk.post('/refund', sdkRefund))).toMatchObject({ Reason: 'Cold tea' });
    const publicVoid = { transactionId: await sell(), reason: 'Twice' };
    expect(await expectData(api.public.post('/void', publicVoid))).toMatchObject({ voidReason: 'Twice' });
    const sdkVoid = { TransactionId: await sell(), Reason: 'Twice' };
    expect(await expectData(api.sdk.post('/void', sdkVoid))).toMatchObject({ VoidReason: 'Twice' });
  });
});
