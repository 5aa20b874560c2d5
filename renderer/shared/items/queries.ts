import { queryOptions } from '@tanstack/react-query';
import { api, takePage } from '#renderer/base/client';

/** The list of a merchant is read as a whole, in pages of the largest size. */
const PAGE = 200;
const STALE_MS = 60_000;

/** All items and quick amounts of a merchant, with archived ones, in the order of their buttons. */
export const itemsQuery = (merchantId: string) =>
  queryOptions({
    queryKey: ['items', merchantId],
    queryFn: async ({ signal }) => {
      const read = (page: number) => takePage(api.GET('/api/v1/items', { params: { query: { merchantId, limit: PAGE, page } }, signal }));
      const first = await read(1);
      const items = [...first.items];
      for (let page = 2; (page - 1) * PAGE < first.total; page += 1) items.push(...(await read(page)).items);
      return items;
    },
    staleTime: STALE_MS,
  });
