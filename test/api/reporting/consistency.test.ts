import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ANY_DATABASE, type ApiFixture, type DatabaseKind, expectData, sized } from '../../support/server.ts';
import { allowSurcharges, createMerchant } from '../../support/settlements.ts';
import { checkNothingUnsettled, checkSettlements, type Rule } from './check-settlements.ts';
import { describeWithLedger } from './ledger-server.ts';
import { cents, type ExpectedState, type Kind, runHistory, type Step } from './random-history.ts';
import { type RecordedTotals, readRecordedTotals, sumOf } from './recorded-totals.ts';
import type { Analysis, DailySummary, RefundSums, Report, RevenueSums, TransactionSums } from './report-types.ts';

/** A history with every operation of a shop, and random ones. */
const runsOn = (database: DatabaseKind) => (database === 'sqlite' ? sized(2, 5) : sized(1, 5));
const ZONES = ['America/New_York', 'Asia/Tokyo', 'Pacific/Kiritimati', 'Europe/London', 'Australia/Lord_Howe'] as const;

const kinds = (weight: number, ...kindsOfStep: Kind[]) => ({ weight, arbitrary: fc.constantFrom(...kindsOfStep) });
const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.oneof(
    kinds(6, 'sale'),
    kinds(6, 'auth', 'capture', 'refund', 'void', 'wait'),
    kinds(3, 'credit', 'cancel-capture', 'settle', 'resolve'),
    kinds(3, 'payout', 'batch', 'batch-paid', 'batch-failed'),
    kinds(1, 'chargeback', 'decide', 'give-up'),
  ),
  which: fc.nat(50),
  cents: fc.integer({ min: 100, max: 9_999 }),
  hours: fc.integer({ min: 1, max: 40 }),
});
const rule: fc.Arbitrary<Rule> = fc.record({
  timezone: fc.constantFrom(...ZONES),
  cutoffTime: fc.constantFrom('00:00', '17:30', '03:07'),
  delayDays: fc.integer({ min: 0, max: 2 }),
});

const does = (kind: Kind, which = 0, minor = 5_000, hours = 2): Step => ({ kind, which, cents: minor, hours });
/** One history with every branch, so that each is always tested. */
const EVERYTHING: readonly Step[] = [
  does('sale', 0, 8_000),
  does('refund', 0, 2_001, 1),
  does('sale', 4, 4_000),
  does('refund', 1),
  does('resolve'),
  does('sale', 4, 4_100),
  does('refund', 2),
  does('give-up'),
  does('sale', 5, 3_000),
  does('refund', 3, 1_001, 1),
  does('auth', 0, 6_000),
  does('capture', 4, 2_500, 1),
  does('auth', 1, 7_000),
  does('capture', 5),
  does('cancel-capture', 5),
  does('sale', 13, 9_999),
  does('sale', 8, 5_555),
  does('auth', 35, 1_200),
  does('sale', 0, 1_300),
  does('void', 9),
  does('wait', 0, 100, 30),
  does('credit', 0, 700),
  does('chargeback', 0, 100, 1),
  does('chargeback'),
  does('batch'),
  does('batch-failed'),
  does('batch'),
  does('batch-paid'),
  does('sale', 0, 2_222),
  does('refund', 10),
  does('settle'),
  does('sale', 1, 9_000),
  does('chargeback', 11, 101),
  does('settle'),
  does('payout', 0, 1_000, 1),
  does('sale', 1, 5_100),
  does('settle'),
  does('batch'),
  does('payout'),
  does('sale', 1, 9_100),
  does('wait', 0, 100, 25),
  does('batch'),
  does('wait', 0, 100, 26),
  does('wait', 0, 100, 24),
  does('chargeback', 12, 100, 1),
  does('decide', 2, 4_001, 1),
  does('sale', 6, 444),
];
/** Operations of `EVERYTHING` that succeed at least once. */
const ARMS = [
  'auth by card, EUR',
  'auth by card, USD',
  'batch',
  'batch-failed',
  'batch-paid',
  'cancel-capture',
  'capture',
  'capture in part',
  'chargeback',
  'chargeback in part',
  'credit',
  'decide in part',
  'give-up',
  'payout',
  'payout in part',
  'refund',
  'refund by the queue',
  'refund in part',
  'resolve',
  'sale by bank, USD',
  'sale by card, EUR',
  'sale by card, USD',
  'settle',
  'void',
  'wait',
];

/** Returns the revenue of days in cents. */
function moneyOf(recorded: RecordedTotals, isIn: (day: string) => boolean = () => true) {
  const days = [...recorded.days].filter(([day]) => isIn(day)).map(([, sums]) => sums);
  const [gross, refunds, fees, credits, refundedOutside] = (['gross', 'refunds', 'fees', 'credits', 'outside'] as const).map((name) =>
    sumOf(days.map((day) => day[name])),
  );
  return { gross, refunds, fees, net: (gross ?? 0) - (refunds ?? 0) - (fees ?? 0), credits, refundedOutside };
}

/** Expects that the records match the expected state. */
function checkRecords(memory: ExpectedState, recorded: RecordedTotals, currency: string): void {
  const isOwn = (id: string) => memory.payments.get(id)?.currency === currency;
  const given = (refunds: ExpectedState['refunds']) =>
    sumOf([...refunds.values()].filter(({ originalId }) => isOwn(originalId)).map(({ amount }) => amount));
  const { gross, refunds, refundedOutside, credits } = moneyOf(recorded);
  const own = [...memory.payments.values()].filter((payment) => payment.currency === currency);
  expect({ gross, refunds, refundedOutside }).toEqual({
    gross: sumOf(own.map(({ captured }) => captured)),
    refunds: given(memory.refunds),
    refundedOutside: given(memory.outside),
  });
  const records = recorded.transactions.filter((record) => record.currency === currency);
  for (const { transactionId, type, status, amount, capturedAmount, disputedAmount } of records) {
    if (status === 'declined') continue;
    const { active = 0, lost = 0 } = memory.disputes.get(transactionId) ?? {};
    expect(cents(disputedAmount), transactionId).toBe(active + lost);
    if (type === 'credit') expect(cents(amount)).toBe(memory.credits.get(transactionId));
    else expect(cents(capturedAmount), transactionId).toBe(memory.payments.get(transactionId)?.captured);
  }
  expect(credits).toBe(
    sumOf(records.filter(({ type, status }) => type === 'credit' && status === 'approved').map(({ amount }) => cents(amount))),
  );
}

const inCents = ({ gross, refunds, fees, net, credits, refundedOutside }: RevenueSums) => ({
  gross: cents(gross),
  refunds: cents(refunds),
  fees: cents(fees),
  net: cents(net),
  credits: cents(credits),
  refundedOutside: cents(refundedOutside),
});

async function checkReports(
  { api: { admin } }: ApiFixture,
  merchantId: string,
  recorded: RecordedTotals,
  currency: string,
  accounts: Readonly<Record<string, number>>,
): Promise<void> {
  const days = [...recorded.days.keys(), ...recorded.transactions.map(({ day }) => day)].sort();
  const period = `merchantId=${merchantId}&currency=${currency}&startDate=${days[0]}&endDate=${days.at(-1)}`;
  const analysis = <Sums>(name: string, groupBy: string) =>
    expectData(admin.get<Analysis<Sums>>(`/analytics/${name}?${period}&groupBy=${groupBy}`));

  const byDay = await analysis<RevenueSums>('revenue', 'day');
  expect(inCents(byDay.totals)).toEqual(moneyOf(recorded));
  for (const { key, ...sums } of byDay.series) expect(inCents(sums), key).toEqual(moneyOf(recorded, (day) => day === key));
  for (const groupBy of ['week', 'month', 'brand', 'merchant']) {
    const { totals, series } = await analysis<RevenueSums>('revenue', groupBy);
    expect(totals).toEqual(byDay.totals);
    for (const name of ['gross', 'refunds', 'fees', 'net', 'credits'] as const)
      expect(sumOf(series.map((sums) => cents(sums[name]))), `${name} by ${groupBy}`).toBe(cents(totals[name]));
    if (groupBy === 'brand') {
      const gross = new Map(series.map((sums) => [sums.key, cents(sums.gross)]));
      for (const [brand, amount] of recorded.brands) expect(gross.get(brand), brand).toBe(amount);
    }
  }

  // Long periods are read in parts: where two parts meet, no day may appear twice.
  for (const earlier of [15, 47]) {
    const from = new Date(Date.parse(days[0] ?? '') - earlier * 86_400_000).toISOString().slice(0, 10);
    const query = `merchantId=${merchantId}&currency=${currency}&startDate=${from}&endDate=${days.at(-1)}&groupBy=month`;
    expect((await expectData(admin.get<Analysis<RevenueSums>>(`/analytics/revenue?${query}`))).totals).toEqual(byDay.totals);
  }

  const refunds = await analysis<RefundSums>('refunds', 'day');
  expect(cents(refunds.totals.amount)).toBe(cents(byDay.totals.refunds));
  expect(refunds.totals.count).toBe(sumOf([...recorded.days.values()].map(({ refundCount }) => refundCount)));
  expect(refunds.totals.fullCount + refunds.totals.partialCount).toBe(refunds.totals.count);
  expect(refunds.totals.declined).toBe(recorded.refundsDeclined);
  expect([refunds.totals.outsideCount, cents(refunds.totals.outsideAmount)]).toEqual([
    sumOf([...recorded.days.values()].map(({ outsideCount }) => outsideCount)),
    moneyOf(recorded).refundedOutside,
  ]);
  for (const groupBy of ['brand', 'merchant', 'month']) {
    const grouped = await analysis<RefundSums>('refunds', groupBy);
    expect(grouped.totals).toEqual(refunds.totals);
    expect(sumOf(grouped.series.map(({ amount }) => cents(amount)))).toBe(cents(refunds.totals.amount));
  }

  const own = recorded.transactions.filter((transaction) => transaction.currency === currency);
  const transactions = await analysis<TransactionSums>('transactions', 'day');
  for (const { key, count, approved, declined, voided, failed, pending, amount } of transactions.series) {
    const ofDay = own.filter(({ day }) => day === key);
    const as = (status: string) => ofDay.filter((transaction) => transaction.status === status);
    expect({ count, approved, declined, voided, failed, pending }, key).toEqual({
      count: ofDay.length,
      approved: as('approved').length,
      declined: as('declined').length,
      voided: as('voided').length,
      failed: as('failed').length,
      pending: as('pending').length,
    });
    const taken = as('approved').filter(({ type }) => type !== 'credit');
    expect(cents(amount), key).toBe(sumOf(taken.map((transaction) => cents(transaction.amount))));
  }
  const { totals } = transactions;
  expect(sumOf(totals.declines.map(({ count }) => count))).toBe(totals.declined);
  for (const groupBy of ['brand', 'merchant', 'week', 'month']) {
    const grouped = await analysis<TransactionSums>('transactions', groupBy);
    expect(grouped.totals).toEqual(totals);
    for (const name of ['count', 'approved', 'declined', 'voided'] as const)
      expect(sumOf(grouped.series.map((sums) => sums[name])), `${name} by ${groupBy}`).toBe(totals[name]);
  }

  for (const { key, gross, refunds: refunded, fees, net } of byDay.series) {
    const summary = await expectData(
      admin.get<DailySummary>(`/reporting/daily-summary?merchantId=${merchantId}&currency=${currency}&date=${key}`),
    );
    expect(summary).toMatchObject({ salesAmount: gross, refundsAmount: refunded, feesAmount: fees, netAmount: net });
    expect(summary.salesCount).toBe(recorded.days.get(key)?.captures ?? 0);
    for (const shares of [summary.byBrand, summary.byMethod]) expect(sumOf(shares.map(({ amount }) => cents(amount)))).toBe(cents(gross));
    expect(sumOf(summary.byType.filter(({ key: type }) => type === 'sale' || type === 'auth').map(({ amount }) => cents(amount)))).toBe(
      cents(gross),
    );
  }

  // The sums of the list are those of its lines, whether counters provide them or every line is read.
  for (const [query, isIn] of [
    ['', () => true],
    ['&status=approved', ({ status }) => status === 'approved'],
    ['&type=auth', ({ type }) => type === 'auth'],
    ['&minAmount=50', ({ amount }) => amount >= 50],
    ['&refundStatus=partial', ({ refundStatus }) => refundStatus === 'partial'],
  ] as [string, (isPart: RecordedTotals['transactions'][number]) => boolean][]) {
    const lines = own.filter(isIn);
    const { body } = await admin.get(`/reporting/transactions?merchantId=${merchantId}&currency=${currency}${query}`);
    const { totals: sums } = body as unknown as Report;
    expect(
      { count: sums.count, amount: cents(sums.amount ?? 0), captured: cents(sums.captured ?? 0), refunded: cents(sums.refunded ?? 0) },
      query,
    ).toEqual({
      count: lines.length,
      amount: sumOf(lines.map(({ amount }) => cents(amount))),
      captured: sumOf(lines.map(({ capturedAmount }) => cents(capturedAmount))),
      refunded: sumOf(lines.map(({ refundedAmount }) => cents(refundedAmount))),
    });
  }

  const settled = recorded.settlements.filter((settlement) => settlement.currency === currency);
  const batches = (await admin.get(`/reporting/batches?merchantId=${merchantId}&currency=${currency}`)).body as unknown as Report;
  expect(batches.totals.count).toBe(settled.length);
  for (const name of ['captures', 'refunds', 'fees', 'netAmount'] as const)
    expect(cents(batches.totals[name] ?? 0), name).toBe(sumOf(settled.map((settlement) => cents(settlement[name]))));
  expect(cents(batches.totals.fees ?? 0)).toBe(cents(byDay.totals.fees));

  const owed = sumOf(['unsettled', 'settled', 'paidOut'].map((name) => cents(accounts[name] ?? 0)));
  // Disputes are not part of the sales reports, but of the amount that is owed to the merchant.
  const chargedBack = sumOf(own.map(({ disputedAmount }) => cents(disputedAmount)));
  expect(0 - owed).toBe(cents(byDay.totals.net) - chargedBack);
  expect(0 - cents(accounts.fees ?? 0)).toBe(cents(byDay.totals.fees));
  expect(cents(accounts.credited ?? 0)).toBe(cents(byDay.totals.credits));
  expect(cents(accounts.refundedOutside ?? 0)).toBe(cents(byDay.totals.refundedOutside));
}

/** Returns the balances of a merchant's ledger accounts, by currency. */
async function accountsOf({ api: { admin } }: ApiFixture, merchantId: string) {
  type Ledger = { merchants: { currency: string; accounts: Record<string, number> }[]; balanced: boolean };
  const ledger = await expectData(admin.get<Ledger>(`/settlement/ledger?merchantId=${merchantId}`));
  expect(ledger.balanced).toBe(true);
  return (currency: string) => ledger.merchants.find((merchant) => merchant.currency === currency)?.accounts ?? {};
}

/** A merchant without payments has no row. */
const NOTHING: RevenueSums = { gross: 0, refunds: 0, fees: 0, net: 0, credits: 0, refundedOutside: 0 };

/** Expects that each merchant has its own share in the report of all merchants. */
async function checkTogether({ api: { admin } }: ApiFixture, merchants: readonly string[]): Promise<void> {
  const { now } = await expectData(admin.get<{ now: string }>('/sandbox/clock'));
  const year = Number(now.slice(0, 4));
  const period = `startDate=${year - 1}-01-01&endDate=${year + 1}-12-31&currency=USD&groupBy=merchant`;
  const together = await expectData(admin.get<Analysis<RevenueSums>>(`/analytics/revenue?${period}`));
  for (const merchantId of merchants) {
    const { totals } = await expectData(admin.get<Analysis<RevenueSums>>(`/analytics/revenue?${period}&merchantId=${merchantId}`));
    const { key: _, label: __, ...own } = together.series.find(({ key }) => key === merchantId) ?? { key: '', label: '', ...NOTHING };
    expect(own).toEqual(totals);
  }
  expect(sumOf(together.series.map(({ net }) => cents(net)))).toBe(cents(together.totals.net));
}

describeWithLedger(
  'reports of any history',
  (ledgerServer) => {
    test('reports are consistent with each other, the ledger, the payments and a model', async () => {
      const { service, differences } = ledgerServer();
      const merchants: string[] = [];
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 16, maxLength: 44 }), rule, async (steps, settles) => {
          const merchantId = await createMerchant(service, { timezone: settles.timezone });
          await allowSurcharges(service, merchantId);
          await expectData(service.api.admin.put(`/settlement/schedule/${merchantId}`, settles));
          merchants.push(merchantId);
          const memory = await runHistory(service, merchantId, steps);
          if (steps === EVERYTHING) expect([...memory.did.keys()].sort()).toEqual(ARMS);
          const accounts = await accountsOf(service, merchantId);
          for (const currency of ['USD', 'EUR']) {
            const recorded = await readRecordedTotals(service, merchantId, settles.timezone, currency);
            checkRecords(memory, recorded, currency);
            if (recorded.transactions.length > 0) await checkReports(service, merchantId, recorded, currency, accounts(currency));
            if (currency === 'USD') await checkSettlements(service, merchantId, memory, recorded, settles, accounts);
          }
          await checkNothingUnsettled(service, merchantId, memory);
        }),
        {
          numRuns: runsOn(service.database),
          endOnFailure: true,
          examples: [[EVERYTHING as Step[], { timezone: 'America/New_York', cutoffTime: '17:30', delayDays: 1 }]],
        },
      );
      await checkTogether(service, merchants);
      expect(await differences()).toEqual([]);
    }, 180_000);
  },
  'empty',
  ANY_DATABASE,
);
