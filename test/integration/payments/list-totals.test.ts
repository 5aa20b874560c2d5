// Totals that counters, aggregates and indexes of exceptional payments give, compared with all payments in memory.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { queriesOn, TENANT } from '#core/database';
import type { TransactionFilter } from '../../../core/sales/payments/list/list.ts';
import { TRANSACTIONS, type TransactionRow } from '../../../core/sales/payments/schema.ts';
import { openTestCore } from '../../support/core.ts';
import { planOf } from '../../support/plans.ts';
import { ANY_DATABASE } from '../../support/server.ts';
import { sized } from '../../support/tier.ts';

const CARDS = ['4111111111111111', '5555555555554444', '378282246310005'] as const;
/** A card that the sandbox processor declines. */
const DECLINED = '4000000000000002';

const optional = <Value>(...values: readonly Value[]) => fc.option(fc.constantFrom(...values), { nil: undefined });
const filters: fc.Arbitrary<TransactionFilter> = fc.record({
  status: optional('settled' as const, 'approved' as const, 'declined' as const, 'voided' as const, 'pending' as const),
  settled: optional('true' as const, 'false' as const),
  refundStatus: optional('none' as const, 'partial' as const, 'full' as const),
  brand: optional('visa', 'mastercard', 'amex', 'ach', 'discover'),
  type: optional('sale' as const, 'auth' as const),
  paymentMethod: optional('card' as const, 'ach' as const),
  minAmount: optional('10.00', '25.00'),
  maxAmount: optional('25.00', '40.00'),
  startDate: optional('2000-01-01', '2090-01-01'),
  endDate: optional('2099-12-31'),
});

const isRefundStatus = ({ captured_minor, refunded_minor }: TransactionRow, wanted: string) =>
  wanted === 'none'
    ? refunded_minor === 0
    : wanted === 'partial'
      ? refunded_minor > 0 && refunded_minor < captured_minor
      : captured_minor > 0 && refunded_minor === captured_minor;

function isMatch(row: TransactionRow, filter: TransactionFilter): boolean {
  const { status, settled, refundStatus, brand, type, paymentMethod, minAmount = '0', maxAmount = '1000', startDate = '' } = filter;
  const isApproved = row.status === 'approved';
  return (
    (status === undefined || (status === 'settled' ? isApproved && row.settled_at !== null : row.status === status)) &&
    (settled !== 'true' || row.settled_at !== null) &&
    (settled !== 'false' || (row.settled_at === null && row.captured_minor > 0 && isApproved)) &&
    (refundStatus === undefined || isRefundStatus(row, refundStatus)) &&
    (brand === undefined || (row.card_brand ?? 'ach') === brand) &&
    (type === undefined || row.type === type) &&
    (paymentMethod === undefined || row.method === paymentMethod) &&
    row.amount_minor >= Number(minAmount) * 100 &&
    row.amount_minor <= Number(maxAmount) * 100 &&
    row.day >= startDate
  );
}

describe.each(ANY_DATABASE)('totals of the transaction list (%s)', (kind) => {
  test('equal the number of matching payments for any filter', { timeout: 120_000 }, async () => {
    const opened = await openTestCore(undefined, kind);
    const { core, actor } = opened;
    try {
      for (let index = 0; index < 36; index += 1) {
        const number = index % 9 === 8 ? DECLINED : (CARDS[index % CARDS.length] ?? CARDS[0]);
        const type = index % 5 === 0 ? 'auth' : 'sale';
        const amount = `${10 + index}.00`;
        const method = { kind: 'card', number, expiryMonth: '12', expiryYear: '2031' } as const;
        const { transactionId, status } = await core.payments.createPayment(actor, { type, amount, method, source: 'api' });
        if (status !== 'approved') continue;
        if (index % 10 === 0) await core.payments.capture(actor, { transactionId });
        else if (index % 7 === 0) await core.payments.voidTransaction(actor, { transactionId });
        else if (type === 'sale' && index % 4 === 0)
          await core.payments.refund(actor, { transactionId, amount: index % 8 === 0 ? undefined : '3.00' });
        if (index === 24) await core.settlement.settle(actor, (await core.payments.get(actor, transactionId)).merchantId);
      }
      const read = opened.database.read(actor.tenantId);
      const rows = await read.rows(
        queriesOn(TRANSACTIONS).selectFrom('transactions').selectAll().where('tenant_id', '=', TENANT).orderBy('id', 'desc'),
      );
      expect(rows.filter(({ settled_at }) => settled_at !== null).length).toBeGreaterThan(5);
      await fc.assert(
        fc.asyncProperty(filters, fc.constantFrom(1, 2), async (filter, page) => {
          const matching = rows.filter((row) => isMatch(row, filter)).map(({ id }) => id);
          const found = await core.payments.page(actor, filter, { page, limit: 4 });
          expect({ total: found.total, ids: found.items.map(({ transactionId }) => transactionId) }).toEqual({
            total: matching.length,
            ids: matching.slice((page - 1) * 4, page * 4),
          });
        }),
        { numRuns: sized(150, 1_000) },
      );
    } finally {
      await opened.close();
    }
  });
});

test.each<[TransactionFilter, readonly string[]]>([
  [{ status: 'settled' }, ['transactions_uncaptured', 'transactions_unsettled_of_tenant', 'transactions_settled_unapproved']],
  [{ settled: 'true', type: 'sale' }, ['transactions_uncaptured', 'transactions_unsettled_of_tenant', 'transactions_settled_unapproved']],
  [{ settled: 'false' }, ['transactions_unsettled_of_tenant']],
  [{ refundStatus: 'none', status: 'approved' }, ['COVERING INDEX transactions_refunded']],
  [{ refundStatus: 'partial' }, ['COVERING INDEX transactions_refunded']],
  [{ refundStatus: 'full', brand: 'visa' }, ['COVERING INDEX transactions_refunded']],
  [{ brand: 'visa' }, ['transaction_facts']],
])('SQLite reads the total of %j by its indexes', async (filter, names) => {
  const { core, actor, close } = await openTestCore();
  try {
    const method = { kind: 'card', number: CARDS[0], expiryMonth: '12', expiryYear: '2031' } as const;
    await core.payments.createPayment(actor, { type: 'sale', amount: '10.00', method, source: 'api' });
    const steps = await planOf(() => core.payments.page(actor, filter, { page: 1, limit: 50 }));
    for (const name of names) expect(steps).toContainEqual(expect.stringContaining(name));
  } finally {
    await close();
  }
});

test('SQLite reads payments within limits of amounts by the range of IDs, because the index on amounts has those of all years', async () => {
  const { core, actor, close } = await openTestCore();
  try {
    const steps = await planOf(() => core.payments.page(actor, { minAmount: '20', maxAmount: '30' }, { page: 1, limit: 50 }));
    expect(steps.filter((step) => step.includes('transactions_by_amount'))).toEqual([]);
  } finally {
    await close();
  }
});
