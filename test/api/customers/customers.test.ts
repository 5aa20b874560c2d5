import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { expect, test } from 'vitest';
import { openTestCore } from '../../support/core.ts';
import {
  type CustomerRecord,
  createCustomer,
  createCustomerWithCard,
  getSubscription,
  type MethodRecord,
  storeCard,
  subscribe,
} from '../../support/customers.ts';
import { CARDS, cardBody, type TransactionRecord } from '../../support/sales.ts';
import { type ApiFixture, apiOf, describeOnAnyDatabase, expectData, expectError, FULL, startTestServer } from '../../support/server.ts';
import { advanceClock } from '../../support/webhooks.ts';

const methods = ({ api }: ApiFixture, id: string) => expectData(api.admin.get<MethodRecord[]>(`/customers/${id}/payment-methods`));
const found = async ({ api }: ApiFixture, q: string) =>
  (await expectData(api.admin.get<CustomerRecord[]>(`/customers?limit=200&q=${encodeURIComponent(q)}`))).map(
    ({ customerId }) => customerId,
  );

describeOnAnyDatabase('customers', (fixture) => {
  test('creates, reads, changes and deletes a customer on both surfaces', async () => {
    const { api } = fixture();
    const body = { firstName: 'Zoë', lastName: 'Lindqvist', email: 'Zoe@Customer.Example', phone: '+12075550142', metadata: { ref: 7 } };
    const made = await expectData(api.public.post<CustomerRecord>('/customer', body), 201);
    expect(made).toMatchObject({ firstName: 'Zoë', email: 'zoe@customer.example', defaultPaymentMethodId: null, metadata: { ref: 7 } });
    const at = `/customer/${made.customerId}`;
    expect(await expectData(api.admin.get(`/customers/${made.customerId}`))).toEqual(await expectData(api.public.get(at)));
    const changed = await expectData(api.public.put<CustomerRecord>(at, { company: 'Lindqvist Lamps', email: null }));
    expect(changed).toMatchObject({ firstName: 'Zoë', company: 'Lindqvist Lamps', email: null, metadata: { ref: 7 } });
    expect(await expectData(api.public.delete(at))).toEqual({ id: made.customerId, deleted: true });
    await expectError(api.public.get(at), 404, 'CUSTOMER_NOT_FOUND');
    await expectError(api.public.delete(at), 404, 'CUSTOMER_NOT_FOUND');
    await expectError(api.admin.put(`/customers/${made.customerId}`, { company: 'x' }), 404, 'CUSTOMER_NOT_FOUND');
  });

  test('finds customers by names with letters that have no accent to remove', async () => {
    const service = fixture();
    for (const [name, ...texts] of [
      ['Łukasz', 'lukasz', 'łukasz', 'LUKASZ'],
      ['Straßner', 'strassner', 'STRASSNER', 'straßner'],
      ['Øster', 'oster', 'øster'],
      ['IŞIK', 'ışık', 'isik', 'Işık'],
      ['Ægir', 'aegir'],
      ['Đorđe', 'dorde'],
      ['Þór', 'thor'],
    ] as const) {
      const { customerId } = await createCustomer(service, { firstName: name, lastName: 'Folded' });
      for (const text of texts) expect(await found(service, text), `${name} by ${text}`).toContain(customerId);
    }
  });

  test('refuses invalid input and names the field', async () => {
    const { api } = fixture();
    await expectError(api.public.post('/customer', {}), 400, 'REQUIRED_FIELD_MISSING', 'email');
    await expectError(api.public.post('/customer', { firstName: 'A', email: 'nobody' }), 400, 'INVALID_EMAIL', 'email');
    await expectError(api.admin.post('/customers', { firstName: 'A', phone: '555' }), 400, 'INVALID_PHONE', 'phone');
    const { customerId } = await createCustomer(fixture());
    await expectError(
      api.admin.put(`/customers/${customerId}`, { firstName: null, lastName: null, email: null }),
      400,
      'REQUIRED_FIELD_MISSING',
    );
    const add = (body: unknown) => api.admin.post(`/customers/${customerId}/payment-methods`, body);
    await expectError(add({}), 400, 'REQUIRED_FIELD_MISSING', 'card');
    await expectError(add({ card: { number: '4111111111111112', expiryMonth: '12', expiryYear: '2039' } }), 400, 'INVALID_CARD_NUMBER');
    await expectError(add({ card: { number: CARDS.visa, expiryMonth: '01', expiryYear: '2020' } }), 400, 'CARD_EXPIRED');
    await expectError(add({ token: 'tok_00000000000000000000000000' }), 404, 'NOT_FOUND', 'token');
    await expectError(
      api.public.post(`/customer/${customerId}/payment-method`, { expiryMonth: '12', expiryYear: '2039' }),
      400,
      'REQUIRED_FIELD_MISSING',
      'cardNumber',
    );
  });

  test('finds customers by the beginnings of names, company, email, phone and by last four digits', async () => {
    const service = fixture();
    const made = await createCustomer(service, {
      firstName: 'Renée',
      lastName: "O'Malley-Quist",
      company: 'Harbour & Sons',
      email: 'renee.om@harbour-sons.example',
      phone: '+12075559876',
    });
    await storeCard(service, made.customerId, CARDS.amex);
    for (const text of [
      'rene',
      'RENÉE',
      'omal',
      'quist',
      'harb',
      'renee.om@',
      '+1 207 555 9876',
      '5559876',
      '9876',
      '0005',
      'ren omal sons',
    ])
      expect(await found(service, text), text).toContain(made.customerId);
    for (const text of ['', '  ']) expect(await found(service, text), text).toContain(made.customerId);
    for (const text of ['enee', 'ren smith', '0006', "%' OR 1=1", '!!!', '+ ( ) -'])
      expect(await found(service, text), text).not.toContain(made.customerId);
    await expectData(service.api.admin.put(`/customers/${made.customerId}`, { lastName: 'Berg' }));
    expect(await found(service, 'omal')).not.toContain(made.customerId);
    expect(await found(service, 'berg 0005')).toContain(made.customerId);
  });

  test('finds an address in full and by its parts', async () => {
    const service = fixture();
    const { customerId } = await createCustomer(service, { email: '_mary-ann!x@my-shop.example', lastName: 'W '.repeat(49).trim() });
    for (const q of ['_mary-ann!x@my-shop.example', '_mary-ann!x@my', 'mary-ann', 'my-shop'])
      expect(await found(service, q)).toContain(customerId);
    expect(await found(service, 'mary-ann@other')).not.toContain(customerId);
  });

  test('makes the first method the default, allows another default, and uses the newest after removing it', async () => {
    const service = fixture();
    const { customerId } = await createCustomer(service);
    const first = await storeCard(service, customerId, CARDS.visa, { consentText: 'I agree to be charged monthly.' });
    expect(first).toMatchObject({
      type: 'card',
      brand: 'visa',
      last4: '1111',
      isDefault: true,
      consentText: 'I agree to be charged monthly.',
    });
    expect(Date.parse(first.consentAt ?? '')).toBeGreaterThan(0);
    const second = await storeCard(service, customerId, CARDS.amex);
    const account = { accountNumber: '000123456789', routingNumber: '021000021', accountType: 'checking', accountHolderName: 'Ann' };
    const third = await expectData(
      service.api.admin.post<MethodRecord>(`/customers/${customerId}/payment-methods`, { bankAccount: account }),
      201,
    );
    expect(third).toMatchObject({ type: 'ach', last4: '6789', isDefault: false });
    const at = (id: string) => `/customers/${customerId}/payment-methods/${id}`;
    expect(await expectData(service.api.admin.put(`${at(second.paymentMethodId)}/set-default`))).toMatchObject({ isDefault: true });
    expect((await methods(service, customerId)).map(({ last4, isDefault }) => [last4, isDefault])).toEqual([
      ['0005', true],
      ['6789', false],
      ['1111', false],
    ]);
    expect(await expectData(service.api.public.delete(`/customer/${customerId}/payment-method/${second.paymentMethodId}`))).toMatchObject({
      deleted: true,
    });
    expect((await methods(service, customerId)).map(({ last4, isDefault }) => [last4, isDefault])).toEqual([
      ['6789', true],
      ['1111', false],
    ]);
    await expectError(service.api.public.post('/token-transaction', { token: second.token, amount: 5 }), 404, 'NOT_FOUND');
    await expectError(service.api.admin.put(`${at(second.paymentMethodId)}/set-default`), 404, 'NOT_FOUND');
    const other = await createCustomer(service);
    await expectError(
      service.api.admin.delete(`/customers/${other.customerId}/payment-methods/${first.paymentMethodId}`),
      404,
      'NOT_FOUND',
    );
  });

  test('renews a stored method by the same number, and stores a token for one customer only', async () => {
    const service = fixture();
    const { customerId } = await createCustomer(service);
    const first = await storeCard(service, customerId);
    const renewed = await storeCard(service, customerId, CARDS.visa, {
      card: { number: CARDS.visa, expiryMonth: '05', expiryYear: '2045' },
    });
    expect(renewed).toMatchObject({ paymentMethodId: first.paymentMethodId, expiryMonth: '05', expiryYear: '2045' });
    expect((await methods(service, customerId)).length).toBe(1);
    const { token } = await expectData(
      service.api.public.post<{ token: string }>('/tokenize-card', { cardNumber: CARDS.amex, expiryMonth: '12', expiryYear: '2039' }),
    );
    const put = (id: string) => service.api.public.post<MethodRecord>(`/customer/${id}/payment-method`, { token });
    expect(await expectData(put(customerId), 201)).toMatchObject({ token, last4: '0005' });
    const other = await createCustomer(service);
    await expectError(put(other.customerId), 409, 'RESOURCE_CONFLICT', 'token');
    expect(await expectData(service.api.public.post('/token-transaction', { token, amount: 5 }))).toMatchObject({ status: 'approved' });
  });

  test('charges no token of a removed card', async () => {
    const service = fixture();
    const { customerId } = await createCustomer(service);
    const first = await storeCard(service, customerId);
    const renewed = await storeCard(service, customerId, CARDS.visa, {
      card: { number: CARDS.visa, expiryMonth: '05', expiryYear: '2045' },
    });
    const amex = await storeCard(service, customerId, CARDS.amex);
    const other = await createCustomer(service);
    const theirs = await storeCard(service, other.customerId);
    const charge = (token: string) => service.api.public.post('/token-transaction', { token, amount: 5 });
    expect(renewed.token).not.toBe(first.token);
    for (const { token } of [first, renewed]) expect(await expectData(charge(token))).toMatchObject({ status: 'approved' });
    await expectData(service.api.admin.delete(`/customers/${customerId}/payment-methods/${renewed.paymentMethodId}`));
    for (const { token } of [first, renewed]) await expectError(charge(token), 404, 'NOT_FOUND', 'token');
    for (const { token } of [amex, theirs]) expect(await expectData(charge(token))).toMatchObject({ status: 'approved' });
  });

  test('limits a token to its customer and merchant', async () => {
    const service = fixture();
    const { api, baseUrl, credentials } = service;
    const mine = await createCustomerWithCard(service);
    const [{ token }] = (await methods(service, mine.customerId)) as [MethodRecord];
    const otherCustomer = await createCustomer(service);
    const asOtherCustomer = { ...cardBody(10), card: undefined, paymentMethod: 'token', token, customerId: otherCustomer.customerId };
    await expectError(api.admin.post('/transactions', asOtherCustomer), 409, 'RESOURCE_CONFLICT', 'token');
    const { merchantId } = await expectData(api.admin.post<{ merchantId: string }>('/merchants', { name: 'Next Door' }), 201);
    const { key } = await expectData(
      api.admin.post<{ key: string }>('/api-keys', {
        name: 'Next',
        scope: 'merchant',
        merchantId,
        currentPassword: credentials.adminPassword,
      }),
      201,
    );
    const next = { ...service, api: apiOf(baseUrl, { ...credentials, merchantId, apiKey: key }) };
    const loose = await expectData(
      api.public.post<{ token: string }>('/tokenize-card', { cardNumber: CARDS.visa, expiryMonth: '12', expiryYear: '2031' }),
    );
    for (const foreign of [token, loose.token]) {
      await expectError(next.api.public.post('/token-transaction', { token: foreign, amount: 5 }), 403, 'MERCHANT_NOT_AUTHORIZED');
      await expectError(next.api.public.post('/decrypt-token', { token: foreign }), 403, 'MERCHANT_NOT_AUTHORIZED');
      await expectData(api.public.post('/token-transaction', { token: foreign, amount: 5 }));
    }
    const theirs = await expectData(next.api.public.post<CustomerRecord>('/customer', { lastName: 'Olsen' }), 201);
    await expectError(
      next.api.public.post(`/customer/${theirs.customerId}/payment-method`, { token: loose.token }),
      403,
      'MERCHANT_NOT_AUTHORIZED',
    );
    await expectData(api.admin.delete(`/merchants/${merchantId}`));
    await expectError(api.admin.post('/customers', { lastName: 'Late', merchantId }), 404, 'MERCHANT_NOT_FOUND');
  });

  test('leaves no card of a sale in parallel with the deletion of its customer, or completes the sale first', async () => {
    const service = fixture();
    const { api } = service;
    for (let round = 0; round < 12; round += 1) {
      const { customerId } = await createCustomer(service);
      const [sale] = await Promise.all([
        api.admin.post<TransactionRecord & { token: string }>('/transactions', { ...cardBody(6), customerId }),
        api.admin.delete(`/customers/${customerId}`),
      ]);
      if (sale.status !== 200) await expectError(sale, 404, 'CUSTOMER_NOT_FOUND');
      else await expectError(api.public.post('/decrypt-token', { token: sale.body.data.token }), 404, 'NOT_FOUND', 'token');
    }
  });

  test('returns the newest successful payment of a customer as the last one', async () => {
    const service = fixture();
    const { customerId } = await createCustomerWithCard(service);
    const lastOf = async (id: string) => (await expectData(service.api.admin.get<CustomerRecord>(`/customers/${id}`))).lastPaymentAt;
    const sell = (body: Record<string, unknown>) =>
      expectData(service.api.admin.post<TransactionRecord & { capturedAt: string }>('/transactions', { customerId, ...body }));
    const authorized = await sell({ type: 'auth', amount: 10 });
    expect(await lastOf(customerId)).toBeNull();
    await advanceClock(service, 60);
    const voided = await sell({ amount: 11 });
    await expectData(service.api.admin.post(`/transactions/${voided.transactionId}/void`, {}));
    expect(await lastOf(customerId)).toBeNull();
    await advanceClock(service, 60);
    const captured = await expectData(
      service.api.admin.post<{ capturedAt: string }>(`/transactions/${authorized.transactionId}/capture`, {}),
    );
    expect(await lastOf(customerId)).toBe(captured.capturedAt);
    await advanceClock(service, 60);
    const paid = await sell({ amount: 12 });
    expect(await lastOf(customerId)).toBe(paid.capturedAt);
    await advanceClock(service, 60);
    await expectData(service.api.admin.post(`/transactions/${paid.transactionId}/credit`, { amount: 5 }));
    await sell({ type: 'auth', amount: 13 });
    expect(await lastOf(customerId)).toBe(paid.capturedAt);
    const other = await createCustomerWithCard(service);
    const listed = await expectData(service.api.admin.get<CustomerRecord[]>('/customers?limit=2'));
    expect(listed.map((one) => [one.customerId, one.lastPaymentAt])).toEqual([
      [other.customerId, null],
      [expect.any(String), expect.anything()],
    ]);
  });

  test("charges the customer's default, the named method, or saves the card of the sale", async () => {
    const service = fixture();
    const { customerId, email } = await createCustomerWithCard(service);
    const sell = (body: Record<string, unknown>) =>
      service.api.admin.post<TransactionRecord & { customerId: string }>('/transactions', { customerId, ...body });
    const first = await expectData(sell({ amount: 10 }));
    expect(first).toMatchObject({ status: 'approved', customerId, card: { last4: '1111' }, customer: { email }, source: 'saved' });
    const consent = 'I agree to further purchases.';
    const saved = await expectData(sell({ ...cardBody(11, CARDS.amex), saveConsent: consent }));
    expect(saved).toMatchObject({ status: 'approved', card: { last4: '0005' } });
    const amex = (await methods(service, customerId)).find(({ last4 }) => last4 === '0005');
    expect(amex).toMatchObject({ consentText: consent, isDefault: false });
    expect(await expectData(sell({ amount: 12, paymentMethodId: amex?.paymentMethodId }))).toMatchObject({ card: { last4: '0005' } });
    expect((await sell({ ...cardBody(13, CARDS.declined), saveConsent: consent })).body).toMatchObject({ success: false });
    expect((await methods(service, customerId)).length).toBe(2);
    const mine = await service.api.admin.get<TransactionRecord[]>(`/customers/${customerId}/transactions`);
    expect(mine.body.data.map(({ amount }) => amount)).toEqual([13, 12, 11, 10]);
    expect((await expectData(service.api.admin.get<CustomerRecord>(`/customers/${customerId}`))).lastPaymentAt).not.toBeNull();
    const bare = await createCustomer(service);
    await expectError(
      service.api.admin.post('/transactions', { customerId: bare.customerId, amount: 10 }),
      400,
      'REQUIRED_FIELD_MISSING',
      'card',
    );
    await expectError(
      service.api.admin.post('/transactions', { ...cardBody(5), saveConsent: consent }),
      400,
      'VALIDATION_ERROR',
      'saveConsent',
    );
    await expectError(
      service.api.admin.post('/transactions', { customerId: 'cus_00000000000000000000000000', amount: 10 }),
      404,
      'CUSTOMER_NOT_FOUND',
    );
  });

  test('deleting a customer erases the contact data and keeps the name for ended subscriptions', async () => {
    const service = fixture();
    const { customerId } = await createCustomerWithCard(service);
    await expectData(
      service.api.admin.put(`/customers/${customerId}`, { firstName: 'Ann', lastName: 'Marsh', email: 'ann@erased.example' }),
    );
    const { subscriptionId } = await subscribe(service, customerId);
    await expectData(service.api.admin.delete(`/customers/${customerId}`));
    expect(await getSubscription(service, subscriptionId)).toMatchObject({ customer: { name: 'Ann Marsh', email: null } });
  });

  test('deleting a customer cancels its subscriptions, keeps its payments, and leaves nothing that can be charged', async () => {
    const service = fixture();
    const { customerId } = await createCustomerWithCard(service);
    const { subscriptionId } = await subscribe(service, customerId);
    const keyed = await expectData(service.api.admin.post<TransactionRecord>('/transactions', { ...cardBody(20, CARDS.amex), customerId }));
    const [method] = await methods(service, customerId);
    await expectData(service.api.admin.delete(`/customers/${customerId}`));
    expect(await getSubscription(service, subscriptionId)).toMatchObject({
      status: 'cancelled',
      cancelReason: 'customer_deleted',
      card: null,
    });
    expect(await expectData(service.api.admin.get(`/transactions/${keyed.transactionId}`))).toMatchObject({
      status: 'approved',
      customerId,
    });
    await expectError(service.api.public.post('/token-transaction', { token: method?.token, amount: 5 }), 404, 'NOT_FOUND');
    await expectError(service.api.public.post('/token-transaction', { token: keyed.token, amount: 5 }), 404, 'NOT_FOUND');
    const refused = await expectError(
      service.api.admin.post(`/transactions/${keyed.transactionId}/credit`, { amount: 5 }),
      409,
      'RESOURCE_CONFLICT',
    );
    expect(refused.details).toMatchObject({ reason: 'card_destroyed' });
    expect(await expectData(service.api.admin.post(`/transactions/${keyed.transactionId}/refund`, {}))).toMatchObject({
      status: 'approved',
    });
    await advanceClock(service, 60 * 86_400);
    expect((await getSubscription(service, subscriptionId)).paymentsMade).toBe(1);
  });

  test('lists cards that expire soon, the earliest first', async () => {
    const service = fixture();
    const { customerId } = await createCustomer(service, { firstName: 'Soon', lastName: 'Over' });
    const { now } = await expectData(service.api.admin.get<{ now: string }>('/sandbox/clock'));
    const [year, month] = now.split('-');
    await storeCard(service, customerId, CARDS.amex, { card: { number: CARDS.amex, expiryMonth: month, expiryYear: year } });
    await storeCard(service, customerId);
    type Expiring = MethodRecord & { customerName: string; expiresOn: string };
    const listed = await expectData(service.api.admin.get<Expiring[]>('/customers/expiring-cards?days=40&limit=200'));
    expect(listed.filter((card) => card.customerId === customerId)).toMatchObject([{ last4: '0005', customerName: 'Soon Over' }]);
    expect([...listed].sort((left, right) => (left.expiresOn < right.expiresOn ? -1 : 1)).map(({ expiresOn }) => expiresOn)).toEqual(
      listed.map(({ expiresOn }) => expiresOn),
    );
  });

  test('divides the list of expiring cards into pages with the true total', async () => {
    const service = fixture();
    const { customerId } = await createCustomer(service);
    const { now } = await expectData(service.api.admin.get<{ now: string }>('/sandbox/clock'));
    const [year, month] = now.split('-');
    for (const number of [CARDS.amex, CARDS.visa, CARDS.noFunds])
      await storeCard(service, customerId, number, { card: { number, expiryMonth: month, expiryYear: year } });
    const at = '/customers/expiring-cards?days=40';
    const { body: whole } = await service.api.admin.get<MethodRecord[]>(`${at}&limit=200`);
    const ids = whole.data.map(({ paymentMethodId }) => paymentMethodId);
    expect(ids.length).toBeGreaterThan(2);
    expect(whole.pagination.total).toBe(ids.length);
    const byNumber: string[] = [];
    const byCursor: string[] = [];
    let cursor = '';
    for (let page = 1; page <= Math.ceil(ids.length / 2); page += 1) {
      const numbered = (await service.api.admin.get<MethodRecord[]>(`${at}&limit=2&page=${page}`)).body;
      const after = (await service.api.admin.get<MethodRecord[]>(`${at}&limit=2${cursor}`)).body;
      for (const { pagination } of [numbered, after]) expect(pagination.total).toBe(ids.length);
      byNumber.push(...numbered.data.map(({ paymentMethodId }) => paymentMethodId));
      byCursor.push(...after.data.map(({ paymentMethodId }) => paymentMethodId));
      cursor = `&cursor=${encodeURIComponent(after.pagination.nextCursor ?? '')}`;
    }
    expect(byNumber).toEqual(ids);
    expect(byCursor).toEqual(ids);
  });

  test('hides a customer of another tenant in every way', async () => {
    const { api } = fixture();
    const { customerId } = await createCustomerWithCard(fixture());
    const at = `/customer/${customerId}`;
    for (const answer of [
      api.standard.get(at),
      api.standard.put(at, { company: 'x' }),
      api.standard.delete(at),
      api.standard.get(`${at}/payment-methods`),
    ])
      await expectError(answer, 404, 'CUSTOMER_NOT_FOUND');
    expect(await expectData(api.standard.get<CustomerRecord[]>('/customers'))).toEqual([]);
  });
});

test('lists cards that expire soon although more cards than a page expired long ago', FULL, async () => {
  const { dataDir, server, stop } = await startTestServer('sqlite');
  const credentials = server.credentials;
  if (!credentials) throw new Error('a server with demo tenants tells their credentials');
  const service = { api: apiOf(server.baseUrl, credentials) } as ApiFixture;
  const at = '/customers/expiring-cards?days=40&limit=200';
  const before = (await service.api.admin.get<MethodRecord[]>(at)).body.pagination.total;
  const { customerId } = await createCustomer(service);
  const { now } = await expectData(service.api.admin.get<{ now: string }>('/sandbox/clock'));
  const [expiryYear, expiryMonth] = now.split('-');
  const soon = await storeCard(service, customerId, CARDS.amex, { card: { number: CARDS.amex, expiryMonth, expiryYear } });
  const other = new BetterSqlite3(join(dataDir, 'paydesk.sqlite'));
  const columns = (other.prepare('SELECT name FROM pragma_table_info(?)').pluck().all('payment_methods') as string[]).join(', ');
  const values = columns
    .replace(/\bid\b/, "'pm_old' || n")
    .replace('fingerprint', 'fingerprint || n')
    .replace('expires_on', "'2020-01-31'");
  other
    .prepare(
      `WITH RECURSIVE counted(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < 1100) INSERT INTO payment_methods (${columns}) SELECT ${values} FROM payment_methods, counted WHERE id = ?`,
    )
    .run(soon.paymentMethodId);
  other.close();
  const { pagination } = (await service.api.admin.get<MethodRecord[]>(at)).body;
  expect(pagination.total).toBe(before + 1_101);
  const last = await expectData(service.api.admin.get<MethodRecord[]>(`${at}&page=${pagination.pages}`));
  expect(last.map(({ paymentMethodId }) => paymentMethodId)).toContain(soon.paymentMethodId);
  await stop();
});

test('does not store a card again that was removed before its sale stored it', async () => {
  const { core, actor, close } = await openTestCore();
  const { customerId } = await core.customers.create(actor, { firstName: 'Ann' });
  const card = { number: CARDS.visa, expiryMonth: '12', expiryYear: '2039' };
  const first = await core.customers.addMethod(actor, customerId, { card });
  await core.customers.removeMethod(actor, customerId, first.paymentMethodId);
  await core.customers.storePaidMethod(actor, customerId, first.token, { text: 'I agree to further purchases.', channel: 'phone' });
  expect((await core.customers.methods(actor, customerId, { page: 1, limit: 10 })).items).toEqual([]);
  await close();
});

async function bytesOf(folder: string): Promise<Buffer[]> {
  const names = (await readdir(folder)).filter((name) => name.startsWith('paydesk.sqlite'));
  return Promise.all(names.map((name) => readFile(join(folder, name))));
}

test('leaves no key and no card of a hundred deleted customers in the database, its log or its free pages', async () => {
  const { dataDir, server, stop } = await startTestServer('sqlite');
  const credentials = server.credentials;
  if (!credentials) throw new Error('a server with demo tenants tells their credentials');
  const service = { api: apiOf(server.baseUrl, credentials) } as ApiFixture;
  const ids: string[] = [];
  for (let count = 0; count < 100; count += 1) ids.push((await createCustomerWithCard(service)).customerId);
  const reader = new BetterSqlite3(join(dataDir, 'paydesk.sqlite'), { readonly: true });
  const kept = 'SELECT owner, wrapped AS text FROM owner_keys UNION ALL SELECT owner, sealed FROM vault_entries WHERE owner IS NOT NULL';
  const secrets = (reader.prepare(kept).all() as { owner: string; text: string }[])
    .filter(({ owner }) => ids.includes(owner))
    .map(({ text }) => text);
  reader.close();
  expect(secrets.length).toBe(200);
  const present = (all: readonly Buffer[]) => secrets.filter((text) => all.some((bytes) => bytes.includes(text))).length;
  expect(present(await bytesOf(dataDir))).toBe(200);
  for (const id of ids) await expectData(service.api.admin.delete(`/customers/${id}`));
  await expect.poll(async () => present(await bytesOf(dataDir))).toBe(0);
  await stop();
});
