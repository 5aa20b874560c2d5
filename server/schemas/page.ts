import type { Page, PageOf } from '#core/database';

const LIMIT_DEFAULT = 50;
const LIMIT_MAX = 200;

/** Page parameters of a query that has passed its schema. */
export function pageFrom(query: { page?: string; limit?: string; cursor?: string }): PageOf {
  return {
    page: Number(query.page ?? 1),
    limit: Math.min(LIMIT_MAX, Number(query.limit ?? LIMIT_DEFAULT)),
    ...(query.cursor === undefined ? {} : { cursor: query.cursor }),
  };
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
