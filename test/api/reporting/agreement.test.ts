import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type ApiFixture, expectData } from '../../support/server.ts';
import { newMerchant } from '../../support/settlements.ts';
import { cents, live, type Step, type Told, tell } from './history.ts';
import type { Analysis, DailySummary, RefundSums, Report, RevenueSums, TransactionSums } from './reports.ts';
import { describeStations } from './stations.ts';

const RUNS = 5;
const ZONES = ['America/New_York', 'Asia/Tokyo', 'Pacific/Kiritimati', 'Europe/London'] as const;

const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.oneof(
    { weight: 5, arbitrary: fc.constant('sale' as const) },
    { weight: 5, arbitrary: fc.constantFrom('auth' as const, 'capture' as const, 'refund' as const, 'void' as const, 'wait' as const) },
    { weight: 2, arbitrary: fc.constantFrom('credit' as const, 'cancel-capture' as const, 'settle' as const) },
  ),
  which: fc.nat(50),
  cents: fc.integer({ min: 100, max: 9_999 }),
  hours: fc.integer({ min: 1, max: 40 }),
});

const total = (amounts: readonly number[]) => amounts.reduce((sum, amount) => sum + amount, 0);

/** The revenue of days, in cents. */
function moneyOf(told: Told, isIn: (day: string) => boolean = () => true) {
  const days = [...told.days].filter(([day]) => isIn(day)).map(([, sums]) => sums);
  const [gross, refunds, fees, credits] = (['gross', 'refunds', 'fees', 'credits'] as const).map((name) =>
    total(days.map((day) => day[name])),
  );
  return { gross, refunds, fees, net: (gross ?? 0) - (refunds ?? 0) - (fees ?? 0), credits, refundedOutside: 0 };
}

const inCents = ({ gross, refunds, fees, net, credits, refundedOutside }: RevenueSums) => ({
  gross: cents(gross),
  refunds: cents(refunds),
  fees: cents(fees),
  net: cents(net),
  credits: cents(credits),
  refundedOutside: cents(refundedOutside),
});

async function checkReports({ api: { admin } }: ApiFixture, merchantId: string, told: Told, currency: string): Promise<void> {
  const days = [...told.days.keys(), ...told.transactions.map(({ day }) => day)].sort();
  const period = `merchantId=${merchantId}&currency=${currency}&startDate=${days[0]}&endDate=${days.at(-1)}`;
  const analysis = <Sums>(name: string, groupBy: string) =>
    expectData(admin.get<Analysis<Sums>>(`/analytics/${name}?${period}&groupBy=${groupBy}`));

  const byDay = await analysis<RevenueSums>('revenue', 'day');
  expect(inCents(byDay.totals)).toEqual(moneyOf(told));
  for (const { key, ...sums } of byDay.series) expect(inCents(sums), key).toEqual(moneyOf(told, (day) => day === key));
  for (const groupBy of ['week', 'month', 'brand', 'merchant']) {
    const { totals, series } = await analysis<RevenueSums>('revenue', groupBy);
    expect(totals).toEqual(byDay.totals);
    for (const name of ['gross', 'refunds', 'fees', 'net', 'credits'] as const)
      expect(total(series.map((sums) => cents(sums[name]))), `${name} by ${groupBy}`).toBe(cents(totals[name]));
    if (groupBy === 'brand') {
      const gross = new Map(series.map((sums) => [sums.key, cents(sums.gross)]));
      for (const [brand, amount] of told.brands) expect(gross.get(brand), brand).toBe(amount);
    }
  }

  const refunds = await analysis<RefundSums>('refunds', 'day');
  expect(cents(refunds.totals.amount)).toBe(cents(byDay.totals.refunds));
  expect(refunds.totals.count).toBe(total([...told.days.values()].map(({ refundCount }) => refundCount)));
  expect(refunds.totals.fullCount + refunds.totals.partialCount).toBe(refunds.totals.count);

  const own = told.transactions.filter((transaction) => transaction.currency === currency);
  const transactions = await analysis<TransactionSums>('transactions', 'day');
  for (const { key, count, approved, declined, voided, failed, pending, amount } of transactions.series) {
    const of = own.filter(({ day }) => day === key);
    const as = (status: string) => of.filter((transaction) => transaction.status === status);
    expect({ count, approved, declined, voided, failed, pending }, key).toEqual({
      count: of.length,
      approved: as('approved').length,
      declined: as('declined').length,
      voided: as('voided').length,
      failed: as('failed').length,
      pending: as('pending').length,
    });
    const taken = as('approved').filter(({ type }) => type !== 'credit');
    expect(cents(amount), key).toBe(total(taken.map((transaction) => cents(transaction.amount))));
  }
  const { totals } = transactions;
  expect(total(totals.declines.map(({ count }) => count))).toBe(totals.declined);
  expect(total((await analysis<TransactionSums>('transactions', 'brand')).series.map(({ count }) => count))).toBe(totals.count);

  for (const { key, gross, refunds: refunded, fees, net } of byDay.series) {
    const summary = await expectData(
      admin.get<DailySummary>(`/reporting/daily-summary?merchantId=${merchantId}&currency=${currency}&date=${key}`),
    );
    expect(summary).toMatchObject({ salesAmount: gross, refundsAmount: refunded, feesAmount: fees, netAmount: net });
    expect(summary.salesCount).toBe(told.days.get(key)?.captures ?? 0);
    for (const shares of [summary.byBrand, summary.byMethod]) expect(total(shares.map(({ amount }) => cents(amount)))).toBe(cents(gross));
    expect(total(summary.byType.filter(({ key: type }) => type === 'sale' || type === 'auth').map(({ amount }) => cents(amount)))).toBe(
      cents(gross),
    );
  }

  // The list's sums are its lines', whether counters know them or every line is read.
  for (const [query, isIn] of [
    ['', () => true],
    ['&status=approved', ({ status }) => status === 'approved'],
    ['&type=auth', ({ type }) => type === 'auth'],
    ['&minAmount=50', ({ amount }) => amount >= 50],
    ['&refundStatus=partial', ({ refundStatus }) => refundStatus === 'partial'],
  ] as [string, (of: Told['transactions'][number]) => boolean][]) {
    const lines = own.filter(isIn);
    const { body } = await admin.get(`/reporting/transactions?merchantId=${merchantId}&currency=${currency}${query}`);
    const { totals: sums } = body as unknown as Report;
    expect(
      { count: sums.count, amount: cents(sums.amount ?? 0), captured: cents(sums.captured ?? 0), refunded: cents(sums.refunded ?? 0) },
      query,
    ).toEqual({
      count: lines.length,
      amount: total(lines.map(({ amount }) => cents(amount))),
      captured: total(lines.map(({ capturedAmount }) => cents(capturedAmount))),
      refunded: total(lines.map(({ refundedAmount }) => cents(refundedAmount))),
    });
  }

  const settled = told.settlements.filter((settlement) => settlement.currency === currency);
  const batches = (await admin.get(`/reporting/batches?merchantId=${merchantId}&currency=${currency}`)).body as unknown as Report;
  expect(batches.totals.count).toBe(settled.length);
  for (const name of ['captures', 'refunds', 'fees', 'netAmount'] as const)
    expect(cents(batches.totals[name] ?? 0), name).toBe(total(settled.map((settlement) => cents(settlement[name]))));
  expect(cents(batches.totals.fees ?? 0)).toBe(cents(byDay.totals.fees));

  const ledger = await expectData(
    admin.get<{ merchants: { currency: string; accounts: Record<string, number> }[]; balanced: boolean }>(
      `/settlement/ledger?merchantId=${merchantId}`,
    ),
  );
  expect(ledger.balanced).toBe(true);
  const accounts = ledger.merchants.find((of) => of.currency === currency)?.accounts ?? {};
  const owed = total(['unsettled', 'settled', 'paidOut'].map((name) => cents(accounts[name] ?? 0)));
  expect(0 - owed).toBe(cents(byDay.totals.net));
  expect(0 - cents(accounts.fees ?? 0)).toBe(cents(byDay.totals.fees));
  expect(cents(accounts.credited ?? 0)).toBe(cents(byDay.totals.credits));
}

describeStations('whatever a shop does over days', (station) => {
  test('every report tells the same, and the same as the ledger and the payments themselves', async () => {
    const { on, ledger } = station();
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 12, maxLength: 40 }), fc.constantFrom(...ZONES), async (steps, timezone) => {
        const merchantId = await newMerchant(on, { timezone });
        await live(on, merchantId, steps);
        for (const currency of ['USD', 'EUR']) {
          const told = await tell(on, merchantId, timezone, currency);
          if (told.transactions.length > 0) await checkReports(on, merchantId, told, currency);
        }
      }),
      { numRuns: RUNS, endOnFailure: true },
    );
    expect(await ledger()).toEqual({ code: 0, said: expect.stringContaining('everything agrees') });
  }, 180_000);
});
