import { queriesOn, type Read, TENANT } from '#core/database';
import { addDays } from '#core/kernel';
import { TRANSACTIONS } from '../schema.ts';
import type { TransactionFilter } from './list.ts';

/** Returns the first and last day of a filter for which a tenant has daily aggregates of payments; null if it has no payments. */
export async function aggregatedPeriod(
  read: Read,
  filter: Pick<TransactionFilter, 'startDate' | 'endDate'>,
): Promise<{ startDate: string; endDate: string } | null> {
  const days = queriesOn(TRANSACTIONS).selectFrom('transactions').select('day').where('tenant_id', '=', TENANT).limit(1);
  const [first, last] = await Promise.all([read.row(days.orderBy('id')), read.row(days.orderBy('id', 'desc'))]);
  if (!first || !last) return null;
  // Two days of margin, because the same instant can be Monday in one time zone and Wednesday in another.
  const [earliest, latest] = [addDays(first.day, -2), addDays(last.day, 2)];
  const [, startDate = earliest] = [filter.startDate ?? '', earliest].sort();
  const [endDate = latest] = [filter.endDate ?? latest, latest].sort();
  return { startDate, endDate };
}
