import { describe, expect, test } from 'vitest';
import type { SubscriptionStatus } from '../../../core/billing/recurring/schema.ts';
import { BILLING_STEPS, SUBSCRIPTION_STEPS, type SubscriptionOperation } from '../../../core/billing/recurring/steps.ts';

const OPERATIONS: readonly SubscriptionOperation[] = ['pause', 'resume', 'skip', 'cancel', 'update', 'retry'];
const NOT_PAUSED = 'SUBSCRIPTION_INACTIVE not_paused';

const EXPECTED: Readonly<Record<SubscriptionStatus, readonly string[]>> = {
  active: ['paused', NOT_PAUSED, 'active', 'cancelled', 'active', 'RESOURCE_CONFLICT not_past_due'],
  past_due: ['paused', NOT_PAUSED, 'SUBSCRIPTION_INACTIVE past_due', 'cancelled', 'past_due', 'past_due'],
  paused: ['ALREADY_PAUSED', 'active', 'SUBSCRIPTION_INACTIVE paused', 'cancelled', 'paused', 'SUBSCRIPTION_INACTIVE paused'],
  cancelled: OPERATIONS.map(() => 'ALREADY_CANCELLED'),
  expired: OPERATIONS.map(() => 'SUBSCRIPTION_INACTIVE expired'),
};

describe('states of a subscription', () => {
  test.each(Object.entries(EXPECTED))('allows and refuses the specified operations in state %s', (status, row) => {
    const table = SUBSCRIPTION_STEPS[status as SubscriptionStatus];
    const shown = OPERATIONS.map((operation) => {
      const next = table[operation];
      if (typeof next === 'string') return next;
      return next.reason === undefined ? next.code : `${next.code} ${next.reason}`;
    });
    expect(shown).toEqual(row);
  });
});

test('a subscription whose renewal is reopened continues in its state, and an expired one is active again', () => {
  const reopened = Object.entries(BILLING_STEPS).map(([status, row]) => [status, row.reopen]);
  expect(Object.fromEntries(reopened)).toEqual({
    active: 'active',
    past_due: 'past_due',
    paused: 'paused',
    cancelled: 'cancelled',
    expired: 'active',
  });
});
