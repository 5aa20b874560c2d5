import { refused, type Steps } from '#core/kernel';
import type { SubscriptionStatus } from './schema.ts';

/** Operations that a person may call on a subscription. */
export type SubscriptionOperation = 'pause' | 'resume' | 'skip' | 'cancel' | 'update' | 'retry';

const cancelled = refused('ALREADY_CANCELLED', 'This subscription was canceled.');
const expired = refused('SUBSCRIPTION_INACTIVE', 'This subscription has ended.', 'expired');
const notPaused = refused('SUBSCRIPTION_INACTIVE', 'Only a paused subscription can be resumed.', 'not_paused');
const notActive = (reason: SubscriptionStatus) =>
  refused('SUBSCRIPTION_INACTIVE', 'Only an active subscription can skip its next payment.', reason);
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
    retry: refused('RESOURCE_CONFLICT', 'This subscription has no unpaid payment.', 'not_past_due'),
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
    pause: refused('ALREADY_PAUSED', 'This subscription is already paused.'),
    resume: 'active',
    skip: notActive('paused'),
    cancel: 'cancelled',
    update: 'paused',
    retry: refused('SUBSCRIPTION_INACTIVE', 'This subscription is paused. Resume it first.', 'paused'),
  },
  cancelled: all(cancelled),
  expired: all(expired),
} satisfies Steps<SubscriptionStatus, SubscriptionOperation>;

/**
 * Results of billing. `pause` and `cancel` follow the last retry of a declined payment, `finish` the last payment or the end date, `reopen`
 * a last
 * payment that the bank returned.
 */
type BillingOperation = 'paid' | 'declined' | 'pause' | 'cancel' | 'finish' | 'reopen';

/** Billing never overrides a person: a subscription that was paused or canceled while a payment was pending stays so. */
const stays = <Status extends SubscriptionStatus>(status: Status): Record<BillingOperation, Status> => ({
  paid: status,
  declined: status,
  pause: status,
  cancel: status,
  finish: status,
  reopen: status,
});
const billed = { paid: 'active', declined: 'past_due', pause: 'paused', cancel: 'cancelled', finish: 'expired' } as const;

export const BILLING_STEPS = {
  active: { ...billed, reopen: 'active' },
  past_due: { ...billed, reopen: 'past_due' },
  paused: stays('paused'),
  cancelled: stays('cancelled'),
  expired: { ...stays('expired'), reopen: 'active' },
} satisfies Steps<SubscriptionStatus, BillingOperation>;
