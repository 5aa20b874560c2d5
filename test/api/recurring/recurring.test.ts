import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { formatDay } from '#core/platform/documents';
import {
  createCustomer,
  createCustomerWithCard,
  getPeriods,
  getSubscription,
  type SubscriptionRecord,
  storeCard,
  subscribe,
} from '../../support/customers.ts';
import { CARDS, type TransactionRecord } from '../../support/sales.ts';
import { type ApiFixture, describeOnAnyDatabase, expectData, expectError, FULL } from '../../support/server.ts';
import { until } from '../../support/until.ts';
import { type Receiver, startReceiver } from '../../support/webhook-receiver.ts';
import { advanceClock, registerEndpoint } from '../../support/webhooks.ts';

const DAY = 86_400;
const ZONE = 'America/New_York';

const now = async ({ api }: ApiFixture) => (await expectData(api.admin.get<{ now: string }>('/sandbox/clock'))).now;
const dayOf = (at: string) => new Intl.DateTimeFormat('en-CA', { timeZone: ZONE, dateStyle: 'short' }).format(new Date(at));
const plus = (date: string, days: number) => new Date(Date.parse(date) + days * DAY * 1_000).toISOString().slice(0, 10);
const today = async (service: ApiFixture) => dayOf(await now(service));
const charges = ({ api }: ApiFixture, customerId: string) =>
  expectData(
    api.admin.get<(TransactionRecord & { source: string; subscriptionId: string })[]>(`/customers/${customerId}/transactions?limit=200`),
  );
const gateway = ({ api }: ApiFixture, mode: string) => expectData(api.admin.post('/sandbox/gateway', { mode }));
const settings = ({ api, credentials }: ApiFixture, change: Record<string, unknown>) =>
  expectData(api.admin.put(`/merchants/${credentials.merchantId}/dunning-settings`, change));

/**
 * Waits until the newest payment of a subscription is no longer pending and returns its status. The inquiry that follows a lost answer
 * leaves a payment that another job inquires about to the next minute.
 */
const concluded = (service: ApiFixture, subscriptionId: string) =>
  until('the payment to be concluded', async () => {
    const status = (await getPeriods(service, subscriptionId)).at(-1)?.status;
    if (status !== 'pending') return status;
    await advanceClock(service, 60);
    return false;
  });

let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.stop());

describeOnAnyDatabase('recurring billing', (fixture) => {
  test('charges a subscription that starts today before the response, once per idempotency key', async () => {
    const service = fixture();
    const { customerId } = await createCustomerWithCard(service);
    const body = { customerId, planId: 'gold', amount: 25, frequency: 'monthly', startDate: await today(service) };
    const key = { 'Idempotency-Key': randomUUID() };
    const answers = await Promise.all([service.api.admin.post('/recurring', body, key), service.api.admin.post('/recurring', body, key)]);
    const [made] = answers.filter(({ status }) => status === 201);
    expect(made?.body.data).toMatchObject({ status: 'active', paymentsMade: 1, planId: 'gold', amount: 25, card: { last4: '1111' } });
    for (const other of answers.filter((answer) => answer !== made)) expect([201, 409]).toContain(other.status);
    const replay = await service.api.admin.post('/recurring', body, key);
    expect([replay.status, replay.text, replay.headers.get('idempotent-replayed')]).toEqual([201, made?.text, 'true']);
    const sub = made?.body.data as unknown as SubscriptionRecord;
    const [charged, ...more] = await charges(service, customerId);
    expect(more).toEqual([]);
    expect(charged).toMatchObject({ amount: 25, status: 'approved', source: 'recurring', subscriptionId: sub.subscriptionId, customerId });
    expect(await getPeriods(service, sub.subscriptionId)).toMatchObject([
      { dueDate: body.startDate, status: 'succeeded', attempt: 1, transactionId: charged?.transactionId },
    ]);
  });

  test('creates a subscription on the public surface by customerId, amount and period, and charges it immediately', async () => {
    const service = fixture();
    const { customerId } = await createCustomerWithCard(service);
    const made = await service.api.public.post<SubscriptionRecord>('/recurring', { customerId, amount: 12.5, period: 'weekly' });
    expect(await expectData(made, 201)).toMatchObject({ status: 'active', frequency: 'weekly', amount: 12.5, paymentsMade: 1 });
    await expectError(service.api.public.post('/recurring', { customerId, amount: 12.5 }), 400, 'REQUIRED_FIELD_MISSING', 'period');
    const ambiguous = { customerId, amount: 12.5, period: 'monthly', frequency: 'daily' };
    await expectError(service.api.public.post('/recurring', ambiguous), 400, 'VALIDATION_ERROR', 'period');
    await expectError(service.api.admin.put(`/recurring/${made.body.data.subscriptionId}`, ambiguous), 400, 'VALIDATION_ERROR', 'period');
    await expectError(service.api.admin.post('/recurring', { customerId, amount: 12.5 }), 400, 'REQUIRED_FIELD_MISSING', 'frequency');
  });

  test('charges a payment due on the end date, and expires the subscription after that day', async () => {
    const service = fixture();
    const { customerId } = await createCustomerWithCard(service);
    const endpoint = await registerEndpoint(service, receiver.url('/ends'), ['subscription.expired', 'subscription.created']);
    const start = await today(service);
    const sub = await subscribe(service, customerId, { frequency: 'weekly', endDate: plus(start, 14) });
    await advanceClock(service, 14 * DAY);
    expect(await getSubscription(service, sub.subscriptionId)).toMatchObject({ status: 'active', paymentsMade: 3, nextPaymentDate: null });
    await expectError(service.api.admin.post(`/recurring/${sub.subscriptionId}/skip-next`), 422, 'SUBSCRIPTION_INACTIVE');
    await advanceClock(service, DAY);
    expect(await getSubscription(service, sub.subscriptionId)).toMatchObject({ status: 'expired', paymentsMade: 3, nextPaymentDate: null });
    const counted = await subscribe(service, customerId, { frequency: 'daily', totalPayments: 3 });
    await advanceClock(service, 5 * DAY);
    expect(await getSubscription(service, counted.subscriptionId)).toMatchObject({ status: 'expired', paymentsMade: 3 });
    await advanceClock(service, 1);
    const types = receiver.receivedAt('/ends').map(({ event }) => [event.type, event.data.subscriptionId]);
    for (const { subscriptionId } of [sub, counted]) {
      expect(types).toContainEqual(['subscription.created', subscriptionId]);
      expect(types).toContainEqual(['subscription.expired', subscriptionId]);
    }
    await service.api.admin.delete(`/webhooks/${endpoint.id}`);
    for (const operation of ['pause', 'resume', 'skip-next', 'cancel', 'retry'])
      await expectError(service.api.admin.post(`/recurring/${sub.subscriptionId}/${operation}`), 422, 'SUBSCRIPTION_INACTIVE');
  });

  test('pauses, resumes, skips and cancels with the errors of the contract', async () => {
    const service = fixture();
    const { customerId } = await createCustomerWithCard(service);
    const start = await today(service);
    const { subscriptionId: id } = await subscribe(service, customerId, { frequency: 'weekly' });
    const act = (operation: string, body?: unknown) => service.api.admin.post<SubscriptionRecord>(`/recurring/${id}/${operation}`, body);
    expect(await expectData(act('skip-next'))).toMatchObject({ status: 'active', nextPaymentDate: plus(start, 14), paymentsMade: 1 });
    await expectError(act('resume'), 422, 'SUBSCRIPTION_INACTIVE');
    type Upcoming = { dates: string[]; afterSkip: string | null };
    const upcoming = () => expectData(service.api.admin.get<Upcoming>(`/recurring/${id}/upcoming?count=2`));
    expect(await upcoming()).toEqual({ dates: [plus(start, 14), plus(start, 21)], afterSkip: plus(start, 21) });
    expect(await expectData(act('pause'))).toMatchObject({ status: 'paused', nextPaymentDate: null });
    await expectError(act('pause'), 409, 'ALREADY_PAUSED');
    await expectError(act('skip-next'), 422, 'SUBSCRIPTION_INACTIVE');
    await advanceClock(service, 30 * DAY);
    expect(await getSubscription(service, id)).toMatchObject({ status: 'paused', paymentsMade: 1 });
    expect((await upcoming()).dates).toEqual([plus(start, 35), plus(start, 42)]);
    expect(await expectData(act('resume'))).toMatchObject({ status: 'active', nextPaymentDate: plus(start, 35) });
    await advanceClock(service, 6 * DAY);
    expect(await getSubscription(service, id)).toMatchObject({ paymentsMade: 2, nextPaymentDate: plus(start, 42) });
    expect(await expectData(act('cancel', { reason: 'moved away' }))).toMatchObject({ status: 'cancelled', cancelReason: 'moved away' });
    for (const operation of ['pause', 'resume', 'skip-next', 'cancel', 'retry'])
      await expectError(act(operation), 409, 'ALREADY_CANCELLED');
    await expectError(service.api.admin.put(`/recurring/${id}`, { amount: 5 }), 409, 'ALREADY_CANCELLED');
    expect(await expectData(service.api.admin.delete(`/recurring/${id}`))).toEqual({ id, deleted: true });
    await expectError(service.api.admin.get(`/recurring/${id}`), 404, 'SUBSCRIPTION_NOT_FOUND');
    await advanceClock(service, 60 * DAY);
    expect((await charges(service, customerId)).length).toBe(2);
  });

  test('waits for the next period if a subscription is resumed on a paid day', async () => {
    const service = fixture();
    const { customerId } = await createCustomerWithCard(service);
    const start = await today(service);
    const { subscriptionId: id } = await subscribe(service, customerId);
    await expectData(service.api.admin.post(`/recurring/${id}/pause`));
    const resumed = await expectData(service.api.admin.post<SubscriptionRecord>(`/recurring/${id}/resume`));
    expect(resumed.nextPaymentDate).not.toBe(start);
    await advanceClock(service, DAY);
    expect((await charges(service, customerId)).length).toBe(1);
  });

  test('retries a declined renewal by the table and then cancels, with every event and message', async () => {
    const service = fixture();
    const { customerId } = await createCustomerWithCard(service, CARDS.noFunds);
    const endpoint = await registerEndpoint(service, receiver.url('/dunning'));
    const { subscriptionId: id } = await subscribe(service, customerId);
    const begun = await now(service);
    const first = await getSubscription(service, id);
    expect(first).toMatchObject({ status: 'past_due', failedAttempts: 1, paymentsMade: 0, nextPaymentDate: plus(dayOf(begun), 1) });
    const { dates } = await expectData(service.api.admin.get<{ dates: string[] }>(`/recurring/${id}/upcoming?count=2`));
    expect(dates[0]).toBe(first.nextPaymentDate);
    expect((dates[1] ?? '') > (dates[0] ?? '')).toBe(true);
    const times: number[] = [Date.parse(first.nextRetryAt ?? '')];
    for (const days of [1, 3, 5]) {
      await advanceClock(service, days * DAY);
      times.push(Date.parse((await getSubscription(service, id)).nextRetryAt ?? ''));
    }
    expect(times.slice(1).map((at, index) => (at - (times[index] ?? 0)) / (DAY * 1_000))).toEqual([3, 5, 7]);
    expect(await getSubscription(service, id)).toMatchObject({ status: 'past_due', failedAttempts: 4 });
    await advanceClock(service, 7 * DAY);
    expect(await getSubscription(service, id)).toMatchObject({
      status: 'cancelled',
      cancelReason: 'payment_failed',
      nextPaymentDate: null,
    });
    const attempts = await getPeriods(service, id);
    expect(attempts.map(({ status, attempt, declineCode }) => [status, attempt, declineCode])).toEqual(
      [1, 2, 3, 4, 5].map((attempt) => ['failed', attempt, 'insufficient_funds']),
    );
    await advanceClock(service, 1);
    const mine = receiver
      .receivedAt('/dunning')
      .filter(({ event }) => event.data.subscriptionId === id && event.data.customerId === customerId);
    expect(mine.map(({ event }) => event.type)).toEqual([
      'subscription.created',
      ...Array(5).fill('subscription.payment_failed'),
      'subscription.cancelled',
    ]);
    expect(mine[2]?.event.data).toMatchObject({
      customerId,
      amount: 25,
      status: 'past_due',
      declineCode: 'insufficient_funds',
      attempt: 2,
    });
    expect(mine[5]?.event.data).toMatchObject({ status: 'cancelled', attempt: 5, nextPaymentDate: null });
    await service.api.admin.delete(`/webhooks/${endpoint.id}`);
    const { email } = await expectData(service.api.admin.get<{ email: string }>(`/customers/${customerId}`));
    const sent = await expectData(service.api.admin.get<{ to: string; body: string; subject: string }[]>('/sandbox/messages?limit=200'));
    const mails = sent.filter(({ to }) => to === email).reverse();
    expect(mails.length).toBe(5);
    expect(mails[0]?.body).toContain(`We will try again on ${formatDay(plus(dayOf(begun), 1), 'en')}`);
    expect(mails[4]?.body).toContain('has been canceled');
    expect(mails.map(({ body }) => body).join()).not.toContain(CARDS.noFunds);
  });

  test('pauses a subscription after the last retry, without messages to customers if they are turned off', FULL, async () => {
    const service = fixture();
    await settings(service, { retryIntervalsDays: [2], finalAction: 'pause', notifyCustomer: false });
    const { customerId } = await createCustomerWithCard(service, CARDS.declined);
    const { subscriptionId: id } = await subscribe(service, customerId);
    await advanceClock(service, 2 * DAY);
    expect(await getSubscription(service, id)).toMatchObject({ status: 'paused', paymentsMade: 0, failedAttempts: 0 });
    const { email } = await expectData(service.api.admin.get<{ email: string }>(`/customers/${customerId}`));
    const sent = await expectData(service.api.admin.get<{ to: string }[]>('/sandbox/messages?limit=200'));
    expect(sent.filter(({ to }) => to === email)).toEqual([]);
    await settings(service, { retryIntervalsDays: [1, 3, 5, 7], finalAction: 'cancel', notifyCustomer: true });
    await service.api.admin.delete(`/recurring/${id}`);
  });

  test('retries past due subscriptions with another card, automatically and by hand', async () => {
    const service = fixture();
    const { customerId } = await createCustomerWithCard(service, CARDS.declined);
    const { subscriptionId: id } = await subscribe(service, customerId);
    const stored = await storeCard(service, customerId);
    await expectData(service.api.admin.put(`/customers/${customerId}/payment-methods/${stored.paymentMethodId}/set-default`));
    await expect.poll(async () => (await getSubscription(service, id)).status).toBe('active');
    expect(await getSubscription(service, id)).toMatchObject({
      paymentsMade: 1,
      failedAttempts: 0,
      nextRetryAt: null,
      card: { last4: '1111' },
    });

    const other = await createCustomerWithCard(service, CARDS.declined);
    const own = await subscribe(service, other.customerId);
    await expectData(
      service.api.admin.put(`/recurring/${own.subscriptionId}`, { card: { number: CARDS.amex, expiryMonth: '12', expiryYear: '2039' } }),
    );
    await expect.poll(async () => (await getSubscription(service, own.subscriptionId)).status).toBe('active');
    expect((await getSubscription(service, own.subscriptionId)).card?.last4).toBe(CARDS.amex.slice(-4));

    const third = await createCustomerWithCard(service, CARDS.declined);
    const late = await subscribe(service, third.customerId);
    const retried = await expectData(service.api.admin.post<SubscriptionRecord>(`/recurring/${late.subscriptionId}/retry`));
    expect(retried).toMatchObject({ status: 'past_due', failedAttempts: 1, nextRetryAt: late.nextRetryAt });
    expect(await expectData(service.api.admin.post('/recurring/process-auto-retry'))).toEqual({
      processed: 0,
      succeeded: 0,
      failed: 0,
      cancelled: 0,
    });
    await expectError(service.api.admin.post(`/recurring/${id}/retry`), 409, 'RESOURCE_CONFLICT');
    await service.api.admin.delete(`/recurring/${late.subscriptionId}`);
  });

  test('counts no retry during an outage of the gateway, and charges the present period once afterwards', async () => {
    const service = fixture();
    const { customerId } = await createCustomerWithCard(service);
    const start = await today(service);
    const { subscriptionId: id } = await subscribe(service, customerId, { frequency: 'weekly', startDate: plus(start, 1) });
    await gateway(service, 'down');
    await advanceClock(service, 17 * DAY);
    expect(await getSubscription(service, id)).toMatchObject({ status: 'active', paymentsMade: 0, failedAttempts: 0 });
    await gateway(service, 'normal');
    await advanceClock(service, 2 * DAY);
    expect(await getSubscription(service, id)).toMatchObject({ status: 'active', paymentsMade: 1, nextPaymentDate: plus(start, 22) });
    const kept = (await getPeriods(service, id)).filter(({ status }) => status !== 'unsent');
    kept.sort((left, right) => (left.dueDate < right.dueDate ? -1 : 1));
    expect(kept).toMatchObject([
      { status: 'missed', dueDate: plus(start, 1), periods: 2 },
      { status: 'succeeded', dueDate: plus(start, 15) },
    ]);
    expect((await charges(service, customerId)).filter(({ status }) => status === 'approved').length).toBe(1);
    await service.api.admin.delete(`/recurring/${id}`);
  });

  test('charges missed periods one after the other if the merchant wants each of them', FULL, async () => {
    const service = fixture();
    await settings(service, { missedPeriods: 'each' });
    const { customerId } = await createCustomerWithCard(service);
    const start = await today(service);
    const { subscriptionId: id } = await subscribe(service, customerId, { frequency: 'weekly', startDate: plus(start, 1) });
    await gateway(service, 'down');
    await advanceClock(service, 17 * DAY);
    await gateway(service, 'normal');
    await advanceClock(service, 2 * DAY);
    await settings(service, { missedPeriods: 'latest' });
    const paid = (await getPeriods(service, id)).filter(({ status }) => status === 'succeeded') as {
      dueDate: string;
      concludedAt?: string;
    }[];
    expect(paid.map(({ dueDate }) => dueDate)).toEqual([1, 8, 15].map((days) => plus(start, days)));
    const times = paid.map(({ concludedAt }) => Date.parse(concludedAt ?? ''));
    expect(times.slice(1).map((at, index) => at - (times[index] ?? 0))).toEqual([3_600_000, 3_600_000]);
    await service.api.admin.delete(`/recurring/${id}`);
  });

  test('concludes an unconfirmed payment once, through any kind of inquiry', async () => {
    const service = fixture();
    const { customerId } = await createCustomerWithCard(service, CARDS.answerLost);
    const { subscriptionId: id } = await subscribe(service, customerId, { frequency: 'weekly' });
    await concluded(service, id);
    expect((await getSubscription(service, id)).paymentsMade).toBe(1);
    await advanceClock(service, 7 * DAY);
    await advanceClock(service, DAY);
    expect(await getSubscription(service, id)).toMatchObject({ status: 'active', paymentsMade: 2 });
    expect((await charges(service, customerId)).map(({ status }) => status)).toEqual(['approved', 'approved']);
    await service.api.admin.delete(`/recurring/${id}`);
  });

  test('retries a payment that did not reach the gateway soon, and shows it as past due after several attempts', FULL, async () => {
    const service = fixture();
    const { customerId } = await createCustomerWithCard(service, CARDS.neverReceived);
    const { subscriptionId: id } = await subscribe(service, customerId);
    expect(await concluded(service, id)).toBe('unsent');
    expect(await getSubscription(service, id)).toMatchObject({ status: 'active', failedAttempts: 0, paymentsMade: 0 });
    for (let minutes = 0; minutes < 8; minutes += 1) await advanceClock(service, 60);
    expect(await getSubscription(service, id)).toMatchObject({ status: 'past_due', failedAttempts: 0, paymentsMade: 0 });
    expect((await charges(service, customerId)).map(({ status }) => status)).not.toContain('approved');
    await service.api.admin.delete(`/recurring/${id}`);
  });

  test('applies a change from the next payment on, and refuses invalid changes without an effect', async () => {
    const service = fixture();
    const { customerId } = await createCustomerWithCard(service);
    const start = await today(service);
    const { subscriptionId: id } = await subscribe(service, customerId, { frequency: 'weekly' });
    const put = (body: unknown) => service.api.admin.put<SubscriptionRecord>(`/recurring/${id}`, body);
    expect(await expectData(put({ amount: '31.20', planId: 'silver', frequency: 'daily' }))).toMatchObject({
      amount: 31.2,
      planId: 'silver',
      frequency: 'daily',
      nextPaymentDate: plus(start, 7),
    });
    await advanceClock(service, 8 * DAY);
    expect((await charges(service, customerId)).map(({ amount }) => amount)).toEqual([31.2, 31.2, 25]);
    await expectError(put({ amount: 0.5 }), 400, 'INVALID_AMOUNT', 'amount');
    await expectError(put({ endDate: plus(start, -1) }), 400, 'VALIDATION_ERROR', 'endDate');
    await expectError(put({ endDate: '31.12.2040' }), 400, 'INVALID_DATE', 'endDate');
    await expectError(put({ totalPayments: 3 }), 400, 'VALIDATION_ERROR', 'totalPayments');
    await expectError(put({ startDate: plus(start, 40) }), 400, 'VALIDATION_ERROR', 'startDate');
    await expectError(put({ paymentMethodId: 'pm_00000000000000000000000000' }), 404, 'NOT_FOUND');
    expect(await expectData(put({ endDate: plus(start, 9) }))).toMatchObject({ endDate: plus(start, 9) });
    await advanceClock(service, 3 * DAY);
    expect(await getSubscription(service, id)).toMatchObject({ status: 'expired', paymentsMade: 4 });
  });

  test('names the field of an invalid subscription', async () => {
    const service = fixture();
    const { customerId } = await createCustomerWithCard(service);
    const bare = await createCustomer(service);
    const post = (more: Record<string, unknown>) =>
      service.api.admin.post('/recurring', { customerId, amount: 10, frequency: 'monthly', ...more });
    await expectError(post({ amount: 'ten' }), 400, 'INVALID_AMOUNT', 'amount');
    await expectError(post({ amount: 0.99 }), 400, 'INVALID_AMOUNT', 'amount');
    await expectError(post({ frequency: 'hourly' }), 400, 'VALIDATION_ERROR', 'frequency');
    await expectError(post({ startDate: '2027-02-30' }), 400, 'INVALID_DATE', 'startDate');
    await expectError(post({ startDate: plus(await today(service), -1) }), 400, 'VALIDATION_ERROR', 'startDate');
    await expectError(
      post({ endDate: plus(await today(service), 1), startDate: plus(await today(service), 2) }),
      400,
      'VALIDATION_ERROR',
      'endDate',
    );
    await expectError(post({ totalPayments: 0 }), 400, 'VALIDATION_ERROR', 'totalPayments');
    await expectError(post({ customerId: 'cus_00000000000000000000000000' }), 404, 'CUSTOMER_NOT_FOUND');
    await expectError(post({ customerId: bare.customerId }), 400, 'REQUIRED_FIELD_MISSING', 'card');
    await expectError(post({ card: { number: '4111111111111112', expiryMonth: '12', expiryYear: '2039' } }), 400, 'INVALID_CARD_NUMBER');
    await expectError(service.api.standard.post('/recurring', { customerId, amount: 10, period: 'monthly' }), 404, 'CUSTOMER_NOT_FOUND');
    const card = { number: CARDS.amex, expiryMonth: '12', expiryYear: '2039', cvv: '1234' };
    const made = await expectData(
      service.api.admin.post<SubscriptionRecord>('/recurring', { customerId: bare.customerId, amount: 10, frequency: 'annually', card }),
      201,
    );
    expect(made).toMatchObject({ status: 'active', card: { last4: '0005' } });
    expect(made.paymentMethodId).toMatch(/^pm_/);
  });

  test('counts subscriptions and computes expected payments by the calendar', async () => {
    const service = fixture();
    type Summary = { counts: Record<string, number>; expected: { currency: string; amount: number }[] };
    const read = () => expectData(service.api.admin.get<Summary>('/recurring/summary'));
    const usd = ({ expected }: Summary) => expected.find(({ currency }) => currency === 'USD')?.amount ?? 0;
    const before = await read();
    const { customerId } = await createCustomerWithCard(service);
    await subscribe(service, customerId, { amount: 10, frequency: 'weekly' });
    const after = await read();
    expect((after.counts.active ?? 0) - (before.counts.active ?? 0)).toBe(1);
    expect(Math.round((usd(after) - usd(before)) * 100)).toBe(4_000);
    const listed = await service.api.admin.get<SubscriptionRecord[]>(`/recurring?status=active&customerId=${customerId}`);
    expect(listed.body.pagination.total).toBe(1);
  });

  test('keeps one consistent state after a parallel cancellation and renewal', async () => {
    const service = fixture();
    for (let round = 0; round < 8; round += 1) {
      const { customerId } = await createCustomerWithCard(service, CARDS.declined);
      const { subscriptionId: id } = await subscribe(service, customerId);
      const [retried, cancelled] = await Promise.all([
        service.api.admin.post(`/recurring/${id}/retry`),
        service.api.admin.post(`/recurring/${id}/cancel`),
      ]);
      expect(cancelled.status, cancelled.text).toBe(200);
      expect([200, 409], retried.text).toContain(retried.status);
      expect(await getSubscription(service, id)).toMatchObject({ status: 'cancelled', nextPaymentDate: null });
      const attempts = await getPeriods(service, id);
      expect(attempts.every(({ status }) => status === 'failed')).toBe(true);
      expect(attempts.length).toBe((await charges(service, customerId)).length);
    }
  });
});
