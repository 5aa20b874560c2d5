import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type ApiFixture, type DatabaseKind, expectData, sized } from '../../support/server.ts';
import { newMerchant } from '../../support/settlements.ts';
import { cents, type Kind, live, type Memory, type Step } from './history.ts';
import type { Analysis, DailySummary, RefundSums, Report, RevenueSums, TransactionSums } from './reports.ts';
import { checkNothingLeft, checkSettlements, type Rule } from './settled.ts';
import { describeStations } from './stations.ts';
import { type Told, tell, total } from './told.ts';

/** The history of everything that a shop can do, and random ones. */
const runsOn = (database: DatabaseKind) => (database === 'sqlite' ? sized(2, 5) : sized(1, 5));
const ZONES = ['America/New_York', 'Asia/Tokyo', 'Pacific/Kiritimati', 'Europe/London', 'Australia/Lord_Howe'] as const;

const kinds = (weight: number, ...of: Kind[]) => ({ weight, arbitrary: fc.constantFrom(...of) });
const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.oneof(
    kinds(6, 'sale'),
    kinds(6, 'auth', 'capture', 'refund', 'void', 'wait'),
    kinds(3, 'credit', 'cancel-capture', 'settle', 'resolve'),
    kinds(3, 'payout', 'batch', 'batch-paid', 'batch-failed'),
    kinds(1, 'chargeback', 'give-up'),
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
/** One history that has every arm, so that none is ever left to chance. */
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
  does('refund', 0),
  does('settle'),
  does('sale', 1, 9_000),
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
  does('sale', 6, 444),
];
/** What `EVERYTHING` is granted at least once. */
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

/** The revenue of days, in cents. */
function moneyOf(told: Told, isIn: (day: string) => boolean = () => true) {
  const days = [...told.days].filter(([day]) => isIn(day)).map(([, sums]) => sums);
  const [gross, refunds, fees, credits, refundedOutside] = (['gross', 'refunds', 'fees', 'credits', 'outside'] as const).map((name) =>
    total(days.map((day) => day[name])),
  );
  return { gross, refunds, fees, net: (gross ?? 0) - (refunds ?? 0) - (fees ?? 0), credits, refundedOutside };
}

/** Expects the records to be what the shop remembers. */
function checkRecords(memory: Memory, told: Told, currency: string): void {
  const isOwn = (id: string) => memory.payments.get(id)?.currency === currency;
  const given = (refunds: Memory['refunds']) => total([...refunds.values()].filter(({ of }) => isOwn(of)).map(({ amount }) => amount));
  const { gross, refunds, refundedOutside, credits } = moneyOf(told);
  const own = [...memory.payments.values()].filter((payment) => payment.currency === currency);
  expect({ gross, refunds, refundedOutside }).toEqual({
    gross: total(own.map(({ captured }) => captured)),
    refunds: given(memory.refunds),
    refundedOutside: given(memory.outside),
  });
  const records = told.transactions.filter((record) => record.currency === currency);
  for (const { transactionId, type, status, amount, capturedAmount } of records) {
    if (status === 'declined') continue;
    if (type === 'credit') expect(cents(amount)).toBe(memory.credits.get(transactionId));
    else expect(cents(capturedAmount), transactionId).toBe(memory.payments.get(transactionId)?.captured);
  }
  expect(credits).toBe(
    total(records.filter(({ type, status }) => type === 'credit' && status === 'approved').map(({ amount }) => cents(amount))),
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
  told: Told,
  currency: string,
  accounts: Readonly<Record<string, number>>,
): Promise<void> {
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

  // Long periods are read some days at a time: where two reads meet, no day is told twice.
  for (const earlier of [15, 47]) {
    const from = new Date(Date.parse(days[0] ?? '') - earlier * 86_400_000).toISOString().slice(0, 10);
    const query = `merchantId=${merchantId}&currency=${currency}&startDate=${from}&endDate=${days.at(-1)}&groupBy=month`;
    expect((await expectData(admin.get<Analysis<RevenueSums>>(`/analytics/revenue?${query}`))).totals).toEqual(byDay.totals);
  }

  const refunds = await analysis<RefundSums>('refunds', 'day');
  expect(cents(refunds.totals.amount)).toBe(cents(byDay.totals.refunds));
  expect(refunds.totals.count).toBe(total([...told.days.values()].map(({ refundCount }) => refundCount)));
  expect(refunds.totals.fullCount + refunds.totals.partialCount).toBe(refunds.totals.count);
  expect(refunds.totals.declined).toBe(told.refundsDeclined);
  expect([refunds.totals.outsideCount, cents(refunds.totals.outsideAmount)]).toEqual([
    total([...told.days.values()].map(({ outsideCount }) => outsideCount)),
    moneyOf(told).refundedOutside,
  ]);
  for (const groupBy of ['brand', 'merchant', 'month']) {
    const grouped = await analysis<RefundSums>('refunds', groupBy);
    expect(grouped.totals).toEqual(refunds.totals);
    expect(total(grouped.series.map(({ amount }) => cents(amount)))).toBe(cents(refunds.totals.amount));
  }

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
  for (const groupBy of ['brand', 'merchant', 'week', 'month']) {
    const grouped = await analysis<TransactionSums>('transactions', groupBy);
    expect(grouped.totals).toEqual(totals);
    for (const name of ['count', 'approved', 'declined', 'voided'] as const)
      expect(total(grouped.series.map((sums) => sums[name])), `${name} by ${groupBy}`).toBe(totals[name]);
  }

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

  const owed = total(['unsettled', 'settled', 'paidOut'].map((name) => cents(accounts[name] ?? 0)));
  expect(0 - owed).toBe(cents(byDay.totals.net));
  expect(0 - cents(accounts.fees ?? 0)).toBe(cents(byDay.totals.fees));
  expect(cents(accounts.credited ?? 0)).toBe(cents(byDay.totals.credits));
  expect(cents(accounts.refundedOutside ?? 0)).toBe(cents(byDay.totals.refundedOutside));
}

/** What the ledger's accounts of a merchant hold, by currency. */
async function accountsOf({ api: { admin } }: ApiFixture, merchantId: string) {
  type Ledger = { merchants: { currency: string; accounts: Record<string, number> }[]; balanced: boolean };
  const ledger = await expectData(admin.get<Ledger>(`/settlement/ledger?merchantId=${merchantId}`));
  expect(ledger.balanced).toBe(true);
  return (currency: string) => ledger.merchants.find((of) => of.currency === currency)?.accounts ?? {};
}

/** Of a merchant that took nothing there is no row. */
const NOTHING: RevenueSums = { gross: 0, refunds: 0, fees: 0, net: 0, credits: 0, refundedOutside: 0 };

/** Expects that of all merchants together each has its own share. */
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
  expect(total(together.series.map(({ net }) => cents(net)))).toBe(cents(together.totals.net));
}

describeStations(
  'reports of any history',
  (station) => {
    test('agree with each other, the ledger, the payments and a model', async () => {
      const { on, differences } = station();
      const merchants: string[] = [];
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 16, maxLength: 44 }), rule, async (steps, settles) => {
          const merchantId = await newMerchant(on, { timezone: settles.timezone });
          await expectData(on.api.admin.put(`/settlement/schedule/${merchantId}`, settles));
          merchants.push(merchantId);
          const memory = await live(on, merchantId, steps);
          if (steps === EVERYTHING) expect([...memory.did.keys()].sort()).toEqual(ARMS);
          const accounts = await accountsOf(on, merchantId);
          for (const currency of ['USD', 'EUR']) {
            const told = await tell(on, merchantId, settles.timezone, currency);
            checkRecords(memory, told, currency);
            if (told.transactions.length > 0) await checkReports(on, merchantId, told, currency, accounts(currency));
            if (currency === 'USD') await checkSettlements(on, merchantId, memory, told, settles, accounts);
          }
          await checkNothingLeft(on, merchantId, memory);
        }),
        {
          numRuns: runsOn(on.database),
          endOnFailure: true,
          examples: [[EVERYTHING as Step[], { timezone: 'America/New_York', cutoffTime: '17:30', delayDays: 1 }]],
        },
      );
      await checkTogether(on, merchants);
      expect(await differences()).toEqual([]);
    }, 180_000);
  },
  'empty',
);
