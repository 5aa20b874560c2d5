import { expect, test } from 'vitest';
import { CARDS, cardBody, type RefundRecord, type TransactionRecord } from '../../support/sales.ts';
import {
  type ApiFixture,
  describeOnAnyDatabase,
  describeOnBothDatabases,
  expectData,
  expectError,
  onBothDatabases,
} from '../../support/server.ts';
import { createMerchant, listSettlements, type SettlementRecord, sell, settle, sumAmounts } from '../../support/settlements.ts';
import { createUser } from '../../support/users.ts';
import type { Analysis, DailySummary, RefundSums, Report, RevenueSums, TransactionSums } from './report-types.ts';

const nowOf = async ({ api }: ApiFixture) => (await expectData(api.admin.get<{ now: string }>('/sandbox/clock'))).now;
const dayIn = (timeZone: string, at: string) => new Intl.DateTimeFormat('en-CA', { timeZone }).format(new Date(at));
const daysBefore = (day: string, days: number) => new Date(Date.parse(day) - days * 86_400_000).toISOString().slice(0, 10);
const todayOf = async (service: ApiFixture) => dayIn('America/New_York', await nowOf(service));

describeOnAnyDatabase('the daily summary', (fixture) => {
  test('answers for the last day of the calendar, like the other reports', async () => {
    const { api } = fixture();
    const day = '9999-12-31';
    expect(await expectData(api.admin.get(`/reporting/daily-summary?date=${day}`))).toMatchObject({ date: day, salesCount: 0 });
    const revenue = await expectData(api.admin.get<Analysis<RevenueSums>>(`/analytics/revenue?startDate=9999-12-30&endDate=${day}`));
    expect(revenue.series.map(({ key }) => key)).toEqual(['9999-12-30', day]);
    expect(await expectData(api.admin.get(`/reporting/tips?startDate=${day}&endDate=${day}`))).toBeDefined();
  });

  test('reports sales, refunds, voids, declines and the net amount', async () => {
    const service = fixture();
    const merchantId = await createMerchant(service);
    const first = await sell(service, merchantId, 100);
    const second = await sell(service, merchantId, 50, {
      card: { number: CARDS.amex, expiryMonth: '12', expiryYear: '2031', cvv: '1234' },
    });
    const voided = await sell(service, merchantId, 7);
    await service.api.admin.post(`/transactions/${voided.transactionId}/void`);
    const hold = await sell(service, merchantId, 40, { type: 'auth' });
    await service.api.admin.post(`/transactions/${hold.transactionId}/capture`, { amount: 25 });
    await service.api.admin.post('/transactions', cardBody(9, CARDS.noFunds, { merchantId }));
    await service.api.admin.post(`/transactions/${first.transactionId}/refund`, { amount: 30 });
    await service.api.admin.post(`/transactions/${second.transactionId}/credit`, { amount: 5 });
    const summary = await expectData(service.api.admin.get<DailySummary>(`/reporting/daily-summary?merchantId=${merchantId}`));
    expect(summary).toMatchObject({
      date: await todayOf(service),
      currency: 'USD',
      salesCount: 3,
      salesAmount: 175,
      refundsCount: 1,
      refundsAmount: 30,
      voidsCount: 1,
      declinedCount: 1,
      feesAmount: 0,
      chargebacksCount: 0,
      chargebacksAmount: 0,
      disputeFeesAmount: 0,
      tipsAmount: 0,
      surchargesAmount: 0,
      taxesAmount: 0,
      tipsByPerson: [],
      netAmount: 145,
      byType: [
        { key: 'sale', count: 2, amount: 150 },
        { key: 'auth', count: 1, amount: 25 },
        { key: 'credit', count: 1, amount: 5 },
        { key: 'refund', count: 1, amount: 30 },
      ],
      byMethod: [{ key: 'card', count: 3, amount: 175 }],
      byBrand: [
        { key: 'visa', count: 2, amount: 125 },
        { key: 'amex', count: 1, amount: 50 },
      ],
      declines: [{ code: 'insufficient_funds', count: 1 }],
      otherCurrencies: [],
    });
    const yesterday = daysBefore(summary.date, 1);
    const quiet = await expectData(
      service.api.admin.get<DailySummary>(`/reporting/daily-summary?merchantId=${merchantId}&date=${yesterday}`),
    );
    expect(quiet).toMatchObject({ date: yesterday, salesCount: 0, salesAmount: 0, netAmount: 0, byBrand: [], declines: [] });
  });

  test('counts the authorizations that are open at the end of a day', async () => {
    const service = fixture();
    const { admin } = service.api;
    const merchantId = await createMerchant(service);
    const summary = (date = '') => expectData(admin.get<DailySummary>(`/reporting/daily-summary?merchantId=${merchantId}${date}`));
    const open = async (date?: string) => {
      const { openAuthorizationsCount, openAuthorizationsAmount } = await summary(date);
      return [openAuthorizationsCount, openAuthorizationsAmount];
    };
    const hold = (amount: number) => sell(service, merchantId, amount, { type: 'auth' });
    await sell(service, merchantId, 7);
    await admin.post('/transactions', cardBody(9, CARDS.noFunds, { merchantId, type: 'auth' }));
    const captured = await hold(40);
    const released = await hold(100);
    await hold(5);
    expect(await open()).toEqual([3, 145]);
    const day = `&date=${(await summary()).date}`;
    await expectData(admin.post('/sandbox/clock', { advanceSeconds: 86_400 }));
    await expectData(admin.post(`/transactions/${captured.transactionId}/capture`, { amount: 25 }));
    await expectData(admin.post(`/transactions/${released.transactionId}/void`));
    await hold(60);
    expect(await open()).toEqual([2, 65]);
    expect(await open(day)).toEqual([3, 145]);
    const again = await hold(20);
    await expectData(admin.post(`/transactions/${again.transactionId}/void`));
    expect(await open()).toEqual([2, 65]);
  });

  test("starts a merchant's day at its own midnight", async () => {
    const service = fixture();
    const merchantId = await createMerchant(service, { timezone: 'Pacific/Kiritimati' });
    await sell(service, merchantId, 12);
    const summary = await expectData(service.api.admin.get<DailySummary>(`/reporting/daily-summary?merchantId=${merchantId}`));
    expect(summary).toMatchObject({ date: dayIn('Pacific/Kiritimati', await nowOf(service)), salesAmount: 12 });
  });
});

/** Sales of a day until an hour; the tests move the test clock by whole weeks, so the hour stays. */
describeOnAnyDatabase('the comparison of today', (fixture) => {
  interface PartialDay {
    date: string;
    until: string;
    salesCount: number;
    salesAmount: number;
    refundsAmount: number;
    approvedCount: number;
    declinedCount: number;
    approvalRate: number;
  }

  test('compares today with the same weekday until the same time of day', async () => {
    const service = fixture();
    const { admin } = service.api;
    // At noon in this zone, an hour later is the same day.
    const hour = Number(new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', hour: '2-digit' }).format(new Date(await nowOf(service))));
    const timezone = `Etc/GMT${hour >= 12 ? '+' : '-'}${Math.abs(hour - 12)}`;
    const merchantId = await createMerchant(service, { timezone });
    const read = () => expectData(admin.get<{ today: PartialDay; weekBefore: PartialDay }>(`/reporting/today?merchantId=${merchantId}`));
    const { transactionId } = await sell(service, merchantId, 30);
    await admin.post(`/transactions/${transactionId}/refund`, { amount: 5 });
    await admin.post('/transactions', cardBody(9, CARDS.noFunds, { merchantId }));
    const earlier = await read();
    expect(earlier.today).toMatchObject({
      salesCount: 1,
      salesAmount: 30,
      refundsAmount: 5,
      approvedCount: 1,
      declinedCount: 1,
      approvalRate: 0.5,
    });
    await expectData(admin.post('/sandbox/clock', { advanceSeconds: 3600 }));
    await sell(service, merchantId, 20);
    await expectData(admin.post('/sandbox/clock', { advanceSeconds: 7 * 86_400 - 1800 }));
    const { today, weekBefore } = await read();
    expect(today).toMatchObject({ salesCount: 0, salesAmount: 0, approvalRate: 0 });
    // The sale an hour later is not part of it.
    expect(weekBefore).toMatchObject({
      date: earlier.today.date,
      salesCount: 1,
      salesAmount: 30,
      refundsAmount: 5,
      approvedCount: 1,
      declinedCount: 1,
    });
    expect(Date.parse(today.until) - Date.parse(weekBefore.until)).toBeLessThan(7 * 86_400_000 + 60_000);
  });
});

describeOnBothDatabases('analytics', (fixture, inFull) => {
  test('returns a row for each of the last thirty days by default', inFull, async () => {
    const service = fixture();
    const merchantId = await createMerchant(service);
    await sell(service, merchantId, 20);
    const revenue = await expectData(service.api.admin.get<Analysis<RevenueSums>>(`/analytics/revenue?merchantId=${merchantId}`));
    const today = await todayOf(service);
    expect(revenue).toMatchObject({ startDate: daysBefore(today, 29), endDate: today, groupBy: 'day', currency: 'USD' });
    expect(revenue.series).toHaveLength(30);
    expect(revenue.series.map(({ gross }) => gross)).toEqual([...Array(29).fill(0), 20]);
    expect(revenue.series.at(-1)).toEqual({ key: today, label: today, ...revenue.totals });
  });

  test('counts payments like the transaction list', async () => {
    const service = fixture();
    const merchantId = await createMerchant(service);
    await sell(service, merchantId, 20);
    await sell(service, merchantId, 10.01);
    const voided = await sell(service, merchantId, 11);
    await service.api.admin.post(`/transactions/${voided.transactionId}/void`);
    for (const number of [CARDS.declined, CARDS.declined, CARDS.noFunds])
      await service.api.admin.post('/transactions', cardBody(5, number, { merchantId }));
    await service.api.admin.post('/transactions', cardBody(5, CARDS.gatewayError, { merchantId }));
    const { totals } = await expectData(
      service.api.admin.get<Analysis<TransactionSums>>(`/analytics/transactions?merchantId=${merchantId}`),
    );
    expect(totals).toEqual({
      count: 7,
      approved: 2,
      declined: 3,
      voided: 1,
      failed: 1,
      pending: 0,
      approvalRate: 0.5,
      amount: 30.01,
      averageAmount: 15.01,
      declines: [
        { code: 'card_declined', count: 2 },
        { code: 'insufficient_funds', count: 1 },
      ],
    });
    for (const status of ['approved', 'declined', 'voided', 'failed'] as const) {
      const { body } = await service.api.admin.get(`/transactions?merchantId=${merchantId}&status=${status}`);
      expect(body.pagination.total, status).toBe(totals[status]);
    }
  });

  test('reports the same totals by brand, merchant and week', async () => {
    const service = fixture();
    const merchantId = await createMerchant(service, { name: 'Brand House' });
    const made = await sell(service, merchantId, 30);
    await sell(service, merchantId, 8, {
      paymentMethod: 'ach',
      card: undefined,
      bankAccount: { accountNumber: '000123456789', routingNumber: '021000021', accountType: 'checking', accountHolderName: 'Ada' },
    });
    await service.api.admin.post(`/transactions/${made.transactionId}/refund`, { amount: 4 });
    const [settlement] = await settle(service, merchantId);
    const readReport = (groupBy: string) =>
      expectData(service.api.admin.get<Analysis<RevenueSums>>(`/analytics/revenue?merchantId=${merchantId}&groupBy=${groupBy}`));
    const brands = await readReport('brand');
    expect(brands.totals).toMatchObject({ gross: 38, refunds: 4, fees: settlement?.fees, net: settlement?.netAmount });
    expect(brands.series.map(({ key, label, gross, refunds }) => ({ key, label, gross, refunds }))).toEqual([
      { key: 'ach', label: 'Bank account', gross: 8, refunds: 0 },
      { key: 'visa', label: 'Visa', gross: 30, refunds: 4 },
    ]);
    expect(sumAmounts(brands.series.map(({ fees }) => fees))).toBe(settlement?.fees);
    expect((await readReport('merchant')).series).toEqual([{ key: merchantId, label: 'Brand House', ...brands.totals }]);
    const weeks = await readReport('week');
    expect(weeks.totals).toEqual(brands.totals);
    expect(weeks.series.at(-1)).toMatchObject(brands.totals);
    expect(new Date(weeks.series.at(-1)?.key ?? '').getUTCDay()).toBe(1);
  });

  test('reports full, partial and declined refunds with their share of captures', inFull, async () => {
    const service = fixture();
    const merchantId = await createMerchant(service);
    const [whole, part] = [await sell(service, merchantId, 30), await sell(service, merchantId, 60)];
    const stubborn = await expectData(
      service.api.admin.post<TransactionRecord>('/transactions', cardBody(10, CARDS.refundDeclined, { merchantId })),
    );
    await service.api.admin.post(`/transactions/${whole.transactionId}/refund`);
    await service.api.admin.post(`/transactions/${part.transactionId}/refund`, { amount: 10 });
    const { body: declined } = await service.api.admin.post<RefundRecord>(`/transactions/${stubborn.transactionId}/refund`, { amount: 6 });
    const readReport = () => expectData(service.api.admin.get<Analysis<RefundSums>>(`/analytics/refunds?merchantId=${merchantId}`));
    const before = { count: 2, amount: 40, fullCount: 1, partialCount: 1, declined: 1, rate: 0.4, outsideCount: 0, outsideAmount: 0 };
    expect((await readReport()).totals).toEqual(before);
    const queue = await expectData(
      service.api.admin.get<{ id: string; refundTransactionId: string }[]>(`/refund-decline-queue?merchantId=${merchantId}`),
    );
    const id = queue.find(({ refundTransactionId }) => refundTransactionId === declined.data.refundId)?.id;
    await expectData(service.api.admin.post(`/refund-decline-queue/${id}/resolve`, { notes: 'Paid by check' }));
    expect((await readReport()).totals).toEqual({ ...before, outsideCount: 1, outsideAmount: 6 });
    const { totals } = await expectData(service.api.admin.get<Analysis<RevenueSums>>(`/analytics/revenue?merchantId=${merchantId}`));
    expect(totals).toMatchObject({ gross: 100, refunds: 40, net: 60, refundedOutside: 6 });
  });

  test('sums one currency, and counts the rows in others', inFull, async () => {
    const service = fixture();
    const merchantId = await createMerchant(service);
    await sell(service, merchantId, 20);
    await sell(service, merchantId, 500, { currency: 'JPY' });
    const path = `/analytics/revenue?merchantId=${merchantId}&groupBy=month`;
    const own = await expectData(service.api.admin.get<Analysis<RevenueSums>>(path));
    expect(own).toMatchObject({ currency: 'USD', totals: { gross: 20 }, otherCurrencies: [{ currency: 'JPY', count: 1 }] });
    const other = await expectData(service.api.admin.get<Analysis<RevenueSums>>(`${path}&currency=JPY`));
    expect(other).toMatchObject({ currency: 'JPY', totals: { gross: 500 }, otherCurrencies: [{ currency: 'USD', count: 1 }] });
    const summary = await expectData(service.api.admin.get<DailySummary>(`/reporting/daily-summary?merchantId=${merchantId}&currency=JPY`));
    expect(summary).toMatchObject({ salesAmount: 500, otherCurrencies: [{ currency: 'USD', count: 1 }] });
  });

  test("returns not found for an unknown merchant and refuses another one's", inFull, async () => {
    const service = fixture();
    await expectError(service.api.admin.get('/analytics/revenue?merchantId=mer_unknown'), 404, 'MERCHANT_NOT_FOUND');
    const [own, foreign] = [await createMerchant(service), await createMerchant(service)];
    await sell(service, own, 21);
    await sell(service, foreign, 22);
    const { headers } = await createUser(service, 'accountant', {}, own);
    for (const path of [
      '/analytics/revenue',
      '/reporting/daily-summary',
      '/reporting/batches',
      '/reporting/transactions',
      '/settlement/ledger',
    ])
      await expectError(service.api.bare.get(`/api/v1${path}?merchantId=${foreign}`, headers), 403, 'MERCHANT_NOT_AUTHORIZED');
    const { totals } = await expectData(service.api.bare.get<Analysis<RevenueSums>>('/api/v1/analytics/revenue', headers));
    expect(totals.gross).toBe(21);
    const cashier = await createUser(service, 'cashier', {}, own);
    await expectError(service.api.bare.get('/api/v1/analytics/revenue', cashier.headers), 403, 'PERMISSION_DENIED');
  });
});

describeOnAnyDatabase('invalid parameters', (fixture) => {
  test.for([
    ['/analytics/revenue?startDate=2026-02-30', 'INVALID_DATE', 'startDate'],
    ['/analytics/refunds?endDate=yesterday', 'INVALID_DATE', 'endDate'],
    ['/analytics/transactions?startDate=2026-02-02&endDate=2026-02-01', 'VALIDATION_ERROR', 'endDate'],
    ['/analytics/transactions?groupBy=hour', 'VALIDATION_ERROR', 'groupBy'],
    ['/analytics/revenue?startDate=2020-01-01&endDate=2026-12-31', 'VALIDATION_ERROR', 'groupBy'],
    ['/analytics/revenue?startDate=0001-01-01&groupBy=month', 'INVALID_DATE', 'startDate'],
    ['/analytics/revenue?startDate=1001-01-01&groupBy=month', 'VALIDATION_ERROR', 'startDate'],
    ['/analytics/revenue?currency=XXQ', 'INVALID_CURRENCY', 'currency'],
    ['/reporting/daily-summary?date=2026-13-01', 'INVALID_DATE', 'date'],
    ['/reporting/batches?startDate=2026-02-02&endDate=2026-02-01', 'VALIDATION_ERROR', 'endDate'],
    ['/reporting/batches?status=assembling', 'VALIDATION_ERROR', 'status'],
    ['/reporting/transactions?currency=dollars', 'INVALID_CURRENCY', 'currency'],
    ['/reporting/export/transactions?endDate=x', 'INVALID_DATE', 'endDate'],
  ] as const)('refuses %s', async ([path, code, field]) => {
    await expectError(fixture().api.admin.get(path), 400, code, field);
  });
});

describeOnAnyDatabase('reports', (fixture) => {
  test('returns transactions with the totals of their filter', async () => {
    const service = fixture();
    const merchantId = await createMerchant(service);
    const made = await sell(service, merchantId, 30);
    await sell(service, merchantId, 60);
    await sell(service, merchantId, 61, { currency: 'EUR' });
    await service.api.admin.post('/transactions', cardBody(5, CARDS.declined, { merchantId }));
    await service.api.admin.post(`/transactions/${made.transactionId}/refund`, { amount: 12.5 });
    const settlements = await settle(service, merchantId);
    const fees = settlements.find(({ currency }) => currency === 'USD')?.fees ?? 0;
    const readReport = async (query: string) => {
      const { body } = await service.api.admin.get(`/reporting/transactions?merchantId=${merchantId}&limit=1${query}`);
      return body as unknown as Report;
    };
    const all = await readReport('');
    expect(all.pagination.total).toBe(4);
    expect(all.data).toHaveLength(1);
    expect(all).toMatchObject({ currency: 'USD', otherCurrencies: [{ currency: 'EUR', count: 1 }] });
    const net = Math.round((90 - 12.5 - fees) * 100) / 100;
    expect(all.totals).toEqual({ count: 3, amount: 95, captured: 90, refunded: 12.5, fees, net });
    // The same with filters that no counter covers.
    expect((await readReport('&minAmount=1')).totals).toEqual(all.totals);
    expect((await readReport('&refundStatus=partial')).totals).toMatchObject({ count: 1, amount: 30, captured: 30, refunded: 12.5 });
    expect((await readReport('&status=settled')).totals).toMatchObject({ count: 2, captured: 90, fees });
    expect((await readReport('&status=declined')).totals).toEqual({ count: 1, amount: 5, captured: 0, refunded: 0, fees: 0, net: 0 });
    expect((await readReport('&currency=EUR')).totals).toMatchObject({ count: 1, captured: 61 });
    expect((await readReport('&startDate=2020-01-01&endDate=2020-01-31')).totals).toMatchObject({ count: 0, amount: 0 });
  });

  test('returns settlements of all merchants with their sums', async () => {
    const service = fixture();
    const [one, two] = [await createMerchant(service), await createMerchant(service)];
    for (const merchantId of [one, two, one]) {
      await sell(service, merchantId, 33.33);
      await settle(service, merchantId);
    }
    const readReport = async (query: string) =>
      (await service.api.admin.get(`/reporting/batches${query}`)).body as unknown as Report<SettlementRecord>;
    const own = await readReport(`?merchantId=${one}`);
    const history = await listSettlements(service, one);
    expect(own.data).toEqual(history);
    expect(own.totals).toEqual({
      count: 2,
      transactionCount: 2,
      refundCount: 0,
      captures: 66.66,
      refunds: 0,
      disputes: 0,
      amount: 66.66,
      fees: sumAmounts(history.map(({ fees }) => fees)),
      netAmount: sumAmounts(history.map(({ netAmount }) => netAmount)),
      paidAmount: 0,
    });
    const ids = (await readReport('?limit=3')).data.map(({ merchantId }) => merchantId);
    expect(ids).toEqual([one, two, one]);
    expect((await readReport(`?merchantId=${one}&status=paid`)).pagination.total).toBe(0);
    const day = history[0]?.settlementDate;
    expect((await readReport(`?merchantId=${one}&startDate=${day}&endDate=${day}`)).totals).toMatchObject({ count: 2 });
    expect((await readReport(`?merchantId=${one}&endDate=2020-01-01`)).totals).toMatchObject({ count: 0, netAmount: 0 });
  });

  test('exports the same file as the transactions export', async () => {
    const service = fixture();
    const merchantId = await createMerchant(service);
    await sell(service, merchantId, 20, { description: '=1+1' });
    const [report, list] = await Promise.all(
      ['/reporting/export/transactions', '/transactions/export'].map((path) =>
        service.api.admin.get(`${path}?format=csv&merchantId=${merchantId}`),
      ),
    );
    expect(report?.headers.get('content-type')).toContain('text/csv');
    expect(report?.text).toBe(list?.text);
    expect(report?.text.trimEnd().split('\r\n')).toHaveLength(2);
  });
});

onBothDatabases('the ledger accounts sum to zero and to the captured, refunded and retained amounts', async (service) => {
  const merchantId = await createMerchant(service);
  const made = await sell(service, merchantId, 100);
  await settle(service, merchantId);
  await sell(service, merchantId, 10);
  await service.api.admin.post(`/transactions/${made.transactionId}/refund`, { amount: 20 });
  await service.api.admin.post(`/transactions/${made.transactionId}/credit`, { amount: 3 });
  const ledger = await expectData(service.api.admin.get(`/settlement/ledger?merchantId=${merchantId}`));
  expect(ledger).toEqual({
    merchants: [
      {
        merchantId,
        currency: 'USD',
        accounts: {
          processor: 87,
          unsettled: 10,
          settled: -96.8,
          fees: -3.2,
          paidOut: 0,
          credited: 3,
          ownFunds: 0,
          refundedOutside: 0,
          bank: 0,
          bankFees: 0,
          bankChargebacks: 0,
          sales: 0,
          tips: 0,
          surcharges: 0,
          taxes: 0,
          cash: 0,
          checks: 0,
          otherTenders: 0,
          tenderSales: 0,
          tendersDeposited: 0,
          cashDifferences: 0,
          giftCards: 0,
          giftCardsGiven: 0,
          giftCardsExpired: 0,
          lateFees: 0,
        },
      },
    ],
    balanced: true,
  });
});
