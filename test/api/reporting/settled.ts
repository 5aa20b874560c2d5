import { expect } from 'vitest';
import { type ApiFixture, expectData } from '../../support/server.ts';
import { type Line, type SettlementRecord, settle } from '../../support/settlements.ts';
import { cents, type Memory } from './history.ts';
import { all, type Told, total } from './told.ts';

/** When a merchant of a test settles. */
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
interface Standing {
  currency: string;
  unsettled: { count: number; amount: number };
  settledUnpaid: { count: number; amount: number };
}
type Dated = Line & { at: string };

const DAY_MS = 86_400_000;

/** Half up, once, of the whole of it: 2.9 % and 0.30 for cards, 0.8 % and at most 5.00 for bank accounts; the fixed part is in the merchant's currency. */
function feeOf(captured: number, isCard: boolean, currency: string): number {
  const tenths = isCard ? captured * 29 + (currency === 'USD' ? 30_000 : 0) : Math.min(captured * 8, 500_000);
  return Math.floor((tenths + 500) / 1_000);
}

/** The columns of a CSV file in cents, by name. */
function column(text: string, name: string): number[] {
  const [head = '', ...lines] = text.trim().split('\r\n');
  const at = head.split(',').indexOf(name);
  return lines.map((line) => cents(Number(line.split(',')[at])));
}

/** Expects that every settlement is its lines, that each capture and refund is in one at most, and in its own, and that nothing was left behind. */
async function checkLines(on: ApiFixture, memory: Memory, told: Told, { timezone, delayDays }: Rule): Promise<Dated[]> {
  const seen = new Set<string>();
  const lines: Dated[] = [];
  for (const settlement of told.settlements) {
    const { settlementId, currency, captures, refunds, amount, fees, netAmount, transactionCount, refundCount } = settlement;
    const own = await all<Dated>(on, `/settlement/settlements/${settlementId}/lines?`);
    const of = (kind: string) => own.filter((line) => line.kind === kind);
    expect({
      captures: total(of('capture').map((line) => cents(line.amount))),
      refunds: 0 - total(of('refund').map((line) => cents(line.amount))),
      amount: total(own.map((line) => cents(line.amount))),
      fees: total(own.map((line) => cents(line.fee))),
      netAmount: total(own.map((line) => cents(line.netAmount))),
      transactionCount: of('capture').length,
      refundCount: of('refund').length,
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
          : [0 - (memory.refunds.get(line.id)?.amount ?? 0), 0];
      expect([cents(line.amount), cents(line.fee)], line.id).toEqual([amountOf, feeFor]);
    }
    const cutoffDay = new Intl.DateTimeFormat('en-CA', { timeZone: timezone }).format(new Date(settlement.cutoffAt));
    expect(settlement.settlementDate).toBe(new Date(Date.parse(cutoffDay) + delayDays * DAY_MS).toISOString().slice(0, 10));
    lines.push(...own);
  }
  return lines;
}

/** What the shop captured and was given back by a processor, by currency. */
function owned(memory: Memory) {
  return [
    ...[...memory.payments]
      .filter(([, { captured }]) => captured > 0)
      .map(([id, { currency, captured }]) => ({ id, currency, minor: captured })),
    ...[...memory.refunds].map(([id, { of, amount }]) => ({ id, currency: memory.payments.get(of)?.currency ?? '', minor: -amount })),
  ];
}

/** Expects settlements, payouts, batches, the funding report and the header's figures to be one and the same money, and the ledger's. */
export async function checkSettlements(
  on: ApiFixture,
  merchantId: string,
  memory: Memory,
  told: Told,
  rule: Rule,
  accountsOf: (currency: string) => Readonly<Record<string, number>>,
): Promise<void> {
  const { admin } = on.api;
  const lines = await checkLines(on, memory, told, rule);
  const inSettlement = new Set(lines.map(({ id }) => id));
  const left = owned(memory).filter(({ id }) => !inSettlement.has(id));
  expect(inSettlement.size + left.length).toBe(owned(memory).length);
  for (const currency of ['USD', 'EUR'])
    expect(0 - cents(accountsOf(currency).unsettled ?? 0), `unsettled ${currency}`).toBe(
      total(left.filter((line) => line.currency === currency).map(({ minor }) => minor)),
    );

  for (const date of new Set(told.settlements.map(({ settlementDate }) => settlementDate))) {
    const { body } = await admin.get(`/transactions?merchantId=${merchantId}&settlementDate=${date}&status=approved&limit=1`);
    const ofDate = told.settlements.filter(({ settlementDate }) => settlementDate === date);
    expect(body.pagination.total, date).toBe(total(ofDate.map(({ transactionCount }) => transactionCount)));
  }

  const standing = await expectData(admin.get<Standing>(`/settlement/summary?merchantId=${merchantId}`));
  const own = told.settlements.filter(({ currency }) => currency === standing.currency);
  const unpaid = own.filter(({ status }) => status === 'pending');
  const waiting = left.filter(({ currency }) => currency === standing.currency);
  expect(standing.unsettled.count).toBe(waiting.length);
  expect(cents(standing.unsettled.amount)).toBe(total(waiting.map(({ minor }) => minor)));
  expect(standing.settledUnpaid.count).toBe(unpaid.length);
  expect(cents(standing.settledUnpaid.amount)).toBe(total(unpaid.map(({ netAmount, paidAmount }) => cents(netAmount) - cents(paidAmount))));

  const payouts = await all<Payout>(on, `/settlement/payouts?merchantId=${merchantId}&`);
  const batches = await all<Batch>(on, `/settlement/batch-payouts?merchantId=${merchantId}&`);
  expect(batches.map(({ batchId }) => batchId).reverse()).toEqual(memory.batches);
  const [paid, onTheWay] = ['paid', 'pending processing'].map((states) =>
    total([
      ...payouts.filter(({ status }) => states.includes(status)).map(({ amount }) => cents(amount)),
      ...batches.filter(({ status }) => states.includes(status)).map(({ netAmount }) => cents(netAmount)),
    ]),
  );
  const { settled = 0, paidOut = 0 } = accountsOf(standing.currency);
  expect(0 - cents(paidOut)).toBe(paid);
  expect(total(own.map(({ paidAmount }) => cents(paidAmount)))).toBe((paid ?? 0) + (onTheWay ?? 0));
  expect(0 - cents(settled)).toBe(cents(standing.settledUnpaid.amount) + (onTheWay ?? 0));
  for (const { batchId, totalAmount, fees, netAmount } of batches) {
    expect(cents(totalAmount) - cents(fees)).toBe(cents(netAmount));
    const { text } = await admin.get(`/settlement/batch-payouts/${batchId}/export`);
    expect(total(column(text, 'netAmount')), batchId).toBe(cents(netAmount));
  }

  if (own.length > 0) {
    const dates = own.map(({ settlementDate }) => settlementDate).sort();
    const period = `merchantId=${merchantId}&startDate=${dates[0]}&endDate=${dates.at(-1)}`;
    const funding = await expectData(admin.get<Funding>(`/settlement/funding-report?${period}`));
    const funded = funding.settlements.filter(({ currency }) => currency === funding.currency);
    expect(funded.map(({ settlementId }) => settlementId).sort()).toEqual(own.map(({ settlementId }) => settlementId).sort());
    expect([funding.totalAmount, funding.totalFees, funding.totalNet].map(cents)).toEqual(
      (['amount', 'fees', 'netAmount'] as const).map((name) => total(own.map((settlement) => cents(settlement[name])))),
    );
    const { text } = await admin.post(`/settlement/funding-report/export/csv?${period}`);
    const file = text
      .split('\r\n')
      .filter((line, at) => at === 0 || line.includes(`,${funding.currency},`))
      .join('\r\n');
    expect(total(column(file, 'netAmount'))).toBe(cents(funding.totalNet));
  }
}

/** Settles what is left by hand, and expects every capture and refund to be in a settlement now, and nothing else. */
export async function checkNothingLeft(on: ApiFixture, merchantId: string, memory: Memory): Promise<void> {
  await settle(on, merchantId);
  const settlements = await all<SettlementRecord>(on, `/settlement/history/${merchantId}?`);
  const lines = await Promise.all(settlements.map(({ settlementId }) => all<Dated>(on, `/settlement/settlements/${settlementId}/lines?`)));
  expect(
    lines
      .flat()
      .map(({ id }) => id)
      .sort(),
  ).toEqual(
    owned(memory)
      .map(({ id }) => id)
      .sort(),
  );
}
