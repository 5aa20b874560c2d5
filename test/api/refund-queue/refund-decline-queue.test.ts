import { expect, test } from 'vitest';
import { CARDS, cardBody, type RefundRecord, type TransactionRecord } from '../../support/sales.ts';
import { type ApiFixture, describeOnAnyDatabase, expectData, expectError, FULL } from '../../support/server.ts';
import { createMerchant, settleOnRequest } from '../../support/settlements.ts';
import { createUser } from '../../support/users.ts';
import { advanceClock, findEvent } from '../../support/webhooks.ts';

interface Entry {
  id: string;
  transactionId: string;
  refundTransactionId: string;
  amount: number;
  currency: string;
  status: string;
  declineReason: string;
  declineCode: string;
  gatewayType: string;
  gatewayResponse: { code: string; message: string };
  attemptCount: number;
  maxAttempts: number;
  lastAttemptAt: string | null;
  scheduledRetryAt: string | null;
  createdAt: string;
  resolvedBy: string | null;
  attempts: { attemptNumber: number; attemptedAt: string; result: string; error: string | null }[];
  actions: Record<'retry' | 'resolve' | 'cancel', { allowed: boolean; code?: string; message?: string }>;
}

const QUEUE = '/refund-decline-queue';
const UNKNOWN = 'rdq_00000000000000000000000000';

/** Creates a refund that the processor declines, and returns its entry. */
async function declined({ api }: ApiFixture, amount: number, card: string = CARDS.refundDeclined, part?: number) {
  const paid = await expectData(api.admin.post<TransactionRecord>('/transactions', cardBody(amount, card)));
  const { body } = await api.admin.post<RefundRecord & { retryScheduledAt: string }>(
    `/transactions/${paid.transactionId}/refund`,
    part === undefined ? undefined : { amount: part },
  );
  const entries = await expectData(api.admin.get<Entry[]>(`${QUEUE}?limit=200`));
  const entry = entries.find(({ transactionId }) => transactionId === paid.transactionId);
  if (!entry) throw new Error('a declined refund has an entry');
  return { paid, refund: body, entry };
}

const read = ({ api }: ApiFixture, id: string) => expectData(api.admin.get<Entry>(`${QUEUE}/${id}`));
const payment = ({ api }: ApiFixture, id: string) => expectData(api.admin.get<TransactionRecord>(`/transactions/${id}`));
const minutes = (from: string, to: string | null) => (Date.parse(to ?? '') - Date.parse(from)) / 60_000;

/** Closes the entries of other tests, so that counts of a run belong to this test. */
async function closeAll({ api }: ApiFixture): Promise<void> {
  for (const { id } of await expectData(api.admin.get<Entry[]>(`${QUEUE}?status=open&limit=200`)))
    await api.admin.post(`${QUEUE}/${id}/cancel`);
}

describeOnAnyDatabase('the refund decline queue', (fixture) => {
  test('queues a declined refund with its amount reserved, due immediately', async () => {
    const { paid, refund, entry } = await declined(fixture(), 60, CARDS.refundDeclined, 25);
    expect(refund).toMatchObject({
      success: false,
      data: { status: 'declined', queuedForRetry: true, retryScheduledAt: entry.scheduledRetryAt },
    });
    expect(entry).toMatchObject({
      refundTransactionId: refund.data.refundId,
      amount: 25,
      currency: 'USD',
      status: 'pending',
      declineCode: 'R29',
      gatewayType: 'sandbox',
      gatewayResponse: { code: 'R29' },
      attemptCount: 0,
      maxAttempts: 3,
      lastAttemptAt: null,
    });
    expect(entry.scheduledRetryAt).toBe(entry.createdAt);
    expect(await read(fixture(), entry.id)).toMatchObject({ attempts: [] });
    expect(await payment(fixture(), paid.transactionId)).toMatchObject({ reservedAmount: 25, refundedAmount: 0 });
  });

  test('cancels a queued refund that a chargeback replaces, with an event and an audit entry', async () => {
    const { api } = fixture();
    const { paid, entry } = await declined(fixture(), 90, CARDS.refundDeclined, 40);
    await expectData(
      api.admin.post('/sandbox/chargebacks', { transactionId: paid.transactionId, amount: 90, reason: 'fraudulent', outcome: 'lost' }),
    );
    expect(await read(fixture(), entry.id)).toMatchObject({ status: 'cancelled', cancelledBy: 'service' });
    const event = await findEvent(fixture(), 'refund_decline_queue.cancelled', ({ data }) => data.id === entry.id);
    expect(event.data).toMatchObject({
      transactionId: paid.transactionId,
      amount: 40,
      reason: 'The payment was charged back.',
      cancelledBy: 'service',
    });
    const entries = await expectData(
      api.admin.get<{ action: string; actor: string; after: object }[]>(`/audit-logs?resource=refund-decline-queue/${entry.id}`),
    );
    expect(entries).toMatchObject([{ action: 'refund_decline_queue.cancel', actor: 'service', after: { status: 'cancelled' } }]);
    expect(await payment(fixture(), paid.transactionId)).toMatchObject({ reservedAmount: 0 });
  });

  test('emits an event when a person cancels an entry', async () => {
    const { entry } = await declined(fixture(), 62);
    await expectData(fixture().api.admin.post(`${QUEUE}/${entry.id}/cancel`, { reason: 'customer_request' }));
    const event = await findEvent(fixture(), 'refund_decline_queue.cancelled', ({ data }) => data.id === entry.id);
    expect(event.data).toMatchObject({ reason: 'customer_request', cancelledBy: fixture().credentials.adminEmail });
  });

  test('waits five and ten minutes after declined retries, then fails the entry and releases its amount', async () => {
    const service = fixture();
    await closeAll(service);
    const { paid, entry } = await declined(service, 61);
    expect(await expectData(service.api.admin.post(`${QUEUE}/process-retries`))).toEqual({
      processed: 1,
      resolved: 0,
      requeued: 1,
      failed: 0,
    });
    const first = await read(service, entry.id);
    expect(first).toMatchObject({
      status: 'retry',
      attemptCount: 1,
      attempts: [{ attemptNumber: 1, result: 'declined', error: expect.stringContaining('R29') }],
    });
    expect(minutes(first.lastAttemptAt ?? '', first.scheduledRetryAt)).toBe(5);
    expect(await expectData(service.api.admin.post(`${QUEUE}/process-retries`))).toMatchObject({ processed: 0 });

    expect((await advanceClock(service, 300)).ran.refundRetries).toBe(1);
    const second = await read(service, entry.id);
    expect(second).toMatchObject({ status: 'retry', attemptCount: 2 });
    expect(second.lastAttemptAt).toBe(first.scheduledRetryAt);
    expect(minutes(second.lastAttemptAt ?? '', second.scheduledRetryAt)).toBe(10);

    expect((await advanceClock(service, 600)).ran.refundRetries).toBe(1);
    expect(await read(service, entry.id)).toMatchObject({ status: 'failed', attemptCount: 3, scheduledRetryAt: null });
    expect(await payment(service, paid.transactionId)).toMatchObject({ reservedAmount: 0, refundedAmount: 0 });
    expect((await advanceClock(service, 86_400)).ran.refundRetries).toBe(0);
  });

  test('retries as often as the merchant allows, up to nine times with growing delays', FULL, async () => {
    const service = fixture();
    const merchantId = await createMerchant(service);
    await settleOnRequest(service, merchantId);
    await expectData(service.api.admin.put(`/merchants/${merchantId}/settings`, { refundMaxAttempts: 9 }));
    const paid = await expectData(
      service.api.admin.post<TransactionRecord>('/transactions', cardBody(66, CARDS.refundDeclined, { merchantId })),
    );
    await service.api.admin.post(`/transactions/${paid.transactionId}/refund`);
    const [{ id, maxAttempts } = { id: '', maxAttempts: 0 }] = await expectData(
      service.api.admin.get<Entry[]>(`${QUEUE}?merchantId=${merchantId}`),
    );
    expect(maxAttempts).toBe(9);
    await expectData(service.api.admin.put(`/merchants/${merchantId}/settings`, { refundMaxAttempts: 1 }));
    await expectData(service.api.admin.post(`${QUEUE}/process-retries`));
    const delays: number[] = [];
    for (let attempt = 1; attempt < 9; attempt += 1) {
      const entry = await read(service, id);
      expect(entry).toMatchObject({ status: 'retry', attemptCount: attempt, maxAttempts: 9 });
      const delay = minutes(entry.lastAttemptAt ?? '', entry.scheduledRetryAt);
      delays.push(delay);
      // The sandbox clock keeps running, so the margin is larger than the time that a slow computer needs.
      await advanceClock(service, delay * 60 - 45);
      expect(await read(service, id)).toMatchObject({ attemptCount: attempt });
      await advanceClock(service, 45);
    }
    expect(delays).toEqual([5, 10, 20, 60, 120, 360, 720, 1440]);
    expect(await read(service, id)).toMatchObject({ status: 'failed', attemptCount: 9, scheduledRetryAt: null });
    expect(await payment(service, paid.transactionId)).toMatchObject({ reservedAmount: 0 });
  });

  test('fails after the first declined retry if the merchant allows one', async () => {
    const service = fixture();
    const merchantId = await createMerchant(service);
    const at = `/merchants/${merchantId}/settings`;
    for (const refundMaxAttempts of [0, 10, 2.5])
      await expectError(service.api.admin.put(at, { refundMaxAttempts }), 400, 'VALIDATION_ERROR', 'refundMaxAttempts');
    await expectData(service.api.admin.put(at, { refundMaxAttempts: 1 }));
    const paid = await expectData(
      service.api.admin.post<TransactionRecord>('/transactions', cardBody(67, CARDS.refundDeclined, { merchantId })),
    );
    await service.api.admin.post(`/transactions/${paid.transactionId}/refund`);
    await expectData(service.api.admin.post(`${QUEUE}/process-retries`));
    expect(await expectData(service.api.admin.get<Entry[]>(`${QUEUE}?merchantId=${merchantId}`))).toMatchObject([
      { status: 'failed', attemptCount: 1, maxAttempts: 1 },
    ]);
  });

  test('resolves the entry after an approved retry, which is the refund', async () => {
    const service = fixture();
    await closeAll(service);
    const { paid, entry } = await declined(service, 62, CARDS.refundDeclinedOnce);
    expect(await expectData(service.api.admin.post(`${QUEUE}/process-retries`))).toEqual({
      processed: 1,
      resolved: 1,
      requeued: 0,
      failed: 0,
    });
    expect(await read(service, entry.id)).toMatchObject({
      status: 'resolved',
      attemptCount: 1,
      resolvedBy: 'service',
      attempts: [{ result: 'approved' }],
    });
    expect(await payment(service, paid.transactionId)).toMatchObject({ refundedAmount: 62, refundStatus: 'full', reservedAmount: 0 });
    expect(await expectData(service.api.admin.get(`/refunds/${entry.refundTransactionId}`))).toMatchObject({
      status: 'approved',
      queuedForRetry: false,
    });
  });

  test('retries by hand immediately with reset attempts, once although the scheduler runs', async () => {
    const service = fixture();
    await closeAll(service);
    const { entry } = await declined(service, 63);
    await expectData(service.api.admin.post(`${QUEUE}/process-retries`));
    const answers = await Promise.all([
      service.api.admin.post(`${QUEUE}/${entry.id}/retry`),
      service.api.admin.post(`${QUEUE}/process-retries`),
      service.api.admin.post(`${QUEUE}/${entry.id}/retry`),
      service.api.admin.post(`${QUEUE}/process-retries`),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(answers[0]?.body.data).toMatchObject({ id: entry.id, status: 'processing', message: expect.any(String) });
    await expect.poll(async () => (await read(service, entry.id)).status).toBe('retry');
    const { attempts, attemptCount } = await read(service, entry.id);
    // A request that arrives after the attempt of the other one starts again, so each of the two causes at most one attempt.
    expect(attempts.length).toBeGreaterThanOrEqual(1 + attemptCount);
    expect(attempts.length).toBeLessThanOrEqual(3);
    const sent = new Set(attempts.map(({ attemptedAt, attemptNumber }) => `${attemptNumber} ${attemptedAt}`));
    expect(sent.size).toBe(attempts.length);
    expect(attemptCount).toBeLessThanOrEqual(2);
  });

  test('reopens a failed entry by hand only while its money is available', async () => {
    const service = fixture();
    // After a cutoff it would be settled and could not be voided.
    await settleOnRequest(service, service.credentials.merchantId);
    const { paid, entry } = await declined(service, 64);
    await advanceClock(service, 3_600);
    expect((await read(service, entry.id)).status).toBe('failed');
    expect(await expectData(service.api.admin.post(`${QUEUE}/${entry.id}/retry`))).toMatchObject({ status: 'processing' });
    await expect.poll(async () => (await read(service, entry.id)).status).toBe('retry');
    expect(await payment(service, paid.transactionId)).toMatchObject({ reservedAmount: 64 });
    await advanceClock(service, 3_600);
    expect((await read(service, entry.id)).status).toBe('failed');
    await expectData(service.api.admin.post(`/transactions/${paid.transactionId}/void`));
    const refused = await expectError(service.api.admin.post(`${QUEUE}/${entry.id}/retry`), 422, 'NOT_REFUNDABLE');
    expect(refused.details).toMatchObject({ reason: 'voided' });
  });

  test('counts a manually resolved entry as refunded outside, and refuses operations on closed entries', async () => {
    const service = fixture();
    const { paid, entry } = await declined(service, 65);
    await expectError(
      service.api.admin.post(`${QUEUE}/${entry.id}/resolve`, { refundDate: '31.12.2026' }),
      400,
      'INVALID_DATE',
      'refundDate',
    );
    const resolved = await expectData(
      service.api.admin.post(`${QUEUE}/${entry.id}/resolve`, { notes: 'Check 17', refundMethod: 'check', refundDate: '2026-12-31' }),
    );
    expect(resolved).toEqual({
      id: entry.id,
      status: 'resolved',
      resolvedAt: expect.any(String),
      resolvedBy: service.credentials.adminEmail,
      resolutionNotes: 'Check 17',
      refundMethod: 'check',
      refundDate: '2026-12-31',
    });
    expect(await payment(service, paid.transactionId)).toMatchObject({ refundedAmount: 65, reservedAmount: 0, refundStatus: 'full' });
    for (const verb of ['retry', 'resolve', 'cancel']) {
      const { details } = await expectError(service.api.admin.post(`${QUEUE}/${entry.id}/${verb}`), 409, 'RESOURCE_CONFLICT');
      expect(details).toMatchObject({ status: 'resolved', closedBy: service.credentials.adminEmail, closedAt: expect.any(String) });
    }
  });

  const failed = async (service: ApiFixture, amount: number) => {
    await settleOnRequest(service, service.credentials.merchantId);
    const made = await declined(service, amount);
    for (let retries = 0; retries < 3; retries += 1) await advanceClock(service, 3_600);
    expect((await read(service, made.entry.id)).status).toBe('failed');
    return made;
  };
  /** Functions that make an entry in each state. */
  const STATES: Readonly<Record<string, (service: ApiFixture, amount: number) => Promise<string>>> = {
    waiting: async (service, amount) => (await declined(service, amount)).entry.id,
    failed: async (service, amount) => (await failed(service, amount)).entry.id,
    'failed, with its payment voided': async (service, amount) => {
      const { paid, entry } = await failed(service, amount);
      await expectData(service.api.admin.post(`/transactions/${paid.transactionId}/void`));
      return entry.id;
    },
    resolved: async (service, amount) => {
      const { entry } = await declined(service, amount);
      await expectData(service.api.admin.post(`${QUEUE}/${entry.id}/resolve`));
      return entry.id;
    },
    canceled: async (service, amount) => {
      const { entry } = await declined(service, amount);
      await expectData(service.api.admin.post(`${QUEUE}/${entry.id}/cancel`));
      return entry.id;
    },
  };

  test.each(Object.keys(STATES))('says for an entry that is %s exactly what its operations then do', async (state) => {
    const service = fixture();
    for (const [index, name] of (['retry', 'resolve', 'cancel'] as const).entries()) {
      const id = (await STATES[state]?.(service, 80 + index)) ?? '';
      const action = (await read(service, id)).actions[name];
      const { status, body } = await service.api.admin.post(`${QUEUE}/${id}/${name}`);
      const refusal = body.success ? {} : { code: body.error.code, message: body.error.message };
      expect({ name, ...action }).toEqual({ name, allowed: status === 200, ...refusal });
    }
  });

  test('refuses the actions on an entry by the rights of the caller first', async () => {
    const { entry } = await declined(fixture(), 67);
    const viewer = await createUser(fixture(), 'viewer');
    const { actions } = await expectData(fixture().api.admin.get<Entry>(`${QUEUE}/${entry.id}`, viewer.headers));
    expect(actions.cancel).toMatchObject({ allowed: false, code: 'PERMISSION_DENIED' });
  });

  test('shows the actions of its entry on a declined refund, and refuses them on an approved one', async () => {
    const service = fixture();
    const { entry } = await declined(service, 12);
    type Detail = RefundRecord & Pick<Entry, 'actions'> & { readonly queueEntryId: string | null };
    const refused = await expectData(service.api.admin.get<Detail>(`/refunds/${entry.refundTransactionId}`));
    expect(refused).toMatchObject({ queueEntryId: entry.id, actions: (await read(service, entry.id)).actions });
    const { transactionId } = await expectData(service.api.admin.post<TransactionRecord>('/transactions', cardBody(12)));
    const approved = await expectData(service.api.admin.post<RefundRecord>(`/transactions/${transactionId}/refund`));
    const shown = await expectData(service.api.admin.get<Detail>(`/refunds/${approved.refundId}`));
    expect(shown).toMatchObject({ queueEntryId: null, actions: { retry: { allowed: false, code: 'NOT_FOUND' } } });
  });

  test('cancels an entry, which ends its retries and releases its amount', async () => {
    const service = fixture();
    await closeAll(service);
    const { paid, entry } = await declined(service, 66);
    expect(
      await expectData(service.api.admin.post(`${QUEUE}/${entry.id}/cancel`, { reason: 'customer kept it', notes: 'by phone' })),
    ).toMatchObject({
      id: entry.id,
      status: 'cancelled',
      cancelledBy: service.credentials.adminEmail,
      cancellationReason: 'customer kept it',
      cancellationNotes: 'by phone',
    });
    expect(await payment(service, paid.transactionId)).toMatchObject({ reservedAmount: 0, refundedAmount: 0 });
    expect((await advanceClock(service, 86_400)).ran.refundRetries).toBe(0);
    await expectError(service.api.admin.post(`${QUEUE}/${entry.id}/cancel`), 409, 'RESOURCE_CONFLICT');
  });

  test('counts no attempt during an outage of the gateway', async () => {
    const service = fixture();
    await closeAll(service);
    const { entry } = await declined(service, 67, CARDS.refundDeclinedOnce);
    await expectData(service.api.admin.post('/sandbox/gateway', { mode: 'down' }));
    expect(await expectData(service.api.admin.post(`${QUEUE}/process-retries`))).toEqual({
      processed: 1,
      resolved: 0,
      requeued: 1,
      failed: 0,
    });
    expect(await read(service, entry.id)).toMatchObject({ status: 'retry', attemptCount: 0, attempts: [{ result: 'failed' }] });
    await expectData(service.api.admin.post('/sandbox/gateway', { mode: 'normal' }));
    await advanceClock(service, 300);
    expect(await read(service, entry.id)).toMatchObject({ status: 'resolved', attemptCount: 1 });
  });

  test('asks an unavailable gateway at most every hour, and continues within an hour after its return', async () => {
    const service = fixture();
    await closeAll(service);
    const { entry } = await declined(service, 69, CARDS.refundDeclinedOnce);
    await expectData(service.api.admin.post('/sandbox/gateway', { mode: 'down' }));
    const { refundRetries } = (await advanceClock(service, 86_400)).ran;
    expect(refundRetries).toBeGreaterThanOrEqual(24);
    expect(refundRetries).toBeLessThan(32);
    await expectData(service.api.admin.post('/sandbox/gateway', { mode: 'normal' }));
    await advanceClock(service, 3_600);
    expect(await read(service, entry.id)).toMatchObject({ status: 'resolved', attemptCount: 1 });
  });

  test('filters the list, and counts the entries in the statistics', async () => {
    const service = fixture();
    await declined(service, 68);
    const all = await service.api.admin.get<Entry[]>(`${QUEUE}?limit=200`);
    const entries = await expectData(all);
    expect(all.body.pagination.total).toBe(entries.length);
    for (const status of ['pending', 'retry', 'resolved', 'failed', 'cancelled']) {
      const ids = (await expectData(service.api.admin.get<Entry[]>(`${QUEUE}?status=${status}&limit=200`))).map(({ id }) => id);
      expect(ids).toEqual(entries.filter((entry) => entry.status === status).map(({ id }) => id));
    }
    const n = (...statuses: string[]) => entries.filter(({ status }) => statuses.includes(status)).length;
    const stats = await expectData(service.api.admin.get<Record<string, number | string>>(`${QUEUE}/stats?period=all`));
    const ended = n('resolved') + n('failed') + n('cancelled');
    expect(stats).toEqual({
      totalEntries: entries.length,
      resolved: n('resolved'),
      failed: n('failed'),
      cancelled: n('cancelled'),
      pending: n('pending', 'retry', 'processing'),
      resolutionRate: Number((n('resolved') / ended).toFixed(4)),
      averageAttempts: Number((entries.reduce((sum, { attemptCount }) => sum + attemptCount, 0) / entries.length).toFixed(2)),
      averageResolutionTime: expect.stringMatching(/^\d+h \d{1,2}m$/),
    });
    expect(await expectData(service.api.admin.get(`${QUEUE}/stats`))).toMatchObject({ totalEntries: entries.length });
    await expectError(service.api.admin.get(`${QUEUE}/stats?period=2w`), 400, 'VALIDATION_ERROR', 'period');
    await expectError(service.api.admin.get(`${QUEUE}?fromDate=2026-02-02&toDate=2026-02-01`), 400, 'VALIDATION_ERROR', 'toDate');
    await expectError(service.api.admin.get(`${QUEUE}?fromDate=soon`), 400, 'INVALID_DATE', 'fromDate');
    await expectError(service.api.admin.get(`${QUEUE}?status=lost`), 400, 'VALIDATION_ERROR', 'status');
    expect((await service.api.admin.get(`${QUEUE}?toDate=2020-01-01`)).body.pagination).toMatchObject({ total: 0, pages: 0 });
  });

  test('returns NOT_FOUND for an unknown entry', async () => {
    const { api } = fixture();
    await expectError(api.admin.get(`${QUEUE}/${UNKNOWN}`), 404, 'NOT_FOUND');
    for (const verb of ['retry', 'resolve', 'cancel']) await expectError(api.admin.post(`${QUEUE}/${UNKNOWN}/${verb}`), 404, 'NOT_FOUND');
  });

  test('runs the retries with the internal service key, which allows nothing else', async () => {
    const { api, credentials } = fixture();
    const path = `/api/v1${QUEUE}/process-retries`;
    const tenant = { 'X-Tenant-ID': credentials.tenantId };
    const key = { ...tenant, 'x-internal-service-key': credentials.internalServiceKey };
    expect(await expectData(api.bare.post(path, undefined, key))).toMatchObject({ processed: expect.any(Number) });
    await expectError(api.bare.post(path, undefined, { ...tenant, 'x-internal-service-key': 'isk_wrong' }), 401, 'UNAUTHORIZED');
    await expectError(api.bare.post(path, undefined, tenant), 401, 'UNAUTHORIZED');
    await expectError(api.bare.post(path, undefined, { 'x-internal-service-key': credentials.internalServiceKey }), 401, 'TENANT_REQUIRED');
    await expectError(api.bare.get(`/api/v1${QUEUE}`, key), 401, 'UNAUTHORIZED');
  });

  test('runs the retries of one merchant for its users, and not those of others', async () => {
    const service = fixture();
    await closeAll(service);
    const other = await expectData(service.api.admin.post<{ merchantId: string }>('/merchants', { name: 'Pier Nine' }), 201);
    const paid = await expectData(
      service.api.admin.post<TransactionRecord>('/transactions', cardBody(31, CARDS.refundDeclined, { merchantId: other.merchantId })),
    );
    await service.api.admin.post(`/transactions/${paid.transactionId}/refund`);
    const { entry } = await declined(service, 32);
    const { headers } = await createUser(service, 'manager');
    const run = service.api.bare.post(`/api/v1${QUEUE}/process-retries`, undefined, headers);
    expect(await expectData(run)).toMatchObject({ processed: 1, requeued: 1 });
    expect((await read(service, entry.id)).attemptCount).toBe(1);
    const [left] = await expectData(service.api.admin.get<Entry[]>(`${QUEUE}?merchantId=${other.merchantId}`));
    expect(left?.attemptCount).toBe(0);
  });
});
