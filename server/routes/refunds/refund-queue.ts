import { Type } from 'typebox';
import type { QueueFilter } from '#core/sales/payments';
import { route, success } from '#server/http';
import {
  DateIn,
  DateQuery,
  Lines,
  Maybe,
  oneOf,
  PageQuery,
  Paginated,
  Params,
  pageFrom,
  paginated,
  QUEUE_FILTERS,
  QueueEntryOut,
  QueueEntryWithAttempts,
  queueEntryRecord,
  Success,
  Text,
  Timestamp,
} from '#server/schemas';

const shared = { surface: 'admin', tag: 'Refund decline queue', scope: 'merchant' } as const;
const read = { ...shared, method: 'GET', permission: 'refunds:read' } as const;
const write = { ...shared, method: 'POST', permission: 'refunds:write' } as const;
const MISSING = ['NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED'] as const;
const CLOSED = [...MISSING, 'RESOURCE_CONFLICT'] as const;

const day = (description: string) => Type.Optional(DateIn(description));

const list = route({
  ...read,
  path: '/refund-decline-queue',
  id: 'admin.listRefundQueue',
  summary: 'Declined refunds, newest first',
  description: '`status` also accepts `open` (pending, retry, processing) and `closed` (resolved, cancelled).',
  query: Type.Object({
    ...PageQuery,
    status: oneOf(...QUEUE_FILTERS),
    merchantId: Type.Optional(Text(60)),
    ...DateQuery,
    fromDate: day('another name of `startDate`'),
    toDate: day('another name of `endDate`'),
  }),
  response: Paginated(QueueEntryOut),
  errors: ['INVALID_DATE', 'MERCHANT_NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED'],
  run: ({ core, actor, query }) => {
    const { status, merchantId, startDate, endDate, fromDate, toDate } = query;
    const filter = { status, merchantId, startDate, endDate, fromDate, toDate } as QueueFilter;
    return core.payments.refundQueue.page(actor, filter, pageFrom(query));
  },
  show: (page) => paginated(page, queueEntryRecord),
});

const stats = route({
  ...read,
  path: '/refund-decline-queue/stats',
  id: 'admin.refundQueueStats',
  summary: 'Counts and averages of the queue',
  description:
    'Covers every entry that the caller may see. By default those of the last 30 days; `startDate` and `endDate` replace `period`.',
  query: Type.Object({ period: oneOf('7d', '30d', '90d', '365d', 'all'), ...DateQuery, merchantId: Type.Optional(Text(60)) }),
  response: Success(
    Type.Object({
      totalEntries: Type.Integer(),
      resolved: Type.Integer(),
      failed: Type.Integer(),
      cancelled: Type.Integer(),
      pending: Type.Integer({ description: 'still open: pending, retry or processing' }),
      resolutionRate: Type.Number({ description: '0 to 1: share of resolved entries among the closed ones' }),
      averageAttempts: Type.Number(),
      averageResolutionTime: Type.String({ examples: ['1h 5m'] }),
    }),
  ),
  errors: ['INVALID_DATE', 'MERCHANT_NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED'],
  run: ({ core, actor, query }) => {
    const { period, startDate, endDate, merchantId } = query as { period?: string } & typeof query;
    return core.payments.refundQueue.stats(actor, { period, startDate, endDate, merchantId });
  },
  show: success,
});

const get = route({
  ...read,
  path: '/refund-decline-queue/:entryId',
  id: 'admin.getRefundQueueEntry',
  summary: 'One declined refund with its attempts',
  description: 'Returns the entry with every attempt, oldest first.',
  params: Params('entryId'),
  response: Success(QueueEntryWithAttempts),
  errors: MISSING,
  run: ({ core, actor, params }) => core.payments.refundQueue.get(actor, params.entryId),
  show: (entry) => success(queueEntryRecord(entry)),
});

const processRetries = route({
  ...write,
  path: '/refund-decline-queue/process-retries',
  id: 'admin.processRefundRetries',
  summary: 'Retry all declined refunds that are due',
  description: 'A scheduler may call it with x-internal-service-key and X-Tenant-ID instead of an access token.',
  serviceKey: true,
  response: Success(Type.Object({ processed: Type.Integer(), resolved: Type.Integer(), requeued: Type.Integer(), failed: Type.Integer() })),
  run: ({ core, actor }) => core.payments.refundQueue.processRetries(actor),
  show: success,
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
  response: Success(
    Type.Object({ id: Type.String(), status: Type.Literal('processing'), message: Type.String(), scheduledRetryAt: Maybe(Timestamp) }),
  ),
  errors: [...CLOSED, 'INVALID_AMOUNT', 'NOT_REFUNDABLE'],
  run: ({ core, actor, params }) => core.payments.refundQueue.retry(actor, params.entryId),
  show: ({ id, status, scheduledRetryAt }) => success({ id, status, message: 'The refund is being retried.', scheduledRetryAt }),
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
    notes: Type.Optional(Lines(1_000)),
    refundMethod: Type.Optional(Text(60, 'such as check, cash or bank transfer')),
    refundDate: day('YYYY-MM-DD; by default today'),
  }),
  response: Success(
    Type.Object({
      id: Type.String(),
      status: Type.Literal('resolved'),
      resolvedAt: Timestamp,
      resolvedBy: Type.String(),
      resolutionNotes: Maybe(Type.String()),
      refundMethod: Maybe(Type.String()),
      refundDate: Type.String(),
    }),
  ),
  errors: [...CLOSED, 'INVALID_DATE', 'INVALID_AMOUNT', 'NOT_REFUNDABLE'],
  run: ({ core, actor, params, body }) => core.payments.refundQueue.resolve(actor, params.entryId, body),
  show: ({ id, status, resolvedAt, resolvedBy, resolutionNotes, refundMethod, refundDate }) =>
    success({ id, status, resolvedAt, resolvedBy, resolutionNotes, refundMethod, refundDate }),
});

const cancel = route({
  ...write,
  path: '/refund-decline-queue/:entryId/cancel',
  id: 'admin.cancelRefundRetry',
  summary: 'Cancel a declined refund and release its amount',
  description: 'No further retry is made, and the amount can be refunded again.',
  params: Params('entryId'),
  body: Type.Object({ reason: Type.Optional(Text(200)), notes: Type.Optional(Lines(1_000)) }),
  response: Success(
    Type.Object({
      id: Type.String(),
      status: Type.Literal('cancelled'),
      cancelledAt: Timestamp,
      cancelledBy: Type.String(),
      cancellationReason: Maybe(Type.String()),
      cancellationNotes: Maybe(Type.String()),
    }),
  ),
  errors: CLOSED,
  run: ({ core, actor, params, body }) => core.payments.refundQueue.cancel(actor, params.entryId, body),
  show: ({ id, status, cancelledAt, cancelledBy, cancellationReason, cancellationNotes }) =>
    success({ id, status, cancelledAt, cancelledBy, cancellationReason, cancellationNotes }),
});

export const adminRefundQueue = [list, stats, get, processRetries, retry, resolve, cancel];
