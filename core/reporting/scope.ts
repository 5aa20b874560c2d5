import { addDays, type Currency, dateIn, parseCurrency, parseDate, ServiceError } from '#core/kernel';
import type { By, Needs } from './needs.ts';
import { type GroupBy, seriesSize } from './series.ts';

/** What is asked of a report. Days are inclusive and the merchant's; thirty of them until today unless given. */
export interface AnalyticsQuery {
  readonly groupBy?: GroupBy;
  readonly startDate?: string;
  readonly endDate?: string;
  readonly merchantId?: string;
  /** The merchant's unless given. */
  readonly currency?: string;
}

/** A report's merchants, days and currency. */
export interface Scope {
  readonly tenantId: string;
  /** Absent where all merchants of the tenant are told of. */
  readonly merchantId: string | undefined;
  readonly currency: Currency;
  readonly startDate: string;
  readonly endDate: string;
  readonly groupBy: GroupBy;
}

const DAYS = 30;
const YEARS_MAX = 10;
/** A series of days is as long as some years; longer periods have weeks and months. */
const POINTS_MAX = 1_100;

/** Which merchant's zone and currency hold, and whose payments are told of: the named one's, the caller's, else all of the tenant's. */
export async function whose(on: Needs, by: By, asked: { readonly merchantId?: string; readonly currency?: string }) {
  const merchantId = asked.merchantId ?? by.merchantId ?? undefined;
  const merchant = await on.merchantFor(by, merchantId);
  const currency = asked.currency === undefined ? merchant.currency : parseCurrency(asked.currency);
  const today = dateIn(merchant.timezone, on.clockOf(by.tenantId).now());
  return { merchantId, currency, today };
}

/** Settles a report's days. INVALID_DATE; VALIDATION_ERROR where they are the wrong way round or too many. */
export async function scopeOf(on: Needs, by: By, asked: AnalyticsQuery): Promise<Scope> {
  const { startDate: from, endDate: to, groupBy = 'day' } = asked;
  if (from !== undefined) parseDate(from, 'startDate');
  if (to !== undefined) parseDate(to, 'endDate');
  const { merchantId, currency, today } = await whose(on, by, asked);
  const endDate = to ?? (from !== undefined && from > today ? from : today);
  const startDate = from ?? addDays(endDate, 1 - DAYS);
  if (endDate < startDate) throw new ServiceError('VALIDATION_ERROR', 'endDate must not be before startDate.', { field: 'endDate' });
  if (addDays(startDate, YEARS_MAX * 366) < endDate)
    throw new ServiceError('VALIDATION_ERROR', `A report tells of at most ${YEARS_MAX} years.`, { field: 'startDate' });
  if (seriesSize(groupBy, startDate, endDate) > POINTS_MAX)
    throw new ServiceError('VALIDATION_ERROR', `A series has at most ${POINTS_MAX} points: group by week or month.`, { field: 'groupBy' });
  return { tenantId: by.tenantId, merchantId, currency, startDate, endDate, groupBy };
}
