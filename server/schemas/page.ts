import type { Core } from '#core';
import type { PageRequest } from '#core/database';
import { type Actor, addDays, checkPeriod, isDate, isoTime, ServiceError, startOfDate } from '#core/kernel';

const LIMIT_DEFAULT = 50;
const LIMIT_MAX = 200;

interface PageParameters {
  page?: string;
  limit?: string;
  cursor?: string;
  sort?: string;
}

/** Returns the fields of a query besides its page parameters. */
export function withoutPage<Query extends PageParameters>(query: Query): Omit<Query, keyof PageParameters> {
  const { page: _page, limit: _limit, cursor: _cursor, sort: _sort, ...filter } = query;
  return filter;
}

/** Returns the page parameters of a validated query. */
export function pageFrom(query: PageParameters): PageRequest {
  return {
    page: Number(query.page ?? 1),
    limit: Math.min(LIMIT_MAX, Number(query.limit ?? LIMIT_DEFAULT)),
    ...(query.cursor === undefined ? {} : { cursor: query.cursor }),
    ...(query.sort === undefined ? {} : { sort: query.sort }),
  };
}

/**
 * Returns the page parameters with the common filters `startDate` and `endDate` on the time of creation. Days are in the time
 * zone of the merchant of the query. @throws VALIDATION_ERROR if the period ends before it starts.
 */
export async function datedPageFrom(
  core: Core,
  actor: Actor,
  query: PageParameters & { startDate?: string; endDate?: string; merchantId?: string },
): Promise<PageRequest> {
  const { startDate, endDate } = query;
  if (startDate === undefined && endDate === undefined) return pageFrom(query);
  checkPeriod({ startDate, endDate });
  const { timezone } = await core.merchants.merchantFor(actor, query.merchantId);
  const from = startDate === undefined ? undefined : isoTime(startOfDate(timezone, startDate));
  const until = endDate === undefined ? undefined : isoTime(startOfDate(timezone, addDays(endDate, 1)));
  return { ...pageFrom(query), created: { ...(from === undefined ? {} : { from }), ...(until === undefined ? {} : { until }) } };
}

/** Returns the year of `archive`. @throws ServiceError VALIDATION_ERROR. */
export function archiveYearFrom(archive: string): number {
  if (/^\d{4}$/.test(archive)) return Number(archive);
  throw new ServiceError('VALIDATION_ERROR', '`archive` must be a year, such as 2023.', { field: 'archive' });
}

/**
 * Returns the ISO 8601 time that a text names: a time, or the start of a day in the time zone of the caller's merchant.
 * @throws ServiceError INVALID_DATE on `field`.
 */
export async function timeFrom(core: Core, actor: Actor, text: string, field: string): Promise<string> {
  if (isDate(text)) return isoTime(startOfDate((await core.merchants.merchantFor(actor)).timezone, text));
  const ms = /^\d{4}-\d\d-\d\dT/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isFinite(ms)) return isoTime(ms);
  throw new ServiceError('INVALID_DATE', `\`${field}\` must be a day such as 2027-01-31 or a time such as 2027-01-31T12:00:00Z.`, {
    field,
  });
}
