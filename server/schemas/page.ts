import type { Core } from '#core';
import type { Page, PageRequest } from '#core/database';
import { type Actor, addDays, isoTime, ServiceError, startOfDate } from '#core/kernel';

const LIMIT_DEFAULT = 50;
const LIMIT_MAX = 200;

/** Page parameters of a query that has passed its schema. */
export function pageFrom(query: { page?: string; limit?: string; cursor?: string }): PageRequest {
  return {
    page: Number(query.page ?? 1),
    limit: Math.min(LIMIT_MAX, Number(query.limit ?? LIMIT_DEFAULT)),
    ...(query.cursor === undefined ? {} : { cursor: query.cursor }),
  };
}

/**
 * Page parameters with the common filters `startDate` and `endDate` on the time of creation (specification 4): days in the time zone of the merchant that
 * is asked for. @throws VALIDATION_ERROR if the period ends before it starts.
 */
export async function datedPageFrom(
  core: Core,
  actor: Actor,
  query: { page?: string; limit?: string; cursor?: string; startDate?: string; endDate?: string; merchantId?: string },
): Promise<PageRequest> {
  const { startDate, endDate } = query;
  if (startDate === undefined && endDate === undefined) return pageFrom(query);
  if (startDate !== undefined && endDate !== undefined && endDate < startDate)
    throw new ServiceError('VALIDATION_ERROR', '`endDate` must not be before `startDate`.', { field: 'endDate' });
  const { timezone } = await core.merchants.merchantFor(actor, query.merchantId);
  const from = startDate === undefined ? undefined : isoTime(startOfDate(timezone, startDate));
  const until = endDate === undefined ? undefined : isoTime(startOfDate(timezone, addDays(endDate, 1)));
  return { ...pageFrom(query), created: { ...(from === undefined ? {} : { from }), ...(until === undefined ? {} : { until }) } };
}

/** The paginated envelope (specification 2.1); an empty list has no pages. */
export function paginated<Item>(page: Page<Item>, show: (item: Item) => unknown) {
  const { limit, total, nextCursor } = page;
  return {
    success: true,
    data: page.items.map(show),
    pagination: { page: page.page, limit, total, pages: Math.ceil(total / limit), nextCursor },
  };
}
