import type { TransactionRecord } from '../../support/sales.ts';
import { type ApiFixture, expectData } from '../../support/server.ts';
import type { SettlementRecord } from '../../support/settlements.ts';
import { cents } from './history.ts';

/** What moved on a day, in cents of one currency. */
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

/** What the service's records say for themselves, added up without the ledger and without any counter. */
export interface Told {
  readonly transactions: readonly (TransactionRecord & { createdAt: string; day: string })[];
  readonly days: ReadonlyMap<string, Day>;
  readonly settlements: readonly (SettlementRecord & { createdAt: string })[];
  readonly brands: ReadonlyMap<string, number>;
  /** Refunds that were declined at first. */
  readonly refundsDeclined: number;
}

export const total = (amounts: readonly number[]) => amounts.reduce((sum, amount) => sum + amount, 0);

/** Everything of a list, page by page. */
export async function all<Item>(on: ApiFixture, path: string): Promise<Item[]> {
  const items: Item[] = [];
  for (let page = 1; ; page += 1) {
    const { body } = await on.api.admin.get<Item[]>(`${path}limit=200&page=${page}`);
    items.push(...body.data);
    if (page >= body.pagination.pages) return items;
  }
}

/** Reads every payment with its history, and every settlement, of a merchant. */
export async function tell(on: ApiFixture, merchantId: string, timeZone: string, currency: string): Promise<Told> {
  const format = new Intl.DateTimeFormat('en-CA', { timeZone });
  const dayOf = (at: string) => format.format(new Date(at));
  const days = new Map<string, Day>();
  const on_ = (at: string): Day => {
    const day = dayOf(at);
    const none = { gross: 0, refunds: 0, fees: 0, credits: 0, outside: 0, outsideCount: 0, refundCount: 0, captures: 0 };
    const known = days.get(day) ?? none;
    days.set(day, known);
    return known;
  };
  const brands = new Map<string, number>();
  const listed = await all<TransactionRecord & { createdAt: string }>(on, `/transactions?merchantId=${merchantId}&`);
  for (const { transactionId, currency: own } of listed) {
    if (own !== currency) continue;
    const { history, card } = await expectData(
      on.api.admin.get<TransactionRecord & { history: { at: string }[] }>(`/transactions/${transactionId}`),
    );
    const brand = card?.brand ?? 'ach';
    const take = (at: string, amount: number, count: number) => {
      if (amount === 0) return;
      on_(at).gross += amount;
      on_(at).captures += count;
      brands.set(brand, (brands.get(brand) ?? 0) + amount);
    };
    let captured = 0;
    for (const { at, action, result, amount } of history) {
      if (result !== 'approved') continue;
      if (action === 'sale' || action === 'capture') {
        captured = cents(amount);
        take(at, captured, 1);
      } else if (action === 'void' || action === 'cancel_capture') {
        take(at, -captured, -1);
        captured = 0;
      } else if (action === 'refund') {
        on_(at).refunds += cents(amount);
        on_(at).refundCount += 1;
      } else if (action === 'credit') {
        on_(at).credits += cents(amount);
      }
    }
  }
  type Entry = { currency: string; amount: number; refundDate: string | null; resolvedAt: string | null };
  const entries = (await all<Entry>(on, `/refund-decline-queue?merchantId=${merchantId}&`)).filter((entry) => entry.currency === currency);
  for (const { amount, refundDate, resolvedAt } of entries) {
    if (!refundDate || !resolvedAt) continue;
    on_(resolvedAt).outside += cents(amount);
    on_(resolvedAt).outsideCount += 1;
  }
  const settlements = await all<SettlementRecord & { createdAt: string }>(on, `/settlement/history/${merchantId}?`);
  for (const { createdAt, fees, currency: own } of settlements) if (own === currency) on_(createdAt).fees += cents(fees);
  const transactions = listed.map((record) => ({ ...record, day: dayOf(record.createdAt) }));
  return { transactions, days, settlements, brands, refundsDeclined: entries.length };
}
