import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, takePage } from '#renderer/client';

/** The list of a merchant is read as a whole, in pages of the largest size. */
const PAGE = 200;

async function allItems(merchantId: string, signal: AbortSignal) {
  const query = { merchantId, limit: PAGE };
  const first = await takePage(api.GET('/api/v1/items', { params: { query }, signal }));
  const items = [...first.items];
  for (let page = 2; items.length < first.total; page += 1) {
    const next = await takePage(api.GET('/api/v1/items', { params: { query: { ...query, page } }, signal }));
    if (next.items.length === 0) break;
    items.push(...next.items);
  }
  return items;
}

/** All items and quick amounts of a merchant, with archived ones. */
export const itemsQuery = (merchantId: string) =>
  queryOptions({
    queryKey: ['items', merchantId, 'all'],
    queryFn: ({ signal }) => allItems(merchantId, signal),
    placeholderData: keepPreviousData,
  });
