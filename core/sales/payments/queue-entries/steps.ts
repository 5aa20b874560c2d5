import { refused, type Steps } from '#core/kernel';
import type { QueueStatus } from './schema.ts';

/** begin: an attempt is sent. approve, requeue, exhaust: results of an attempt. retry, resolve, cancel: actions of a person. */
export type QueueOperation = 'begin' | 'approve' | 'requeue' | 'exhaust' | 'retry' | 'resolve' | 'cancel';

const notInProgress = refused('RESOURCE_CONFLICT', 'No attempt of this entry is in progress.', 'no_attempt');
const resolved = refused('RESOURCE_CONFLICT', 'This entry is resolved.', 'resolved');
const cancelled = refused('RESOURCE_CONFLICT', 'This entry was canceled.', 'cancelled');
const outcomes = { approve: notInProgress, requeue: notInProgress, exhaust: notInProgress };
const forEveryOperation = <Result>(result: Result): Record<QueueOperation, Result> => ({
  begin: result,
  approve: result,
  requeue: result,
  exhaust: result,
  retry: result,
  resolve: result,
  cancel: result,
});

/** Transition table of entries of the refund decline queue. */
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
    begin: refused('RESOURCE_CONFLICT', 'All attempts of this entry failed. Retry it manually.', 'failed'),
    ...outcomes,
    retry: 'processing',
    resolve: 'resolved',
    cancel: 'cancelled',
  },
  resolved: forEveryOperation(resolved),
  cancelled: forEveryOperation(cancelled),
} satisfies Steps<QueueStatus, QueueOperation>;
