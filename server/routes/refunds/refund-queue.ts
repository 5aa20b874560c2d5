import { Type } from 'typebox';
import {
  CancelledRefund,
  QueueEntry,
  QueueEntryWithAttempts,
  type QueueFilter,
  QueueStats,
  ResolvedRefund,
  RetriedRefund,
  RetryCounts,
} from '#core/sales/payments';
import { Paginated, route, Success } from '#server/http';
import { DateIn, DateQuery, Lines, MerchantIn, oneOf, PageQuery, Params, pageFrom, ReasonIn, Text, withActions } from '#server/schemas';
import { forCaller } from '../actions.ts';

const shared = { surface: 'admin', tag: 'Refund decline queue', scope: 'merchant' } as const;
const read = { ...shared, method: 'GET', permission: 'refunds:read' } as const;
const write = { ...shared, method: 'POST', permission: 'refunds:write' } as const;
/** Access rules of the operations on an entry. */
export const ACCESS = { retry: write, resolve: write, cancel: write };
const MISSING = ['NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED'] as const;
const CLOSED = [...MISSING, 'RESOURCE_CONFLICT'] as const;

/** Status filters, including `open` (pending, retry, processing) and `closed` (resolved, cancelled). */
const FILTERS = ['pending', 'processing', 'retry', 'resolved', 'failed', 'cancelled', 'open', 'closed'];
const day = (description: string) => Type.Optional(DateIn(description));

const list = route({
  ...read,
  path: '/refund-decline-queue',
  id: 'admin.listRefundQueue',
  summary: 'Declined refunds, newest first',
  description: '`status` also accepts `open` (pending, retry, processing) and `closed` (resolved, cancelled).',
  query: Type.Object({
    ...PageQuery,
    status: oneOf(...FILTERS),
    merchantId: MerchantIn,
    ...DateQuery,
    fromDate: day('another name of `startDate`'),
    toDate: day('another name of `endDate`'),
  }),
  response: Paginated(QueueEntry),
  errors: ['INVALID_DATE', 'MERCHANT_NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED'],
  run: ({ core, actor, query }) => {
    const { status, merchantId, startDate, endDate, fromDate, toDate } = query;
    const filter = { status, merchantId, startDate, endDate, fromDate, toDate } as QueueFilter;
    return core.payments.refundQueue.page(actor, filter, pageFrom(query));
  },
});

const stats = route({
  ...read,
  path: '/refund-decline-queue/stats',
  id: 'admin.refundQueueStats',
  summary: 'Counts and averages of the queue',
  description:
    'Covers every entry that the caller may see. By default those of the last 30 days; `startDate` and `endDate` replace `period`.',
  query: Type.Object({ period: oneOf('7d', '30d', '90d', '365d', 'all'), ...DateQuery, merchantId: MerchantIn }),
  response: Success(QueueStats),
  errors: ['INVALID_DATE', 'MERCHANT_NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED'],
  run: ({ core, actor, query }) => {
    const { period, startDate, endDate, merchantId } = query as { period?: string } & typeof query;
    return core.payments.refundQueue.stats(actor, { period, startDate, endDate, merchantId });
  },
});

const get = route({
  ...read,
  path: '/refund-decline-queue/:entryId',
  id: 'admin.getRefundQueueEntry',
  summary: 'One declined refund with its attempts',
  description: 'Returns the entry with every attempt, oldest first, and what the caller can do with it.',
  params: Params('entryId'),
  response: Success(withActions('RefundQueueEntryDetail', QueueEntryWithAttempts, ACCESS)),
  errors: MISSING,
  run: (call) => forCaller(call, ACCESS, call.core.payments.refundQueue.get(call.actor, call.params.entryId)),
});

const processRetries = route({
  ...write,
  path: '/refund-decline-queue/process-retries',
  id: 'admin.processRefundRetries',
  summary: 'Retry all declined refunds that are due',
  description: 'A scheduler may call it with x-internal-service-key and X-Tenant-ID instead of an access token.',
  serviceKey: true,
  response: Success(RetryCounts),
  run: ({ core, actor }) => core.payments.refundQueue.processRetries(actor),
});

const retry = route({
  ...write,
  path: '/refund-decline-queue/:entryId/retry',
  id: 'admin.retryRefund',
  approvable: true,
  summary: 'Retry a declined refund immediately',
  description:
    'Its attempts are counted from zero. A failed entry is reopened if its amount is still available. It then needs an approval like a new refund.',
  params: Params('entryId'),
  response: Success(RetriedRefund),
  errors: [...CLOSED, 'INVALID_AMOUNT', 'NOT_REFUNDABLE'],
  run: ({ core, actor, params }) => core.payments.refundQueue.retry(actor, params.entryId),
  show: (entry) => ({ ...entry, message: 'The refund is being retried.' }),
});

const resolve = route({
  ...write,
  path: '/refund-decline-queue/:entryId/resolve',
  id: 'admin.resolveRefund',
  approvable: true,
  summary: 'Close an entry whose money was returned outside of Paydesk',
  description: 'Records that the money was returned in another way. No further retry is made.',
  params: Params('entryId'),
  body: Type.Object({
    notes: Type.Optional(Lines(1_000, 'Notes of the staff')),
    refundMethod: Type.Optional(Text(60, 'such as check, cash or bank transfer')),
    refundDate: day('YYYY-MM-DD; by default today'),
  }),
  response: Success(ResolvedRefund),
  errors: [...CLOSED, 'INVALID_DATE', 'INVALID_AMOUNT', 'NOT_REFUNDABLE'],
  run: ({ core, actor, params, body }) => core.payments.refundQueue.resolve(actor, params.entryId, body),
});

const cancel = route({
  ...write,
  path: '/refund-decline-queue/:entryId/cancel',
  id: 'admin.cancelRefundRetry',
  summary: 'Cancel a declined refund and release its amount',
  description: 'No further retry is made, and the amount can be refunded again.',
  params: Params('entryId'),
  body: Type.Object({ reason: Type.Optional(ReasonIn), notes: Type.Optional(Lines(1_000, 'Notes of the staff')) }),
  response: Success(CancelledRefund),
  errors: CLOSED,
  run: ({ core, actor, params, body }) => core.payments.refundQueue.cancel(actor, params.entryId, body),
});

export const adminRefundQueue = [list, stats, get, processRetries, retry, resolve, cancel];
