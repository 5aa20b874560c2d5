import { beforeAll, expect, test } from 'vitest';
import { createOwnedRecords, type OwnedRecords } from '../../support/owned-records.ts';
import { type ApiFixture, describeOnAnyDatabase, describeOnBothDatabases, expectData, expectError } from '../../support/server.ts';
import { createMerchant, sumAmounts } from '../../support/settlements.ts';
import type { DailySummary } from './report-types.ts';

interface Row {
  date: string;
  salesCount: number;
  salesAmount: number;
  netAmount: number;
}
type Summary = DailySummary & {
  startDate: string;
  endDate: string;
  days: Row[];
  shifts: { closedCount: number; cashSalesAmount: number; payments: { totalAmount: number; zReportsAmount: number } | null };
};

const daysBefore = (day: string, days: number) => new Date(Date.parse(day) - days * 86_400_000).toISOString().slice(0, 10);

describeOnBothDatabases('the daily summary of a range', (fixture, inFull) => {
  const read = (query: string) => expectData(fixture().api.admin.get<Summary>(`/reporting/daily-summary?${query}`));

  test('has the sums of its days, and a row for each day', async () => {
    const { admin } = fixture().api;
    const { shiftId } = await expectData(admin.post<{ shiftId: string }>('/shifts/open', { amount: 10 }), 201);
    await expectData(admin.post('/tenders', { kind: 'cash', amount: 7 }), 201);
    await expectData(admin.post(`/shifts/${shiftId}/close`, { amount: 17 }));
    const { date: today } = await read('');
    const [startDate, days] = [daysBefore(today, 9), [9, 8, 7, 6, 5, 4, 3, 2, 1, 0].map((each) => daysBefore(today, each))];
    const single = await Promise.all(days.map((date) => read(`date=${date}`)));
    const range = await read(`startDate=${startDate}&endDate=${today}`);
    expect(range).toMatchObject({ date: today, startDate, endDate: today });
    expect(range.days.map(({ date }) => date)).toEqual(days);
    const { days: _, ...first } = single[0] as Summary;
    expect(single[0]?.days).toEqual([range.days[0]]);
    expect(range.days[0]).toMatchObject({ date: first.date, salesCount: first.salesCount, netAmount: first.netAmount });
    const total = (value: (summary: Summary) => number) => sumAmounts(single.map(value));
    expect(range.salesAmount).toBe(total((each) => each.salesAmount));
    expect(range.salesAmount).toBeGreaterThan(0);
    expect(range.salesAmount).toBe(sumAmounts(range.days.map((each) => each.salesAmount)));
    expect(range.netAmount).toBe(total((each) => each.netAmount));
    expect(range.declinedCount).toBe(total((each) => each.declinedCount));
    expect(range.shifts.closedCount).toBe(total((each) => each.shifts.closedCount));
    expect(range.shifts.cashSalesAmount).toBe(total((each) => each.shifts.cashSalesAmount));
    expect(range.shifts.payments?.zReportsAmount).toBe(7);
    expect(range.shifts.payments?.zReportsAmount).toBe(total((each) => each.shifts.payments?.zReportsAmount ?? 0));
    expect(range.shifts.payments?.totalAmount).toBe(total((each) => each.shifts.payments?.totalAmount ?? 0));
  });

  test('is the day that one end of it names', inFull, async () => {
    const { date: today } = await read('');
    const yesterday = daysBefore(today, 1);
    for (const query of [`startDate=${yesterday}`, `endDate=${yesterday}`, `date=${yesterday}&startDate=${yesterday}`])
      expect(await read(query)).toMatchObject({ startDate: yesterday, endDate: yesterday, days: [{ date: yesterday }] });
  });

  test.for([
    ['date=2026-05-01&startDate=2026-05-02', 'VALIDATION_ERROR', 'startDate'],
    ['date=2026-05-01&startDate=2026-05-01&endDate=2026-05-02', 'VALIDATION_ERROR', 'endDate'],
    ['startDate=2026-05-02&endDate=2026-05-01', 'VALIDATION_ERROR', 'endDate'],
    ['startDate=2026-01-01&endDate=2026-04-04', 'VALIDATION_ERROR', 'startDate'],
    ['startDate=2026-13-01', 'INVALID_DATE', 'startDate'],
  ] as const)('refuses %s', inFull, async ([query, code, field]) => {
    await expectError(fixture().api.admin.get(`/reporting/daily-summary?${query}`), 400, code, field);
  });
});

describeOnAnyDatabase('startDate and endDate', (fixture) => {
  let records: OwnedRecords;

  beforeAll(async () => {
    records = await createOwnedRecords(fixture());
  });

  const messageOf = async ({ api }: ApiFixture, query: string, body: object) => {
    const mailed = api.admin.post<{ messageId: string }>(`/settlement/funding-report/email${query}`, {
      email: 'books@shop.example',
      ...body,
    });
    const { messageId } = await expectData(mailed);
    const sent = await expectData(api.admin.get<{ messageId: string; subject: string; body: string }[]>('/sandbox/messages'));
    return sent.find((message) => message.messageId === messageId);
  };

  test('are accepted in the query of the mailed funding report as in that of its CSV file', async () => {
    const merchantId = await createMerchant(fixture());
    const days = 'startDate=2026-02-01&endDate=2026-02-03';
    const inQuery = await messageOf(fixture(), `?${days}&merchantId=${merchantId}`, {});
    expect(inQuery?.subject).toBe('Funding report 2026-02-01 to 2026-02-03');
    const inBoth = await messageOf(fixture(), `?${days}`, { startDate: '2026-02-01', merchantId });
    expect(inBoth?.body).toBe(inQuery?.body);
    const different = fixture().api.admin.post(`/settlement/funding-report/email?${days}`, {
      email: 'books@shop.example',
      startDate: '2026-02-02',
    });
    await expectError(different, 400, 'VALIDATION_ERROR', 'startDate');
  });

  test('are other names of the days of the event history', async () => {
    const { api } = fixture();
    const all = await expectData(api.public.get<{ id: string; createdAt: string }[]>('/webhooks/events?limit=200'));
    const { date: today } = await expectData(api.admin.get<Summary>('/reporting/daily-summary'));
    const ids = async (query: string) =>
      (await expectData(api.public.get<{ id: string }[]>(`/webhooks/events?limit=200&${query}`))).map(({ id }) => id);
    const tomorrow = daysBefore(today, -1);
    expect(await ids(`startDate=${today}&endDate=${today}`)).toEqual(await ids(`from=${today}&to=${tomorrow}`));
    expect(await ids(`startDate=${tomorrow}`)).toEqual([]);
    expect(all.length).toBeGreaterThan(0);
    expect(await ids(`startDate=${today}&from=${today}&endDate=${today}&to=${tomorrow}`)).toEqual(await ids(`from=${today}`));
    await expectError(api.public.get(`/webhooks/events?startDate=${today}&from=${tomorrow}`), 400, 'VALIDATION_ERROR', 'startDate');
    await expectError(api.public.get(`/webhooks/events?endDate=${today}&to=${today}`), 400, 'VALIDATION_ERROR', 'endDate');
  });

  test('are other names of the days of the refund queue, and a period of its statistics', async () => {
    const { admin } = fixture().api;
    const { date: today } = await expectData(admin.get<Summary>('/reporting/daily-summary'));
    const tomorrow = daysBefore(today, -1);
    await expectError(admin.get(`/refund-decline-queue?startDate=${today}&fromDate=${tomorrow}`), 400, 'VALIDATION_ERROR', 'fromDate');
    expect(
      await expectData(admin.get(`/refund-decline-queue?startDate=${daysBefore(today, 400)}&toDate=${daysBefore(today, 300)}`)),
    ).toEqual([]);
    const stats = (query: string) => expectData(admin.get<{ totalEntries: number }>(`/refund-decline-queue/stats?${query}`));
    expect((await stats(`startDate=${today}`)).totalEntries).toBeGreaterThan(0);
    expect((await stats(`startDate=${tomorrow}`)).totalEntries).toBe(0);
    expect(await stats(`startDate=2000-01-01&endDate=${today}`)).toEqual(await stats('period=all'));
    await expectError(admin.get(`/refund-decline-queue/stats?startDate=${today}&period=7d`), 400, 'VALIDATION_ERROR', 'period');
  });

  test('name the day of a reconciliation, and select the settlements of the export of a batch', async () => {
    const { admin } = fixture().api;
    const { date: today } = await expectData(admin.get<Summary>('/reporting/daily-summary'));
    const report = (query: string) => expectData(admin.get<{ date: string }>(`/settlement/reconciliation?${query}`));
    expect(await report(`startDate=${today}&endDate=${today}`)).toMatchObject({ date: today });
    await expectError(
      admin.get(`/settlement/reconciliation?startDate=${today}&endDate=${daysBefore(today, -1)}`),
      400,
      'VALIDATION_ERROR',
      'endDate',
    );
    await expectError(admin.get(`/settlement/reconciliation?date=${today}&startDate=2026-01-01`), 400, 'VALIDATION_ERROR', 'startDate');
    const lines = async (query: string) =>
      (await admin.get(`/settlement/batch-payouts/${records.batchId}/export${query}`)).text.trim().split('\n');
    expect((await lines('')).length).toBeGreaterThan(1);
    expect(await lines(`?startDate=2000-01-01&endDate=${today}`)).toEqual(await lines(''));
    expect(await lines('?endDate=2000-01-01')).toHaveLength(1);
  });

  test('select the rows of an export, which has no pages', async () => {
    const { admin } = fixture().api;
    for (const path of ['/transactions/export', '/payments/export', '/reporting/export/transactions']) {
      expect((await admin.get(`${path}?endDate=2000-01-01`)).text.trim().split('\n')).toHaveLength(1);
      await expectError(admin.get(`${path}?limit=1`), 400, 'VALIDATION_ERROR', 'limit');
    }
  });
});
