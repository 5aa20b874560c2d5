import { expect, test } from 'vitest';
import { createUser } from '../../support/people.ts';
import { startReceiver } from '../../support/receiver.ts';
import { CARDS, type TransactionRecord } from '../../support/sales.ts';
import { describeOnBothDatabases, expectData, expectError } from '../../support/server.ts';
import { historyOf, linesOf, newMerchant, type SettlementRecord, sell, settle, sum } from '../../support/settlements.ts';
import { advance, register } from '../../support/webhooks.ts';

const DAY = 86_400;

interface Schedule {
  frequency: string;
  cutoffTime: string;
  delayDays: number;
  timezone: string;
  nextCutoffAt: string | null;
}

describeOnBothDatabases('settlements', (fixture) => {
  test('a merchant begins with a daily schedule at midnight of its zone; a change holds from the next cutoff on', async () => {
    const { api } = fixture();
    const merchantId = await newMerchant(fixture());
    const path = `/settlement/schedule/${merchantId}`;
    const schedule = await expectData(api.admin.get<Schedule>(path));
    expect(schedule).toMatchObject({ frequency: 'daily', cutoffTime: '00:00', delayDays: 0, timezone: 'America/New_York' });
    const changed = await expectData(api.admin.put<Schedule>(path, { cutoffTime: '17:30', delayDays: 2, timezone: 'Europe/Berlin' }));
    expect(changed).toMatchObject({ frequency: 'daily', cutoffTime: '17:30', delayDays: 2, timezone: 'Europe/Berlin' });
    expect(await expectData(api.admin.put<Schedule>(path, { frequency: 'manual' }))).toMatchObject({ nextCutoffAt: null });
    await expectError(api.admin.put(path, { cutoffTime: '24:00' }), 400, 'VALIDATION_ERROR', 'cutoffTime');
    await expectError(api.admin.put(path, { timezone: 'Mars/Olympus' }), 400, 'VALIDATION_ERROR', 'timezone');
    await expectError(api.admin.put(path, { frequency: 'hourly' }), 400, 'VALIDATION_ERROR', 'frequency');
    await expectError(api.admin.put(path, { colour: 'red' }), 400, 'VALIDATION_ERROR', 'colour');
    await expectError(api.admin.get('/settlement/schedule/mer_00000000000000000000000000'), 404, 'MERCHANT_NOT_FOUND');
  });

  test('at the cutoff what was captured and refunded is one settlement, told per transaction, and its lines sum to it', async () => {
    const on = fixture();
    const merchantId = await newMerchant(on);
    const receiver = await startReceiver();
    const endpoint = await register(on, receiver.url('/'), ['transaction.settled']);
    const first = await sell(on, merchantId, 100);
    const second = await sell(on, merchantId, '49.99');
    const held = await sell(on, merchantId, 20, { type: 'auth' });
    const voided = await sell(on, merchantId, 30);
    await expectData(on.api.admin.post(`/transactions/${voided.transactionId}/void`));
    await expectData(on.api.admin.post(`/transactions/${first.transactionId}/refund`, { amount: 25 }));
    const moved = await advance(on, DAY);
    expect(moved.ran.settlements).toBeGreaterThanOrEqual(1);
    const [settlement, ...others] = await historyOf(on, merchantId);
    expect(others).toEqual([]);
    expect(settlement).toMatchObject({
      captures: 149.99,
      refunds: 25,
      amount: 124.99,
      fees: 4.95,
      netAmount: 120.04,
      transactionCount: 2,
      refundCount: 1,
      status: 'pending',
      origin: 'schedule',
    });
    const { settlementId = '', settlementDate = '', cutoffAt = '' } = settlement ?? {};
    expect(new Date(cutoffAt).toLocaleString('sv', { timeZone: 'America/New_York' })).toBe(`${settlementDate} 00:00:00`);
    const lines = await linesOf(on, settlementId);
    expect(lines).toHaveLength(3);
    expect(sum(lines.map(({ amount }) => amount))).toBe(124.99);
    expect(sum(lines.map(({ fee }) => fee))).toBe(4.95);
    const look = (id: string) => expectData(on.api.admin.get<Record<string, unknown>>(`/transactions/${id}`));
    expect(await look(second.transactionId)).toMatchObject({ status: 'approved', settlementId, settlementDate });
    expect(await look(held.transactionId)).toMatchObject({ settledAt: null });
    expect(await look(voided.transactionId)).toMatchObject({ settledAt: null });
    const settled = await expectData(
      on.api.admin.get<TransactionRecord[]>(`/transactions?settlementDate=${settlementDate}&status=approved&merchantId=${merchantId}`),
    );
    expect(settled.map(({ transactionId }) => transactionId)).toEqual([second.transactionId, first.transactionId]);
    const told = (await receiver.waitFor('/', 2)).map(({ event }) => event);
    const own = told.filter(({ data }) => data.settlementId === settlementId);
    expect(own.map(({ data }) => data)).toEqual(
      expect.arrayContaining([
        { transactionId: first.transactionId, amount: 100, settlementId, settlementDate },
        { transactionId: second.transactionId, amount: 49.99, settlementId, settlementDate },
      ]),
    );
    await expectData(on.api.admin.delete(`/webhooks/${endpoint.id}`));
    await receiver.stop();
  });

  test('settled money cannot be voided; a refund of it belongs to the next settlement, which may owe', async () => {
    const on = fixture();
    const merchantId = await newMerchant(on);
    const paid = await sell(on, merchantId, 60);
    const [before] = await settle(on, merchantId);
    expect(before).toMatchObject({ amount: 60, origin: 'manual' });
    const error = await expectError(on.api.admin.post(`/transactions/${paid.transactionId}/void`), 409, 'RESOURCE_CONFLICT');
    expect(error.details).toMatchObject({ reason: 'settled' });
    await expectData(on.api.admin.post(`/transactions/${paid.transactionId}/refund`, { amount: 15 }));
    const [owing] = await settle(on, merchantId);
    expect(owing).toMatchObject({ captures: 0, refunds: 15, amount: -15, fees: 0, netAmount: -15, transactionCount: 0, refundCount: 1 });
    expect(await settle(on, merchantId)).toEqual([]);
  });

  test('each currency is settled by itself', async () => {
    const on = fixture();
    const merchantId = await newMerchant(on);
    await sell(on, merchantId, 40);
    await sell(on, merchantId, 900, { currency: 'JPY' });
    const made = await settle(on, merchantId);
    expect(made.map(({ currency, amount, fees }) => [currency, amount, fees]).toSorted()).toEqual([
      ['JPY', 900, 26],
      ['USD', 40, 1.46],
    ]);
  });

  test('more lines than one block are settled once each, also when two ask at once', async () => {
    const on = fixture();
    const merchantId = await newMerchant(on);
    const COUNT = 620;
    const sold = await Promise.all(Array.from({ length: COUNT }, () => sell(on, merchantId, '10.00')));
    const asked = await Promise.all(
      Array.from({ length: 4 }, () => on.api.admin.post<SettlementRecord[]>('/settlement/settle', { merchantId })),
    );
    const made = asked.flatMap(({ status, body }) => (status === 200 ? body.data : []));
    expect(asked.every(({ status }) => status === 200 || status === 409)).toBe(true);
    expect(sum(made.map(({ amount }) => amount))).toBe(COUNT * 10);
    expect(made.reduce((count, { transactionCount }) => count + transactionCount, 0)).toBe(sold.length);
  });

  test('days without takings are passed over, and missed cutoffs are made up one by one', async () => {
    const on = fixture();
    const merchantId = await newMerchant(on);
    await sell(on, merchantId, 11);
    await advance(on, 3 * DAY);
    await sell(on, merchantId, 12);
    await advance(on, 2 * DAY);
    expect((await historyOf(on, merchantId)).map(({ amount }) => amount)).toEqual([12, 11]);
  });

  test('the summary says what waits, what is unpaid and what was paid', async () => {
    const on = fixture();
    const merchantId = await newMerchant(on);
    await sell(on, merchantId, 100);
    await settle(on, merchantId);
    await sell(on, merchantId, 7);
    const summary = () => expectData(on.api.admin.get(`/settlement/summary?merchantId=${merchantId}`));
    expect(await summary()).toMatchObject({
      unsettled: { count: 1, amount: 7 },
      settledUnpaid: { count: 1, amount: 96.8 },
      paidIn30Days: { count: 0, amount: 0 },
    });
    await expectData(on.api.admin.post('/settlement/payout', { merchantId, amount: '50.00' }));
    expect(await summary()).toMatchObject({ settledUnpaid: { count: 1, amount: 46.8 }, paidIn30Days: { count: 1, amount: 50 } });
  });

  test('a user of one merchant reaches no other, and an accountant may settle where a cashier may not', async () => {
    const on = fixture();
    const merchantId = await newMerchant(on);
    await sell(on, merchantId, 21);
    const [settlement] = await settle(on, merchantId);
    const outsider = await createUser(on, 'accountant');
    const get = (path: string) => on.api.bare.get(`/api/v1${path}`, outsider.headers);
    await expectError(get(`/settlement/history/${merchantId}`), 403, 'MERCHANT_NOT_AUTHORIZED');
    await expectError(get(`/settlement/settlements/${settlement?.settlementId}`), 403, 'MERCHANT_NOT_AUTHORIZED');
    await expectError(get('/settlement/settlements/stl_00000000000000000000000000'), 404, 'NOT_FOUND');
    const cashier = await createUser(on, 'cashier');
    await expectError(on.api.bare.post('/api/v1/settlement/settle', {}, cashier.headers), 403, 'PERMISSION_DENIED');
  });

  test('a declined, failed or pending payment is in no settlement', async () => {
    const on = fixture();
    const merchantId = await newMerchant(on);
    await on.api.admin.post('/transactions', {
      amount: 5,
      card: { number: CARDS.declined, expiryMonth: '12', expiryYear: '2031', cvv: '123' },
      merchantId,
    });
    await on.api.admin.post('/transactions', {
      amount: 6,
      card: { number: CARDS.neverReceived, expiryMonth: '12', expiryYear: '2031', cvv: '123' },
      merchantId,
    });
    expect(await settle(on, merchantId)).toEqual([]);
  });
});
