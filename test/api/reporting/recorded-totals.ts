import type { TransactionRecord } from '../../support/sales.ts';
import { type ApiFixture, expectData } from '../../support/server.ts';
import type { SettlementLine, SettlementRecord } from '../../support/settlements.ts';
import { cents } from './random-history.ts';

/** Money movements of a day, in cents of one currency. */
export interface Day {
  gross: number;
  refunds: number;
  fees: number;
  credits: number;
  outside: number;
  outsideCount: number;
  refundCount: number;
  captures: number;
}

/** Totals of the service's records, summed without the ledger and without counters. */
export interface RecordedTotals {
  readonly transactions: readonly (TransactionRecord & { createdAt: string; day: string })[];
  readonly days: ReadonlyMap<string, Day>;
  readonly settlements: readonly (SettlementRecord & { createdAt: string })[];
  readonly brands: ReadonlyMap<string, number>;
  /** Refunds that were declined at first. */
  readonly refundsDeclined: number;
}

export const sumOf = (amounts: readonly number[]) => amounts.reduce((sum, amount) => sum + amount, 0);

/** Reads all pages of a list. */
export async function readAllPages<Item>(service: ApiFixture, path: string): Promise<Item[]> {
  const items: Item[] = [];
  for (let page = 1; ; page += 1) {
    const { body } = await service.api.admin.get<Item[]>(`${path}limit=200&page=${page}`);
    items.push(...body.data);
    if (page >= body.pagination.pages) return items;
  }
}

/** Reads every payment with its history, and every settlement, of a merchant. */
export async function readRecordedTotals(
  service: ApiFixture,
  merchantId: string,
  timeZone: string,
  currency: string,
): Promise<RecordedTotals> {
  const format = new Intl.DateTimeFormat('en-CA', { timeZone });
  const dayOf = (at: string) => format.format(new Date(at));
  const days = new Map<string, Day>();
  const totalsOn = (at: string): Day => {
    const day = dayOf(at);
    const empty = { gross: 0, refunds: 0, fees: 0, credits: 0, outside: 0, outsideCount: 0, refundCount: 0, captures: 0 };
    const existing = days.get(day) ?? empty;
    days.set(day, existing);
    return existing;
  };
  const brands = new Map<string, number>();
  const listed = await readAllPages<TransactionRecord & { createdAt: string }>(service, `/transactions?merchantId=${merchantId}&`);
  for (const { transactionId, currency: own } of listed) {
    if (own !== currency) continue;
    const { history, card } = await expectData(
      service.api.admin.get<TransactionRecord & { history: { at: string }[] }>(`/transactions/${transactionId}`),
    );
    const brand = card?.brand ?? 'ach';
    const addCapture = (at: string, amount: number, count: number) => {
      if (amount === 0) return;
      totalsOn(at).gross += amount;
      totalsOn(at).captures += count;
      brands.set(brand, (brands.get(brand) ?? 0) + amount);
    };
    let captured = 0;
    for (const { at, action, result, amount } of history) {
      if (result !== 'approved') continue;
      if (action === 'sale' || action === 'capture') {
        captured = cents(amount);
        addCapture(at, captured, 1);
      } else if (action === 'void' || action === 'cancel_capture') {
        addCapture(at, -captured, -1);
        captured = 0;
      } else if (action === 'refund') {
        totalsOn(at).refunds += cents(amount);
        totalsOn(at).refundCount += 1;
      } else if (action === 'credit') {
        totalsOn(at).credits += cents(amount);
      }
    }
  }
  type Entry = { currency: string; amount: number; refundDate: string | null; resolvedAt: string | null };
  const entries = (await readAllPages<Entry>(service, `/refund-decline-queue?merchantId=${merchantId}&`)).filter(
    (entry) => entry.currency === currency,
  );
  for (const { amount, refundDate, resolvedAt } of entries) {
    if (!refundDate || !resolvedAt) continue;
    totalsOn(resolvedAt).outside += cents(amount);
    totalsOn(resolvedAt).outsideCount += 1;
  }
  const settlements = await readAllPages<SettlementRecord & { createdAt: string }>(service, `/settlement/history/${merchantId}?`);
  for (const { settlementId } of settlements.filter((settlement) => settlement.currency === currency)) {
    const lines = await readAllPages<SettlementLine & { at: string }>(service, `/settlement/settlements/${settlementId}/lines?`);
    for (const { at, fee } of lines) totalsOn(at).fees += cents(fee);
  }
  const transactions = listed.map((record) => ({ ...record, day: dayOf(record.createdAt) }));
  return { transactions, days, settlements, brands, refundsDeclined: entries.length };
}
