import { TRANSACTION_COUNTS, type TransactionCountRow, type TransactionRow } from '../schema.ts';

/** Day of the counters for all days together, with which the total of a list stays fast over the years. */
export const EVERY_DAY = '';

interface Counter {
  count(table: typeof TRANSACTION_COUNTS, key: Omit<TransactionCountRow, 'n'>, delta: number): void;
}

type ListedPayment = Pick<TransactionRow, 'tenant_id' | 'merchant_id' | 'day' | 'type' | 'method'>;

/** Adds a concluded payment to the counters of its state, or removes it, for its day and for all days. */
export function countInLists(
  counter: Counter,
  { tenant_id, merchant_id, day, type, method }: ListedPayment,
  status: string,
  delta: 1 | -1,
): void {
  const key = { tenant_id, merchant_id, status, type, method };
  counter.count(TRANSACTION_COUNTS, { ...key, day }, delta);
  counter.count(TRANSACTION_COUNTS, { ...key, day: EVERY_DAY }, delta);
}
