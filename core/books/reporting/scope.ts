import { addDays, type Caller, type Currency, checkPeriod, dateIn, parseCurrency, ServiceError } from '#core/kernel';
import type { Dependencies } from './dependencies.ts';
import type { GroupBy } from './records.ts';
import { seriesSize } from './series.ts';

/** Query of a report. Days are inclusive and in the merchant's zone; default the thirty days until today. */
export interface AnalyticsQuery {
  readonly groupBy?: GroupBy;
  readonly startDate?: string;
  readonly endDate?: string;
  readonly merchantId?: string;
  /** Default is the merchant's currency. */
  readonly currency?: string;
}

/** A report's merchants, days and currency. */
export interface Scope {
  readonly tenantId: string;
  /** Absent if the report covers all merchants of the tenant. */
  readonly merchantId: string | undefined;
  readonly currency: Currency;
  readonly startDate: string;
  readonly endDate: string;
  readonly groupBy: GroupBy;
}

const DAYS = 30;
const YEARS_MAX = 10;
/** Largest number of points: enough for three years of days; longer periods need weeks or months. */
const POINTS_MAX = 1_100;

/** Returns the merchants of a report, with the zone and currency to use: the named merchant, that of the caller, or all of the tenant. */
export async function reportMerchants(
  deps: Dependencies,
  actor: Caller,
  query: { readonly merchantId?: string; readonly currency?: string },
): Promise<{ merchantId: string | undefined; currency: Currency; timeZone: string; today: string }> {
  const merchantId = query.merchantId ?? actor.merchantId ?? undefined;
  const merchant = await deps.merchantFor(actor, merchantId);
  const currency = query.currency === undefined ? merchant.currency : parseCurrency(query.currency);
  const today = dateIn(merchant.timezone, deps.clockOf(actor.tenantId).now());
  return { merchantId, currency, timeZone: merchant.timezone, today };
}

/**
 * Returns the scope of a report. @throws ServiceError INVALID_DATE; VALIDATION_ERROR if the end is before the start, or if the period is
 * too long.
 */
export async function scopeOf(deps: Dependencies, actor: Caller, query: AnalyticsQuery): Promise<Scope> {
  const { startDate: from, endDate: to, groupBy = 'day' } = query;
  checkPeriod({ startDate: from, endDate: to });
  const { merchantId, currency, today } = await reportMerchants(deps, actor, query);
  const endDate = to ?? (from !== undefined && from > today ? from : today);
  const startDate = from ?? addDays(endDate, 1 - DAYS);
  if (endDate < startDate) throw new ServiceError('VALIDATION_ERROR', '`endDate` must not be before `startDate`.', { field: 'endDate' });
  if (addDays(startDate, YEARS_MAX * 366) < endDate)
    throw new ServiceError('VALIDATION_ERROR', `A report can cover at most ${YEARS_MAX} years.`, { field: 'startDate' });
  if (seriesSize(groupBy, startDate, endDate) > POINTS_MAX)
    throw new ServiceError('VALIDATION_ERROR', `A series can have at most ${POINTS_MAX} points. Group by week or month.`, {
      field: 'groupBy',
    });
  return { tenantId: actor.tenantId, merchantId, currency, startDate, endDate, groupBy };
}
