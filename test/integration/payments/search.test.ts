// Searches and lists of a channel, whose totals and rows indexes alone give, compared with all payments in memory.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { queriesOn, TENANT } from '#core/database';
import { parseCurrency } from '#core/kernel';
import { type TransactionFilter, transactionCondition } from '../../../core/sales/payments/list/list.ts';
import { countFound, MANY, newestFound } from '../../../core/sales/payments/list/search.ts';
import { TRANSACTIONS, type TransactionRow } from '../../../core/sales/payments/schema.ts';
import { openTestCore } from '../../support/core.ts';
import { planOf } from '../../support/plans.ts';
import { ANY_DATABASE } from '../../support/server.ts';
import { sized } from '../../support/tier.ts';

const NAMES = [
  'Ada Marlow',
  'Ada Ada',
  'Marlow Ada Vale',
  'Vale Ada Marlow',
  'Adam Vale',
  'Ana Ada Adair',
  'Ben Marlow',
  'Marlow',
  'Ada',
] as const;
const ORDERS = ['ada', 'A-17', '1111'] as const;
const CARD = { kind: 'card', number: '4111111111111111', expiryMonth: '12', expiryYear: '2031' } as const;
const PAYMENTS = 40;

const optional = <Value>(...values: readonly Value[]) => fc.option(fc.constantFrom(...values), { nil: undefined });
const filters: fc.Arbitrary<TransactionFilter> = fc.record({
  q: optional('ada', 'ADA M', 'marlow', 'vale ada', 'a-17', '1111', '11', 'adair ana ada', 'nobody'),
  channel: optional('phone' as const, 'mail' as const, 'counter' as const),
  status: optional('approved' as const, 'declined' as const),
  startDate: optional('2000-01-01', '2090-01-01'),
  endDate: optional('2099-12-31'),
});

/** True if a word of the name, and what follows it, begins with the text, also with the last name first. */
function hasName(row: TransactionRow, text: string): boolean {
  const words = (row.customer_name ?? '').toLowerCase().split(' ');
  const [first = '', ...rest] = text.split(' ');
  const starts = [words, words.slice(1), words.length > 2 ? words.slice(-1) : []].map((part) => part.join(' '));
  return /[a-z]{2}/.test(text) && [text, [...rest, first].join(' ')].some((wanted) => starts.some((start) => start.startsWith(wanted)));
}

function isMatch(row: TransactionRow, { q, channel, status, startDate = '', merchantId }: TransactionFilter): boolean {
  const text = q?.toLowerCase() ?? '';
  const isFound = row.order_key === text || row.last4 === text || row.amount_minor === Number(text) * 100 || hasName(row, text);
  return (
    (q === undefined || isFound) &&
    (channel === undefined || row.channel === channel) &&
    (status === undefined || row.status === status) &&
    (merchantId === undefined || row.merchant_id === merchantId) &&
    row.day >= startDate
  );
}

async function openWithPayments(kind: 'sqlite' | 'postgres') {
  const opened = await openTestCore(undefined, kind);
  const { core, actor, database } = opened;
  for (let index = 0; index < PAYMENTS; index += 1) {
    const name = NAMES[index % NAMES.length] ?? '';
    const orderId = ORDERS[index % 7];
    const channel = index % 4 === 0 ? 'mail' : 'phone';
    const number = index % 5 === 4 ? '4000000000000002' : CARD.number;
    const amount = `${10 + (index % 3)}.00`;
    const method = { ...CARD, number };
    await core.payments.createPayment(actor, { type: 'sale', amount, method, source: 'keyed', customer: { name }, orderId, channel });
  }
  const rows = await database
    .read(actor.tenantId)
    .rows(queriesOn(TRANSACTIONS).selectFrom('transactions').selectAll().where('tenant_id', '=', TENANT).orderBy('id', 'desc'));
  return { ...opened, rows };
}

describe.each(ANY_DATABASE)('searches of the transaction list (%s)', (kind) => {
  test('return the payments that match any text, channel and filter, with their number', { timeout: 120_000 }, async () => {
    const { core, actor, database, rows, close } = await openWithPayments(kind);
    try {
      const merchants = fc.constantFrom(undefined, rows[0]?.merchant_id);
      await fc.assert(
        fc.asyncProperty(filters, merchants, fc.constantFrom(1, 2), async (given, merchantId, page) => {
          const filter = { ...given, merchantId };
          const expected = rows.filter((row) => isMatch(row, filter)).map(({ id }) => id);
          const found = await core.payments.page(actor, filter, { page, limit: 4 });
          const ids = expected.slice((page - 1) * 4, page * 4);
          expect({ total: found.total, ids: found.items.map(({ transactionId }) => transactionId) }).toEqual({
            total: expected.length,
            ids,
          });

          const lines: string[] = [];
          for await (const part of core.payments.transactionLines(actor, filter)) lines.push(...part.map((line) => line.transactionId));
          expect(lines).toEqual(expected);

          const { search } = transactionCondition(filter, 'UTC', parseCurrency('USD'));
          if (search === undefined) return;
          const read = database.read(actor.tenantId);
          expect(await countFound(read, search)).toBe(expected.length);
          const [below] = ids;
          for (const total of [0, MANY]) {
            const older = await newestFound<TransactionRow>(read, search, { below, skip: 1, limit: 3 }, (all) => all.selectAll(), total);
            const from = below === undefined ? 0 : expected.indexOf(below) + 1;
            expect(older.map(({ id }) => id)).toEqual(expected.slice(from + 1, from + 4));
          }
        }),
        { numRuns: sized(100, 1_000) },
      );
    } finally {
      await close();
    }
  });
});

test.each<[TransactionFilter, string]>([
  [{ q: 'ada' }, 'transactions_by_name'],
  [{ q: 'marlow' }, 'transactions_by_second_name'],
  [{ channel: 'mail' }, 'transactions_by_channel'],
])('SQLite finds the payments of a merchant by %j in an index, and reads those of the page only', async (filter, index) => {
  const { core, actor, rows, close } = await openWithPayments('sqlite');
  try {
    const [row] = rows;
    const steps = await planOf(() => core.payments.page(actor, { ...filter, merchantId: row?.merchant_id ?? '' }, { page: 1, limit: 50 }));
    const ofPayments = steps.filter((step) => step.includes('transactions'));
    expect(ofPayments).toContainEqual(expect.stringContaining(index));
    expect(ofPayments.filter((step) => step.includes('transactions_by_merchant'))).toEqual([]);
  } finally {
    await close();
  }
});
