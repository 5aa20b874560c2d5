import { expect, test } from 'vitest';
import { CARDS, type TransactionRecord } from '../../support/sales.ts';
import { describeOnAnyDatabase, describeOnBothDatabases, expectData, expectError } from '../../support/server.ts';
import {
  createMerchant,
  listLines,
  listSettlements,
  type SettlementRecord,
  sell,
  settle,
  settleOnRequest,
  sumAmounts,
} from '../../support/settlements.ts';
import { createUser } from '../../support/users.ts';
import { startReceiver } from '../../support/webhook-receiver.ts';
import { advanceClock, registerEndpoint } from '../../support/webhooks.ts';

const DAY = 86_400;

interface Schedule {
  frequency: string;
  cutoffTime: string;
  delayDays: number;
  timezone: string;
  nextCutoffAt: string | null;
}

describeOnAnyDatabase('settlements', (fixture) => {
  test("creates a daily schedule at midnight of the merchant's zone, and applies changes from the next cutoff on", async () => {
    const { api } = fixture();
    const merchantId = await createMerchant(fixture());
    const path = `/settlement/schedule/${merchantId}`;
    const schedule = await expectData(api.admin.get<Schedule>(path));
    expect(schedule).toMatchObject({ frequency: 'daily', cutoffTime: '00:00', delayDays: 0, timezone: 'America/New_York' });
    const changed = await expectData(api.admin.put<Schedule>(path, { cutoffTime: '17:30', delayDays: 2, timezone: 'Europe/Berlin' }));
    expect(changed).toMatchObject({ frequency: 'daily', cutoffTime: '17:30', delayDays: 2, timezone: 'Europe/Berlin' });
    expect(await expectData(api.admin.put<Schedule>(path, { frequency: 'manual' }))).toMatchObject({ nextCutoffAt: null });
    await expectError(api.admin.put(path, { cutoffTime: '24:00' }), 400, 'VALIDATION_ERROR', 'cutoffTime');
    await expectError(api.admin.put(path, { timezone: 'Mars/Olympus' }), 400, 'VALIDATION_ERROR', 'timezone');
    await expectError(api.admin.put(path, { frequency: 'hourly' }), 400, 'VALIDATION_ERROR', 'frequency');
    await expectError(api.admin.put(path, { cutofTime: '18:00' }), 400, 'VALIDATION_ERROR', 'cutofTime');
    await expectError(api.admin.get('/settlement/schedule/mer_00000000000000000000000000'), 404, 'MERCHANT_NOT_FOUND');
  });

  test('accepts the response of GET unchanged, whether or not the schedule follows the merchant', async () => {
    const service = fixture();
    const { admin } = service.api;
    const merchantId = await createMerchant(service);
    const path = `/settlement/schedule/${merchantId}`;
    const read = () => expectData(admin.get<Schedule & { timezoneSource: string }>(path));
    const moveTo = (timezone: string) => expectData(admin.put(`/merchants/${merchantId}`, { timezone }));
    const following = await read();
    expect(following.timezoneSource).toBe('merchant');
    expect(await expectData(admin.put(path, following))).toEqual(following);
    await moveTo('Asia/Tokyo');
    expect(await read()).toMatchObject({ timezone: 'Asia/Tokyo', timezoneSource: 'merchant' });
    await expectError(admin.put(path, following), 400, 'VALIDATION_ERROR', 'timezone');
    await expectData(admin.put(path, { frequency: 'weekly', weekday: 3, timezone: 'Asia/Tokyo', cutoffTime: '17:30' }));
    const own = await read();
    expect(own.timezoneSource).toBe('schedule');
    expect(await expectData(admin.put(path, own))).toEqual(own);
    await moveTo('Europe/Berlin');
    expect(await read()).toEqual(own);
    expect(await expectData(admin.put(path, { timezoneSource: 'merchant' }))).toMatchObject({ timezone: 'Europe/Berlin' });
    await expectError(admin.put(path, { ...own, merchantId: 'mer_other' }), 400, 'VALIDATION_ERROR', 'merchantId');
  });

  test("moves the cutoff with the merchant's time zone, unless the schedule has its own", async () => {
    const service = fixture();
    const { admin } = service.api;
    const { now } = await expectData(admin.get<{ now: string }>('/sandbox/clock'));
    const day = new Date(Date.parse(now) + DAY * 1_000).toISOString().slice(0, 10);
    await expectData(admin.post('/sandbox/clock', { now: `${day}T12:00:00Z` }));
    const [moved, back, fixed, byHand] = [
      await createMerchant(service),
      await createMerchant(service, { timezone: 'Asia/Tokyo' }),
      await createMerchant(service),
      await createMerchant(service),
    ];
    const schedule = (id: string) => expectData(admin.get<Schedule>(`/settlement/schedule/${id}`));
    await expectData(admin.put(`/settlement/schedule/${fixed}`, { timezone: 'America/New_York' }));
    await settleOnRequest(service, byHand);
    const before = await schedule(fixed);
    for (const id of [moved, back, fixed, byHand]) {
      await sell(service, id, 14);
      await expectData(admin.put(`/merchants/${id}`, { timezone: id === back ? 'America/New_York' : 'Asia/Tokyo' }));
    }
    expect(await schedule(moved)).toMatchObject({ timezone: 'Asia/Tokyo', nextCutoffAt: `${day}T15:00:00.000Z` });
    expect(await schedule(fixed)).toEqual(before);
    const nextCutoffs = await Promise.all([back, fixed, byHand].map(async (id) => (await schedule(id)).nextCutoffAt));
    await advanceClock(service, 3 * 3_600 + 60);
    const cutoffs = async (id: string) => (await listSettlements(service, id)).map(({ amount, cutoffAt }) => [amount, cutoffAt]);
    expect(await cutoffs(moved)).toEqual([[14, `${day}T15:00:00.000Z`]]);
    expect(await cutoffs(back)).toEqual([]);
    await advanceClock(service, DAY);
    expect(await cutoffs(moved)).toHaveLength(1);
    expect(await cutoffs(back)).toEqual([[14, nextCutoffs[0]]]);
    expect(await cutoffs(fixed)).toEqual([[14, nextCutoffs[1]]]);
    expect(nextCutoffs[2]).toBeNull();
    expect(await cutoffs(byHand)).toEqual([]);
  });

  test('settles the captures and refunds before the cutoff, with an event per transaction and matching lines', async () => {
    const service = fixture();
    const merchantId = await createMerchant(service);
    const receiver = await startReceiver();
    const endpoint = await registerEndpoint(service, receiver.url('/'), ['transaction.settled']);
    const first = await sell(service, merchantId, 100);
    const second = await sell(service, merchantId, '49.99');
    const held = await sell(service, merchantId, 20, { type: 'auth' });
    const voided = await sell(service, merchantId, 30);
    await expectData(service.api.admin.post(`/transactions/${voided.transactionId}/void`));
    await expectData(service.api.admin.post(`/transactions/${first.transactionId}/refund`, { amount: 25 }));
    const moved = await advanceClock(service, DAY);
    expect(moved.ran.settlements).toBeGreaterThanOrEqual(1);
    const [settlement, ...others] = await listSettlements(service, merchantId);
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
    const lines = await listLines(service, settlementId);
    expect(lines).toHaveLength(3);
    expect(sumAmounts(lines.map(({ amount }) => amount))).toBe(124.99);
    expect(sumAmounts(lines.map(({ fee }) => fee))).toBe(4.95);
    const look = (id: string) => expectData(service.api.admin.get<Record<string, unknown>>(`/transactions/${id}`));
    expect(await look(second.transactionId)).toMatchObject({ status: 'approved', settlementId, settlementDate });
    expect(await look(held.transactionId)).toMatchObject({ settledAt: null });
    expect(await look(voided.transactionId)).toMatchObject({ settledAt: null });
    const settled = await expectData(
      service.api.admin.get<TransactionRecord[]>(`/transactions?settlementDate=${settlementDate}&status=approved&merchantId=${merchantId}`),
    );
    expect(settled.map(({ transactionId }) => transactionId)).toEqual([second.transactionId, first.transactionId]);
    const events = (await receiver.waitFor('/', 2)).map(({ event }) => event);
    const own = events.filter(({ data }) => data.settlementId === settlementId);
    expect(own.map(({ data }) => data)).toEqual(
      expect.arrayContaining([
        { transactionId: first.transactionId, amount: 100, settlementId, settlementDate },
        { transactionId: second.transactionId, amount: 49.99, settlementId, settlementDate },
      ]),
    );
    await expectData(service.api.admin.delete(`/webhooks/${endpoint.id}`));
    await receiver.stop();
  });

  test('refuses to void settled payments; their refund belongs to the next settlement, which may be negative', async () => {
    const service = fixture();
    const merchantId = await createMerchant(service);
    const paid = await sell(service, merchantId, 60);
    const [before] = await settle(service, merchantId);
    expect(before).toMatchObject({ amount: 60, origin: 'manual' });
    const error = await expectError(service.api.admin.post(`/transactions/${paid.transactionId}/void`), 409, 'RESOURCE_CONFLICT');
    expect(error.details).toMatchObject({ reason: 'settled' });
    await expectData(service.api.admin.post(`/transactions/${paid.transactionId}/refund`, { amount: 15 }));
    const [owing] = await settle(service, merchantId);
    expect(owing).toMatchObject({ captures: 0, refunds: 15, amount: -15, fees: 0, netAmount: -15, transactionCount: 0, refundCount: 1 });
    expect(await settle(service, merchantId)).toEqual([]);
  });

  test('settles each currency separately', async () => {
    const service = fixture();
    const merchantId = await createMerchant(service);
    await sell(service, merchantId, 40);
    await sell(service, merchantId, 900, { currency: 'JPY' });
    const made = await settle(service, merchantId);
    expect(made.map(({ currency, amount, fees }) => [currency, amount, fees]).toSorted()).toEqual([
      ['JPY', 900, 26],
      ['USD', 40, 1.46],
    ]);
  });

  test('skips days without sales, and catches up on missed cutoffs one by one', async () => {
    const service = fixture();
    const merchantId = await createMerchant(service);
    await sell(service, merchantId, 11);
    await advanceClock(service, 3 * DAY);
    await sell(service, merchantId, 12);
    await advanceClock(service, 2 * DAY);
    expect((await listSettlements(service, merchantId)).map(({ amount }) => amount)).toEqual([12, 11]);
  });

  test('returns unsettled, unpaid and paid amounts in the summary', async () => {
    const service = fixture();
    const merchantId = await createMerchant(service);
    await sell(service, merchantId, 100);
    await settle(service, merchantId);
    await sell(service, merchantId, 7);
    const summary = () => expectData(service.api.admin.get(`/settlement/summary?merchantId=${merchantId}`));
    expect(await summary()).toMatchObject({
      unsettled: { count: 1, amount: 7 },
      settledUnpaid: { count: 1, amount: 96.8 },
      paidIn30Days: { count: 0, amount: 0 },
    });
    await expectData(service.api.admin.post('/settlement/payout', { merchantId, amount: '50.00' }));
    expect(await summary()).toMatchObject({
      settledUnpaid: { count: 1, amount: 46.8 },
      inTransit: { count: 0, amount: 0 },
      paidIn30Days: { count: 1, amount: 50 },
    });
  });

  test('names customer, card and order of each line for roles that may read transactions', async () => {
    const service = fixture();
    const merchantId = await createMerchant(service);
    const customer = { name: 'Ada Marlow', email: 'ada@customer.example' };
    const { transactionId } = await sell(service, merchantId, 42, { orderId: 'A-1042', customer });
    const path = `/settlement/unsettled?merchantId=${merchantId}`;
    const payment = { customer, card: { brand: 'visa', last4: '1111' }, bankAccount: null, orderId: 'A-1042' };
    expect(await expectData(service.api.admin.get(path))).toMatchObject([{ transactionId, payment }]);
    const [settlement] = await settle(service, merchantId);
    const lines = `/settlement/settlements/${settlement?.settlementId}/lines`;
    expect(await expectData(service.api.admin.get(lines))).toMatchObject([{ transactionId, payment }]);
    const permissions = ['settlement:read'];
    const bookkeeper = await createUser(service, 'viewer', { permissions }, merchantId);
    expect(await expectData(service.api.bare.get(`/api/v1${lines}`, bookkeeper.headers))).toMatchObject([{ transactionId, payment: null }]);
  });

  test('lists exactly the lines of the unsettled amount', async () => {
    const service = fixture();
    const { admin } = service.api;
    const merchantId = await createMerchant(service);
    const settled = [await sell(service, merchantId, 90), await sell(service, merchantId, 91)];
    const [settlement] = await settle(service, merchantId);
    const open = [await sell(service, merchantId, 10), await sell(service, merchantId, '20.05')];
    const held = await sell(service, merchantId, 50, { type: 'auth' });
    await expectData(admin.post(`/transactions/${held.transactionId}/capture`, { amount: '12.34' }));
    const back = await sell(service, merchantId, 60, { type: 'auth' });
    await expectData(admin.post(`/transactions/${back.transactionId}/capture`));
    await expectData(admin.post(`/transactions/${back.transactionId}/cancel-capture`));
    const voided = await sell(service, merchantId, 70);
    await expectData(admin.post(`/transactions/${voided.transactionId}/void`));
    await sell(service, merchantId, 700, { currency: 'JPY' });
    for (const { transactionId } of [settled[0], open[0]] as TransactionRecord[])
      await expectData(admin.post(`/transactions/${transactionId}/refund`, { amount: 3 }));
    const { unsettled } = await expectData(
      admin.get<{ unsettled: { count: number; amount: number } }>(`/settlement/summary?merchantId=${merchantId}`),
    );
    expect(unsettled).toEqual({ count: 5, amount: 36.39 });
    const path = `/settlement/unsettled?merchantId=${merchantId}`;
    const list = await admin.get<{ id: string; amount: number }[]>(path);
    expect(list.body.pagination.total).toBe(unsettled.count);
    expect(sumAmounts(list.body.data.map(({ amount }) => amount))).toBe(unsettled.amount);
    const ids = list.body.data.map(({ id }) => id);
    const byPage: string[] = [];
    for (let page = 1; page <= 3; page += 1)
      byPage.push(...(await expectData(admin.get<{ id: string }[]>(`${path}&limit=2&page=${page}`))).map(({ id }) => id));
    expect(byPage).toEqual(ids);
    const followed: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const part: Awaited<ReturnType<typeof admin.get<{ id: string }[]>>> = await admin.get(
        `${path}&limit=2${cursor && `&cursor=${cursor}`}`,
      );
      followed.push(...part.body.data.map(({ id }) => id));
      cursor = part.body.pagination.nextCursor;
    }
    expect(followed).toEqual(ids);
    expect(await expectData(admin.get(`${path}&currency=JPY`))).toMatchObject([{ kind: 'capture', amount: 700 }]);
    const listed = async (query: string) =>
      (await expectData(admin.get<TransactionRecord[]>(`/transactions?merchantId=${merchantId}&${query}`))).map(
        ({ transactionId }) => transactionId,
      );
    expect((await listed('settled=false')).filter((id) => !ids.includes(id))).toHaveLength(1);
    expect(await listed(`settlementId=${settlement?.settlementId}`)).toEqual(
      settled.map(({ transactionId }) => transactionId).toReversed(),
    );
    expect(await listed('settled=true')).toEqual(await listed(`settlementId=${settlement?.settlementId}`));
    await settle(service, merchantId);
    expect(await expectData(admin.get(`/settlement/summary?merchantId=${merchantId}`))).toMatchObject({
      unsettled: { count: 0, amount: 0 },
    });
    expect(await expectData(admin.get(path))).toEqual([]);
  });

  test('lists exactly the payments captured on a day of the revenue report', async () => {
    const service = fixture();
    const { admin } = service.api;
    const merchantId = await createMerchant(service);
    const held = await sell(service, merchantId, 80, { type: 'auth' });
    await sell(service, merchantId, 20);
    await advanceClock(service, DAY);
    await expectData(admin.post(`/transactions/${held.transactionId}/capture`, { amount: 70 }));
    await sell(service, merchantId, 5);
    const revenue = await expectData(
      admin.get<{ series: { key: string; gross: number }[] }>(`/analytics/revenue?groupBy=day&merchantId=${merchantId}`),
    );
    const days = revenue.series.filter(({ gross }) => gross !== 0);
    expect(days.map(({ gross }) => gross)).toEqual([20, 75]);
    for (const { key, gross } of days) {
      const opened = await admin.get<{ capturedAmount: number }[]>(
        `/transactions?merchantId=${merchantId}&capturedFrom=${key}&capturedTo=${key}`,
      );
      expect(sumAmounts(opened.body.data.map(({ capturedAmount }) => capturedAmount))).toBe(gross);
    }
    await expectError(admin.get('/transactions?capturedFrom=2026-02-02&capturedTo=2026-02-01'), 400, 'VALIDATION_ERROR', 'capturedTo');
  });

  test('pages through the lines of a settlement by page and cursor, captures before refunds', async () => {
    const service = fixture();
    const merchantId = await createMerchant(service);
    for (const amount of [11, 12, 13]) {
      const { transactionId } = await sell(service, merchantId, amount);
      await expectData(service.api.admin.post(`/transactions/${transactionId}/refund`, { amount: 1 }));
    }
    const [settlement] = await settle(service, merchantId);
    const path = `/settlement/settlements/${settlement?.settlementId}/lines?limit=2`;
    const amounts = async (query: string) =>
      (await expectData(service.api.admin.get<{ amount: number }[]>(path + query))).map(({ amount }) => amount);
    expect([await amounts('&page=1'), await amounts('&page=2'), await amounts('&page=3')]).toEqual([
      [11, 12],
      [13, -1],
      [-1, -1],
    ]);
    const followed: number[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const part: Awaited<ReturnType<typeof service.api.admin.get<{ amount: number }[]>>> = await service.api.admin.get(
        path + (cursor && `&cursor=${cursor}`),
      );
      followed.push(...part.body.data.map(({ amount }) => amount));
      cursor = part.body.pagination.nextCursor;
    }
    expect(followed).toEqual([11, 12, 13, -1, -1, -1]);
  });

  test('limits users of one merchant to it, and allows settling to accountants but not cashiers', async () => {
    const service = fixture();
    const merchantId = await createMerchant(service);
    await sell(service, merchantId, 21);
    const [settlement] = await settle(service, merchantId);
    const outsider = await createUser(service, 'accountant');
    const get = (path: string) => service.api.bare.get(`/api/v1${path}`, outsider.headers);
    await expectError(get(`/settlement/history/${merchantId}`), 403, 'MERCHANT_NOT_AUTHORIZED');
    await expectError(get(`/settlement/settlements/${settlement?.settlementId}`), 403, 'MERCHANT_NOT_AUTHORIZED');
    await expectError(get('/settlement/settlements/stl_00000000000000000000000000'), 404, 'NOT_FOUND');
    const cashier = await createUser(service, 'cashier');
    await expectError(service.api.bare.post('/api/v1/settlement/settle', {}, cashier.headers), 403, 'PERMISSION_DENIED');
  });

  test('excludes declined, failed and pending payments from settlements', async () => {
    const service = fixture();
    const merchantId = await createMerchant(service);
    await service.api.admin.post('/transactions', {
      amount: 5,
      card: { number: CARDS.declined, expiryMonth: '12', expiryYear: '2031', cvv: '123' },
      merchantId,
    });
    await service.api.admin.post('/transactions', {
      amount: 6,
      card: { number: CARDS.neverReceived, expiryMonth: '12', expiryYear: '2031', cvv: '123' },
      merchantId,
    });
    expect(await settle(service, merchantId)).toEqual([]);
  });
});

describeOnBothDatabases('settlements by parallel requests', (fixture) => {
  test('settles by hand once per key, and once with parallel requests', async () => {
    const service = fixture();
    const merchantId = await createMerchant(service);
    await sell(service, merchantId, 31);
    const ask = (key: string) =>
      service.api.admin.post<SettlementRecord[]>('/settlement/settle', { merchantId }, { 'Idempotency-Key': key });
    const first = await ask(`settle-${merchantId}`);
    expect(await expectData<SettlementRecord[]>(first)).toMatchObject([{ amount: 31, status: 'pending' }]);
    await sell(service, merchantId, 32);
    const again = await ask(`settle-${merchantId}`);
    expect([again.text, again.headers.get('idempotent-replayed')]).toEqual([first.text, 'true']);
    await expectError(
      service.api.admin.post('/settlement/settle', {}, { 'Idempotency-Key': `settle-${merchantId}` }),
      409,
      'RESOURCE_CONFLICT',
      'Idempotency-Key',
    );
    const together = await Promise.all(Array.from({ length: 6 }, () => ask(`together-${merchantId}`)));
    const made = together.filter(({ status }) => status === 200);
    expect(new Set(made.map(({ text }) => text)).size).toBe(1);
    expect(together.filter(({ status }) => status === 409).every(({ headers }) => headers.get('retry-after') === '1')).toBe(true);
    expect((await ask(`together-${merchantId}`)).text).toBe(made[0]?.text);
    expect((await listSettlements(service, merchantId)).map(({ amount }) => amount)).toEqual([32, 31]);
  });

  test('does not store the refusal of a parallel settlement under a key', async () => {
    const service = fixture();
    const merchantId = await createMerchant(service);
    await sell(service, merchantId, 33);
    const ask = (key: string) =>
      service.api.admin.post<SettlementRecord[]>('/settlement/settle', { merchantId }, { 'Idempotency-Key': key });
    const keys = Array.from({ length: 8 }, (_, at) => `${merchantId}-${at}`);
    await Promise.all(keys.map(ask));
    for (const key of keys) expect((await ask(key)).status).toBe(200);
    expect(await listSettlements(service, merchantId)).toHaveLength(1);
  });
});
