import { queryOptions } from '@tanstack/react-query';
import { api, keptQuery, takeData, takePage } from '#renderer/base/client';

export const PAGE_SIZE = 50;

export const approvalsQuery = (merchantId: string | undefined, page: number) =>
  keptQuery(['approvals', 'list', merchantId, page], (signal) =>
    takePage(api.GET('/api/v1/approvals', { params: { query: { merchantId, page, limit: PAGE_SIZE } }, signal })),
  );

export const approvalQuery = (id: string) =>
  queryOptions({
    queryKey: ['approvals', 'shown', id],
    queryFn: () => takeData(api.GET('/api/v1/approvals/{id}', { params: { path: { id } } })),
    staleTime: 0,
  });
