import { beforeAll, expect, test } from 'vitest';
import { cardBody } from '../../support/sales.ts';
import { type ApiFixture, describeOnAnyDatabase, expectData, expectError, type Surface } from '../../support/server.ts';
import { createMerchant } from '../../support/settlements.ts';
import { until } from '../../support/until.ts';
import { type Receiver, startReceiver } from '../../support/webhook-receiver.ts';
import { type EndpointRecord, hmac, registerEndpoint } from '../../support/webhooks.ts';

interface EventRecord {
  id: string;
  type: string;
  createdAt: string;
  resourceId: string;
  data: Record<string, unknown>;
  tenantId: string;
  merchantId: string | null;
}

interface CatchUpRecord {
  catchUpId: string;
  state: 'running' | 'done' | 'stopped';
  sent: number;
  total: number;
}

const SECURITY = ['security.key_changed'];

const newest = async (surface: Surface, query = ''): Promise<EventRecord> => {
  const [event] = await expectData(surface.get<EventRecord[]>(`/webhooks/events?limit=1${query}`));
  if (!event) throw new Error('There is no event.');
  return event;
};

/** Makes a sale and refunds it, which are two events of one resource. */
async function sellAndRefund({ api }: Pick<ApiFixture, 'api'>, amount = 20): Promise<string> {
  const { transactionId } = await expectData(api.admin.post<{ transactionId: string }>('/transactions', cardBody(amount)));
  await expectData(api.admin.post(`/transactions/${transactionId}/refund`, { amount: 1 }));
  return transactionId;
}

describeOnAnyDatabase('the event history', (service) => {
  let at: ApiFixture;
  beforeAll(() => {
    at = service();
  });

  test('lists the events after another one, oldest first, in pages whose cursor is the event ID', async () => {
    const { api } = at;
    // A cutoff that passes since the sample data were created settles their payments, which causes other events.
    const types = '&types=transaction.approved,refund.processed';
    const before = await newest(api.public, types);
    const sold = await sellAndRefund(at);
    const page = await api.public.get<EventRecord[]>(`/webhooks/events?after=${before.id}&limit=1${types}`);
    const [first] = await expectData(page);
    expect(first).toMatchObject({ type: 'transaction.approved', resourceId: sold, data: { transactionId: sold, amount: 20 } });
    expect(page.body.pagination).toMatchObject({ total: 2, nextCursor: first?.id });
    const rest = await api.public.get<EventRecord[]>(`/webhooks/events?after=${first?.id}${types}`);
    expect((await expectData(rest)).map(({ type }) => type)).toEqual(['refund.processed']);
    expect(rest.body.pagination.nextCursor).toBeNull();
    const [last] = await expectData(api.admin.get<EventRecord[]>(`/webhooks/events?before=${first?.id}&limit=1${types}`));
    expect(last?.id).toBe(before.id);
  });

  test('filters by type and period, and returns the exact text that receivers get', async () => {
    const { api } = at;
    const before = await newest(api.admin);
    await sellAndRefund(at);
    const [refund, ...others] = await expectData(api.admin.get<EventRecord[]>(`/webhooks/events?after=${before.id}&types=refund.approved`));
    expect(others).toEqual([]);
    const { body, ...event } = await expectData(api.public.get<EventRecord & { body: string }>(`/webhooks/events/${refund?.id}`));
    expect(event).toEqual(refund);
    const { resourceId: _, ...sent } = event;
    expect(body).toBe(JSON.stringify(sent));
    const since = await expectData(api.admin.get<EventRecord[]>(`/webhooks/events?from=${refund?.createdAt}`));
    expect(since.map(({ id }) => id)).toContain(refund?.id);
    const until = await expectData(api.admin.get<EventRecord[]>(`/webhooks/events?to=${refund?.createdAt}`));
    expect(until.map(({ id }) => id)).not.toContain(refund?.id);
  });

  test('waits for the next event', async () => {
    const { api } = at;
    const before = await newest(api.public);
    const waiting = expectData(api.public.get<EventRecord[]>(`/webhooks/events?after=${before.id}&wait=20`));
    const sold = await sellAndRefund(at);
    expect((await waiting)[0]).toMatchObject({ resourceId: sold });
  });

  test.each([
    ['an unknown event', '?after=evt_00000000000000000000000000', 404, 'NOT_FOUND', 'after'],
    ['an unknown type', '?types=transaction.exploded', 400, 'VALIDATION_ERROR', 'types'],
    ['a bad date', '?from=yesterday', 400, 'INVALID_DATE', 'from'],
    ['a wait without an event', '?wait=5', 400, 'VALIDATION_ERROR', 'wait'],
  ] as const)('rejects %s', async (_, query, status, code, field) => {
    await expectError(at.api.public.get(`/webhooks/events${query}`), status, code, field);
  });

  test('shows a merchant its own events, and security events to owners only', async () => {
    const { api } = at;
    const own = await newest(api.public);
    const merchantId = await createMerchant(at);
    const { transactionId } = await expectData(api.admin.post<{ transactionId: string }>('/transactions', { ...cardBody(5), merchantId }));
    const event = await newest(api.admin, `&after=${own.id}&types=transaction.approved`);
    expect(event.resourceId).toBe(transactionId);
    expect(await expectData(api.public.get<EventRecord[]>(`/webhooks/events?after=${own.id}`))).toEqual([]);
    await expectError(api.public.get(`/webhooks/events/${event.id}`), 403, 'MERCHANT_NOT_AUTHORIZED');
    await expectError(api.public.get(`/webhooks/events?after=${event.id}`), 404, 'NOT_FOUND');
    await expectData(api.admin.post('/api-keys', { name: 'Security event', scope: 'tenant', currentPassword: api.adminPassword }), 201);
    expect(await newest(api.admin, `&types=${SECURITY}`)).toMatchObject({ type: SECURITY[0], merchantId: null });
    await expectError(api.public.get(`/webhooks/events?types=${SECURITY}`), 403, 'PERMISSION_DENIED');
  });
});

describeOnAnyDatabase('a catch-up', (service) => {
  let at: ApiFixture;
  let receiver: Receiver;
  beforeAll(async () => {
    at = service();
    receiver = await startReceiver();
    return () => receiver.stop();
  });

  const catchUpOf = (endpoint: EndpointRecord) => expectData(at.api.admin.get<CatchUpRecord>(`/webhooks/${endpoint.id}/catch-up`));
  const untilDone = (endpoint: EndpointRecord) =>
    until('the catch-up is done', async () => {
      const progress = await catchUpOf(endpoint);
      return progress.state === 'done' && progress;
    });

  test('sends everything since an event in order and signed, then new events, and each once', async () => {
    const { api } = at;
    const start = await newest(api.admin);
    const sold = await sellAndRefund(at);
    const path = '/since-an-event';
    const endpoint = await expectData(
      api.admin.post<EndpointRecord>('/webhooks', { url: receiver.url(path), events: ['*'], catchUp: { fromEventId: start.id } }),
      201,
    );
    const later = await sellAndRefund(at);
    expect(await untilDone(endpoint)).toMatchObject({ total: 2, sent: 2 });
    const received = await receiver.waitFor(path, 4);
    expect(received.map(({ event }) => event.data.transactionId)).toEqual([sold, sold, later, later]);
    expect(received.map(({ event }) => event.type)).toEqual([
      'transaction.approved',
      'refund.processed',
      'transaction.approved',
      'refund.processed',
    ]);
    for (const { body, headers } of received) expect(headers['x-service-signature']).toBe(hmac(endpoint.secret, body));
    const more = await sellAndRefund(at);
    await until('new events follow', () => receiver.receivedAt(path).filter(({ event }) => event.data.transactionId === more).length === 2);
    expect(receiver.receivedAt(path)).toHaveLength(6);
  });

  test('leaves out what the endpoint was sent, and sends the other types that were asked for', async () => {
    const { api } = at;
    const start = await newest(api.admin);
    const path = '/again';
    const endpoint = await registerEndpoint(at, receiver.url(path), ['transaction.approved', 'refund.processed']);
    await expectData(api.admin.put(`/webhooks/${endpoint.id}`, { events: ['transaction.approved'] }));
    await sellAndRefund(at);
    await receiver.waitFor(path, 1);
    await expectData(api.admin.put(`/webhooks/${endpoint.id}`, { events: ['transaction.approved', 'refund.approved'] }));
    await expectError(
      api.admin.post(`/webhooks/${endpoint.id}/catch-up`, { fromEventId: start.id, types: ['invoice.paid'] }),
      400,
      'VALIDATION_ERROR',
      'types',
    );
    const started = await api.admin.post<CatchUpRecord>(`/webhooks/${endpoint.id}/catch-up`, { fromEventId: start.id });
    expect(await expectData(started, 202)).toMatchObject({ state: 'running', total: 1 });
    await untilDone(endpoint);
    expect((await receiver.waitFor(path, 2)).map(({ event }) => event.type)).toEqual(['transaction.approved', 'refund.approved']);
  });

  test('stops on request, and new events still follow', async () => {
    const { api } = at;
    const start = await newest(api.admin);
    for (let sales = 0; sales < 3; sales += 1) await sellAndRefund(at);
    const path = '/stopped';
    receiver.answers.set(path, (_, response) => void response.writeHead(503).end());
    const endpoint = await expectData(
      api.admin.post<EndpointRecord>('/webhooks', { url: receiver.url(path), events: ['*'], catchUp: { fromEventId: start.id } }),
      201,
    );
    const again = await api.admin.post(`/webhooks/${endpoint.id}/catch-up`, { fromEventId: start.id });
    if ((await catchUpOf(endpoint)).state === 'running') expect(again.status).toBe(409);
    await until('the first events were sent', () => receiver.receivedAt(path).length > 0);
    const stopped = await api.admin.delete<CatchUpRecord>(`/webhooks/${endpoint.id}/catch-up`);
    expect([200, 409]).toContain(stopped.status);
    await expectError(api.admin.delete(`/webhooks/${endpoint.id}/catch-up`), 409, 'RESOURCE_CONFLICT');
    receiver.answers.delete(path);
    const later = await sellAndRefund(at);
    await until(
      'new events follow',
      () => receiver.receivedAt(path).filter(({ event }) => event.data.transactionId === later).length === 2,
    );
  });

  test('needs one start, an enabled endpoint, and an earlier catch-up to show', async () => {
    const { api } = at;
    const endpoint = await registerEndpoint(at, receiver.url('/rules'));
    await expectError(api.admin.get(`/webhooks/${endpoint.id}/catch-up`), 404, 'NOT_FOUND');
    await expectError(api.admin.post(`/webhooks/${endpoint.id}/catch-up`, {}), 400, 'VALIDATION_ERROR', 'fromEventId');
    await expectError(api.admin.post(`/webhooks/${endpoint.id}/catch-up`, { fromDate: 'soon' }), 400, 'INVALID_DATE', 'fromDate');
    await expectData(api.admin.put(`/webhooks/${endpoint.id}`, { status: 'disabled' }));
    await expectError(api.admin.post(`/webhooks/${endpoint.id}/catch-up`, { fromDate: '2026-01-01' }), 409, 'RESOURCE_CONFLICT');
  });
});
