import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, takeData, takePage } from '#renderer/base/client';

export const PAGE_SIZE = 50;

export const approvalsQuery = (merchantId: string | undefined, page: number) =>
  queryOptions({
    queryKey: ['approvals', 'list', merchantId, page],
    queryFn: ({ signal }) => takePage(api.GET('/api/v1/approvals', { params: { query: { merchantId, page, limit: PAGE_SIZE } }, signal })),
    placeholderData: keepPreviousData,
  });

export const approvalQuery = (id: string) =>
  queryOptions({
    queryKey: ['approvals', 'shown', id],
    queryFn: () => takeData(api.GET('/api/v1/approvals/{id}', { params: { path: { id } } })),
    staleTime: 0,
  });
