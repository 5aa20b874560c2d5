import { refused, type Steps } from '#core/kernel';
import type { QueueStatus } from './schema.ts';

/**
 * begin: an attempt is sent. approve, requeue, exhaust: how it ended. retry, resolve, cancel: what a person may do (specification 3.2, decisions 6).
 */
export type QueueOperation = 'begin' | 'approve' | 'requeue' | 'exhaust' | 'retry' | 'resolve' | 'cancel';

const notUnderWay = refused('RESOURCE_CONFLICT', 'No attempt of this entry is under way.', 'no_attempt');
const resolved = refused('RESOURCE_CONFLICT', 'This entry is resolved.', 'resolved');
const cancelled = refused('RESOURCE_CONFLICT', 'This entry was cancelled.', 'cancelled');
const outcomes = { approve: notUnderWay, requeue: notUnderWay, exhaust: notUnderWay };
const all = <Answer>(answer: Answer): Record<QueueOperation, Answer> => ({
  begin: answer,
  approve: answer,
  requeue: answer,
  exhaust: answer,
  retry: answer,
  resolve: answer,
  cancel: answer,
});

/** The one table of what may happen to an entry of the refund decline queue. */
export const QUEUE_STEPS = {
  pending: { begin: 'processing', ...outcomes, retry: 'processing', resolve: 'resolved', cancel: 'cancelled' },
  retry: { begin: 'processing', ...outcomes, retry: 'processing', resolve: 'resolved', cancel: 'cancelled' },
  processing: {
    begin: 'processing',
    approve: 'resolved',
    requeue: 'retry',
    exhaust: 'failed',
    retry: 'processing',
    resolve: 'resolved',
    cancel: 'cancelled',
  },
  failed: {
    begin: refused('RESOURCE_CONFLICT', 'This entry used up its attempts; retry it by hand.', 'failed'),
    ...outcomes,
    retry: 'processing',
    resolve: 'resolved',
    cancel: 'cancelled',
  },
  resolved: all(resolved),
  cancelled: all(cancelled),
} satisfies Steps<QueueStatus, QueueOperation>;
