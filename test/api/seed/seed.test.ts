// @module-tag full
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { seedHistory } from '#server';
import { type Answer, expectData, sized } from '../../support/server.ts';
import { describeOnSeededServer, type SeededServer } from './seeded-server.ts';

const DAYS = 10;
/** On SQLite, more than the 5,000 rows that a list examines in one read. */
const sizeOf = (kind: 'sqlite' | 'postgres') => (kind === 'sqlite' ? sized(5_200, 6_000) : 2_500);

interface Payment {
  readonly transactionId: string;
  readonly amount: number;
  readonly currency: string;
  readonly type: string;
  readonly merchantId: string;
}
type Row = Record<string, string | number | null>;

/** Normalizes a row: IDs by their kind, times and amounts as such, and texts of a closed list unchanged. */
const WORDS = new Set([
  'type',
  'method',
  'status',
  'gateway',
  'operation',
  'state',
  'result',
  'reason',
  'kind',
  'debit',
  'credit',
  'action',
  'source',
]);
/** Actor and request, which generated history does not have. */
const WHOSE = new Set(['actor', 'actor_id', 'request_id', 'ip', 'void_reason']);

function shapeOf(row: Row): unknown {
  const described = Object.entries(row).map(([column, value]) => {
    if (WHOSE.has(column)) return [column, '-'];
    if (value === null || typeof value === 'number') return [column, value === null ? null : 'number'];
    if (value.startsWith('{'))
      return [
        column,
        Object.entries(JSON.parse(value) as object).map(([name, field]) => `${name}:${field === null ? null : typeof field}`),
      ];
    if (WORDS.has(column)) return [column, value];
    const [, prefix] = /^([a-z]{2,3})_[0-9a-z]{26}/.exec(value) ?? [];
    return [column, prefix ?? (/^\d{4}-\d\d-\d\dT/.test(value) ? 'time' : /^\d{4}-\d\d-\d\d$/.test(value) ? 'day' : 'text')];
  });
  return Object.fromEntries(described);
}

/** Returns every row about a payment, its refunds and their settlement, in an order that does not depend on time. */
async function tracesOf({ rows }: SeededServer, transactionId: string): Promise<unknown> {
  const about = `'${transactionId}'`;
  const refunds = `SELECT id FROM refunds WHERE transaction_id = ${about}`;
  const [payment] = await rows(`SELECT * FROM transactions WHERE id = ${about}`);
  const [attempts, refunded, transfers, events, audit, books] = await Promise.all([
    rows(`SELECT * FROM attempts WHERE transaction_id = ${about} ORDER BY operation`),
    rows(`SELECT * FROM refunds WHERE transaction_id = ${about} ORDER BY id`),
    rows(`SELECT * FROM ledger_transfers WHERE subject_id = ${about} OR subject_id IN (${refunds}) ORDER BY kind`),
    rows(`SELECT * FROM events WHERE resource_id = ${about} ORDER BY type`),
    rows(
      `SELECT * FROM audit_entries WHERE resource = 'transactions/${transactionId}' OR resource IN (SELECT 'refunds/' || id FROM refunds WHERE transaction_id = ${about}) ORDER BY action`,
    ),
    rows(
      `SELECT * FROM sandbox_ledger WHERE processor_ref = '${payment?.processor_ref}' OR original_ref = '${payment?.processor_ref}' ORDER BY operation`,
      'gateway',
    ),
  ]);
  const stored = { payment: [payment as Row], attempts, refunded, transfers, events, audit, books };
  return Object.fromEntries(Object.entries(stored).map(([name, found]) => [name, found.map(shapeOf)]));
}

const SALE = {
  paymentMethod: 'card',
  card: { number: '4111111111111111', expiryMonth: '12', expiryYear: '2031', cvv: '123' },
  billing: {
    firstName: 'Ada',
    lastName: 'Marlow',
    address: '12 Harbor Street',
    city: 'Portland',
    state: 'ME',
    zip: '04101',
    country: 'US',
  },
  customer: { email: 'ada@customer.example', name: 'Ada Marlow' },
  orderId: 'H-1',
  description: 'Pastry box',
};

describeOnSeededServer(
  'a history that was made up',
  (kind) => ({ transactions: sizeOf(kind), days: DAYS, seed: 7 }),
  (seeded) => {
    test('keeps books and reports consistent with the ledger', async () => {
      const { api, kind, generated, credentials, differences } = seeded();
      expect(credentials).toEqual(generated);
      expect(await differences()).toEqual([]);
      const { body } = await api.admin.get<Payment[]>('/transactions?limit=50');
      expect(body.pagination.total).toBe(sizeOf(kind));
      expect(body.data).toHaveLength(50);
      expect(await expectData(api.admin.get('/audit-logs/verify'))).toMatchObject({ valid: true });
      const accounts = await expectData(
        api.admin.get<{ balanced: boolean; merchants: { currency: string; accounts: Record<string, number> }[] }>('/settlement/ledger'),
      );
      expect(accounts.balanced).toBe(true);
      // London is a day ahead of New York for some hours.
      const [from = '', to = ''] = [-30, 1].map((days) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10));
      const period = `startDate=${from}&endDate=${to}`;
      for (const currency of ['USD', 'GBP']) {
        const held = accounts.merchants.filter((account) => account.currency === currency);
        const owed = ['unsettled', 'settled', 'paidOut'].flatMap((name) =>
          held.map((account) => Math.round(100 * (account.accounts[name] ?? 0))),
        );
        const { totals } = await expectData(
          api.admin.get<{ totals: { net: number } }>(`/analytics/revenue?currency=${currency}&${period}`),
        );
        expect(Math.round(totals.net * 100)).toBe(-owed.reduce((sum, amount) => sum + amount, 0));
        expect(totals.net).toBeGreaterThan(0);
      }
      const payouts = await expectData(api.admin.get<{ amount: number }[]>('/settlement/payouts'));
      expect(payouts.length).toBeGreaterThan(0);
    });

    test('contains the same rows that sales, captures, refunds and voids write', async () => {
      const current = seeded();
      const { admin } = current.api;
      const { merchantId } = current.credentials;
      const pay = (more: object = {}) => expectData(admin.post<Payment>('/transactions', { ...SALE, amount: 80, merchantId, ...more }));
      const [sold, refunded, held, voided] = [await pay(), await pay(), await pay({ type: 'auth' }), await pay()];
      await expectData(admin.post(`/transactions/${refunded.transactionId}/refund`, { amount: 20, reason: 'Part returned' }));
      await expectData(admin.post(`/transactions/${held.transactionId}/capture`));
      await expectData(admin.post(`/transactions/${voided.transactionId}/void`, { reason: 'Wrong amount keyed' }));
      await expectData(admin.post('/settlement/settle', { merchantId }));
      const kept = "card_brand IS NOT NULL AND source = 'keyed' AND order_id IS NOT NULL";
      const untouched = `id NOT IN ('${[sold, refunded, held, voided].map(({ transactionId }) => transactionId).join("', '")}')`;
      const one = async (where: string) => {
        const [row] = await current.rows(`SELECT id FROM transactions WHERE ${kept} AND ${untouched} AND ${where} ORDER BY id LIMIT 1`);
        return String(row?.id);
      };
      const settled = 'settled_at IS NOT NULL';
      expect(await tracesOf(current, await one(`${settled} AND type = 'sale' AND refunded_minor = 0`))).toEqual(
        await tracesOf(current, sold.transactionId),
      );
      const partly = `${settled} AND refunded_minor BETWEEN 1 AND captured_minor - 1 AND id IN (SELECT transaction_id FROM refunds WHERE settled_at IS NOT NULL)`;
      expect(await tracesOf(current, await one(partly))).toEqual(await tracesOf(current, refunded.transactionId));
      expect(await tracesOf(current, await one(`${settled} AND type = 'auth' AND refunded_minor = 0`))).toEqual(
        await tracesOf(current, held.transactionId),
      );
      expect(await tracesOf(current, await one("status = 'voided' AND type = 'sale'"))).toEqual(
        await tracesOf(current, voided.transactionId),
      );
      expect(await current.differences()).toEqual([]);
    });

    test('finds records page by page without an index', async () => {
      const { api } = seeded();
      for (const filter of ['minAmount=150', 'type=auth', 'declineCode=insufficient_funds', 'type=auth&minAmount=20']) {
        const found: Payment[] = [];
        const { total } = (await api.admin.get<Payment[]>(`/transactions?limit=1&${filter}`)).body.pagination;
        // About eight pages.
        const limit = Math.max(15, Math.ceil(total / 8));
        const { pagination } = (await api.admin.get<Payment[]>(`/transactions?limit=${limit}&${filter}`)).body;
        for (let page = 1; page <= pagination.pages; page += 1) {
          const { body } = await api.admin.get<Payment[]>(`/transactions?limit=${limit}&page=${page}&${filter}`);
          found.push(...body.data);
        }
        const ids = found.map(({ transactionId }) => transactionId);
        expect(ids, filter).toEqual([...new Set(ids)].sort().reverse());
        expect(ids, filter).toHaveLength(pagination.total);
        expect(pagination.total).toBeGreaterThan(15);
        const { text } = await api.admin.get(`/transactions/export?${filter}`);
        const lines = text.trimEnd().split('\r\n').slice(1);
        expect(lines.map((line) => line.split(',')[0])).toEqual(ids);
        const byCursor: string[] = [];
        for (let cursor: string | null = ''; cursor !== null; ) {
          const after: string = cursor === '' ? '' : `&cursor=${cursor}`;
          const { body }: Answer<Payment[]> = await api.admin.get<Payment[]>(`/transactions?limit=35&${filter}${after}`);
          byCursor.push(...body.data.map(({ transactionId }) => transactionId));
          cursor = body.pagination.nextCursor;
        }
        expect(byCursor, filter).toEqual(ids);
      }
      expect((await api.admin.get<Payment[]>('/transactions?type=credit')).body.pagination.total).toBe(0);
    });

    test('refuses a database with a tenant and a directory in use', async () => {
      const { kind, location: place } = seeded();
      const again = { transactions: 10, days: 1, seed: 1 };
      await expect(seedHistory(place, again)).rejects.toThrow('is using the data directory');
      if (kind === 'sqlite') return;
      const elsewhere = { ...place, dataDir: join(place.dataDir, 'elsewhere'), masterKey: join(place.dataDir, 'master.key') };
      await expect(seedHistory(elsewhere, again)).rejects.toThrow('contains a tenant already');
    });
  },
);
