import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type Answer, accept, type Receiver, refuse, startReceiver } from '../../support/receiver.ts';
import { sale } from '../../support/sales.ts';
import { type ApiFixture, describeOnBothDatabases, expectData, expectError } from '../../support/server.ts';
import { advance, type DeliveryRecord, deliveriesOf, delivery, type EndpointRecord, register } from '../../support/webhooks.ts';

const PATH = '/hooks';

let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.stop());

/** An answer that is given when the test says so; `arrived` tells that the request is there. */
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

describeOnBothDatabases('redelivery', (fixture) => {
  afterEach(async () => {
    const { api } = fixture();
    for (const { id } of await expectData(api.admin.get<{ id: string }[]>('/webhooks'))) await api.admin.delete(`/webhooks/${id}`);
    receiver.answers.clear();
    receiver.received.length = 0;
  });

  /** A sale and its refund at an endpoint that refuses: the first waits for its second attempt, the other for the first. */
  async function waiting(on: ApiFixture, amount: number) {
    receiver.answers.set(PATH, refuse(503));
    const endpoint = await register(on, receiver.url(PATH), ['transaction.approved', 'refund.processed']);
    const { transactionId } = await sale(on, amount);
    await receiver.waitFor(PATH, 1);
    await expectData(on.api.admin.post(`/transactions/${transactionId}/refund`));
    // The clock stands still until all that was begun is written down.
    await advance(on, 1);
    const [approved, refunded] = await deliveriesOf(on, endpoint);
    if (!approved || !refunded) throw new Error('a sale and its refund are two deliveries');
    return { endpoint, approved, refunded };
  }

  test('keeps status and schedule after a failed redelivery, and records it', async () => {
    const on = fixture();
    const { endpoint, approved } = await waiting(on, 60);
    const after = await expectData(on.api.admin.post<DeliveryRecord>(pathOf(endpoint, approved)));
    expect(after).toMatchObject({ status: 'pending', attemptCount: 2, responseStatus: 503, nextAttemptAt: approved.nextAttemptAt });
    expect(after.attempts.map(({ trigger }) => trigger)).toEqual(['automatic', 'manual']);
    const next = Date.parse(approved.nextAttemptAt ?? '') - Date.parse(approved.lastAttemptAt ?? '');
    expect(next).toBe(60_000);
    // By hand or not, the third attempt is the second of the schedule: one minute after the first, and five more follow it.
    await advance(on, 60);
    const scheduled = await delivery(on, endpoint, approved.id);
    expect(scheduled.attempts.map(({ trigger }) => trigger)).toEqual(['automatic', 'manual', 'automatic']);
    expect(Date.parse(scheduled.nextAttemptAt ?? '') - Date.parse(scheduled.lastAttemptAt ?? '')).toBe(300_000);
  });

  test('ends the delivery after a successful redelivery, and sends the next one immediately', async () => {
    const on = fixture();
    const { endpoint, approved, refunded } = await waiting(on, 61);
    receiver.answers.set(PATH, accept);
    expect(await expectData(on.api.admin.post(pathOf(endpoint, approved)))).toMatchObject({ status: 'delivered', nextAttemptAt: null });
    await receiver.waitFor(PATH, 3);
    await advance(on, 600);
    expect(receiver.at(PATH).map(({ event }) => event.type)).toEqual(['transaction.approved', 'transaction.approved', 'refund.processed']);
    expect(await delivery(on, endpoint, refunded.id)).toMatchObject({ status: 'delivered', attemptCount: 1 });
  });

  test('sends a delivered event again without changing its status, even if it is refused', async () => {
    const on = fixture();
    const endpoint = await register(on, receiver.url(PATH), ['transaction.approved']);
    await sale(on, 62);
    await receiver.waitFor(PATH, 1);
    await advance(on, 1);
    const [delivered] = await deliveriesOf(on, endpoint);
    if (!delivered) throw new Error('the sale is delivered');
    receiver.answers.set(PATH, refuse(500));
    expect(await expectData(on.api.admin.post(pathOf(endpoint, delivered)))).toMatchObject({ status: 'delivered', nextAttemptAt: null });
    await advance(on, 86_400);
    expect(new Set(receiver.at(PATH).map(({ body }) => body)).size).toBe(1);
    expect(receiver.at(PATH)).toHaveLength(2);
  });

  test('while a delivery is being sent, a second redelivery is a conflict and sends nothing', async () => {
    const on = fixture();
    const { endpoint, approved } = await waiting(on, 63);
    const held = heldBack();
    receiver.answers.set(PATH, held.answer);
    const first = on.api.admin.post<DeliveryRecord>(pathOf(endpoint, approved));
    await held.arrived;
    const sent = receiver.at(PATH).length;
    const error = await expectError(on.api.admin.post(pathOf(endpoint, approved)), 409, 'RESOURCE_CONFLICT');
    expect(error.details).toMatchObject({ deliveryId: approved.id });
    expect(receiver.at(PATH)).toHaveLength(sent);
    held.release(accept);
    expect(await expectData(first)).toMatchObject({ status: 'delivered', attemptCount: 2 });
  });

  test('still schedules a waiting delivery whose manual attempt fails while its predecessor ends', async () => {
    const on = fixture();
    const { endpoint, approved, refunded } = await waiting(on, 64);
    const held = heldBack();
    receiver.answers.set(PATH, (request, response, socket) => {
      if (request.event.type === 'refund.processed') held.answer(request, response, socket);
      else accept(request, response, socket);
    });
    const byHand = on.api.admin.post<DeliveryRecord>(pathOf(endpoint, refunded));
    await held.arrived;
    expect(await expectData(on.api.admin.post(pathOf(endpoint, approved)))).toMatchObject({ status: 'delivered' });
    held.release(refuse(500));
    expect(await expectData(byHand)).toMatchObject({ status: 'pending' });
    receiver.answers.set(PATH, accept);
    await advance(on, 86_400);
    expect(await delivery(on, endpoint, refunded.id)).toMatchObject({ status: 'delivered' });
  });

  test('still schedules a suspended delivery whose manual attempt fails while its endpoint is enabled', async () => {
    const on = fixture();
    const { endpoint, approved } = await waiting(on, 65);
    await expectData(on.api.admin.put(`/webhooks/${endpoint.id}`, { status: 'disabled' }));
    await advance(on, 60);
    expect(await delivery(on, endpoint, approved.id)).toMatchObject({ status: 'pending', nextAttemptAt: null, attemptCount: 1 });
    const held = heldBack();
    receiver.answers.set(PATH, held.answer);
    const byHand = on.api.admin.post<DeliveryRecord>(pathOf(endpoint, approved));
    await held.arrived;
    await expectData(on.api.admin.put(`/webhooks/${endpoint.id}`, { status: 'active' }));
    held.release(refuse(500));
    await expectData(byHand);
    receiver.answers.set(PATH, accept);
    await advance(on, 86_400);
    expect(await delivery(on, endpoint, approved.id)).toMatchObject({ status: 'delivered' });
  });

  test('deletes a delivery under way with its endpoint, and leaves nothing due', async () => {
    const on = fixture();
    const { endpoint, approved } = await waiting(on, 66);
    const held = heldBack();
    receiver.answers.set(PATH, held.answer);
    const byHand = on.api.admin.post<DeliveryRecord>(pathOf(endpoint, approved));
    await held.arrived;
    await expectData(on.api.admin.delete(`/webhooks/${endpoint.id}`));
    held.release(accept);
    await expectError(byHand, 404, 'NOT_FOUND');
    expect((await advance(on, 86_400)).ran.webhooks).toBe(0);
  });
});
