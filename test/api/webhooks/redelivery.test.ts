import { verifyWebhook } from '@paydesk/client';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createSale } from '../../support/sales.ts';
import { type ApiFixture, describeOnAnyDatabase, describeOnBothDatabases, expectData, expectError } from '../../support/server.ts';
import { type Answer, accept, type Receiver, refuse, startReceiver } from '../../support/webhook-receiver.ts';
import {
  advanceClock,
  type DeliveryRecord,
  type EndpointRecord,
  getDelivery,
  hmac,
  listDeliveries,
  registerEndpoint,
} from '../../support/webhooks.ts';

const PATH = '/hooks';

let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.stop());

/** A response that is sent when the test decides; `arrived` resolves when the request has arrived. */
function heldBack() {
  const arrived = Promise.withResolvers<void>();
  const released = Promise.withResolvers<Answer>();
  const answer: Answer = (request, response, socket) => {
    arrived.resolve();
    void released.promise.then((then) => then(request, response, socket));
  };
  return { answer, arrived: arrived.promise, release: released.resolve };
}

const pathOf = (endpoint: EndpointRecord, { id }: DeliveryRecord) => `/webhooks/${endpoint.id}/deliveries/${id}/redeliver`;

describeOnAnyDatabase('redelivery', (fixture) => {
  afterEach(async () => {
    const { api } = fixture();
    for (const { id } of await expectData(api.admin.get<{ id: string }[]>('/webhooks'))) await api.admin.delete(`/webhooks/${id}`);
    receiver.answers.clear();
    receiver.received.length = 0;
  });

  /**
   * Creates a sale and its refund at an endpoint that refuses: the first delivery waits for its second attempt, the other one for its
   * first.
   */
  async function waiting(service: ApiFixture, amount: number) {
    receiver.answers.set(PATH, refuse(503));
    const endpoint = await registerEndpoint(service, receiver.url(PATH), ['transaction.approved', 'refund.processed']);
    const { transactionId } = await createSale(service, amount);
    await receiver.waitFor(PATH, 1);
    await expectData(service.api.admin.post(`/transactions/${transactionId}/refund`));
    // The clock stands still until all started work is stored.
    await advanceClock(service, 1);
    const [approved, refunded] = await listDeliveries(service, endpoint);
    if (!approved || !refunded) throw new Error('a sale and its refund are two deliveries');
    return { endpoint, approved, refunded };
  }

  test('keeps status and schedule after a failed redelivery, and records it', async () => {
    const service = fixture();
    const { endpoint, approved } = await waiting(service, 60);
    const after = await expectData(service.api.admin.post<DeliveryRecord>(pathOf(endpoint, approved)));
    expect(after).toMatchObject({ status: 'pending', attemptCount: 2, responseStatus: 503, nextAttemptAt: approved.nextAttemptAt });
    expect(after.attempts.map(({ trigger }) => trigger)).toEqual(['automatic', 'manual']);
    const next = Date.parse(approved.nextAttemptAt ?? '') - Date.parse(approved.lastAttemptAt ?? '');
    expect(next).toBe(60_000);
    // Manual or not, the third attempt is the second of the schedule: after one minute, and the next one after five more.
    await advanceClock(service, 60);
    const scheduled = await getDelivery(service, endpoint, approved.id);
    expect(scheduled.attempts.map(({ trigger }) => trigger)).toEqual(['automatic', 'manual', 'automatic']);
    expect(Date.parse(scheduled.nextAttemptAt ?? '') - Date.parse(scheduled.lastAttemptAt ?? '')).toBe(300_000);
  });

  test('ends the delivery after a successful redelivery, and sends the next one immediately', async () => {
    const service = fixture();
    const { endpoint, approved, refunded } = await waiting(service, 61);
    receiver.answers.set(PATH, accept);
    expect(await expectData(service.api.admin.post(pathOf(endpoint, approved)))).toMatchObject({
      status: 'delivered',
      nextAttemptAt: null,
    });
    await receiver.waitFor(PATH, 3);
    await advanceClock(service, 600);
    expect(receiver.receivedAt(PATH).map(({ event }) => event.type)).toEqual([
      'transaction.approved',
      'transaction.approved',
      'refund.processed',
    ]);
    expect(await getDelivery(service, endpoint, refunded.id)).toMatchObject({ status: 'delivered', attemptCount: 1 });
  });

  test('sends a delivered event again without changing its status, even if it is refused', async () => {
    const service = fixture();
    const endpoint = await registerEndpoint(service, receiver.url(PATH), ['transaction.approved']);
    await createSale(service, 62);
    await receiver.waitFor(PATH, 1);
    await advanceClock(service, 1);
    const [delivered] = await listDeliveries(service, endpoint);
    if (!delivered) throw new Error('the sale is delivered');
    receiver.answers.set(PATH, refuse(500));
    expect(await expectData(service.api.admin.post(pathOf(endpoint, delivered)))).toMatchObject({
      status: 'delivered',
      nextAttemptAt: null,
    });
    await advanceClock(service, 86_400);
    expect(new Set(receiver.receivedAt(PATH).map(({ body }) => body)).size).toBe(1);
    expect(receiver.receivedAt(PATH)).toHaveLength(2);
  });

  test('refuses a second redelivery with a conflict while a delivery is being sent', async () => {
    const service = fixture();
    const { endpoint, approved } = await waiting(service, 63);
    const held = heldBack();
    receiver.answers.set(PATH, held.answer);
    const first = service.api.admin.post<DeliveryRecord>(pathOf(endpoint, approved));
    await held.arrived;
    const sent = receiver.receivedAt(PATH).length;
    const error = await expectError(service.api.admin.post(pathOf(endpoint, approved)), 409, 'RESOURCE_CONFLICT');
    expect(error.details).toMatchObject({ deliveryId: approved.id });
    expect(receiver.receivedAt(PATH)).toHaveLength(sent);
    held.release(accept);
    expect(await expectData(first)).toMatchObject({ status: 'delivered', attemptCount: 2 });
  });

  test('still schedules a waiting delivery whose manual attempt fails while its predecessor ends', async () => {
    const service = fixture();
    const { endpoint, approved, refunded } = await waiting(service, 64);
    const held = heldBack();
    receiver.answers.set(PATH, (request, response, socket) => {
      if (request.event.type === 'refund.processed') held.answer(request, response, socket);
      else accept(request, response, socket);
    });
    const byHand = service.api.admin.post<DeliveryRecord>(pathOf(endpoint, refunded));
    await held.arrived;
    expect(await expectData(service.api.admin.post(pathOf(endpoint, approved)))).toMatchObject({ status: 'delivered' });
    held.release(refuse(500));
    expect(await expectData(byHand)).toMatchObject({ status: 'pending' });
    receiver.answers.set(PATH, accept);
    await advanceClock(service, 86_400);
    expect(await getDelivery(service, endpoint, refunded.id)).toMatchObject({ status: 'delivered' });
  });

  test('still schedules a suspended delivery whose manual attempt fails while its endpoint is enabled', async () => {
    const service = fixture();
    const { endpoint, approved } = await waiting(service, 65);
    await expectData(service.api.admin.put(`/webhooks/${endpoint.id}`, { status: 'disabled' }));
    await advanceClock(service, 60);
    expect(await getDelivery(service, endpoint, approved.id)).toMatchObject({ status: 'pending', nextAttemptAt: null, attemptCount: 1 });
    const held = heldBack();
    receiver.answers.set(PATH, held.answer);
    const byHand = service.api.admin.post<DeliveryRecord>(pathOf(endpoint, approved));
    await held.arrived;
    await expectData(service.api.admin.put(`/webhooks/${endpoint.id}`, { status: 'active' }));
    held.release(refuse(500));
    await expectData(byHand);
    receiver.answers.set(PATH, accept);
    await advanceClock(service, 86_400);
    expect(await getDelivery(service, endpoint, approved.id)).toMatchObject({ status: 'delivered' });
  });

  test('deletes a delivery under way with its endpoint, and leaves nothing due', async () => {
    const service = fixture();
    const { endpoint, approved } = await waiting(service, 66);
    const held = heldBack();
    receiver.answers.set(PATH, held.answer);
    const byHand = service.api.admin.post<DeliveryRecord>(pathOf(endpoint, approved));
    await held.arrived;
    await expectData(service.api.admin.delete(`/webhooks/${endpoint.id}`));
    held.release(accept);
    await expectError(byHand, 404, 'NOT_FOUND');
    expect((await advanceClock(service, 86_400)).ran.webhooks).toBe(0);
  });

  test('returns an event as the built-in receiver catches it, with signatures that a program accepts', async () => {
    const service = fixture();
    await createSale(service, 68);
    const [event] = await expectData(service.api.admin.get<{ id: string }[]>('/webhooks/events?limit=1'));
    const path = `/webhooks/events/${event?.id}/request`;
    const { secret, headers, body } = await expectData(
      service.api.admin.get<{ secret: string; headers: Record<string, string>; body: string }>(path),
    );
    const lowerCased = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
    expect(await verifyWebhook(body, lowerCased, secret)).toMatchObject({ id: event?.id, data: { amount: 68 } });
    expect(lowerCased['x-service-signature']).toBe(hmac(secret, body));
    expect(await expectData(service.api.admin.get(path))).toMatchObject({ secret });
  });
});

describeOnBothDatabases('redelivery by parallel requests', (fixture) => {
  test('sends an event of the history to an endpoint that did not exist then, once under parallel requests', async () => {
    const service = fixture();
    const { api } = service;
    const { transactionId } = await createSale(service, 67);
    const [event] = (await expectData(api.admin.get<{ id: string; resourceId: string }[]>('/webhooks/events?limit=200'))).filter(
      ({ resourceId }) => resourceId === transactionId,
    );
    const endpoint = await registerEndpoint(service, receiver.url(PATH), ['transaction.approved']);
    const send = (eventId: string | undefined) => api.admin.post<DeliveryRecord>(`/webhooks/${endpoint.id}/deliveries`, { eventId });
    receiver.answers.set(PATH, refuse(500));
    expect(await expectData(send(event?.id))).toMatchObject({ status: 'failed', responseStatus: 500, nextAttemptAt: null });
    receiver.answers.set(PATH, accept);
    const statuses = await Promise.all(Array.from({ length: 10 }, async () => (await send(event?.id)).status));
    expect(statuses.every((status) => status === 200 || status === 409)).toBe(true);
    expect(statuses).toContain(200);
    expect(await listDeliveries(service, endpoint)).toMatchObject([{ eventId: event?.id, status: 'delivered' }]);

    await expectError(send('evt_missing'), 404, 'NOT_FOUND');
    const other = await registerEndpoint(service, receiver.url(PATH), ['refund.processed']);
    const refused = api.admin.post(`/webhooks/${other.id}/deliveries`, { eventId: event?.id });
    await expectError(refused, 400, 'VALIDATION_ERROR', 'eventId');
  });
});
