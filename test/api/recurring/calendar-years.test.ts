import { expect, test } from 'vitest';
import { createCustomerWithCard, getPeriods, getSubscription, subscribe } from '../../support/customers.ts';
import type { TransactionRecord } from '../../support/sales.ts';
import { describeOnAnyDatabase, expectData, sized } from '../../support/server.ts';
import { settleOnRequest } from '../../support/settlements.ts';

const ZONE = 'America/New_York';
/** Number of months; a year contains both clock changes and a short February. */
const MONTHS = sized(13, 60);

/** The year after the current one, because the test clock only moves forward. */
const YEAR = new Date().getUTCFullYear() + 1;
const lastDayOf = (month: number) => new Date(Date.UTC(YEAR, month, 0)).toISOString().slice(0, 10);

const dayOf = (at: string) => new Intl.DateTimeFormat('en-CA', { timeZone: ZONE, dateStyle: 'short' }).format(new Date(at));

describeOnAnyDatabase('a monthly subscription that starts on 31 January in a zone with daylight saving', (fixture) => {
  test('charges on the dates of its preview over the years', async () => {
    const service = fixture();
    const { admin } = service.api;
    const moveTo = (now: string) => expectData(admin.post<{ ran: { subscriptions: number } }>('/sandbox/clock', { now }));
    // The settlements of these years are not the subject.
    await settleOnRequest(service, service.credentials.merchantId);
    await moveTo(`${YEAR}-01-30T15:00:00Z`);
    const { customerId } = await createCustomerWithCard(service);
    const plan = { frequency: 'monthly', startDate: lastDayOf(1), count: MONTHS + 1 };
    const preview = await expectData(admin.post<{ dates: string[] }>('/recurring/preview', plan));
    expect(preview.dates.slice(0, 5)).toEqual([1, 2, 3, 4, 5].map(lastDayOf));
    const dates = preview.dates.slice(0, MONTHS);
    const next = preview.dates[MONTHS] ?? '';
    const sub = await subscribe(service, customerId, { startDate: lastDayOf(1) });
    expect(sub).toMatchObject({ paymentsMade: 0, nextPaymentDate: lastDayOf(1) });
    // The day before the next payment, at noon.
    const moved = await moveTo(new Date(Date.parse(`${next}T12:00:00Z`) - 86_400_000).toISOString());
    expect(moved.ran.subscriptions).toBeGreaterThanOrEqual(MONTHS);
    const paid = await getPeriods(service, sub.subscriptionId);
    expect(paid.map(({ dueDate, status }) => [dueDate, status])).toEqual(dates.map((date) => [date, 'succeeded']));
    const charges = await expectData(
      admin.get<(TransactionRecord & { createdAt: string })[]>(`/customers/${customerId}/transactions?limit=200`),
    );
    expect(charges.map(({ createdAt }) => dayOf(createdAt)).reverse()).toEqual(dates);
    expect(await getSubscription(service, sub.subscriptionId)).toMatchObject({
      status: 'active',
      paymentsMade: MONTHS,
      nextPaymentDate: next,
    });
  });
});
