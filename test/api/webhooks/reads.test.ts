import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type Receiver, refuse, startReceiver } from '../../support/receiver.ts';
import { sale } from '../../support/sales.ts';
import { describeOnAnyDatabase, expectData, expectError } from '../../support/server.ts';
import { advance, type DeliveryRecord, deliveriesOf, delivery, type EndpointRecord, register } from '../../support/webhooks.ts';

const DAY = 86_400;

let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.stop());

describeOnAnyDatabase('what is told of deliveries', (fixture) => {
  afterEach(async () => {
    const { api } = fixture();
    for (const { id } of await expectData(api.admin.get<{ id: string }[]>('/webhooks?limit=200')))
      await api.admin.delete(`/webhooks/${id}`);
    receiver.answers.clear();
    receiver.received.length = 0;
  });

  test('filters deliveries by status, type and resource, newest first', async () => {
    const on = fixture();
    const { api } = on;
    receiver.answers.set('/some', (request, response, socket) => {
      if (request.event.type === 'refund.processed') refuse(500)(request, response, socket);
      else response.writeHead(200).end();
    });
    const endpoint = await register(on, receiver.url('/some'), ['transaction.approved', 'refund.processed']);
    const sales = [await sale(on, 70), await sale(on, 71), await sale(on, 72)];
    const [returned] = sales;
    await expectData(api.admin.post(`/transactions/${returned?.transactionId}/refund`));
    await receiver.waitFor('/some', 4);
    await advance(on, 1);
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
      (await deliveriesOf(on, endpoint)).map(({ id }) => id).toReversed(),
    );
    expect(second.body.pagination.nextCursor).toBeNull();
    await expectError(api.admin.get(`/webhooks/${endpoint.id}/deliveries?status=lost`), 400, 'VALIDATION_ERROR', 'status');
  });

  test('lists the deliveries of a transaction to every endpoint, newest first', async () => {
    const on = fixture();
    const { api } = on;
    const one = await register(on, receiver.url('/one'), ['*']);
    const two = await register(on, receiver.url('/two'), ['refund.approved']);
    const other = await sale(on, 73);
    const { transactionId } = await sale(on, 74);
    await expectData(api.admin.post(`/transactions/${transactionId}/refund`, { amount: 5 }));
    await receiver.waitFor('/one', 3);
    await receiver.waitFor('/two', 1);
    await advance(on, 1);
    const told = await expectData(api.admin.get<(DeliveryRecord & { endpointId: string })[]>(`/transactions/${transactionId}/deliveries`));
    expect(told.map(({ eventType, endpointId }) => `${eventType} ${endpointId}`).toSorted()).toEqual(
      [`refund.approved ${two.id}`, `refund.processed ${one.id}`, `transaction.approved ${one.id}`].toSorted(),
    );
    expect(told.at(-1)?.eventType).toBe('transaction.approved');
    expect(told.every(({ status, resourceId }) => status === 'delivered' && resourceId === transactionId)).toBe(true);
    expect(await expectData(api.admin.get<unknown[]>(`/transactions/${other.transactionId}/deliveries`))).toHaveLength(1);
    await expectError(api.admin.get('/transactions/txn_none/deliveries'), 404, 'TRANSACTION_NOT_FOUND');
  });

  test('stores the request and response of an attempt without secrets', async () => {
    const on = fixture();
    receiver.answers.set('/kept', (_, response) => void response.writeHead(422, { 'x-reason': 'closed' }).end('we are closed'));
    const endpoint = await register(on, receiver.url('/kept'), ['transaction.approved']);
    await sale(on, 75);
    const [request] = await receiver.waitFor('/kept', 1);
    await advance(on, 1);
    const [{ id } = { id: '' }] = await deliveriesOf(on, endpoint);
    const read = await on.api.admin.get<DeliveryRecord>(`/webhooks/${endpoint.id}/deliveries/${id}`);
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
    await expectError(on.api.admin.get(`/webhooks/${(await register(on, receiver.url('/kept'))).id}/deliveries/${id}`), 404, 'NOT_FOUND');
  });

  test("counts an endpoint's attempts of the last day and its waiting deliveries", async () => {
    const on = fixture();
    const endpoint = await register(on, receiver.url('/figures'), ['transaction.approved']);
    const figures = async () => (await expectData(on.api.admin.get<EndpointRecord>(`/webhooks/${endpoint.id}`))).last24Hours;
    expect(await figures()).toEqual({ attempts: 0, succeeded: 0, successRate: null, p95Ms: null, pending: 0 });
    await sale(on, 76);
    await sale(on, 77);
    await receiver.waitFor('/figures', 2);
    receiver.answers.set('/figures', refuse(500));
    await sale(on, 78);
    await receiver.waitFor('/figures', 3);
    await advance(on, 1);
    expect(await figures()).toEqual({ attempts: 3, succeeded: 2, successRate: 0.6667, p95Ms: expect.any(Number), pending: 1 });
    // A day later those are past; what the schedule has tried since counts: the attempts of the last 24 hours.
    await advance(on, DAY);
    const [failing] = (await deliveriesOf(on, endpoint)).filter(({ status }) => status === 'pending');
    const { attempts } = await delivery(on, endpoint, failing?.id ?? '');
    const { now } = await expectData(on.api.admin.get<{ now: string }>('/sandbox/clock'));
    const recent = attempts.filter(({ attemptedAt }) => Date.parse(attemptedAt) >= Date.parse(now) - DAY * 1_000).length;
    expect(recent).toBeGreaterThan(0);
    expect(await figures()).toMatchObject({ attempts: recent, succeeded: 0, successRate: 0, pending: 1 });
  });
});
