import { CARDS, cardBody, type TransactionRecord } from '../../support/sales.ts';
import { type ApiFixture, expectData } from '../../support/server.ts';
import type { SettlementRecord } from '../../support/settlements.ts';

/** One thing that a shop does; `which` picks one of its payments, `cents` an amount. */
export interface Step {
  readonly kind: 'sale' | 'auth' | 'capture' | 'cancel-capture' | 'void' | 'refund' | 'credit' | 'settle' | 'wait';
  readonly which: number;
  readonly cents: number;
  readonly hours: number;
}

const METHODS = [
  { card: { number: CARDS.visa, cvv: '123' } },
  { card: { number: CARDS.amex, cvv: '1234' } },
  { card: { number: CARDS.noFunds, cvv: '123' } },
  { card: { number: CARDS.declined, cvv: '123' } },
  { card: { number: CARDS.refundDeclined, cvv: '123' } },
  { card: { number: CARDS.refundDeclinedOnce, cvv: '123' } },
];
const BANK = { accountNumber: '000123456789', routingNumber: '021000021', accountType: 'checking', accountHolderName: 'Ada' };

/** Carries the steps out one after the other; what the service refuses, it refuses. */
export async function live(on: ApiFixture, merchantId: string, steps: readonly Step[]): Promise<void> {
  const { admin } = on.api;
  const made: string[] = [];
  for (const { kind, which, cents, hours } of steps) {
    const target = `/transactions/${made[which % Math.max(made.length, 1)]}`;
    const amount = (cents / 100).toFixed(2);
    switch (kind) {
      case 'sale':
      case 'auth': {
        const method = METHODS[which % (METHODS.length + 1)];
        const paid = method
          ? { card: { ...method.card, expiryMonth: '12', expiryYear: '2045' } }
          : { type: 'sale', paymentMethod: 'ach', card: undefined, bankAccount: BANK };
        const currency = which % 9 === 8 ? 'EUR' : 'USD';
        const { body } = await admin.post<TransactionRecord>('/transactions', {
          ...cardBody(amount),
          type: kind,
          ...paid,
          currency,
          merchantId,
        });
        if (body.data) made.push(body.data.transactionId);
        break;
      }
      case 'capture':
      case 'refund':
        await admin.post(`${target}/${kind}`, hours % 2 === 0 ? undefined : { amount: (cents / 200).toFixed(2) });
        break;
      case 'credit': {
        const { body } = await admin.post<TransactionRecord>(`${target}/credit`, { amount });
        if (body.data) made.push(body.data.transactionId);
        break;
      }
      case 'settle':
        await admin.post('/settlement/settle', { merchantId });
        break;
      case 'wait':
        await expectData(admin.post('/sandbox/clock', { advanceSeconds: hours * 3_600 }));
        break;
      default:
        await admin.post(`${target}/${kind}`);
    }
  }
}

/** What moved on a day, in cents of one currency. */
export interface Day {
  gross: number;
  refunds: number;
  fees: number;
  credits: number;
  refundCount: number;
  captures: number;
}

/** What the service's records say for themselves, added up without the ledger and without any counter. */
export interface Told {
  readonly transactions: readonly (TransactionRecord & { createdAt: string; day: string })[];
  readonly days: ReadonlyMap<string, Day>;
  readonly settlements: readonly (SettlementRecord & { createdAt: string })[];
  readonly brands: ReadonlyMap<string, number>;
}

export const cents = (amount: number) => Math.round(amount * 100);

async function all<Item>(on: ApiFixture, path: string): Promise<Item[]> {
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
    const known = days.get(day) ?? { gross: 0, refunds: 0, fees: 0, credits: 0, refundCount: 0, captures: 0 };
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
  const settlements = await all<SettlementRecord & { createdAt: string }>(on, `/settlement/history/${merchantId}?`);
  for (const { createdAt, fees, currency: own } of settlements) if (own === currency) on_(createdAt).fees += cents(fees);
  return { transactions: listed.map((record) => ({ ...record, day: dayOf(record.createdAt) })), days, settlements, brands };
}
