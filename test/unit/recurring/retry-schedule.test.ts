import { describe, expect, test } from 'vitest';
import { later } from '#core/kernel';
import { afterPayment, isExtraAttempt } from '../../../core/billing/recurring/billing-cycle.ts';
import type { SubscriptionRow } from '../../../core/billing/recurring/schema.ts';
import { charged, DAY_MS, failed, NOW, setting, startOf } from './rows.ts';

describe('an attempt that is not one of the schedule', () => {
  const retry_ms = later(NOW, DAY_MS);
  const pastDue = (overrides: Partial<SubscriptionRow> = {}) =>
    charged({ status: 'past_due', failed_attempts: 3, attempts: 3, unpaid_since: '2027-01-15', retry_ms, ...overrides });

  test('is one before the scheduled retry of the same period', () => {
    expect(isExtraAttempt(pastDue(), 0, retry_ms - 1)).toBe(true);
    expect(isExtraAttempt(pastDue(), 0, retry_ms)).toBe(false);
    expect(isExtraAttempt(pastDue(), 1, NOW)).toBe(false);
    expect(isExtraAttempt(charged(), 0, NOW)).toBe(false);
  });

  test('keeps the schedule, also on the last retry or if the processor advises against retries', () => {
    for (const advice of [undefined, { kind: 'stop-card' } as const])
      expect(afterPayment(pastDue(), 0, failed({ isExtra: true, advice }), setting())).toMatchObject({
        status: 'past_due',
        failed_attempts: 3,
        attempts: 4,
        retry_ms,
        due_ms: retry_ms,
      });
    const unsent = { kind: 'unsent', reason: 'unreachable', isExtra: true } as const;
    expect(afterPayment(pastDue(), 0, unsent, setting())).toMatchObject({ unsent_tries: 0, retry_ms, due_ms: retry_ms });
  });

  test('retries after a fault of the processor without counting it', () => {
    const fault = failed({ declined: false, isFault: true });
    expect(afterPayment(pastDue({ retry_ms: NOW }), 0, fault, setting())).toMatchObject({
      status: 'past_due',
      failed_attempts: 3,
      retry_ms: later(NOW, DAY_MS),
    });
  });

  test('tries a new payment method immediately, and once more after the last retry of the former one', () => {
    const changed = failed({ hasNewMethod: true, advice: { kind: 'stop-card' } });
    expect(afterPayment(charged(), 0, changed, setting())).toMatchObject({ failed_attempts: 1, retry_ms: later(NOW, DAY_MS), due_ms: NOW });
    expect(afterPayment(pastDue({ retry_ms: NOW }), 0, changed, setting())).toMatchObject({
      status: 'past_due',
      retry_ms: NOW,
      due_ms: NOW,
    });
  });
});

describe('periods shorter than the schedule', () => {
  const weekly = { frequency: 'weekly', anchor_date: '2027-01-01', next_index: 2 } as const;

  test('tries the next period on its date instead of a later retry', () => {
    const row = charged({ ...weekly, pending_index: 2, status: 'past_due', failed_attempts: 2, attempts: 2, retry_ms: NOW });
    const next = { retry_ms: startOf('2027-01-22'), failed_attempts: 3 };
    expect(afterPayment(row, 2, failed(), setting({ retryIntervalsDays: [1, 3, 9, 9] }))).toMatchObject(next);
    expect(afterPayment(row, 2, failed(), setting({ retryIntervalsDays: [1, 3, 9, 9], missedPeriods: 'each' }))).toMatchObject({
      retry_ms: later(NOW, 9 * DAY_MS),
    });
  });

  test('ends when the schedule of the first unpaid period would have ended', () => {
    const row = (unpaid_since: string) => charged({ ...weekly, pending_index: 2, unpaid_since });
    expect(afterPayment(row('2027-01-07'), 2, failed(), setting()).status).toBe('past_due');
    expect(afterPayment(row('2027-01-06'), 2, failed(), setting()).status).toBe('cancelled');
  });
});
