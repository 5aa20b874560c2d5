import { expect, test } from 'vitest';
import { CARDS, cardBody, createSale, type TransactionRecord } from '../../support/sales.ts';
import { describeOnAnyDatabase, expectData, expectError } from '../../support/server.ts';
import { startReceiver } from '../../support/webhook-receiver.ts';
import { advanceClock, registerEndpoint } from '../../support/webhooks.ts';

const DAY = 86_400;

describeOnAnyDatabase('sandbox tools', (fixture) => {
  test('moves the test clock only forward, and uses it for all times', async () => {
    const service = fixture();
    const { now } = await expectData(service.api.admin.get<{ now: string }>('/sandbox/clock'));
    const moved = await advanceClock(service, 3_600);
    expect(Date.parse(moved.now) - Date.parse(now)).toBeGreaterThanOrEqual(3_600_000);
    const { createdAt } = (await createSale(service, 12)) as TransactionRecord & { createdAt: string };
    expect(Date.parse(createdAt)).toBeGreaterThanOrEqual(Date.parse(moved.now));
    await expectError(service.api.admin.post('/sandbox/clock', { now }), 400, 'VALIDATION_ERROR', 'now');
    await expectError(service.api.admin.post('/sandbox/clock', { advanceSeconds: -1 }), 400, 'VALIDATION_ERROR', 'advanceSeconds');
    await expectError(service.api.admin.post('/sandbox/clock', { advanceSeconds: 1.5 }), 400, 'VALIDATION_ERROR', 'advanceSeconds');
    await expectError(service.api.admin.post('/sandbox/clock', { now: 'tomorrow' }), 400, 'VALIDATION_ERROR', 'now');
    await expectError(service.api.admin.post('/sandbox/clock', { now: '2031-02-31T00:00:00Z' }), 400, 'VALIDATION_ERROR', 'now');
    await expectError(service.api.admin.post('/sandbox/clock', {}), 400, 'REQUIRED_FIELD_MISSING', 'advanceSeconds');
    const target = new Date(Date.parse(moved.now) + 7_200_000).toISOString();
    expect(await expectData(service.api.admin.post('/sandbox/clock', { now: target }))).toMatchObject({ now: target });
  });

  test('voids an authorization without a capture after seven days', async () => {
    const service = fixture();
    await advanceClock(service, 30 * DAY);
    const auth = (amount: number) =>
      expectData(service.api.admin.post<TransactionRecord>('/transactions', cardBody(amount, CARDS.visa, { type: 'auth' })));
    const [left, captured, uncaptured] = [await auth(70), await auth(71), await auth(72)];
    await expectData(service.api.admin.post(`/transactions/${captured.transactionId}/capture`));
    await expectData(service.api.admin.post(`/transactions/${uncaptured.transactionId}/capture`));
    await expectData(service.api.admin.post(`/transactions/${uncaptured.transactionId}/cancel-capture`));
    expect((await advanceClock(service, 7 * DAY - 60)).ran.expirations).toBe(0);
    expect((await advanceClock(service, 120)).ran.expirations).toBe(2);
    const look = (id: string) => expectData(service.api.admin.get<TransactionRecord>(`/transactions/${id}`));
    expect(await look(left.transactionId)).toMatchObject({ status: 'voided', voidReason: 'authorization_expired' });
    expect(await look(uncaptured.transactionId)).toMatchObject({ status: 'voided', voidReason: 'authorization_expired' });
    expect(await look(captured.transactionId)).toMatchObject({ status: 'approved', captured: true });
  });

  test('charges nothing while a gateway is simulated as down', async () => {
    const { api } = fixture();
    expect(await expectData(api.admin.post('/sandbox/gateway', { mode: 'down' }))).toEqual({ mode: 'down' });
    await expectError(api.admin.post('/transactions', cardBody(73)), 503, 'GATEWAY_UNAVAILABLE');
    expect(await expectData(api.admin.get('/sandbox/gateway'))).toEqual({ mode: 'down' });
    await expectData(api.admin.post('/sandbox/gateway', { mode: 'normal' }));
    await createSale(fixture(), 73);
    await expectError(api.admin.post('/sandbox/gateway', { mode: 'sideways' }), 400, 'VALIDATION_ERROR', 'mode');
    await expectError(api.admin.post('/sandbox/gateway', { mode: 'down', gatewayId: 'gw_unknown' }), 400, 'VALIDATION_ERROR', 'gatewayId');
    await expectError(api.admin.get('/sandbox/gateway?gatewayId=gw_unknown'), 400, 'VALIDATION_ERROR', 'gatewayId');
  });

  test('raises a chargeback of the remaining amount and concludes it immediately or later, with events', async () => {
    const service = fixture();
    const receiver = await startReceiver();
    const endpoint = await registerEndpoint(service, receiver.url('/'), ['chargeback.received', 'chargeback.won', 'chargeback.lost']);
    const paid = await createSale(service, 80);
    await expectData(service.api.admin.post(`/transactions/${paid.transactionId}/refund`, { amount: 30 }));
    const raise = (body: Record<string, unknown>) => service.api.admin.post('/sandbox/chargebacks', body);
    const raised = await expectData(raise({ transactionId: paid.transactionId, reason: 'not_received' }));
    expect(raised).toMatchObject({
      amount: 50,
      currency: 'USD',
      reason: 'not_received',
      status: 'open',
      dueDate: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    });
    await expectError(raise({ transactionId: paid.transactionId }), 409, 'RESOURCE_CONFLICT');
    expect(await expectData(raise({ transactionId: paid.transactionId, outcome: 'won' }))).toMatchObject({
      chargebackId: raised.chargebackId,
      status: 'won',
    });
    const other = await createSale(service, 81);
    expect(await expectData(raise({ transactionId: other.transactionId, outcome: 'lost' }))).toMatchObject({ status: 'lost', amount: 81 });
    const receivedEvents = (await receiver.waitFor('/', 4)).map(({ event }) => event).sort((left, right) => (left.id < right.id ? -1 : 1));
    expect(receivedEvents).toMatchObject([
      {
        type: 'chargeback.received',
        data: { chargebackId: raised.chargebackId, amount: 50, reason: 'not_received', dueDate: raised.dueDate },
      },
      { type: 'chargeback.won', data: { chargebackId: raised.chargebackId, outcome: 'won' } },
      { type: 'chargeback.received' },
      { type: 'chargeback.lost', data: { amount: 81, outcome: 'lost' } },
    ]);
    const auth = await expectData(service.api.admin.post<TransactionRecord>('/transactions', cardBody(82, CARDS.visa, { type: 'auth' })));
    await expectError(raise({ transactionId: auth.transactionId }), 409, 'RESOURCE_CONFLICT');
    await expectError(raise({ transactionId: 'txn_none' }), 404, 'TRANSACTION_NOT_FOUND');
    await service.api.admin.delete(`/webhooks/${endpoint.id}`);
    await receiver.stop();
  });

  test('notifies the customer of a refund by the Public API in the message list', async () => {
    const { api } = fixture();
    const paid = await createSale(fixture(), 90, { customer: { email: 'bea@shop.example' } });
    await expectData(api.public.post('/refund', { transactionId: paid.transactionId, amount: 15 }));
    const messages = await expectData(api.admin.get<Record<string, unknown>[]>('/sandbox/messages'));
    expect(messages[0]).toMatchObject({
      channel: 'email',
      to: 'bea@shop.example',
      subject: 'Your refund of 15.00 USD',
      body: expect.stringContaining('1111'),
    });
    await expectData(api.admin.post(`/transactions/${paid.transactionId}/refund`, { amount: 5 }));
    expect(await expectData(api.admin.get<unknown[]>('/sandbox/messages'))).toHaveLength(messages.length);
  });

  test('publishes changes to listeners', async () => {
    const { api, baseUrl, credentials } = fixture();
    const login = await expectData(
      api.bare.post<{ token: string }>(
        '/api/v1/auth/login',
        { email: credentials.adminEmail, password: credentials.adminPassword },
        { 'X-Tenant-ID': credentials.tenantId },
      ),
    );
    const stop = new AbortController();
    const stream = await fetch(`${baseUrl}/api/v1/changes`, {
      headers: { 'X-Tenant-ID': credentials.tenantId, authorization: `Bearer ${login.token}` },
      signal: stop.signal,
    });
    expect(stream.headers.get('content-type')).toContain('text/event-stream');
    const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
    await createSale(fixture(), 91);
    const change = /event: change\ndata: \{"topics":\[.*"transactions".*\]\}\n\n/;
    let text = '';
    // A change of something else may come first.
    for (let isOpen = true; isOpen && !change.test(text); ) {
      const { value = '', done = true } = (await reader?.read()) ?? {};
      text += value;
      isOpen = !done;
    }
    expect(text).toMatch(change);
    stop.abort();
    await expectError(api.bare.get('/api/v1/changes', { 'X-Tenant-ID': credentials.tenantId }), 401, 'UNAUTHORIZED');
  });

  test("deletes the tenant's data and keeps users, keys and clock", async () => {
    const service = fixture();
    await createSale(service, 92);
    await registerEndpoint(service, 'https://shop.example/');
    const schedule = `/settlement/schedule/${service.credentials.merchantId}`;
    await expectData(service.api.admin.put(schedule, { cutoffTime: '03:15' }));
    const ranges = new FormData();
    ranges.set('file', new Blob(['firstDigits,funding\n411111,credit\n']), 'ranges.csv');
    await expectData(service.api.admin.post('/card-ranges/import', ranges));
    const atDrawer = { 'Paydesk-Drawer': 'Counter' };
    const { shiftId } = await expectData(
      service.api.admin.post<{ shiftId: string }>('/shifts/open', { drawer: 'Counter', amount: 0 }),
      201,
    );
    expect(await expectData(service.api.admin.post('/transactions', cardBody(93), atDrawer))).toMatchObject({ shiftId });
    const before = await expectData(service.api.admin.get<{ now: string }>('/sandbox/clock'));
    expect(await expectData(service.api.admin.post('/sandbox/reset'))).toEqual({ reset: true });
    const gone = [
      '/transactions',
      '/refunds',
      '/webhooks',
      '/refund-decline-queue',
      '/sandbox/messages',
      '/invoices',
      '/settlement/payouts',
    ];
    for (const path of [...gone, `/settlement/history/${service.credentials.merchantId}`]) {
      expect((await service.api.admin.get(path)).body.pagination.total).toBe(0);
    }
    expect(await expectData(service.api.admin.get(schedule))).toMatchObject({ cutoffTime: '03:15' });
    expect(await expectData(service.api.admin.get('/card-ranges'))).toMatchObject({ credit: 1 });
    expect(await expectData(service.api.admin.post('/transactions', cardBody(94), atDrawer))).toMatchObject({ shiftId: null });
    const after = await expectData(service.api.admin.get<{ now: string }>('/sandbox/clock'));
    expect(Date.parse(after.now)).toBeGreaterThanOrEqual(Date.parse(before.now));
    const paid = await expectData(
      service.api.public.post<TransactionRecord>('/transaction', {
        Amount: 5,
        CardNumber: CARDS.visa,
        ExpiryMonth: '12',
        ExpiryYear: '2031',
      }),
    );
    expect(await expectData(service.api.admin.post(`/transactions/${paid.transactionId}/refund`))).toMatchObject({ status: 'approved' });
  });
});
