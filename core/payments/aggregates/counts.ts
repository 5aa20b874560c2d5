import { TRANSACTION_COUNTS, type TransactionCountRow, type TransactionRow } from '../schema.ts';

/** In the place of a day: all of them together, so that the total of a list does not grow with the years. */
export const EVERY_DAY = '';

interface Counter {
  count(of: typeof TRANSACTION_COUNTS, key: Omit<TransactionCountRow, 'n'>, delta: number): void;
}

type Counted = Pick<TransactionRow, 'tenant_id' | 'merchant_id' | 'day' | 'type' | 'method'>;

/** Counts a concluded payment under its standing, or takes it out of there, on its day and among all. */
export function countStanding(into: Counter, { tenant_id, merchant_id, day, type, method }: Counted, status: string, delta: 1 | -1): void {
  const of = { tenant_id, merchant_id, status, type, method };
  into.count(TRANSACTION_COUNTS, { ...of, day }, delta);
  into.count(TRANSACTION_COUNTS, { ...of, day: EVERY_DAY }, delta);
}
