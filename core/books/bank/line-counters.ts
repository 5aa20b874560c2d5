import type { Work } from '#core/database';
import { BANK_DAY_SUMS, BANK_LINE_COUNTS, type BankLineRow, type LineMeasure } from './schema.ts';

type CountedLine = Pick<
  BankLineRow,
  'tenant_id' | 'merchant_id' | 'account_id' | 'booked_day' | 'currency' | 'state' | 'amount_minor' | 'unrelated_minor'
>;

/** Adds a line to the counters of its account and to the sums of its day, in the commit that writes the line. */
export function addToCounters(work: Work, line: CountedLine): void {
  count(work, line, 1);
}

/** Removes a line from the counters, in the commit that deletes the line. */
export function removeFromCounters(work: Work, line: CountedLine): void {
  count(work, line, -1);
}

/** Counts a line after a change instead of before it. What is equal cancels out and is not written. */
export function recountLine(work: Work, before: CountedLine, after: CountedLine): void {
  count(work, before, -1);
  count(work, after, 1);
}

function count(work: Work, line: CountedLine, by: 1 | -1): void {
  const { tenant_id, merchant_id, account_id, booked_day, currency, state } = line;
  work.count(BANK_LINE_COUNTS, { tenant_id, merchant_id, account_id, state }, by);
  const add = (measure: LineMeasure, n: number) =>
    work.count(BANK_DAY_SUMS, { tenant_id, merchant_id, booked_day, currency, measure }, by * n);
  add('lines', 1);
  add('open_lines', state === 'open' ? 1 : 0);
  add('amount', Number(line.amount_minor));
  add('unrelated', Number(line.unrelated_minor));
}
