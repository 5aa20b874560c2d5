import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { CARDS, cardBody, createSale, type TransactionRecord } from '../../support/sales.ts';
import { describeOnAnyDatabase, expectData, FULL } from '../../support/server.ts';
import { settleOnRequest } from '../../support/settlements.ts';
import { accept, type Received, type Receiver, refuse, startReceiver } from '../../support/webhook-receiver.ts';
import { advanceClock, getDelivery, hmac, listDeliveries, registerEndpoint } from '../../support/webhooks.ts';

const MINUTE = 60;
const HOUR = 3_600;
const DAY = 86_400;

let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.stop());

const types = (received: readonly Received[]) => received.map(({ event }) => event.type);
/** Seconds between the first of several times and each of them. */
const since = (times: readonly string[]) => times.map((time) => Math.round((Date.parse(time) - Date.parse(times[0] ?? '')) / 1_000));

describeOnAnyDatabase('deliveries', (fixture) => {
  afterEach(async () => {
    const { api } = fixture();
    for (const { id } of await expectData(api.admin.get<{ id: string }[]>('/webhooks'))) await api.admin.delete(`/webhooks/${id}`);
    receiver.answers.clear();
    receiver.received.length = 0;
  });

  test('delivers sale, decline, void, refund and declined refund as specified, signed over the raw bytes', async () => {
    const service = fixture();
    const endpoint = await registerEndpoint(service, receiver.url('/all'));
    const paid = await createSale(service, 30, { customer: { email: 'Ann@Shop.example' } });
    await expectData(service.api.admin.post(`/transactions/${paid.transactionId}/refund`, { amount: 10, reason: 'torn' }));
    const voided = await createSale(service, 31);
    await expectData(service.api.admin.post(`/transactions/${voided.transactionId}/void`, { reason: 'mistake' }));
    await service.api.admin.post('/transactions', cardBody(32, CARDS.noFunds));
    const owed = await expectData(service.api.admin.post<TransactionRecord>('/transactions', cardBody(33, CARDS.refundDeclined)));
    await service.api.admin.post(`/transactions/${owed.transactionId}/refund`);
    const received = await receiver.waitFor('/all', 8);
    const receivedOf = (id: string) => received.filter(({ event }) => event.data.transactionId === id);

    const [approved, refunded] = receivedOf(paid.transactionId);
    expect(approved?.event).toEqual({
      id: expect.stringMatching(/^evt_/),
      type: 'transaction.approved',
      createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
      tenantId: service.credentials.tenantId,
      merchantId: service.credentials.merchantId,
      data: {
        transactionId: paid.transactionId,
        type: 'sale',
        channel: 'phone',
        amount: 30,
        tipAmount: 0,
        surchargeAmount: 0,
        taxAmount: 0,
        discountAmount: 0,
        discountApprovedBy: null,
        currency: 'USD',
        authCode: paid.authCode,
        card: { brand: 'visa', last4: '1111' },
        customer: { email: 'ann@shop.example' },
      },
    });
    expect(refunded?.event).toMatchObject({
      type: 'refund.processed',
      data: { refundId: expect.stringMatching(/^ref_/), transactionId: paid.transactionId, amount: 10, status: 'approved', reason: 'torn' },
    });
    expect(receivedOf(voided.transactionId).map(({ event }) => event)).toMatchObject([
      { type: 'transaction.approved' },
      { type: 'transaction.voided', data: { type: 'sale', amount: 31, currency: 'USD', reason: 'mistake', voidedAt: expect.any(String) } },
    ]);
    expect(types(receivedOf(owed.transactionId))).toEqual(['transaction.approved', 'refund.declined', 'refund_decline_queue.created']);
    expect(receivedOf(owed.transactionId)[1]?.event.data).toMatchObject({
      amount: 33,
      queuedForRetry: true,
      declineReason: expect.any(String),
      errorCode: 'REFUND_DECLINED',
    });
    const declined = received.find(({ event }) => event.type === 'transaction.declined');
    expect(declined?.event.data).toMatchObject({ type: 'sale', amount: 32, declineCode: 'insufficient_funds', card: { last4: '9995' } });

    for (const { headers, body, event } of received) {
      expect(headers['x-service-signature']).toBe(hmac(endpoint.secret, body));
      expect(headers).toMatchObject({ 'content-type': 'application/json', 'webhook-id': event.id, 'x-service-event': event.type });
      expect(headers['webhook-signature']).toMatch(/^v1,[A-Za-z0-9+/]{43}=$/);
      expect(body).not.toMatch(/4111111111111111|"cvv"/);
    }
  });

  test('retries an unavailable receiver at the exact times of the schedule with the same bytes, and then delivers everything in order', async () => {
    const service = fixture();
    receiver.answers.set('/down', refuse(503));
    const endpoint = await registerEndpoint(service, receiver.url('/down'));
    const { transactionId } = await createSale(service, 40);
    await expectData(service.api.admin.post(`/transactions/${transactionId}/void`));
    await receiver.waitFor('/down', 1);
    await advanceClock(service, 6 * DAY);
    // The demo's own authorizations expire in the meantime and are published too.
    const receivedEvents = () => receiver.receivedAt('/down').filter(({ event }) => event.data.transactionId === transactionId);
    expect(new Set(receivedEvents().map(({ body }) => body)).size).toBe(1);
    expect(receivedEvents()[0]?.event.type).toBe('transaction.approved');

    receiver.answers.set('/down', accept);
    await advanceClock(service, DAY);
    const [first, second] = await listDeliveries(service, endpoint, `&resourceId=${transactionId}`);
    expect([first, second]).toMatchObject([
      { eventType: 'transaction.approved', status: 'delivered' },
      { eventType: 'transaction.voided', status: 'delivered', attemptCount: 1 },
    ]);
    const { attempts } = await getDelivery(service, endpoint, first?.id ?? '');
    const delays = [MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 12 * HOUR, DAY, DAY, DAY, DAY, DAY, DAY];
    const times = attempts.map(({ attemptedAt }) => Date.parse(attemptedAt));
    expect(times.slice(1).map((time, index) => time - (times[index] ?? 0))).toEqual(delays.map((delay) => delay * 1_000));
    expect(types(receivedEvents().slice(-2))).toEqual(['transaction.approved', 'transaction.voided']);
    expect(
      new Set(
        receivedEvents()
          .slice(0, -1)
          .map(({ body }) => body),
      ).size,
    ).toBe(1);
    for (const { headers, body } of receivedEvents()) expect(headers['x-service-signature']).toBe(hmac(endpoint.secret, body));
  });

  test('delivers a refund after its sale although the clock of the workstation that refunds is behind', async () => {
    const service = fixture();
    receiver.answers.set('/behind', refuse(503));
    await registerEndpoint(service, receiver.url('/behind'));
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 5_000 });
    const { transactionId } = await createSale(service, 40)
      .finally(() => receiver.waitFor('/behind', 1))
      .finally(() => vi.useRealTimers());
    await expectData(service.api.admin.post(`/transactions/${transactionId}/refund`));
    receiver.answers.set('/behind', accept);
    await advanceClock(service, DAY);
    const received = receiver.receivedAt('/behind').filter(({ event }) => event.data.transactionId === transactionId);
    expect([...new Set(types(received))].slice(0, 2)).toEqual(['transaction.approved', 'refund.processed']);
  });

  test('fails a delivery after seven days; a manual delivery sends the same bytes and unblocks later ones', async () => {
    const service = fixture();
    receiver.answers.set('/dead', refuse(500));
    const endpoint = await registerEndpoint(service, receiver.url('/dead'), ['transaction.approved']);
    await createSale(service, 41);
    await receiver.waitFor('/dead', 1);
    await advanceClock(service, 7 * DAY - 60);
    const [waiting] = await listDeliveries(service, endpoint);
    expect(waiting?.status).toBe('pending');
    await advanceClock(service, 120);
    const [failed] = await listDeliveries(service, endpoint);
    expect(failed).toMatchObject({
      status: 'failed',
      attemptCount: 12,
      responseStatus: 500,
      nextAttemptAt: null,
      error: { kind: 'status' },
    });
    const sent = receiver.receivedAt('/dead');
    await advanceClock(service, 3 * DAY);
    expect(receiver.receivedAt('/dead')).toHaveLength(sent.length);

    const path = `/webhooks/${endpoint.id}/deliveries/${failed?.id}/redeliver`;
    expect(await expectData(service.api.admin.post(path))).toMatchObject({ status: 'failed', attemptCount: 13 });
    receiver.answers.set('/dead', accept);
    const redelivered = await expectData(service.api.admin.post<{ body: string; status: string; attempts: { trigger: string }[] }>(path));
    expect(redelivered).toMatchObject({ status: 'delivered', body: sent[0]?.body });
    expect(redelivered.attempts.at(-1)?.trigger).toBe('manual');
    expect(receiver.receivedAt('/dead').at(-1)?.body).toBe(sent[0]?.body);
  });

  test('restarts the schedule of all failed deliveries since a time', async () => {
    const service = fixture();
    receiver.answers.set('/again', refuse(500));
    const endpoint = await registerEndpoint(service, receiver.url('/again'), ['transaction.approved']);
    await createSale(service, 42);
    await createSale(service, 43);
    await receiver.waitFor('/again', 2);
    await advanceClock(service, 8 * DAY);
    receiver.answers.set('/again', accept);
    const since = new Date(0).toISOString();
    const path = `/webhooks/${endpoint.id}/deliveries/redeliver-failed`;
    expect(await expectData(service.api.admin.post(path, { since }))).toEqual({ redelivered: 2 });
    await advanceClock(service, 1);
    expect((await listDeliveries(service, endpoint)).map(({ status }) => status)).toEqual(['delivered', 'delivered']);
    expect(await expectData(service.api.admin.post(path, { since }))).toEqual({ redelivered: 0 });
  });

  test('blocks no other payment or endpoint while the delivery of one payment fails', async () => {
    const service = fixture();
    const stuck = await createSale(service, 44);
    receiver.answers.set('/one', (request, response, socket) => {
      if (request.event.data.amount === 45) refuse(500)(request, response, socket);
      else accept(request, response, socket);
    });
    const one = await registerEndpoint(service, receiver.url('/one'));
    const other = await registerEndpoint(service, receiver.url('/other'));
    const failing = await createSale(service, 45);
    const fine = await createSale(service, 46);
    await expectData(service.api.admin.post(`/transactions/${failing.transactionId}/void`));
    await expectData(service.api.admin.post(`/transactions/${fine.transactionId}/void`));
    await expectData(service.api.admin.post(`/transactions/${stuck.transactionId}/void`));
    await receiver.waitFor('/other', 5);
    await receiver.waitFor('/one', 4);
    await advanceClock(service, 1);
    const receivedEvents = (path: string, id: string) =>
      types(receiver.receivedAt(path).filter(({ event }) => event.data.transactionId === id));
    expect(receivedEvents('/one', fine.transactionId)).toEqual(['transaction.approved', 'transaction.voided']);
    expect(receivedEvents('/one', stuck.transactionId)).toEqual(['transaction.voided']);
    expect(new Set(receivedEvents('/one', failing.transactionId))).toEqual(new Set(['transaction.approved']));
    expect(receivedEvents('/other', failing.transactionId)).toEqual(['transaction.approved', 'transaction.voided']);
    expect((await listDeliveries(service, one)).filter(({ status }) => status === 'pending')).toHaveLength(2);
    expect((await listDeliveries(service, other)).every(({ status }) => status === 'delivered')).toBe(true);
  });

  test('delivers each event once to each endpoint under the name and merchant that it registered', async () => {
    const service = fixture();
    await registerEndpoint(service, receiver.url('/alias'), ['refund.approved']);
    await registerEndpoint(service, receiver.url('/both'), ['refund.approved', 'refund.processed', 'refund.approved']);
    await registerEndpoint(service, receiver.url('/star'), ['*', 'transaction.approved']);
    const { transactionId } = await createSale(service, 47);
    await expectData(service.api.admin.post(`/transactions/${transactionId}/refund`));
    await receiver.waitFor('/star', 2);
    await advanceClock(service, 1);
    expect(types(receiver.receivedAt('/alias'))).toEqual(['refund.approved']);
    expect(types(receiver.receivedAt('/both'))).toEqual(['refund.processed']);
    expect(types(receiver.receivedAt('/star'))).toEqual(['transaction.approved', 'refund.processed']);
    const ids = [...receiver.receivedAt('/alias'), ...receiver.receivedAt('/both')].map(({ event }) => event.id);
    expect(new Set(ids).size).toBe(1);
  });

  test('signs with both secrets for 24 hours after a rotation, then with the new one only', async () => {
    const service = fixture();
    const endpoint = await registerEndpoint(service, receiver.url('/rotated'), ['transaction.approved']);
    const rotated = await expectData(service.api.admin.post<{ secret: string }>(`/webhooks/${endpoint.id}/rotate-secret`));
    expect(rotated.secret).toMatch(/^whsec_/);
    expect(rotated.secret).not.toBe(endpoint.secret);
    await createSale(service, 48);
    const [during] = await receiver.waitFor('/rotated', 1);
    expect(during?.headers['x-service-signature']).toBe(hmac(rotated.secret, during?.body ?? ''));
    expect(during?.headers['x-service-signature-previous']).toBe(hmac(endpoint.secret, during?.body ?? ''));
    expect(String(during?.headers['webhook-signature']).split(' ')).toHaveLength(2);
    await advanceClock(service, DAY + 1);
    await createSale(service, 49);
    const [, after] = await receiver.waitFor('/rotated', 2);
    expect(after?.headers['x-service-signature']).toBe(hmac(rotated.secret, after?.body ?? ''));
    expect(after?.headers['x-service-signature-previous']).toBeUndefined();
    expect(String(after?.headers['webhook-signature']).split(' ')).toHaveLength(1);
  });

  test('queues nothing for a disabled endpoint, and sends earlier deliveries after it is enabled', async () => {
    const service = fixture();
    receiver.answers.set('/rest', refuse(500));
    const endpoint = await registerEndpoint(service, receiver.url('/rest'), ['transaction.approved']);
    const owed = await createSale(service, 50);
    await receiver.waitFor('/rest', 1);
    await expectData(service.api.admin.put(`/webhooks/${endpoint.id}`, { status: 'disabled' }));
    await createSale(service, 51);
    await advanceClock(service, 10 * MINUTE);
    expect(receiver.receivedAt('/rest')).toHaveLength(1);
    receiver.answers.set('/rest', accept);
    await expectData(service.api.admin.put(`/webhooks/${endpoint.id}`, { status: 'active' }));
    await advanceClock(service, 1);
    expect((await listDeliveries(service, endpoint)).map(({ status, resourceId }) => ({ status, resourceId }))).toEqual([
      { status: 'delivered', resourceId: owed.transactionId },
    ]);
  });

  test('repeats a scenario with the same events, intervals and final states', FULL, async () => {
    const service = fixture();
    // The settled payments depend on the sales of other tests.
    await settleOnRequest(service, service.credentials.merchantId);
    async function play(path: string) {
      receiver.answers.set(path, refuse(500));
      const endpoint = await registerEndpoint(service, receiver.url(path));
      const made = await expectData(service.api.admin.post<TransactionRecord>('/transactions', cardBody(52, CARDS.refundDeclined)));
      await service.api.admin.post(`/transactions/${made.transactionId}/refund`);
      const held = await expectData(service.api.admin.post<TransactionRecord>('/transactions', cardBody(53, CARDS.visa, { type: 'auth' })));
      await receiver.waitFor(path, 2);
      const { ran } = await advanceClock(service, 3 * DAY);
      receiver.answers.set(path, accept);
      const rest = await advanceClock(service, 6 * DAY);
      const seen = [made, held].map(({ transactionId }) =>
        types(receiver.receivedAt(path).filter(({ event }) => event.data.transactionId === transactionId)),
      );
      const states = [];
      for (const { id } of await listDeliveries(service, endpoint)) {
        const { eventType, status, attempts } = await getDelivery(service, endpoint, id);
        states.push({ eventType, status, attempts: since(attempts.map(({ attemptedAt }) => attemptedAt)) });
      }
      await service.api.admin.delete(`/webhooks/${endpoint.id}`);
      return { ran, rest: rest.ran, seen, states };
    }
    const first = await play('/first');
    expect(await play('/second')).toEqual(first);
    expect(first.ran.refundRetries).toBe(3);
    expect(first.rest.expirations).toBe(1);
    expect(first.states.map(({ eventType }) => eventType)).toEqual([
      'transaction.approved',
      'refund.declined',
      'refund_decline_queue.created',
      'transaction.approved',
      'refund_decline_queue.failed',
      'transaction.voided',
    ]);
    expect(first.states.every(({ status }) => status === 'delivered')).toBe(true);
  });
});
