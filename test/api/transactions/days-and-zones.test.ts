import { expect, test } from 'vitest';
import { CARDS, cardBody, type TransactionRecord } from '../../support/sales.ts';
import { type ApiFixture, describeOnAnyDatabase, expectData, expectError } from '../../support/server.ts';
import { createMerchant, sell } from '../../support/settlements.ts';

const DAY_MS = 86_400_000;

const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

/** Moves the clock to a time of the next day in UTC, and returns that day. */
async function nextDayAt({ api }: ApiFixture, time: string): Promise<number> {
  const { now } = await expectData(api.admin.get<{ now: string }>('/sandbox/clock'));
  const dayMs = Math.floor(Date.parse(now) / DAY_MS + 1) * DAY_MS;
  await expectData(api.admin.post('/sandbox/clock', { now: `${dayOf(dayMs)}T${time}Z` }));
  return dayMs;
}

/** Returns the contents of a list by every way to read it; all must be equal. */
async function named({ api }: ApiFixture, query: string): Promise<string[]> {
  const page = (more: string) => api.admin.get<TransactionRecord[]>(`/transactions?${query}&limit=2${more}`);
  const first = (await page('')).body;
  const { total, pages } = first.pagination;
  const byPage = first.data.map(({ transactionId }) => transactionId);
  for (let number = 2; number <= pages; number += 1)
    byPage.push(...(await page(`&page=${number}`)).body.data.map(({ transactionId }) => transactionId));
  const byCursor: string[] = [];
  for (let { data, pagination } = first; ; { data, pagination } = (await page(`&cursor=${pagination.nextCursor}`)).body) {
    byCursor.push(...data.map(({ transactionId }) => transactionId));
    if (pagination.nextCursor === null) break;
  }
  const report = await api.admin.get(`/reporting/transactions?limit=1&${query}`);
  const { count } = (report.body as unknown as { totals: { count: number } }).totals;
  const [, ...lines] = (await api.admin.get(`/transactions/export?format=csv&${query}`)).text.trimEnd().split('\r\n');
  expect({ total, count, byCursor, lines: lines.map((line) => line.split(',')[0]) }, query).toEqual({
    total: byPage.length,
    count: byPage.length,
    byCursor: byPage,
    lines: byPage,
  });
  return byPage;
}

const FILTERS = ['', '&status=approved', '&type=sale&status=approved', '&paymentMethod=card', '&minAmount=0.01', '&last4=1111'];

describeOnAnyDatabase('days of payments in several zones', (fixture) => {
  test("assigns a payment to its day in the merchant's zone in pages, cursors, totals, sums and files", async () => {
    const service = fixture();
    const dayMs = await nextDayAt(service, '00:30:00');
    const [before, day, after] = [dayMs - DAY_MS, dayMs, dayMs + DAY_MS].map(dayOf);
    const [york, tokyo] = [await createMerchant(service), await createMerchant(service, { timezone: 'Asia/Tokyo' })];
    const inYork = [await sell(service, york, 11), await sell(service, york, 12), await sell(service, york, 13)];
    const inTokyo = [await sell(service, tokyo, 21), await sell(service, tokyo, 22), await sell(service, tokyo, 23)];
    await expectData(service.api.admin.post('/sandbox/clock', { now: `${day}T10:30:00Z` }));
    const farWest = await sell(service, await createMerchant(service, { timezone: 'Pacific/Pago_Pago' }), 31);
    const farEast = await sell(service, await createMerchant(service, { timezone: 'Pacific/Kiritimati' }), 41);
    await expectError(
      service.api.admin.post('/transactions', cardBody(51, CARDS.gatewayError, { merchantId: tokyo })),
      502,
      'GATEWAY_ERROR',
    );
    const ids = (...made: TransactionRecord[]) => made.map(({ transactionId }) => transactionId);
    const own = new Set(ids(...inYork, ...inTokyo, farWest, farEast));
    const ownOf = async (query: string) => (await named(service, query)).filter((id) => own.has(id)).toSorted();
    for (const filter of FILTERS) {
      expect(await ownOf(`startDate=${before}&endDate=${before}${filter}`), filter).toEqual(ids(...inYork, farWest));
      expect(await ownOf(`startDate=${day}&endDate=${day}${filter}`), filter).toEqual(ids(...inTokyo));
      expect(await ownOf(`startDate=${after}${filter}`), filter).toEqual(ids(farEast));
      expect(await ownOf(`startDate=${before}&endDate=${day}${filter}`), filter).toEqual(ids(...inYork, ...inTokyo, farWest));
    }

    const onDay = `startDate=${day}&endDate=${day}&merchantId=${tokyo}`;
    const asTokyo = await Promise.all(FILTERS.map((filter) => named(service, onDay + filter)));
    await expectData(service.api.admin.put(`/merchants/${tokyo}`, { timezone: 'America/New_York' }));
    expect(await Promise.all(FILTERS.map((filter) => named(service, onDay + filter)))).toEqual(asTokyo);
    expect(await named(service, `endDate=${before}&merchantId=${tokyo}&status=approved&type=sale`)).toEqual([]);
  });
});
