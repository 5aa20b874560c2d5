import type { Read } from '#core/database';
import { addDays, ServiceError } from '#core/kernel';
import { PERIOD_CLOSES } from '../schema.ts';

/** Returns the closed periods of a merchant: days YYYY-MM-DD and months YYYY-MM. */
export async function closedPeriods(read: Read, merchantId: string): Promise<ReadonlySet<string>> {
  const rows = await read.find(PERIOD_CLOSES, { merchant_id: merchantId, state: 'closed' });
  return new Set(rows.map(({ period }) => period));
}

/** Returns the closed period that contains a day, the month before the day; null if the day is open. */
export function closedPeriodOf(closed: ReadonlySet<string>, day: string): string | null {
  const month = day.slice(0, 7);
  return closed.has(month) ? month : closed.has(day) ? day : null;
}

/** Returns a day, or the first open day after it if its period is closed. */
export function firstOpenDay(closed: ReadonlySet<string>, day: string): string {
  let open = day;
  while (closedPeriodOf(closed, open) !== null) open = addDays(open, 1);
  return open;
}

/** Checks that the books of a day can be changed. @throws ServiceError RESOURCE_CONFLICT with `details.period` if its period is closed. */
export async function checkOpen(read: Read, merchantId: string, day: string): Promise<void> {
  const period = closedPeriodOf(await closedPeriods(read, merchantId), day);
  if (period === null) return;
  throw new ServiceError('RESOURCE_CONFLICT', `The period ${period} is closed. An owner can reopen it.`, { details: { period } });
}
