import { expect, test } from 'vitest';
import { surfaceOf } from '../../support/api-client.ts';
import { createOrder, getOrder, type OrderRecord } from '../../support/orders.ts';
import { CARDS, cardBody, type TransactionRecord } from '../../support/sales.ts';
import { describeOnBothDatabases, expectData, expectError } from '../../support/server.ts';
import { createMerchant } from '../../support/settlements.ts';
import { takeTender } from '../../support/tenders.ts';
import { createUser, type SignedInUser } from '../../support/users.ts';
import { findEvent } from '../../support/webhooks.ts';

describeOnBothDatabases('taking over an order', (fixture, inFull) => {
  const post = <Data>({ headers }: SignedInUser, path: string, body: Record<string, unknown> = {}) =>
    fixture().api.bare.post<Data>(`/api/v1${path}`, body, headers);
  const payments = (orderId: string): readonly (readonly [string, Record<string, unknown>])[] => [
    ['/transactions', { ...cardBody(2), orderId }],
    ['/tenders', { kind: 'cash', amount: 2, orderId }],
    ['/tenders', { kind: 'check', checkNumber: '1', amount: 2, orderId }],
  ];

  test('lets one of ten parallel claims win, and names the winner to the others', async () => {
    const [ann, bob, cleo] = [
      await createUser(fixture(), 'cashier'),
      await createUser(fixture(), 'cashier'),
      await createUser(fixture(), 'manager'),
    ];
    const { orderId } = await createOrder(fixture(), { amount: 20 });
    await expectData(post(ann, `/orders/${orderId}/park`));
    await expectData(post(ann, `/orders/${orderId}/resume`));
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) => post<OrderRecord>(n % 2 ? bob : cleo, `/orders/${orderId}/resume`, { takeOverFrom: ann.email })),
    );
    const won = answers.filter(({ status }) => status === 200);
    expect(won).toHaveLength(1);
    const { resumedBy } = await getOrder(fixture(), orderId);
    expect([bob.email, cleo.email]).toContain(resumedBy);
    for (const { status, body } of answers.filter((answer) => answer !== won[0])) {
      expect(status).toBe(409);
      expect((body as { error?: { details: unknown } }).error?.details).toMatchObject({ reason: 'order_held', heldBy: resumedBy });
    }
    expect(await findEvent(fixture(), 'order.resumed', ({ data }) => data.orderId === orderId)).toBeDefined();
  });

  test('refuses payments and the cancellation of a person who no longer has an order', async () => {
    const { api } = fixture();
    const [ann, bob] = [await createUser(fixture(), 'manager'), await createUser(fixture(), 'cashier')];
    const { orderId } = await expectData(post<OrderRecord>(ann, '/orders', { amount: 20, name: 'Table 4' }), 201);
    const asked = await expectError(post(bob, `/orders/${orderId}/resume`), 409, 'RESOURCE_CONFLICT');
    expect(asked.details).toMatchObject({ reason: 'order_held', heldBy: ann.email });
    expect(await getOrder(fixture(), orderId)).toMatchObject({ resumedBy: null });
    await expectData(post(bob, `/orders/${orderId}/resume`, { takeOverFrom: ann.email }));
    const refused = [...payments(orderId), [`/orders/${orderId}/park`, {}], [`/orders/${orderId}/cancel`, {}]] as const;
    for (const [path, body] of refused) {
      const error = await expectError(post(ann, path, body), 409, 'RESOURCE_CONFLICT');
      expect(error).toMatchObject({
        message: `${bob.email} has taken over this sale. Resume it first, from the list of parked and unfinished sales.`,
        details: { reason: 'order_held', heldBy: bob.email },
      });
    }
    const { data } = (await api.bare.get<OrderRecord>(`/api/v1/orders/${orderId}`, ann.headers)).body as { data: OrderRecord };
    expect(data).toMatchObject({
      payments: [],
      actions: { pay: { allowed: false }, park: { allowed: false }, cancel: { allowed: false } },
    });
    for (const [path, body] of payments(orderId)) expect((await post(bob, path, body)).status).toBeLessThan(300);
    await expectData(post(ann, `/orders/${orderId}/resume`, { takeOverFrom: bob.email }));
    expect((await post(ann, '/tenders', { kind: 'cash', amount: 14, orderId })).status).toBe(201);
    expect(await getOrder(fixture(), orderId)).toMatchObject({ status: 'paid' });
  });

  test('lets API keys pay an order that a person has, and everyone one that was never resumed or is open again', inFull, async () => {
    const { api, baseUrl, credentials } = fixture();
    const [ann, bob] = [await createUser(fixture(), 'manager'), await createUser(fixture(), 'manager')];
    const { orderId } = await createOrder(fixture(), { amount: 20 });
    await expectData(post(bob, '/tenders', { kind: 'cash', amount: 2, orderId }), 201);
    await takeTender(fixture(), 2, { orderId });
    await expectData(post(ann, `/orders/${orderId}/resume`, { takeOverFrom: (await getOrder(fixture(), orderId)).createdBy }));
    const body = { name: 'integration', scope: 'merchant', merchantId: credentials.merchantId };
    const permissions = ['transactions:read', 'transactions:write'];
    const { key } = await expectData(
      api.admin.post<{ key: string }>('/api-keys', { ...body, permissions, currentPassword: api.adminPassword }),
      201,
    );
    const integration = surfaceOf(baseUrl, '/api/v1/public', () => ({ 'X-Tenant-ID': credentials.tenantId, 'x-api-key': key }));
    const { transactionId } = await expectData(
      integration.post<TransactionRecord>('/transaction', {
        Amount: 16,
        CardNumber: CARDS.visa,
        ExpiryMonth: '12',
        ExpiryYear: '2031',
        CVV: '123',
        OrderId: orderId,
      }),
    );
    expect(await getOrder(fixture(), orderId)).toMatchObject({ status: 'paid', resumedBy: ann.email });
    await expectData(api.admin.post(`/transactions/${transactionId}/void`, {}));
    expect(await getOrder(fixture(), orderId)).toMatchObject({ status: 'open', resumedBy: null });
    await expectData(post(bob, '/tenders', { kind: 'cash', amount: 16, orderId }), 201);
  });

  test('keeps orders from the people of another merchant', inFull, async () => {
    const other = await createUser(fixture(), 'manager', {}, await createMerchant(fixture()));
    const { orderId, createdBy } = await createOrder(fixture(), { amount: 20 });
    await expectError(post(other, `/orders/${orderId}/resume`, { takeOverFrom: createdBy }), 403, 'MERCHANT_NOT_AUTHORIZED');
    await expectError(post(other, `/orders/${orderId}/resume`), 403, 'MERCHANT_NOT_AUTHORIZED');
    expect(await getOrder(fixture(), orderId)).toMatchObject({ resumedBy: null });
  });
});
