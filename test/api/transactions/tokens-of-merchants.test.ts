import { expect, test } from 'vitest';
import { surfaceOf } from '../../support/api-client.ts';
import { createCustomer, type MethodRecord, storeCard, subscribe } from '../../support/customers.ts';
import { CARDS, type TransactionRecord } from '../../support/sales.ts';
import { type ApiFixture, describeOnAnyDatabase, expectData, expectError } from '../../support/server.ts';
import { createMerchant, sell } from '../../support/settlements.ts';

/** The Public surface with the API key of the whole account. */
const tenantWide = ({ baseUrl, credentials: { tenantApiKey, tenantId } }: ApiFixture) =>
  surfaceOf(baseUrl, '/api/v1/public', () => ({ 'X-Tenant-ID': tenantId, 'x-api-key': tenantApiKey }));

/** Creates a customer of a new merchant with a card on file, and another merchant. */
async function createParties(fixture: ApiFixture) {
  const [merchantId, otherMerchantId] = [await createMerchant(fixture), await createMerchant(fixture)];
  const { customerId } = await createCustomer(fixture, { merchantId });
  const method = await storeCard(fixture, customerId, CARDS.visa, { consentText: 'I agree to later charges.' });
  return { merchantId, otherMerchantId, customerId, method };
}

/** Returns the token of a card that a merchant charged without a customer. */
const tokenOfSale = async (fixture: ApiFixture, merchantId: string) => (await sell(fixture, merchantId, 20)).token;

const REASON = { reason: 'token_of_another_merchant' };

describeOnAnyDatabase('a token of one merchant and a caller of all merchants', (fixture) => {
  test('refuses a sale and an authorization of another merchant with the token, and charges nothing', async () => {
    const { api } = fixture();
    const { merchantId, otherMerchantId, method } = await createParties(fixture());
    for (const token of [method.token, await tokenOfSale(fixture(), merchantId)])
      for (const type of ['sale', 'auth']) {
        const body = { type, amount: 12, token, merchantId: otherMerchantId };
        const { details } = await expectError(api.admin.post('/transactions', body), 400, 'VALIDATION_ERROR', 'token');
        expect(details).toMatchObject(REASON);
      }
    expect(await expectData(api.admin.get(`/transactions?merchantId=${otherMerchantId}`))).toEqual([]);
  });

  test('charges a token in the name of its merchant if none is named', async () => {
    const { api } = fixture();
    const { merchantId, method } = await createParties(fixture());
    const sale = await expectData(
      api.admin.post<{ merchantId: string }>('/transactions', { type: 'sale', amount: 12, token: method.token }),
    );
    expect(sale.merchantId).toBe(merchantId);
    const body = { token: await tokenOfSale(fixture(), merchantId), amount: 13 };
    const charged = await expectData(tenantWide(fixture()).post<TransactionRecord>('/token-transaction', body));
    expect(await expectData(api.admin.get(`/transactions/${charged.transactionId}`))).toMatchObject({ merchantId });
    const shop = { gid: `gid-${merchantId}`, amount: 14, currency: 'USD', paymentMethod: { type: 'token', data: { token: method.token } } };
    const paid = await expectData(tenantWide(fixture()).post<TransactionRecord>('/shopifyTransaction', shop));
    expect(await expectData(api.admin.get(`/transactions/${paid.transactionId}`))).toMatchObject({ merchantId });
  });

  test('refuses to store the token for a customer of another merchant', async () => {
    const { api } = fixture();
    const { merchantId, otherMerchantId, method } = await createParties(fixture());
    const other = await createCustomer(fixture(), { merchantId: otherMerchantId });
    const token = await tokenOfSale(fixture(), merchantId);
    const path = `/customers/${other.customerId}/payment-methods`;
    await expectError(api.admin.post(path, { token }), 400, 'VALIDATION_ERROR', 'token');
    await expectError(api.admin.post(path, { token: method.token }), 409, 'RESOURCE_CONFLICT', 'token');
    await expectError(
      tenantWide(fixture()).post(`/customer/${other.customerId}/payment-method`, { token }),
      400,
      'VALIDATION_ERROR',
      'token',
    );
    expect(await expectData(api.admin.get<MethodRecord[]>(path))).toEqual([]);
    const own = await createCustomer(fixture(), { merchantId });
    expect(await expectData(api.admin.post<MethodRecord>(`/customers/${own.customerId}/payment-methods`, { token }), 201)).toMatchObject({
      token,
    });
  });

  test('refuses subscriptions of another merchant with the token', async () => {
    const { api } = fixture();
    const { merchantId, otherMerchantId, method } = await createParties(fixture());
    const other = await createCustomer(fixture(), { merchantId: otherMerchantId });
    await storeCard(fixture(), other.customerId);
    const token = await tokenOfSale(fixture(), merchantId);
    const plan = { customerId: other.customerId, amount: 25, frequency: 'monthly' };
    await expectError(api.admin.post('/recurring', { ...plan, token }), 400, 'VALIDATION_ERROR', 'token');
    const foreign = { ...plan, paymentMethodId: method.paymentMethodId };
    await expectError(api.admin.post('/recurring', foreign), 404, 'NOT_FOUND');
    const { subscriptionId } = await subscribe(fixture(), other.customerId);
    await expectError(api.admin.put(`/recurring/${subscriptionId}`, { token }), 400, 'VALIDATION_ERROR', 'token');
    await expectError(api.admin.put(`/recurring/${subscriptionId}`, { paymentMethodId: method.paymentMethodId }), 404, 'NOT_FOUND');
  });

  test('refuses to pay an invoice of another merchant with the token', async () => {
    const { api } = fixture();
    const { merchantId, otherMerchantId, method } = await createParties(fixture());
    const other = await createCustomer(fixture(), { merchantId: otherMerchantId });
    const invoice = { customerId: other.customerId, amount: 40, dueDate: '2099-01-31' };
    const { invoiceId } = await expectData(api.admin.post<{ invoiceId: string }>('/invoices', invoice), 201);
    const pay = (token: string) => api.admin.post(`/invoices/${invoiceId}/payment`, { amount: 40, paymentMethod: 'token', token });
    await expectError(pay(await tokenOfSale(fixture(), merchantId)), 400, 'VALIDATION_ERROR', 'token');
    await expectError(pay(method.token), 400, 'VALIDATION_ERROR', 'token');
    expect(await expectData(api.admin.get(`/invoices/${invoiceId}`))).toMatchObject({ amountPaid: 0, amountDue: 40 });
  });

  test('refuses to queue and to quote a payment of another merchant', async () => {
    const { api } = fixture();
    const { otherMerchantId, customerId, method } = await createParties(fixture());
    await expectData(api.admin.put(`/merchants/${otherMerchantId}/vt-settings`, { chargeLaterMaxAmount: 100 }));
    const later = { customerId, amount: 12, merchantId: otherMerchantId };
    await expectError(api.admin.post('/queued-payments', later), 400, 'VALIDATION_ERROR', 'customerId');
    const other = await createCustomer(fixture(), { merchantId: otherMerchantId });
    const foreign = { customerId: other.customerId, paymentMethodId: method.paymentMethodId, amount: 12 };
    await expectError(api.admin.post('/queued-payments', foreign), 404, 'NOT_FOUND');
    const quote = { amount: 12, token: method.token, merchantId: otherMerchantId };
    await expectError(api.admin.post('/transactions/surcharge-quote', quote), 400, 'VALIDATION_ERROR', 'token');
  });

  test('creates a credit in the name of the merchant of its payment', async () => {
    const { api } = fixture();
    const { merchantId, otherMerchantId, method } = await createParties(fixture());
    const sale = await expectData(
      api.admin.post<TransactionRecord>('/transactions', { type: 'sale', amount: 12, token: method.token, merchantId }),
    );
    const body = { amount: 5, merchantId: otherMerchantId };
    const credit = await expectData(api.admin.post(`/transactions/${sale.transactionId}/credit`, body));
    expect(credit).toMatchObject({ type: 'credit', merchantId });
  });

  test('charges a token that was created for the whole account in the name of each merchant', async () => {
    const { api } = fixture();
    const { otherMerchantId } = await createParties(fixture());
    const card = { cardNumber: CARDS.visa, expiryMonth: '12', expiryYear: '2031' };
    const { token } = await expectData(tenantWide(fixture()).post<{ token: string }>('/tokenize-card', card));
    const sale = api.admin.post('/transactions', { type: 'sale', amount: 12, token, merchantId: otherMerchantId });
    expect(await expectData(sale)).toMatchObject({ merchantId: otherMerchantId });
  });
});

describeOnAnyDatabase('the merchant of a payment by an API key of the whole account', (fixture) => {
  test('is named by each surface, and refused if the key belongs to another merchant', async () => {
    const { api, baseUrl, credentials } = fixture();
    const merchantId = await createMerchant(fixture());
    const card = { CardNumber: CARDS.visa, ExpiryMonth: '12', ExpiryYear: '2031', CVV: '123' };
    const sdkCard = { CardNumber: CARDS.visa, ExpiryDate: '1231', Cvv: '123' };
    const sdk = surfaceOf(baseUrl, '/api/v1/sdk', () => ({ Authorization: `Bearer ${credentials.tenantApiKey}` }));
    const sale = await expectData(
      tenantWide(fixture()).post<TransactionRecord>('/transaction', { Amount: 12, MerchantId: merchantId, ...card }),
    );
    expect(await expectData(api.admin.get(`/transactions/${sale.transactionId}`))).toMatchObject({ merchantId });
    const { TransactionId } = await expectData(
      sdk.post<{ TransactionId: string }>('/transaction', { Amount: '13.00', MerchantId: merchantId, ...sdkCard }),
    );
    expect(await expectData(api.admin.get(`/transactions/${TransactionId}`))).toMatchObject({ merchantId });
    const own = { Amount: 14, MerchantId: merchantId, ...card };
    await expectError(api.public.post('/transaction', own), 403, 'MERCHANT_NOT_AUTHORIZED');
    await expectError(
      api.sdk.post('/transaction', { ...sdkCard, Amount: '14.00', MerchantId: merchantId }),
      403,
      'MERCHANT_NOT_AUTHORIZED',
    );
    const inCamelCase = { Amount: 14, merchantId, ...card };
    expect(await expectData(tenantWide(fixture()).post('/transaction', inCamelCase))).toMatchObject({ merchantId });
  });
});
