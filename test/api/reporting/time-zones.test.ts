import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { ANY_DATABASE, type ApiFixture, type DatabaseKind, expectData, FULL, sized } from '../../support/server.ts';
import { createMerchant, listSettlements, sell } from '../../support/settlements.ts';
import { describeWithLedger } from './ledger-server.ts';
import type { Analysis, DailySummary, Report, RevenueSums } from './report-types.ts';

/** A sale at an instant, its day in the merchant's zone, and its settlement. */
interface Case {
  readonly why: string;
  readonly zone: string;
  readonly cutoff?: string;
  readonly delayDays?: number;
  readonly more?: Record<string, unknown>;
  readonly at: string;
  readonly day: string;
  readonly cutoffAt: string;
  readonly settlementDate: string;
}

const BERLIN = 'Europe/Berlin';
const NEW_YORK = 'America/New_York';
const LORD_HOWE = 'Australia/Lord_Howe';
const KATHMANDU = 'Asia/Kathmandu';
const APIA = 'Pacific/Apia';

// Instants derived by hand from the rules of the zones, not from the tested code.
const CASES: readonly Case[] = [
  {
    why: 'the last minute of a month',
    zone: KATHMANDU,
    at: '2026-12-31T18:14:00Z',
    day: '2026-12-31',
    cutoffAt: '2026-12-31T18:15:00Z',
    settlementDate: '2027-01-01',
  },
  {
    why: 'the first of a month and year',
    zone: KATHMANDU,
    at: '2026-12-31T18:15:00Z',
    day: '2027-01-01',
    cutoffAt: '2027-01-01T18:15:00Z',
    settlementDate: '2027-01-02',
  },
  {
    why: 'far in the east it is tomorrow',
    zone: APIA,
    at: '2027-01-31T11:00:00Z',
    day: '2027-02-01',
    cutoffAt: '2027-02-01T11:00:00Z',
    settlementDate: '2027-02-02',
  },
  {
    why: 'a minute before, it is not',
    zone: APIA,
    at: '2027-01-31T10:59:00Z',
    day: '2027-01-31',
    cutoffAt: '2027-01-31T11:00:00Z',
    settlementDate: '2027-02-01',
  },
  {
    why: 'the last day of a month that has no 31st',
    zone: APIA,
    cutoff: '18:00',
    more: { frequency: 'monthly', dayOfMonth: 31 },
    at: '2027-02-27T12:00:00Z',
    day: '2027-02-28',
    cutoffAt: '2027-02-28T05:00:00Z',
    settlementDate: '2027-02-28',
  },
  {
    why: 'before the short night',
    zone: NEW_YORK,
    at: '2027-03-14T04:59:00Z',
    day: '2027-03-13',
    cutoffAt: '2027-03-14T05:00:00Z',
    settlementDate: '2027-03-14',
  },
  {
    why: 'a day of 23 hours, its last minute',
    zone: NEW_YORK,
    at: '2027-03-15T03:59:00Z',
    day: '2027-03-14',
    cutoffAt: '2027-03-15T04:00:00Z',
    settlementDate: '2027-03-15',
  },
  {
    why: 'a cutoff that the clocks jump over is where they land',
    zone: NEW_YORK,
    cutoff: '02:07',
    at: '2027-03-14T06:59:00Z',
    day: '2027-03-14',
    cutoffAt: '2027-03-14T07:00:00Z',
    settlementDate: '2027-03-14',
  },
  {
    why: 'after that cutoff',
    zone: NEW_YORK,
    cutoff: '02:07',
    at: '2027-03-14T07:00:00Z',
    day: '2027-03-14',
    cutoffAt: '2027-03-15T06:07:00Z',
    settlementDate: '2027-03-15',
  },
  {
    why: 'a day of 23 hours in Europe',
    zone: BERLIN,
    at: '2027-03-28T21:59:00Z',
    day: '2027-03-28',
    cutoffAt: '2027-03-28T22:00:00Z',
    settlementDate: '2027-03-29',
  },
  {
    why: 'before a cutoff that the clocks jump over',
    zone: BERLIN,
    cutoff: '02:30',
    delayDays: 3,
    at: '2027-03-28T00:59:00Z',
    day: '2027-03-28',
    cutoffAt: '2027-03-28T01:00:00Z',
    settlementDate: '2027-03-31',
  },
  {
    why: 'a week that ends at the month’s last Wednesday',
    zone: BERLIN,
    cutoff: '17:30',
    more: { frequency: 'weekly', weekday: 3 },
    at: '2027-03-31T15:30:00Z',
    day: '2027-03-31',
    cutoffAt: '2027-04-07T15:30:00Z',
    settlementDate: '2027-04-07',
  },
  {
    why: 'a day of 24 and a half hours',
    zone: LORD_HOWE,
    at: '2027-04-04T13:29:00Z',
    day: '2027-04-04',
    cutoffAt: '2027-04-04T13:30:00Z',
    settlementDate: '2027-04-05',
  },
  {
    why: 'of a half hour that comes twice, the cutoff is the first',
    zone: LORD_HOWE,
    cutoff: '01:45',
    at: '2027-04-03T14:45:00Z',
    day: '2027-04-04',
    cutoffAt: '2027-04-04T15:15:00Z',
    settlementDate: '2027-04-05',
  },
  {
    why: 'before that first one',
    zone: LORD_HOWE,
    cutoff: '01:45',
    at: '2027-04-03T14:44:00Z',
    day: '2027-04-04',
    cutoffAt: '2027-04-03T14:45:00Z',
    settlementDate: '2027-04-04',
  },
  {
    why: 'a half hour that the clocks jump over',
    zone: LORD_HOWE,
    cutoff: '02:10',
    at: '2027-10-02T15:29:00Z',
    day: '2027-10-03',
    cutoffAt: '2027-10-02T15:30:00Z',
    settlementDate: '2027-10-03',
  },
  {
    why: 'a day of 23 and a half hours',
    zone: LORD_HOWE,
    at: '2027-10-03T12:59:00Z',
    day: '2027-10-03',
    cutoffAt: '2027-10-03T13:00:00Z',
    settlementDate: '2027-10-04',
  },
  {
    why: 'a day of 25 hours in Europe',
    zone: BERLIN,
    at: '2027-10-31T22:59:00Z',
    day: '2027-10-31',
    cutoffAt: '2027-10-31T23:00:00Z',
    settlementDate: '2027-11-01',
  },
  {
    why: 'of an hour that comes twice, the cutoff is the first',
    zone: BERLIN,
    cutoff: '02:30',
    at: '2027-10-31T00:30:00Z',
    day: '2027-10-31',
    cutoffAt: '2027-11-01T01:30:00Z',
    settlementDate: '2027-11-01',
  },
  {
    why: 'before the first of them',
    zone: BERLIN,
    cutoff: '02:30',
    at: '2027-10-31T00:29:00Z',
    day: '2027-10-31',
    cutoffAt: '2027-10-31T00:30:00Z',
    settlementDate: '2027-10-31',
  },
  {
    why: 'a day of 25 hours in America',
    zone: NEW_YORK,
    at: '2027-11-08T04:59:00Z',
    day: '2027-11-07',
    cutoffAt: '2027-11-08T05:00:00Z',
    settlementDate: '2027-11-08',
  },
  {
    why: 'a cutoff in the afternoon',
    zone: NEW_YORK,
    cutoff: '17:30',
    delayDays: 2,
    at: '2027-11-08T22:30:00Z',
    day: '2027-11-08',
    cutoffAt: '2027-11-09T22:30:00Z',
    settlementDate: '2027-11-11',
  },
  {
    why: 'paid out on a leap day',
    zone: BERLIN,
    delayDays: 1,
    at: '2028-02-27T12:00:00Z',
    day: '2028-02-27',
    cutoffAt: '2028-02-27T23:00:00Z',
    settlementDate: '2028-02-29',
  },
  {
    why: 'the last minute of a leap day',
    zone: NEW_YORK,
    at: '2028-03-01T04:59:00Z',
    day: '2028-02-29',
    cutoffAt: '2028-03-01T05:00:00Z',
    settlementDate: '2028-03-01',
  },
  {
    why: 'a month that ends on a leap day',
    zone: KATHMANDU,
    cutoff: '23:59',
    more: { frequency: 'monthly', dayOfMonth: 31 },
    at: '2028-02-29T18:13:00Z',
    day: '2028-02-29',
    cutoffAt: '2028-02-29T18:14:00Z',
    settlementDate: '2028-02-29',
  },
];

/** The database does not use time zones, so on PostgreSQL `npm test` runs only the cases of the first months. */
const casesOn = (database: DatabaseKind) => (database === 'sqlite' ? CASES : CASES.slice(0, sized(9, CASES.length)));

// The server runs in this process, so that its history can begin before the first case, on any date. The clock moves only when the test moves it,
// because some sales are made a minute before their cutoff.
beforeAll(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-20T12:00:00Z') });
});
afterAll(() => {
  vi.useRealTimers();
});

const dayAfter = (day: string, days: number) => new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);
/** Moves the test clock to an event, unless the one before was at the same time. */
async function moveTo({ api: { admin } }: ApiFixture, at: string): Promise<void> {
  const { now } = await expectData(admin.get<{ now: string }>('/sandbox/clock'));
  if (Date.parse(now) < Date.parse(at)) await expectData(admin.post('/sandbox/clock', { now: at }));
}

/** Returns the days around one day, so that a sale on the wrong side of midnight is found. */
async function dayReports({ api: { admin } }: ApiFixture, merchantId: string, day: string) {
  const [from, to] = [dayAfter(day, -1), dayAfter(day, 1)];
  const period = `merchantId=${merchantId}&startDate=${from}&endDate=${to}`;
  const revenue = await expectData(admin.get<Analysis<RevenueSums>>(`/analytics/revenue?${period}`));
  const close = await expectData(admin.get<DailySummary>(`/reporting/daily-summary?merchantId=${merchantId}&date=${day}`));
  const list = (await admin.get(`/reporting/transactions?merchantId=${merchantId}&startDate=${day}&endDate=${day}`))
    .body as unknown as Report;
  const rows = (await admin.get(`/transactions?merchantId=${merchantId}&startDate=${day}&endDate=${day}`)).body.pagination.total;
  return { series: revenue.series.map(({ key, gross }) => [key, gross]), close: close.salesAmount, captured: list.totals.captured, rows };
}

/**
 * Schedules are set for the sale and removed at its cutoff; otherwise hundreds of empty days of every other merchant would be processed one
 * by one.
 */
describeWithLedger(
  'days',
  (ledgerServer) => {
    test('assigns each sale to its own day and settlement across clock changes', FULL, async () => {
      const { service } = ledgerServer();
      const { admin } = service.api;
      const schedule = (merchantId: string, fields: Record<string, unknown>) =>
        expectData(admin.put<{ nextCutoffAt: string | null }>(`/settlement/schedule/${merchantId}`, fields));
      const merchants = new Map<Case, string>();
      for (const zoneCase of casesOn(service.database)) {
        const merchantId = await createMerchant(service, { timezone: zoneCase.zone });
        await schedule(merchantId, { frequency: 'manual' });
        merchants.set(zoneCase, merchantId);
      }
      const begin = async ({ why, cutoff = '00:00', delayDays = 0, more, cutoffAt }: Case, merchantId: string) => {
        const set = await schedule(merchantId, { frequency: 'daily', cutoffTime: cutoff, delayDays, ...more });
        expect(set.nextCutoffAt, why).toBe(cutoffAt.replace('Z', '.000Z'));
        await sell(service, merchantId, 12.5);
        expect(await listSettlements(service, merchantId), why).toEqual([]);
      };
      const end = async ({ why, day, cutoffAt, settlementDate }: Case, merchantId: string) => {
        const settlements = await listSettlements(service, merchantId);
        expect(
          settlements.map((settlement) => [settlement.cutoffAt, settlement.settlementDate, settlement.captures]),
          why,
        ).toEqual([[cutoffAt.replace('Z', '.000Z'), settlementDate, 12.5]]);
        await schedule(merchantId, { frequency: 'manual' });
        expect(await dayReports(service, merchantId, day), why).toEqual({
          series: [
            [dayAfter(day, -1), 0],
            [day, 12.5],
            [dayAfter(day, 1), 0],
          ],
          close: 12.5,
          captured: 12.5,
          rows: 1,
        });
      };
      const events = [...merchants].flatMap(([zoneCase, merchantId]) => [
        { at: zoneCase.at, run: () => begin(zoneCase, merchantId) },
        { at: zoneCase.cutoffAt, run: () => end(zoneCase, merchantId) },
      ]);
      for (const { at, run } of events.sort((left, right) => Date.parse(left.at) - Date.parse(right.at))) {
        await moveTo(service, at);
        await run();
      }
    });

    test('includes only earlier captures in a cutoff that is made up late', async () => {
      const { service, runSql } = ledgerServer();
      const merchantId = await createMerchant(service);
      const clock = async () => Date.parse((await expectData(service.api.admin.get<{ now: string }>('/sandbox/clock'))).now);
      await sell(service, merchantId, 30);
      const cutoffMs = (await clock()) + 1;
      await expectData(service.api.admin.post('/sandbox/clock', { advanceSeconds: 1 }));
      await sell(service, merchantId, 40);
      await runSql(`UPDATE settlement_schedules SET due_ms = ${cutoffMs} WHERE id = '${merchantId}'`);
      await expectData(service.api.admin.post('/sandbox/clock', { advanceSeconds: 1 }));
      const cutoffAt = new Date(cutoffMs).toISOString();
      expect(await listSettlements(service, merchantId)).toMatchObject([{ captures: 30, cutoffAt, origin: 'schedule' }]);
      expect(await expectData(service.api.admin.get(`/settlement/summary?merchantId=${merchantId}`))).toMatchObject({
        unsettled: { count: 1, amount: 40 },
      });
    });
  },
  'empty',
  ANY_DATABASE,
);
