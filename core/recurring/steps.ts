import { no, type Steps } from '#core/kernel';
import type { SubscriptionStatus } from './schema.ts';

/** What a person may do with a subscription (specification 3.3, decisions 7 and 11). What payments do to it is in `course.ts`. */
export type SubscriptionOperation = 'pause' | 'resume' | 'skip' | 'cancel' | 'update' | 'retry';

const cancelled = no('ALREADY_CANCELLED', 'This subscription was cancelled.');
const expired = no('SUBSCRIPTION_INACTIVE', 'This subscription has ended.', 'expired');
const notPaused = no('SUBSCRIPTION_INACTIVE', 'Only a paused subscription can be resumed.', 'not_paused');
const notActive = (reason: SubscriptionStatus) =>
  no('SUBSCRIPTION_INACTIVE', 'Only an active subscription can skip its next payment.', reason);
const all = <Answer>(answer: Answer): Record<SubscriptionOperation, Answer> => ({
  pause: answer,
  resume: answer,
  skip: answer,
  cancel: answer,
  update: answer,
  retry: answer,
});

export const SUBSCRIPTION_STEPS = {
  active: {
    pause: 'paused',
    resume: notPaused,
    skip: 'active',
    cancel: 'cancelled',
    update: 'active',
    retry: no('RESOURCE_CONFLICT', 'Nothing of this subscription is unpaid.', 'not_past_due'),
  },
  past_due: {
    pause: 'paused',
    resume: notPaused,
    skip: notActive('past_due'),
    cancel: 'cancelled',
    update: 'past_due',
    retry: 'past_due',
  },
  paused: {
    pause: no('ALREADY_PAUSED', 'This subscription is paused already.'),
    resume: 'active',
    skip: notActive('paused'),
    cancel: 'cancelled',
    update: 'paused',
    retry: no('SUBSCRIPTION_INACTIVE', 'This subscription is paused; resume it first.', 'paused'),
  },
  cancelled: all(cancelled),
  expired: all(expired),
} satisfies Steps<SubscriptionStatus, SubscriptionOperation>;
