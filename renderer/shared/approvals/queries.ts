import { queryOptions } from '@tanstack/react-query';
import { api, takeData, takePage } from '#renderer/base/client';

/** Interval at which a waiting screen asks for the decision, in addition to the live changes. */
const POLL_MS = 2_000;
const PENDING_MAX = 20;

const pathOf = (id: string) => ({ params: { path: { id } } });

/** One approval, polled until it is decided and its operation has run. */
export const approvalQuery = (id: string) =>
  queryOptions({
    queryKey: ['approvals', 'one', id],
    queryFn: () => takeData(api.GET('/api/v1/approvals/{id}', pathOf(id))),
    staleTime: 0,
    refetchInterval: POLL_MS,
  });

/** People who may approve an operation. */
export const approversQuery = (id: string) =>
  queryOptions({
    queryKey: ['approvals', 'approvers', id],
    queryFn: async () => (await takeData(api.GET('/api/v1/approvals/{id}/approvers', pathOf(id)))).people,
  });

/** Approvals that wait for a decision, newest first. */
export const pendingQuery = queryOptions({
  queryKey: ['approvals', 'pending'],
  queryFn: () => takePage(api.GET('/api/v1/approvals', { params: { query: { status: 'pending', limit: PENDING_MAX } } })),
  refetchInterval: 30_000,
});

/** Approves an operation in the caller's own session, or with the PIN of another person. */
export const approve = (id: string, by?: { readonly approverId: string; readonly pin: string }) =>
  takeData(api.POST('/api/v1/approvals/{id}/approve', { ...pathOf(id), body: by ?? {} }));

/** Rejects an operation, or withdraws the caller's own request. */
export const reject = (id: string, reason?: string) =>
  takeData(api.POST('/api/v1/approvals/{id}/reject', { ...pathOf(id), body: reason ? { reason } : {} }));
