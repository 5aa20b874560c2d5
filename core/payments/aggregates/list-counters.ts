import { TRANSACTION_COUNTS, type TransactionCountRow, type TransactionRow } from '../schema.ts';

/** Replaces the day for all days together, so that the total of a list does not slow down over the years. */
export const EVERY_DAY = '';

interface Counter {
  count(of: typeof TRANSACTION_COUNTS, key: Omit<TransactionCountRow, 'n'>, delta: number): void;
}

type Counted = Pick<TransactionRow, 'tenant_id' | 'merchant_id' | 'day' | 'type' | 'method'>;

/** Adds a concluded payment to the counters of its state, or removes it, for its day and for all days. */
export function countStanding(into: Counter, { tenant_id, merchant_id, day, type, method }: Counted, status: string, delta: 1 | -1): void {
  const of = { tenant_id, merchant_id, status, type, method };
  into.count(TRANSACTION_COUNTS, { ...of, day }, delta);
  into.count(TRANSACTION_COUNTS, { ...of, day: EVERY_DAY }, delta);
}
