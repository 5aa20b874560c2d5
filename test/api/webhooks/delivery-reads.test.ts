import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createSale } from '../../support/sales.ts';
import { describeOnAnyDatabase, expectData, expectError } from '../../support/server.ts';
import { type Receiver, refuse, startReceiver } from '../../support/webhook-receiver.ts';
import {
  advanceClock,
  type DeliveryRecord,
  type EndpointRecord,
  getDelivery,
  listDeliveries,
  registerEndpoint,
} from '../../support/webhooks.ts';

const DAY = 86_400;

let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.stop());

describeOnAnyDatabase('reading deliveries', (fixture) => {
  afterEach(async () => {
    const { api } = fixture();
    for (const { id } of await expectData(api.admin.get<{ id: string }[]>('/webhooks?limit=200')))
      await api.admin.delete(`/webhooks/${id}`);
    receiver.answers.clear();
    receiver.received.length = 0;
  });

  test('filters deliveries by status, type and resource, newest first', async () => {
    const service = fixture();
    const { api } = service;
    receiver.answers.set('/some', (request, response, socket) => {
      if (request.event.type === 'refund.processed') refuse(500)(request, response, socket);
      else response.writeHead(200).end();
    });
    const endpoint = await registerEndpoint(service, receiver.url('/some'), ['transaction.approved', 'refund.processed']);
    const sales = [await createSale(service, 70), await createSale(service, 71), await createSale(service, 72)];
    const [returned] = sales;
    await expectData(api.admin.post(`/transactions/${returned?.transactionId}/refund`));
    await receiver.waitFor('/some', 4);
    await advanceClock(service, 1);
    const list = async (query: string) =>
      (await expectData(api.admin.get<DeliveryRecord[]>(`/webhooks/${endpoint.id}/deliveries${query}`))).map(
        ({ eventType, resourceId, status }) => [eventType, resourceId, status],
      );
    const approvals = sales.map(({ transactionId }) => ['transaction.approved', transactionId, 'delivered']).toReversed();
    const refused = ['refund.processed', returned?.transactionId, 'pending'];
    expect(await list('')).toEqual([refused, ...approvals]);
    expect(await list('?status=pending')).toEqual([refused]);
    expect(await list('?status=failed')).toEqual([]);
    expect(await list('?eventType=transaction.approved')).toEqual(approvals);
    expect(await list(`?resourceId=${returned?.transactionId}`)).toEqual([refused, approvals.at(-1)]);
    expect(await list(`?resourceId=${returned?.transactionId}&status=delivered`)).toEqual([approvals.at(-1)]);

    const first = await api.admin.get<DeliveryRecord[]>(`/webhooks/${endpoint.id}/deliveries?limit=3`);
    const { total, nextCursor } = first.body.pagination;
    expect(total).toBe(4);
    const second = await api.admin.get<DeliveryRecord[]>(`/webhooks/${endpoint.id}/deliveries?limit=3&cursor=${nextCursor}`);
    expect([...first.body.data, ...second.body.data].map(({ id }) => id)).toEqual(
      (await listDeliveries(service, endpoint)).map(({ id }) => id).toReversed(),
    );
    expect(second.body.pagination.nextCursor).toBeNull();
    await expectError(api.admin.get(`/webhooks/${endpoint.id}/deliveries?status=lost`), 400, 'VALIDATION_ERROR', 'status');
  });

  test('lists the deliveries of a transaction to every endpoint, newest first', async () => {
    const service = fixture();
    const { api } = service;
    const one = await registerEndpoint(service, receiver.url('/one'), ['*']);
    const two = await registerEndpoint(service, receiver.url('/two'), ['refund.approved']);
    const other = await createSale(service, 73);
    const { transactionId } = await createSale(service, 74);
    await expectData(api.admin.post(`/transactions/${transactionId}/refund`, { amount: 5 }));
    await receiver.waitFor('/one', 3);
    await receiver.waitFor('/two', 1);
    await advanceClock(service, 1);
    const listed = await expectData(
      api.admin.get<(DeliveryRecord & { endpointId: string })[]>(`/transactions/${transactionId}/deliveries`),
    );
    expect(listed.map(({ eventType, endpointId }) => `${eventType} ${endpointId}`).toSorted()).toEqual(
      [`refund.approved ${two.id}`, `refund.processed ${one.id}`, `transaction.approved ${one.id}`].toSorted(),
    );
    expect(listed.at(-1)?.eventType).toBe('transaction.approved');
    expect(listed.every(({ status, resourceId }) => status === 'delivered' && resourceId === transactionId)).toBe(true);
    expect(await expectData(api.admin.get<unknown[]>(`/transactions/${other.transactionId}/deliveries`))).toHaveLength(1);
    await expectError(api.admin.get('/transactions/txn_none/deliveries'), 404, 'TRANSACTION_NOT_FOUND');
  });

  test('stores the request and response of an attempt without secrets', async () => {
    const service = fixture();
    receiver.answers.set('/kept', (_, response) => void response.writeHead(422, { 'x-reason': 'closed' }).end('we are closed'));
    const endpoint = await registerEndpoint(service, receiver.url('/kept'), ['transaction.approved']);
    await createSale(service, 75);
    const [request] = await receiver.waitFor('/kept', 1);
    await advanceClock(service, 1);
    const [{ id } = { id: '' }] = await listDeliveries(service, endpoint);
    const read = await service.api.admin.get<DeliveryRecord>(`/webhooks/${endpoint.id}/deliveries/${id}`);
    const { body, attempts } = await expectData(read);
    expect(body).toBe(request?.body);
    expect(attempts).toMatchObject([
      {
        attemptNumber: 1,
        trigger: 'automatic',
        responseStatus: 422,
        responseBody: 'we are closed',
        responseHeaders: { 'x-reason': 'closed' },
        error: { kind: 'status', message: expect.stringContaining('422') },
      },
    ]);
    const sent = Object.entries(attempts[0]?.requestHeaders ?? {}).map(([name, value]) => [name.toLowerCase(), value]);
    for (const [name = '', value] of sent) expect(request?.headers[name]).toBe(value);
    expect(read.text).not.toContain(endpoint.secret);
    await expectError(
      service.api.admin.get(`/webhooks/${(await registerEndpoint(service, receiver.url('/kept'))).id}/deliveries/${id}`),
      404,
      'NOT_FOUND',
    );
  });

  test("counts an endpoint's attempts of the last day and its waiting deliveries", async () => {
    const service = fixture();
    const endpoint = await registerEndpoint(service, receiver.url('/figures'), ['transaction.approved']);
    const figures = async () => (await expectData(service.api.admin.get<EndpointRecord>(`/webhooks/${endpoint.id}`))).last24Hours;
    expect(await figures()).toEqual({ attempts: 0, succeeded: 0, successRate: null, p95Ms: null, pending: 0 });
    await createSale(service, 76);
    await createSale(service, 77);
    await receiver.waitFor('/figures', 2);
    receiver.answers.set('/figures', refuse(500));
    await createSale(service, 78);
    await receiver.waitFor('/figures', 3);
    await advanceClock(service, 1);
    expect(await figures()).toEqual({ attempts: 3, succeeded: 2, successRate: 0.6667, p95Ms: expect.any(Number), pending: 1 });
    // A day later those attempts are outside of the period; the attempts of the schedule in the last 24 hours count.
    await advanceClock(service, DAY);
    const [failing] = (await listDeliveries(service, endpoint)).filter(({ status }) => status === 'pending');
    const { attempts } = await getDelivery(service, endpoint, failing?.id ?? '');
    const { now } = await expectData(service.api.admin.get<{ now: string }>('/sandbox/clock'));
    const recent = attempts.filter(({ attemptedAt }) => Date.parse(attemptedAt) >= Date.parse(now) - DAY * 1_000).length;
    expect(recent).toBeGreaterThan(0);
    expect(await figures()).toMatchObject({ attempts: recent, succeeded: 0, successRate: 0, pending: 1 });
  });
});
