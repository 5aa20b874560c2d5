import { expect } from 'vitest';
import { createCustomer, getPeriods, storeCard, subscribe } from '../../support/customers.ts';
import { expectData, onBothDatabases } from '../../support/server.ts';
import { createMerchant, settleOnRequest } from '../../support/settlements.ts';

const DAY_MS = 86_400_000;

// Kiritimati is 25 hours ahead of Pago Pago, more than any other zone of another one.
onBothDatabases('charges each day of a subscription whose merchant moves to another time zone', async (fixture) => {
  const { admin } = fixture.api;
  const moveTo = (now: string) => expectData(admin.post('/sandbox/clock', { now }));
  const { now } = await expectData(admin.get<{ now: string }>('/sandbox/clock'));
  const day = (distance: number) => new Date(Date.parse(now) + (distance + 1) * DAY_MS).toISOString().slice(0, 10);
  await settleOnRequest(fixture, fixture.credentials.merchantId);
  // One o'clock in Pago Pago, and two o'clock of the next day in Kiritimati.
  await moveTo(`${day(0)}T12:00:00Z`);
  const merchantId = await createMerchant(fixture, { timezone: 'Pacific/Pago_Pago' });
  await settleOnRequest(fixture, merchantId);
  const { customerId } = await createCustomer(fixture, { merchantId });
  await storeCard(fixture, customerId);
  const daily = await subscribe(fixture, customerId, { frequency: 'daily' });
  const later = await subscribe(fixture, customerId, { frequency: 'monthly', startDate: day(4) });
  await expectData(admin.put(`/merchants/${merchantId}`, { timezone: 'Pacific/Kiritimati' }));

  await moveTo(`${day(0)}T12:01:00Z`);
  const periods = async (id: string) => (await getPeriods(fixture, id)).map(({ dueDate, status }) => [dueDate, status]);
  expect(await periods(daily.subscriptionId)).toEqual([
    [day(0), 'succeeded'],
    [day(1), 'succeeded'],
  ]);
  // A minute after midnight in Kiritimati.
  await moveTo(`${day(3)}T10:01:00Z`);
  expect(await periods(later.subscriptionId)).toEqual([[day(4), 'succeeded']]);
  expect(await periods(daily.subscriptionId)).toEqual([0, 1, 2, 3, 4].map((distance) => [day(distance), 'succeeded']));
});
