import { refused, type Steps } from '#core/kernel';
import type { PlanStatus } from './schema.ts';

/** Operations that a person may call on an installment plan. */
export type PlanOperation = 'pause' | 'resume' | 'cancel' | 'update' | 'retry';

const canceled = refused('RESOURCE_CONFLICT', 'This installment plan was canceled.', 'canceled');
const completed = refused('RESOURCE_CONFLICT', 'All installments of this plan are paid.', 'completed');
const notPaused = refused('RESOURCE_CONFLICT', 'Only a paused installment plan can be resumed.', 'not_paused');
const all = <Answer>(answer: Answer): Record<PlanOperation, Answer> => ({
  pause: answer,
  resume: answer,
  cancel: answer,
  update: answer,
  retry: answer,
});

export const PLAN_STEPS = {
  active: { pause: 'paused', resume: notPaused, cancel: 'canceled', update: 'active', retry: 'active' },
  past_due: { pause: 'paused', resume: notPaused, cancel: 'canceled', update: 'past_due', retry: 'past_due' },
  paused: {
    pause: refused('RESOURCE_CONFLICT', 'This installment plan is already paused.', 'paused'),
    resume: 'active',
    cancel: 'canceled',
    update: 'paused',
    retry: refused('RESOURCE_CONFLICT', 'This installment plan is paused. Resume it first.', 'paused'),
  },
  completed: all(completed),
  canceled: all(canceled),
} satisfies Steps<PlanStatus, PlanOperation>;

/**
 * Results of payments. `settle`: the failed installment is paid. `fail`: it failed and is not retried automatically. `complete`: everything is
 * paid. `reopen`: a payment was voided.
 */
type PaymentOperation = 'settle' | 'fail' | 'complete' | 'reopen';

/** Payments never override a person: a plan that was paused or canceled stays so, unless everything is paid. */
export const PAYMENT_STEPS = {
  active: { settle: 'active', fail: 'past_due', complete: 'completed', reopen: 'paused' },
  past_due: { settle: 'active', fail: 'past_due', complete: 'completed', reopen: 'paused' },
  paused: { settle: 'paused', fail: 'paused', complete: 'completed', reopen: 'paused' },
  completed: { settle: 'completed', fail: 'completed', complete: 'completed', reopen: 'paused' },
  canceled: { settle: 'canceled', fail: 'canceled', complete: 'canceled', reopen: 'canceled' },
} satisfies Steps<PlanStatus, PaymentOperation>;
