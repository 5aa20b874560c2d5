import { expect, test } from 'vitest';
import type { Surface } from '../../support/api-client.ts';
import { surfaceOf } from '../../support/api-client.ts';
import { createOrder, getOrder } from '../../support/orders.ts';
import { CARDS, cardBody, type TransactionRecord } from '../../support/sales.ts';
import { describeOnBothDatabases, expectData, expectError } from '../../support/server.ts';
import { takeTender } from '../../support/tenders.ts';

interface Key {
  readonly id: string;
  readonly key: string;
  readonly spendingLimits: { readonly movedToday: number } | null;
}

const LIMITS = { currency: 'USD', perPayment: 50, perDay: 100 };
const sale = (amount: number) => ({ Amount: amount, CardNumber: CARDS.visa, ExpiryMonth: '12', ExpiryYear: '2031', CVV: '123' });

describeOnBothDatabases('spending limits of API keys', (fixture, inFull) => {
  async function keyWith(spendingLimits: object | null) {
    const { api, baseUrl, credentials } = fixture();
    const { adminPassword: currentPassword } = api;
    const { merchantId, tenantId } = credentials;
    const body = { name: 'agent', scope: 'merchant', merchantId, spendingLimits, currentPassword };
    const created = await expectData(api.admin.post<Key>('/api-keys', body), 201);
    const asKey = surfaceOf(baseUrl, '/api/v1/public', () => ({ 'X-Tenant-ID': tenantId, 'x-api-key': created.key }));
    const asSdk = surfaceOf(baseUrl, '/api/v1/sdk', () => ({ Authorization: `Bearer ${created.key}` }));
    const moved = async () => (await expectData(api.admin.get<Key>(`/api-keys/${created.id}`))).spendingLimits?.movedToday;
    return { id: created.id, asKey, asSdk, moved, api };
  }

  /** Expects a refusal and returns its reason, which the SDK surface spells `Reason`. */
  const refused = async (answer: ReturnType<Surface['post']>) => {
    const { details } = await expectError(answer, 403, 'PERMISSION_DENIED');
    return details?.reason ?? details?.Reason;
  };

  test('count the withheld amount of an accepted dispute', inFull, async () => {
    const { asKey, moved, api } = await keyWith({ currency: 'USD', perPayment: 50, perDay: 60 });
    const disputed = async (amount: number) => {
      const { transactionId } = await expectData(api.admin.post<TransactionRecord>('/transactions', cardBody(amount)));
      const { chargebackId, disputeId = chargebackId } = await expectData(
        api.admin.post<{ chargebackId: string; disputeId?: string }>('/sandbox/chargebacks', { transactionId, reason: 'fraudulent' }),
      );
      return disputeId;
    };
    const above = await disputed(51);
    expect(await refused(asKey.post(`/disputes/${above}/accept`))).toBe('key_payment_limit');
    expect(await expectData(api.admin.get(`/disputes/${above}`))).toMatchObject({ status: 'open' });
    expect(await moved()).toBe(0);
    const within = await disputed(40);
    expect(await expectData(asKey.post(`/disputes/${within}/accept`))).toMatchObject({ status: 'accepted' });
    expect(await moved()).toBe(40);
    expect(await refused(asKey.post(`/disputes/${await disputed(30)}/accept`))).toBe('key_daily_limit');
    await expectError(asKey.post(`/disputes/${within}/accept`), 409, 'RESOURCE_CONFLICT');
    expect(await moved()).toBe(40);
  });

  test('ten sales at the same time do not exceed the daily limit', async () => {
    const { asKey, moved } = await keyWith(LIMITS);
    const answers = await Promise.all(Array.from({ length: 10 }, () => asKey.post('/transaction', sale(20))));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 200, 200, 403, 403, 403, 403, 403]);
    expect(await moved()).toBe(100);
  });

  test('count each share of an order, and what returns of it to gift cards, also in parallel', async () => {
    const { asKey, moved, api } = await keyWith(LIMITS);
    const { orderId } = await createOrder(fixture(), { amount: 300 });
    const share = (amount: number) => asKey.post('/transaction', { ...sale(amount), OrderId: orderId });
    expect(await refused(share(51))).toBe('key_payment_limit');
    const answers = await Promise.all(Array.from({ length: 10 }, () => share(30)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
    expect(await moved()).toBe(90);
    expect(await getOrder(fixture(), orderId)).toMatchObject({ paidAmount: 90, reservedAmount: 0 });
    const other = await keyWith(LIMITS);
    const paid = await createOrder(fixture(), { amount: 150 });
    const tenderIds: string[] = [];
    for (let part = 0; part < 5; part += 1) tenderIds.push((await takeTender(fixture(), 30, { orderId: paid.orderId })).tenderId);
    // One operation for the whole order, then one for each share.
    expect(await refused(other.asKey.post('/gift-cards/refund', { orderId: paid.orderId }))).toBe('key_daily_limit');
    expect(await other.moved()).toBe(0);
    const refunds = await Promise.all(tenderIds.map((paymentId) => other.asKey.post('/gift-cards/refund', { paymentId })));
    expect(refunds.filter(({ status }) => status === 201)).toHaveLength(3);
    expect(await other.moved()).toBe(90);
    expect(await expectData(api.admin.get(`/orders/${paid.orderId}`))).toMatchObject({ refundedAmount: 90 });
  });

  test('count the gift cards that a key sells for cash, and those that it replaces, also in parallel', inFull, async () => {
    const { asKey, moved, api } = await keyWith(LIMITS);
    interface Sold {
      readonly orderId: string;
      readonly giftCards: readonly { readonly giftCardId: string; readonly code: string }[];
    }
    const sell = (body: object) => expectData(asKey.post<Sold>('/orders', body), 201);
    const above = await sell({ giftCards: [{ amount: 60 }] });
    const pay = (orderId: string, amount: number, more: object = { kind: 'cash' }) => asKey.post('/tenders', { amount, orderId, ...more });
    // Also in parts that are within the limit.
    for (const more of [{ kind: 'cash' }, { kind: 'check', checkNumber: '1' }])
      expect(await refused(pay(above.orderId, 30, more))).toBe('key_payment_limit');
    expect(await getOrder(fixture(), above.orderId)).toMatchObject({ paidAmount: 0 });
    const goods = await sell({ lineItems: [{ description: 'Chair', unitPrice: 500 }] });
    expect((await pay(goods.orderId, 500)).status).toBe(201);
    expect(await moved()).toBe(0);
    const orders = [];
    for (let each = 0; each < 10; each += 1)
      orders.push(await sell({ giftCards: [{ amount: 20 }], lineItems: [{ description: 'Cup', unitPrice: 10 }] }));
    const paid = await Promise.all(orders.map(({ orderId }) => pay(orderId, 30)));
    expect(paid.map(({ status }) => status).toSorted()).toEqual([201, 201, 201, 201, 201, 403, 403, 403, 403, 403]);
    expect(await moved()).toBe(100);

    const other = await keyWith(LIMITS);
    const give = (amount: number) =>
      expectData(api.admin.post<{ giftCardId: string; code: string }>('/gift-cards', { amount, reason: 'Complaint' }), 201);
    const replace = ({ giftCardId }: { readonly giftCardId: string }) => other.asKey.post(`/gift-cards/${giftCardId}/replace`, {});
    const large = await give(51);
    expect(await refused(replace(large))).toBe('key_payment_limit');
    expect(await expectData(api.admin.get(`/gift-cards/${large.giftCardId}`))).toMatchObject({ status: 'active', balance: 51 });
    const cards = [];
    for (let each = 0; each < 10; each += 1) cards.push(await give(40));
    const replaced = await Promise.all(cards.map(replace));
    expect(replaced.filter(({ status }) => status === 201)).toHaveLength(2);
    expect(await other.moved()).toBe(80);
  });

  test('ten refunds at the same time do not exceed the daily limit', async () => {
    const { asKey, moved } = await keyWith({ currency: 'USD', perDay: 80 });
    const { transactionId } = await expectData(asKey.post<{ transactionId: string }>('/transaction', sale(50)));
    const answers = await Promise.all(Array.from({ length: 10 }, () => asKey.post('/refund', { transactionId, amount: 10 })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
    expect(await moved()).toBe(80);
  });

  test('refuses every operation above the limit per payment, on both surfaces, and records nothing', inFull, async () => {
    const { asKey, asSdk, api, moved } = await keyWith(LIMITS);
    const { transactionId } = await expectData(
      api.admin.post<{ transactionId: string }>('/transactions', {
        amount: 60,
        paymentMethod: 'card',
        card: { number: CARDS.visa, expiryMonth: '12', expiryYear: '2031', cvv: '123' },
      }),
    );
    const customer = await expectData(
      asKey.post<{ customerId: string }>('/customer', { firstName: 'Ann', email: 'ann@limits.example' }),
      201,
    );
    expect(await refused(asKey.post('/transaction', sale(51)))).toBe('key_payment_limit');
    expect(await refused(asKey.post('/refund', { transactionId }))).toBe('key_payment_limit');
    expect(await refused(asKey.post('/void', { transactionId }))).toBe('key_payment_limit');
    expect(await refused(asKey.post('/generate-url', { amount: 51 }))).toBe('key_payment_limit');
    expect(await refused(asKey.post('/generate-url', { amount: 5, currency: 'EUR' }))).toBe('key_currency');
    expect(await refused(asSdk.post('/transaction', { Amount: '51.00', CardNumber: CARDS.visa, ExpiryDate: '1231' }))).toBe(
      'key_payment_limit',
    );
    expect(await refused(asSdk.post('/credit', { TransactionId: transactionId, Amount: '51.00' }))).toBe('key_payment_limit');
    const subscription = {
      customerId: customer.customerId,
      amount: 51,
      frequency: 'monthly',
      card: { number: CARDS.visa, expiryMonth: '12', expiryYear: '2031' },
    };
    expect(await refused(asKey.post('/recurring', subscription))).toBe('key_payment_limit');
    expect(await expectData(api.admin.get(`/transactions/${transactionId}`))).toMatchObject({ refundedAmount: 0, voidedAt: null });
    expect(await moved()).toBe(0);
  });

  test('compares the new total of a payment, so that it cannot grow past the limit in steps', inFull, async () => {
    const { asKey, asSdk, moved } = await keyWith({ currency: 'USD', perPayment: 50 });
    const open = await expectData(
      asSdk.post<{ TransactionId: string }>('/transaction', {
        Amount: '40.00',
        CardNumber: CARDS.visa,
        ExpiryDate: '1231',
        TransactionType: '0',
      }),
    );
    const { TransactionId } = open;
    await expectData(asSdk.post('/adjust', { TransactionId, Amount: '45.00' }));
    await expectData(asSdk.post('/adjust', { TransactionId, Amount: '50.00' }));
    expect(await refused(asSdk.post('/adjust', { TransactionId, Amount: '50.01' }))).toBe('key_payment_limit');
    expect(await refused(asSdk.post('/tip', { TransactionId, TipAmount: '1.00' }))).toBe('key_payment_limit');
    const { transactionId } = await expectData(asKey.post<{ transactionId: string }>('/transaction', sale(40)));
    expect(await refused(asKey.post('/tip', { transactionId, tipAmount: 11 }))).toBe('key_payment_limit');
    await expectData(asKey.post('/tip', { transactionId, tipAmount: 10 }));
    expect(await moved()).toBe(100);
  });

  test('compares the sum that is returned of a payment, by refunds and credits', inFull, async () => {
    const { asKey, asSdk, api, moved } = await keyWith({ currency: 'USD', perPayment: 50 });
    const { transactionId } = await expectData(api.admin.post<TransactionRecord>('/transactions', cardBody(200)));
    await expectData(asKey.post('/refund', { transactionId, amount: 30 }));
    expect(await refused(asKey.post('/refund', { transactionId, amount: 21 }))).toBe('key_payment_limit');
    await expectData(asSdk.post('/credit', { TransactionId: transactionId, Amount: '15.00' }));
    expect(await refused(asSdk.post('/credit', { TransactionId: transactionId, Amount: '6.00' }))).toBe('key_payment_limit');
    await expectData(asKey.post('/refund', { transactionId, amount: 5 }));
    expect(await moved()).toBe(50);
    const paid = await expectData(api.admin.post<{ tenderId: string }>('/tenders', { kind: 'cash', amount: 200 }), 201);
    await expectData(asKey.post(`/tenders/${paid.tenderId}/refund`, { amount: 30 }), 201);
    expect(await refused(asKey.post(`/tenders/${paid.tenderId}/refund`, { amount: 21 }))).toBe('key_payment_limit');
  });

  test('counts declined payments, so that a limited key cannot test cards', inFull, async () => {
    const { asKey, moved } = await keyWith(LIMITS);
    await asKey.post('/transaction', { ...sale(30), CardNumber: CARDS.noFunds });
    expect(await moved()).toBe(30);
  });

  test(
    'count the charge of a failed subscription payment that a new card causes, so that a limited key cannot test cards',
    inFull,
    async () => {
      const { asKey, moved, api } = await keyWith(LIMITS);
      const { merchantId } = fixture().credentials;
      const customer = { firstName: 'Ann', email: 'ann@cards.example', merchantId };
      const { customerId } = await expectData(api.admin.post<{ customerId: string }>('/customers', customer), 201);
      const path = `/customer/${customerId}/payment-method`;
      const add = (cardNumber: string) =>
        asKey.post<{ paymentMethodId: string }>(path, { cardNumber, expiryMonth: '12', expiryYear: '2031' });
      const first = await expectData(add(CARDS.noFunds), 201);
      const subscription = { customerId, amount: 30, frequency: 'monthly' };
      const { subscriptionId } = await expectData(api.admin.post<{ subscriptionId: string }>('/recurring', subscription), 201);
      const charges = async () => {
        const { paymentInProgress } = await expectData(api.admin.get<{ paymentInProgress: boolean }>(`/recurring/${subscriptionId}`));
        return paymentInProgress ? null : (await expectData(api.admin.get<unknown[]>(`/transactions?customerId=${customerId}`))).length;
      };
      expect(await moved()).toBe(0);
      let { paymentMethodId } = first;
      for (const counted of [30, 60, 90]) {
        await expectData(asKey.delete(`${path}/${paymentMethodId}`));
        ({ paymentMethodId } = await expectData(add(CARDS.declined), 201));
        expect(await moved()).toBe(counted);
        // A card that is added during a charge causes none.
        await expect.poll(charges).toBe(1 + counted / 30);
      }
      await expectData(asKey.delete(`${path}/${paymentMethodId}`));
      expect(await refused(add(CARDS.visa))).toBe('key_daily_limit');
    },
  );

  test('repeats the first response under the same idempotency key without counting it again', inFull, async () => {
    const { asKey, moved } = await keyWith(LIMITS);
    const headers = { 'Idempotency-Key': 'a sale of forty' };
    const [first, second] = [await asKey.post('/transaction', sale(40), headers), await asKey.post('/transaction', sale(40), headers)];
    expect(second.text).toBe(first.text);
    expect(await moved()).toBe(40);
  });

  test('change and end with the next request, and the key can read its own', inFull, async () => {
    const { id, asKey, api } = await keyWith(LIMITS);
    const change = (spendingLimits: object | null) =>
      api.admin.put(`/api-keys/${id}`, { spendingLimits, currentPassword: api.adminPassword });
    await expectData(change({ currency: 'USD', perPayment: 10 }));
    expect(await refused(asKey.post('/transaction', sale(11)))).toBe('key_payment_limit');
    expect(await expectData(asKey.get('/api-key'))).toMatchObject({
      environment: 'sandbox',
      spendingLimits: { currency: 'USD', perPayment: 10, perDay: null, liveWrites: false, movedToday: 0 },
    });
    await expectData(change(null));
    await expectData(asKey.post('/transaction', sale(11)));
  });

  test.each([
    [{ currency: 'USD' }, 'REQUIRED_FIELD_MISSING', 'spendingLimits.perPayment'],
    [{ currency: 'XYZ', perDay: 5 }, 'INVALID_CURRENCY', undefined],
    [{ currency: 'USD', perDay: 0 }, 'INVALID_AMOUNT', 'spendingLimits.perDay'],
  ])('refuses the limits %j', inFull, async (spendingLimits, code, field) => {
    const { api, credentials } = fixture();
    const body = { name: 'wrong', scope: 'merchant', merchantId: credentials.merchantId, currentPassword: api.adminPassword };
    await expectError(api.admin.post('/api-keys', { ...body, spendingLimits }), 400, code, field);
  });
});
