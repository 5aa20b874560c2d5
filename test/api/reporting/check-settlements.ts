import { expect } from 'vitest';
import { type ApiFixture, expectData } from '../../support/server.ts';
import { type SettlementLine, type SettlementRecord, settle } from '../../support/settlements.ts';
import { cents, type ExpectedState } from './random-history.ts';
import { type RecordedTotals, readAllPages, sumOf } from './recorded-totals.ts';

/** The settlement schedule of a merchant in a test. */
export interface Rule {
  readonly timezone: string;
  readonly cutoffTime: string;
  readonly delayDays: number;
}

interface Payout {
  currency: string;
  amount: number;
  status: string;
}
interface Batch extends Omit<Payout, 'amount'> {
  batchId: string;
  totalAmount: number;
  fees: number;
  netAmount: number;
}
interface Funding {
  currency: string;
  settlements: SettlementRecord[];
  totalAmount: number;
  totalFees: number;
  totalNet: number;
}
interface SettlementSummary {
  currency: string;
  unsettled: { count: number; amount: number };
  settledUnpaid: { count: number; amount: number };
  inTransit: { count: number; amount: number };
}
type DatedLine = SettlementLine & { at: string };

const DAY_MS = 86_400_000;

/**
 * Computes the fee of the whole amount, rounded half up once: 2.9 % and 0.30 for cards, 0.8 % and at most 5.00 for bank accounts; the fixed
 * part applies in the merchant's currency only.
 */
function feeOf(captured: number, isCard: boolean, currency: string): number {
  const tenths = isCard ? captured * 29 + (currency === 'USD' ? 30_000 : 0) : Math.min(captured * 8, 500_000);
  return Math.floor((tenths + 500) / 1_000);
}

/** Returns a column of a CSV file in cents, by name. */
function column(text: string, name: string): number[] {
  const [head = '', ...lines] = text.trim().split('\r\n');
  const at = head.split(',').indexOf(name);
  return lines.map((line) => cents(Number(line.split(',')[at])));
}

/**
 * Expects that every settlement consists of its lines, that each capture and refund is in at most one settlement, the right one, and that
 * none is missing.
 */
async function checkLines(
  service: ApiFixture,
  memory: ExpectedState,
  recorded: RecordedTotals,
  { timezone, delayDays }: Rule,
): Promise<DatedLine[]> {
  const seen = new Set<string>();
  const lines: DatedLine[] = [];
  for (const settlement of recorded.settlements) {
    const { settlementId, currency, captures, refunds, amount, fees, netAmount, transactionCount, refundCount } = settlement;
    const own = await readAllPages<DatedLine>(service, `/settlement/settlements/${settlementId}/lines?`);
    const ofKind = (kind: string) => own.filter((line) => line.kind === kind);
    expect({
      captures: sumOf(ofKind('capture').map((line) => cents(line.amount))),
      refunds: 0 - sumOf(ofKind('refund').map((line) => cents(line.amount))),
      amount: sumOf(own.map((line) => cents(line.amount))),
      fees: sumOf(own.map((line) => cents(line.fee))),
      netAmount: sumOf(own.map((line) => cents(line.netAmount))),
      transactionCount: ofKind('capture').length,
      refundCount: ofKind('refund').length,
    }).toEqual({
      captures: cents(captures),
      refunds: cents(refunds),
      amount: cents(amount),
      fees: cents(fees),
      netAmount: cents(netAmount),
      transactionCount,
      refundCount,
    });
    for (const line of own) {
      expect(seen, 'settled twice').not.toContain(line.id);
      seen.add(line.id);
      expect(line.at < settlement.cutoffAt, 'before the cutoff').toBe(true);
      const payment = memory.payments.get(line.transactionId);
      expect(payment?.currency).toBe(currency);
      const [amountOf, feeFor] =
        line.kind === 'capture'
          ? [payment?.captured, feeOf(payment?.captured ?? 0, payment?.isCard ?? false, currency)]
          : [memory.movements.get(line.id)?.amount ?? 0 - (memory.refunds.get(line.id)?.amount ?? 0), 0];
      expect([cents(line.amount), cents(line.fee)], line.id).toEqual([amountOf, feeFor]);
    }
    const cutoffDay = new Intl.DateTimeFormat('en-CA', { timeZone: timezone }).format(new Date(settlement.cutoffAt));
    expect(settlement.settlementDate).toBe(new Date(Date.parse(cutoffDay) + delayDays * DAY_MS).toISOString().slice(0, 10));
    lines.push(...own);
  }
  return lines;
}

/** Returns the shop's captures, refunds and dispute movements, by currency. */
function expectedLines(memory: ExpectedState) {
  return [
    ...[...memory.payments]
      .filter(([, { captured }]) => captured > 0)
      .map(([id, { currency, captured }]) => ({ id, currency, minor: captured })),
    ...[...memory.refunds].map(([id, { originalId, amount }]) => ({
      id,
      currency: memory.payments.get(originalId)?.currency ?? '',
      minor: -amount,
    })),
    ...[...memory.movements].map(([id, { originalId, amount }]) => ({
      id,
      currency: memory.payments.get(originalId)?.currency ?? '',
      minor: amount,
    })),
  ];
}

/** Expects that settlements, payouts, batches, the funding report, the header's figures and the ledger agree. */
export async function checkSettlements(
  service: ApiFixture,
  merchantId: string,
  memory: ExpectedState,
  recorded: RecordedTotals,
  rule: Rule,
  accountsOf: (currency: string) => Readonly<Record<string, number>>,
): Promise<void> {
  const { admin } = service.api;
  const lines = await checkLines(service, memory, recorded, rule);
  const inSettlement = new Set(lines.map(({ id }) => id));
  const left = expectedLines(memory).filter(({ id }) => !inSettlement.has(id));
  expect(inSettlement.size + left.length).toBe(expectedLines(memory).length);
  for (const currency of ['USD', 'EUR'])
    expect(0 - cents(accountsOf(currency).unsettled ?? 0), `unsettled ${currency}`).toBe(
      sumOf(left.filter((line) => line.currency === currency).map(({ minor }) => minor)),
    );

  for (const date of new Set(recorded.settlements.map(({ settlementDate }) => settlementDate))) {
    const { body } = await admin.get(`/transactions?merchantId=${merchantId}&settlementDate=${date}&status=approved&limit=1`);
    const ofDate = recorded.settlements.filter(({ settlementDate }) => settlementDate === date);
    expect(body.pagination.total, date).toBe(sumOf(ofDate.map(({ transactionCount }) => transactionCount)));
  }

  const summary = await expectData(admin.get<SettlementSummary>(`/settlement/summary?merchantId=${merchantId}`));
  const own = recorded.settlements.filter(({ currency }) => currency === summary.currency);
  const unpaid = own.filter(({ status }) => status === 'pending');
  const waiting = left.filter(({ currency }) => currency === summary.currency);
  expect(summary.unsettled.count).toBe(waiting.length);
  expect(cents(summary.unsettled.amount)).toBe(sumOf(waiting.map(({ minor }) => minor)));
  expect(summary.settledUnpaid.count).toBe(unpaid.filter(({ netAmount, paidAmount }) => cents(netAmount) !== cents(paidAmount)).length);
  expect(cents(summary.settledUnpaid.amount)).toBe(sumOf(unpaid.map(({ netAmount, paidAmount }) => cents(netAmount) - cents(paidAmount))));

  const payouts = await readAllPages<Payout>(service, `/settlement/payouts?merchantId=${merchantId}&`);
  const batches = await readAllPages<Batch>(service, `/settlement/batch-payouts?merchantId=${merchantId}&`);
  expect(batches.map(({ batchId }) => batchId).reverse()).toEqual(memory.batches);
  const [paid, onTheWay] = ['paid', 'pending processing'].map((states) =>
    sumOf([
      ...payouts.filter(({ status }) => states.includes(status)).map(({ amount }) => cents(amount)),
      ...batches.filter(({ status }) => states.includes(status)).map(({ netAmount }) => cents(netAmount)),
    ]),
  );
  const { settled = 0, paidOut = 0 } = accountsOf(summary.currency);
  expect(0 - cents(paidOut)).toBe(paid);
  expect(sumOf(own.map(({ paidAmount }) => cents(paidAmount)))).toBe((paid ?? 0) + (onTheWay ?? 0));
  expect(0 - cents(settled)).toBe(cents(summary.settledUnpaid.amount) + (onTheWay ?? 0));
  expect(cents(summary.inTransit.amount)).toBe(onTheWay);
  for (const { batchId, totalAmount, fees, netAmount } of batches) {
    expect(cents(totalAmount) - cents(fees)).toBe(cents(netAmount));
    const { text } = await admin.get(`/settlement/batch-payouts/${batchId}/export`);
    expect(sumOf(column(text, 'netAmount')), batchId).toBe(cents(netAmount));
  }

  if (own.length > 0) {
    const dates = own.map(({ settlementDate }) => settlementDate).sort();
    const period = `merchantId=${merchantId}&startDate=${dates[0]}&endDate=${dates.at(-1)}`;
    const funding = await expectData(admin.get<Funding>(`/settlement/funding-report?${period}`));
    const funded = funding.settlements.filter(({ currency }) => currency === funding.currency);
    expect(funded.map(({ settlementId }) => settlementId).sort()).toEqual(own.map(({ settlementId }) => settlementId).sort());
    expect([funding.totalAmount, funding.totalFees, funding.totalNet].map(cents)).toEqual(
      (['amount', 'fees', 'netAmount'] as const).map((name) => sumOf(own.map((settlement) => cents(settlement[name])))),
    );
    const { text } = await admin.post(`/settlement/funding-report/export/csv?${period}`);
    const file = text
      .split('\r\n')
      .filter((line, at) => at === 0 || line.includes(`,${funding.currency},`))
      .join('\r\n');
    expect(sumOf(column(file, 'netAmount'))).toBe(cents(funding.totalNet));
  }
}

/** Settles the rest by hand, and expects that all captures and refunds are in a settlement and nothing else is. */
export async function checkNothingUnsettled(service: ApiFixture, merchantId: string, memory: ExpectedState): Promise<void> {
  await settle(service, merchantId);
  const settlements = await readAllPages<SettlementRecord>(service, `/settlement/history/${merchantId}?`);
  const lines = await Promise.all(
    settlements.map(({ settlementId }) => readAllPages<DatedLine>(service, `/settlement/settlements/${settlementId}/lines?`)),
  );
  expect(
    lines
      .flat()
      .map(({ id }) => id)
      .sort(),
  ).toEqual(
    expectedLines(memory)
      .map(({ id }) => id)
      .sort(),
  );
}
