import { expect, test } from 'vitest';
import { parseCurrency } from '#core/kernel';
import { inRange, rowsMatching, transactionCondition } from '../../../core/sales/payments/list/list.ts';
import { TRANSACTIONS } from '../../../core/sales/payments/schema.ts';

test('reads a part of a period by one condition for each end of the IDs, because SQLite would read the whole period by others', () => {
  const filter = { startDate: '2026-01-01', endDate: '2026-06-30', capturedFrom: '2026-02-01', capturedTo: '2026-05-31', brand: 'visa' };
  const part = { fromId: 'txn_01kn0000', toId: 'txn_01kn1000' };
  const condition = inRange(transactionCondition(filter, 'UTC', parseCurrency('USD')), part);
  const { sql, parameters } = rowsMatching(TRANSACTIONS, condition).selectAll().compile();
  let outside = sql;
  for (let before = ''; before !== outside; ) {
    before = outside;
    outside = outside.replaceAll(/\([^()]*\)/g, '');
  }
  expect(outside.match(/\bid"? (>=|<)/g)).toEqual(['id >=', 'id <']);
  expect(parameters).toEqual(expect.arrayContaining([part.fromId, part.toId]));
});
