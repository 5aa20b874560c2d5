import { expect, test } from 'vitest';
import { CARDS, cardBody, createSale } from '../../support/sales.ts';
import { type Answer, describeOnAnyDatabase, expectData } from '../../support/server.ts';

/** A valid number that only these tests use. */
const NUMBER = '5105105105105100';
/** Passes the check digit, but no card range begins with 9. */
const ORDER_NUMBER = '9999999999999995';

const bank = { accountNumber: '000123456789', routingNumber: '021000021', accountType: 'checking', accountHolderName: 'Ada' };

async function expectRefused(answer: Promise<Answer<unknown>>, field: string): Promise<void> {
  const { status, body } = await answer;
  expect({
    status,
    code: body.error?.code,
    field: body.error?.field,
    reason: body.error?.details?.reason ?? body.error?.details?.Reason,
  }).toEqual({
    status: 400,
    code: 'VALIDATION_ERROR',
    field,
    reason: 'card_number_in_text',
  });
  expect(JSON.stringify(body)).not.toContain(NUMBER);
}

describeOnAnyDatabase('Card numbers in free text', (fixture) => {
  test.for<[string, string, Record<string, unknown>]>([
    ['a description', 'description', { description: `paid with ${NUMBER}` }],
    ['groups of four', 'description', { description: 'card 5105 1051 0510 5100, exp. 12/31' }],
    ['groups joined by hyphens', 'description', { description: '5105-1051-0510-5100' }],
    ['non-breaking spaces', 'description', { description: '5105\u00a01051\u00a00510\u00a05100' }],
    ['full-width digits', 'description', { description: '５１０５１０５１０５１０５１００' }],
    ['letters on both sides', 'description', { description: `card${NUMBER}exp` }],
    ['digits that follow in a group of their own', 'description', { description: `${NUMBER} 123` }],
    ['an order number', 'orderId', { orderId: NUMBER }],
    ['a metadata value', 'metadata.note', { metadata: { note: NUMBER } }],
    ['a nested metadata value', 'metadata.a.b.0', { metadata: { a: { b: [NUMBER] } } }],
    ['a metadata number', 'metadata.note', { metadata: { note: Number(NUMBER) } }],
    ['a metadata key', 'metadata', { metadata: { [NUMBER]: 'x' } }],
    ['a customer name', 'billing.firstName', { billing: { firstName: NUMBER } }],
    ['an e-mail address', 'customer.email', { customer: { email: `${NUMBER}@example.com` } }],
    ['a field that is not declared', 'memo', { memo: NUMBER }],
  ])('refuses %s with the name of its field', ([, field, more]) =>
    expectRefused(fixture().api.admin.post('/transactions', cardBody(20, CARDS.visa, more)), field),
  );

  test('refuses a card number on the Public and SDK surfaces', async () => {
    const { api } = fixture();
    const card = { CardNumber: CARDS.visa, CVV: '123' };
    await expectRefused(
      api.public.post('/transaction', { ...card, Amount: 20, ExpiryMonth: '12', ExpiryYear: '2031', BillingCustomerName: NUMBER }),
      'BillingCustomerName',
    );
    await expectRefused(
      api.sdk.post('/transaction', { CardNumber: CARDS.visa, ExpiryDate: '1231', Amount: '20.00', BillingCustomerName: NUMBER }),
      'BillingCustomerName',
    );
    await expectRefused(api.public.post('/customer', { firstName: NUMBER, lastName: 'x', email: 'x@example.com' }), 'firstName');
  });

  test('refuses a card number in a reason, a note, a name, a query and a path', async () => {
    const { api } = fixture();
    const { transactionId } = await createSale(fixture(), 20);
    await expectRefused(api.admin.post(`/transactions/${transactionId}/refund`, { reason: NUMBER }), 'reason');
    await expectRefused(api.admin.post('/customers', { firstName: 'Ada', notes: NUMBER }), 'notes');
    await expectRefused(
      api.admin.post('/api-keys', { name: NUMBER, scope: 'tenant', currentPassword: fixture().credentials.adminPassword }),
      'name',
    );
    await expectRefused(
      api.admin.post('/webhooks', { url: 'https://example.com/hook', events: ['*'], description: NUMBER }),
      'description',
    );
    await expectRefused(api.admin.get(`/transactions?q=${NUMBER}`), 'q');
    await expectRefused(api.admin.get(`/transactions/${NUMBER}`), 'id');
  });

  test('accepts card numbers, bank accounts, phone numbers and passwords in fields of their own', async () => {
    const { api, credentials } = fixture();
    const { transactionId } = await createSale(fixture(), 20, { description: 'order 12345', orderId: ORDER_NUMBER });
    const record = await expectData(api.admin.get<{ orderId: string }>(`/transactions/${transactionId}`));
    expect(record.orderId).toBe(ORDER_NUMBER);
    const ach = { type: 'sale', amount: 20, paymentMethod: 'ach', bankAccount: { ...bank, accountNumber: '4222222222222' } };
    expect((await api.admin.post('/transactions', ach)).status).toBe(200);
    // 13 digits, a valid check digit and a Maestro range, but an Indonesian phone number.
    await expectData(api.admin.post('/customers', { firstName: 'Ada', phone: '+6281234567895' }), 201);
    const login = { email: credentials.adminEmail, password: NUMBER };
    const { body } = await api.bare.post('/api/v1/auth/login', login, { 'X-Tenant-ID': credentials.tenantId });
    expect(body.error.code).toBe('INVALID_CREDENTIALS');
  });

  test.for([
    '4222222222222',
    '0.5105105105105100',
    'gid://shopify/Order/5105105105105100',
    '5105105105105101',
    ORDER_NUMBER,
    `1${NUMBER}`,
    '5105  1051  0510  5100',
    '2026-11-23T07:24:44.000Z',
    '+1 (207) 555-0142',
  ])('accepts %s in a description', async (description) => {
    await createSale(fixture(), 20, { description });
  });

  test('accepts IDs of a platform that look like a card number, but no other text in their fields', async () => {
    const { api } = fixture();
    const sale = { amount: 20, currency: 'USD', paymentMethod: { type: 'card', data: cardBody(20).card }, customer: { name: 'Ada' } };
    const accepted = await api.public.post('/shopifyTransaction', { ...sale, gid: NUMBER, orderId: `#${NUMBER}` });
    expect([accepted.status, accepted.body.success]).toEqual([200, true]);
    await expectRefused(api.public.post('/shopifyTransaction', { ...sale, gid: `card ${NUMBER}` }), 'gid');
    await expectRefused(api.public.post('/shopifyTransaction', { ...sale, gid: 'gid-1', customer: { name: NUMBER } }), 'customer.name');
  });

  test('refuses a card of 13 digits in a card field', async () => {
    const { status, body } = await fixture().api.admin.post('/transactions', cardBody(20, '5018000000007'));
    expect([status, body.error.code, body.error.field]).toEqual([400, 'INVALID_CARD_NUMBER', 'card.number']);
  });

  test('refuses a card number as Idempotency-Key', () =>
    expectRefused(fixture().api.admin.post('/transactions', cardBody(20), { 'Idempotency-Key': `order ${NUMBER}` }), 'Idempotency-Key'));

  test('masks a card number in the user agent of a session and in the request log', async () => {
    const { api, credentials } = fixture();
    const login = { email: credentials.adminEmail, password: credentials.adminPassword };
    const headers = { 'X-Tenant-ID': credentials.tenantId, 'User-Agent': `till ${NUMBER}` };
    await expectData(api.bare.post('/api/v1/auth/login', login, headers));
    const sessions = await expectData(api.admin.get<{ device: string | null }[]>('/user-sessions'));
    expect(sessions.map(({ device }) => device)).toContain('till ****5100');
    await api.admin.get('/transactions/5105-1051-0510-5100');
    await api.admin.get('/transactions/5105%201051%200510%205100');
    const { body } = await api.admin.get('/request-log');
    expect(JSON.stringify(body)).not.toMatch(/5105.{0,3}1051/);
  });
});
