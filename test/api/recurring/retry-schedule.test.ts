import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCustomerWithCard, getPeriods, getSubscription, storeCard, subscribe } from '../../support/customers.ts';
import { CARDS } from '../../support/sales.ts';
import { type ApiFixture, describeOnAnyDatabase, expectData } from '../../support/server.ts';
import { type Receiver, startReceiver } from '../../support/webhook-receiver.ts';
import { advanceClock, registerEndpoint } from '../../support/webhooks.ts';

const DAY = 86_400;
const CARD_DATES = { expiryMonth: '12', expiryYear: '2039' };
const plus = (date: string, days: number) => new Date(Date.parse(date) + days * DAY * 1_000).toISOString().slice(0, 10);

let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.stop());

const eventsOf = (path: string, id: string) =>
  receiver
    .receivedAt(path)
    .filter(({ event }) => event.data.subscriptionId === id)
    .map(({ event }) => event);

/** Runs the billing that an operation made due. */
const runDue = (service: ApiFixture) => advanceClock(service, 1);

describeOnAnyDatabase('retry schedules of subscriptions', (fixture) => {
  test.each([
    ['a declined card', CARDS.noFunds, 1],
    ['a processor that answers with errors', CARDS.gatewayError, 0],
  ])('leaves the schedule unchanged after retries by a person with %s', async (_, number, failedAttempts) => {
    const service = fixture();
    const { customerId } = await createCustomerWithCard(service, number);
    const { subscriptionId: id } = await subscribe(service, customerId);
    const before = await getSubscription(service, id);
    expect(before).toMatchObject({ status: 'past_due', failedAttempts });
    for (let retry = 0; retry < 5; retry += 1) await expectData(service.api.admin.post(`/recurring/${id}/retry`, {}));
    const { nextRetryAt, unpaidAmount } = before as typeof before & { unpaidAmount: number };
    expect(await getSubscription(service, id)).toMatchObject({ status: 'past_due', failedAttempts, nextRetryAt, unpaidAmount });
    expect(unpaidAmount).toBe(25);
    expect((await getPeriods(service, id)).map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4, 5, 6]);
    await advanceClock(service, DAY);
    expect(await getSubscription(service, id)).toMatchObject({ status: 'past_due', failedAttempts: failedAttempts === 0 ? 0 : 2 });
    await service.api.admin.delete(`/recurring/${id}`);
  });

  test('never cancels a subscription for faults of the processor', async () => {
    const service = fixture();
    const { customerId } = await createCustomerWithCard(service, CARDS.gatewayError);
    const { subscriptionId: id } = await subscribe(service, customerId);
    await advanceClock(service, 28 * DAY);
    expect(await getSubscription(service, id)).toMatchObject({ status: 'past_due', failedAttempts: 0 });
    await service.api.admin.delete(`/recurring/${id}`);
  });

  test('leaves the schedule unchanged after other declined cards and defaults', async () => {
    const service = fixture();
    const { api } = service;
    const { customerId, defaultPaymentMethodId } = await createCustomerWithCard(service, CARDS.noFunds);
    const { subscriptionId: id } = await subscribe(service, customerId);
    const { nextRetryAt } = await getSubscription(service, id);
    const attempts = async () => (await getPeriods(service, id)).length;
    // The present default again is no change.
    await expectData(api.admin.put(`/customers/${customerId}/payment-methods/${defaultPaymentMethodId}/set-default`));
    await runDue(service);
    expect(await attempts()).toBe(1);
    const stored = await storeCard(service, customerId, CARDS.declined);
    for (const methodId of [stored.paymentMethodId, defaultPaymentMethodId]) {
      await expectData(api.admin.put(`/customers/${customerId}/payment-methods/${methodId}/set-default`));
      await runDue(service);
    }
    expect(await attempts()).toBe(3);
    for (const number of [CARDS.declined, CARDS.noFunds, CARDS.declined]) {
      await expectData(api.admin.put(`/recurring/${id}`, { card: { number, ...CARD_DATES } }));
      await runDue(service);
    }
    expect(await attempts()).toBe(6);
    expect(await getSubscription(service, id)).toMatchObject({ status: 'past_due', failedAttempts: 1, nextRetryAt });
    await expectData(api.admin.put(`/recurring/${id}`, { card: { number: CARDS.visa, ...CARD_DATES } }));
    await runDue(service);
    expect(await getSubscription(service, id)).toMatchObject({ status: 'active', paymentsMade: 1, failedAttempts: 0, unpaidAmount: null });
  });

  test('gives each period its own schedule, numbers and amount, and reports a period that is given up', async () => {
    const service = fixture();
    const { customerId } = await createCustomerWithCard(service, CARDS.noFunds);
    await registerEndpoint(service, receiver.url('/periods'), ['subscription.payment_failed', 'subscription.payment_abandoned']);
    const { subscriptionId: id, startDate } = await subscribe(service, customerId, { frequency: 'weekly', amount: 30 });
    await expectData(service.api.admin.put(`/recurring/${id}`, { amount: 45 }));
    await advanceClock(service, DAY);
    await advanceClock(service, 3 * DAY);
    // The next retry of the schedule would be after the next period is due.
    expect(await getSubscription(service, id)).toMatchObject({ failedAttempts: 3, nextPaymentDate: plus(startDate, 7), unpaidAmount: 30 });
    await advanceClock(service, 3 * DAY);
    expect(await getSubscription(service, id)).toMatchObject({ status: 'past_due', failedAttempts: 1, unpaidAmount: 45 });
    await advanceClock(service, DAY);
    const history = (await getPeriods(service, id)).map((period) => {
      const { dueDate, status, attempt, amount } = period as typeof period & { amount: number };
      return [dueDate, status, attempt, amount];
    });
    const [first, second] = [startDate, plus(startDate, 7)];
    expect(history.toSorted((left, right) => JSON.stringify(left).localeCompare(JSON.stringify(right)))).toEqual([
      [first, 'abandoned', 3, 30],
      [first, 'failed', 1, 30],
      [first, 'failed', 2, 30],
      [first, 'failed', 3, 30],
      [second, 'failed', 1, 45],
      [second, 'failed', 2, 45],
    ]);
    await advanceClock(service, 1);
    const events = eventsOf('/periods', id).map(({ type, data }) => [type, data.attempt ?? data.attempts, data.amount]);
    expect(events).toEqual([
      ['subscription.payment_failed', 1, 30],
      ['subscription.payment_failed', 2, 30],
      ['subscription.payment_failed', 3, 30],
      ['subscription.payment_abandoned', 3, 30],
      ['subscription.payment_failed', 1, 45],
      ['subscription.payment_failed', 2, 45],
    ]);
    // The schedule of the first period would have ended after 16 days.
    await advanceClock(service, 12 * DAY);
    expect(await getSubscription(service, id)).toMatchObject({ status: 'cancelled', cancelReason: 'payment_failed' });
  });

  test('keeps the month end of a subscription through changes of its frequency', async () => {
    const service = fixture();
    const { api } = service;
    const { customerId } = await createCustomerWithCard(service);
    const { now } = await expectData(api.admin.get<{ now: string }>('/sandbox/clock'));
    const year = Number(now.slice(0, 4)) + 1;
    const { subscriptionId: id } = await subscribe(service, customerId, { startDate: `${year}-01-31` });
    await expectData(api.admin.post(`/recurring/${id}/skip-next`));
    const february = new Date(Date.UTC(year, 2, 0)).toISOString().slice(0, 10);
    const upcoming = async () => (await expectData(api.admin.get<{ dates: string[] }>(`/recurring/${id}/upcoming?count=3`))).dates;
    await expectData(api.admin.put(`/recurring/${id}`, { frequency: 'quarterly' }));
    expect(await upcoming()).toEqual([february, `${year}-05-31`, `${year}-08-31`]);
    await expectData(api.admin.put(`/recurring/${id}`, { frequency: 'monthly' }));
    expect(await upcoming()).toEqual([february, `${year}-03-31`, `${year}-04-30`]);
    await expectData(api.admin.put(`/recurring/${id}`, { frequency: 'weekly' }));
    await expectData(api.admin.put(`/recurring/${id}`, { frequency: 'annually' }));
    expect((await upcoming())[0]).toBe(february);
    await service.api.admin.delete(`/recurring/${id}`);
  });
});
