import { describe, expect, test } from 'vitest';
import { later, tenantTime } from '#core/kernel';
import {
  afterCancellation,
  afterExpiry,
  afterPayment,
  afterResume,
  afterReturn,
  dueTimeOf,
  isOver,
  moveToPeriod,
  nextPaymentDate,
  periodDue,
  withDue,
} from '../../../core/billing/recurring/billing-cycle.ts';
import type { Result } from '../../../core/billing/recurring/dunning.ts';
import type { SubscriptionRow } from '../../../core/billing/recurring/schema.ts';
import { charged, DAY_MS, FREED, failed, HOUR_MS, NOW, NOW_ISO, setting, startOf, subscription, ZONE } from './rows.ts';

describe('the period to charge today', () => {
  test('charges the next period on its date, and none before it or without a next date', () => {
    expect(periodDue(subscription({ next_date: '2027-01-16', next_index: 1 }), setting())).toBeNull();
    expect(periodDue(subscription({ next_date: null }), setting())).toBeNull();
    expect(periodDue(subscription(), setting())).toEqual({ index: 0, date: '2027-01-15' });
  });

  test('charges by the date in the time zone of the merchant', () => {
    const beforeMidnight = startOf('2027-01-15') - 1;
    expect(periodDue(subscription(), setting({}, tenantTime(beforeMidnight)))).toBeNull();
    expect(periodDue(subscription(), setting({}, tenantTime(beforeMidnight + 1)))).not.toBeNull();
  });

  const missed = { anchor_date: '2026-10-15', next_date: '2026-11-15', next_index: 1 };

  test('charges only the latest of missed periods', () => {
    expect(periodDue(subscription(missed), setting())).toEqual({ index: 3, date: '2027-01-15' });
  });

  test('charges each missed period in turn if the merchant charges every missed period', () => {
    expect(periodDue(subscription(missed), setting({ missedPeriods: 'each' }))).toEqual({ index: 1, date: '2026-11-15' });
  });

  test('charges no period after the end date', () => {
    expect(periodDue(subscription({ ...missed, end_date: '2027-01-14' }), setting())).toEqual({ index: 2, date: '2026-12-15' });
    expect(periodDue(subscription({ ...missed, end_date: '2027-01-15' }), setting())).toEqual({ index: 3, date: '2027-01-15' });
    expect(periodDue(subscription({ ...missed, end_date: '2027-06-15' }), setting())).toEqual({ index: 3, date: '2027-01-15' });
  });

  test('charges no period before the next one', () => {
    const moved = { anchor_date: '2026-10-15', next_date: '2027-01-15', next_index: 3, end_date: '2026-12-31' };
    expect(periodDue(subscription(moved), setting())).toEqual({ index: 3, date: '2027-01-15' });
  });
});

describe('the time of the next check', () => {
  test.each([
    ['the start of the next date if active', {}, startOf('2027-01-15')],
    ['the retry if past due', { status: 'past_due', retry_ms: tenantTime(42) }, 42],
    ['none if past due without a retry', { status: 'past_due', retry_ms: null }, null],
    ['none if paused', { status: 'paused' }, null],
    ['none if cancelled', { status: 'cancelled' }, null],
    ['now if no period and no end date remain', { next_date: null }, NOW],
    ['the end of the end date if no period remains', { next_date: null, end_date: '2027-02-20' }, startOf('2027-02-21')],
  ] as const)('the next check is %s', (_, input, expected) => {
    expect(dueTimeOf(subscription(input), setting())).toBe(expected);
  });

  test('schedules no check while a payment is in progress', () => {
    const row = charged({ due_ms: tenantTime(5) });
    expect(withDue(row, setting())).toEqual(row);
  });

  test('releases the lease', () => {
    expect(withDue(subscription(), setting())).toEqual(subscription({ due_ms: startOf('2027-01-15'), lease_ms: 0 }));
    expect(withDue(subscription({ status: 'paused' }), setting())).toMatchObject({ due_ms: null, lease_ms: 0 });
  });

  test('the next check is at least an hour after the last payment while missed periods are charged', () => {
    const paidAt = (ms: number) => ({ last_payment_at: new Date(ms).toISOString() });
    expect(withDue(subscription(paidAt(NOW)), setting()).due_ms).toBe(NOW + HOUR_MS);
    expect(withDue(subscription(paidAt(NOW - DAY_MS)), setting()).due_ms).toBe(startOf('2027-01-15'));
    // A period that is not due yet keeps its time.
    const exactly = setting({}, startOf('2027-01-15'));
    expect(withDue(subscription(paidAt(exactly.now)), exactly).due_ms).toBe(exactly.now);
  });
});

describe('the next period', () => {
  test('the next period has the date of its index', () => {
    expect(moveToPeriod(subscription(), 2)).toEqual(subscription({ next_index: 2, next_date: '2027-03-15' }));
  });

  test('the next period has no date after the end date', () => {
    expect(moveToPeriod(subscription({ end_date: '2027-03-15' }), 2).next_date).toBe('2027-03-15');
    expect(moveToPeriod(subscription({ end_date: '2027-03-14' }), 2)).toMatchObject({ next_index: 2, next_date: null });
  });
});

describe('the end of a subscription', () => {
  test.each([
    [false, {}],
    [true, { total_payments: 3, payments_made: 3 }],
    [true, { total_payments: 3, payments_made: 4 }],
    [false, { total_payments: 3, payments_made: 2 }],
    [true, { next_date: null }],
    [true, { next_date: null, end_date: '2027-01-14' }],
    [false, { next_date: null, end_date: '2027-01-15' }],
    [false, { end_date: '2027-01-14' }],
  ] as const)('has reached its end: %s for %o', (expected, input) => {
    expect(isOver(subscription(input), setting())).toBe(expected);
  });

  test('expires it without another payment', () => {
    expect(afterExpiry(subscription({ failed_attempts: 2, retry_ms: tenantTime(5) }), NOW)).toEqual(
      subscription({ status: 'expired', expired_at: NOW_ISO, next_date: null, retry_ms: null, failed_attempts: 0 }),
    );
  });

  test('cancels it without another payment', () => {
    const row = subscription({ status: 'past_due', failed_attempts: 2, retry_ms: tenantTime(5), unsent_tries: 1 });
    expect(afterCancellation(row, NOW, 'Ada', 'too_expensive')).toEqual(
      subscription({
        status: 'cancelled',
        cancelled_at: NOW_ISO,
        cancelled_by: 'Ada',
        cancel_reason: 'too_expensive',
        next_date: null,
        due_ms: null,
        lease_ms: 0,
      }),
    );
  });

  test('waits for a payment in progress when it is cancelled', () => {
    expect(afterCancellation(charged(), NOW, 'Ada', null)).toMatchObject({
      status: 'cancelled',
      pending_transaction: 'txn_1',
      due_ms: NOW - HOUR_MS,
      lease_ms: 99,
    });
  });
});

describe('a successful payment', () => {
  test('moves to the next period and clears the failures', () => {
    const row = charged({
      status: 'past_due',
      failed_attempts: 2,
      retry_ms: tenantTime(5),
      unsent_tries: 3,
      last_reason: 'declined',
      last_result: 'failed',
    });
    expect(afterPayment(row, 0, { kind: 'succeeded' }, setting())).toEqual(
      subscription({
        ...FREED,
        status: 'active',
        payments_made: 1,
        next_index: 1,
        next_date: '2027-02-15',
        last_payment_at: NOW_ISO,
        last_result: 'succeeded',
        due_ms: startOf('2027-02-15'),
        lease_ms: 0,
      }),
    );
  });

  test('keeps a next period that is later already', () => {
    const after = afterPayment(charged({ next_index: 4, next_date: '2027-05-15' }), 0, { kind: 'succeeded' }, setting());
    expect(after).toMatchObject({ next_index: 4, next_date: '2027-05-15' });
  });

  test('expires a subscription that reached its number of payments', () => {
    const after = afterPayment(charged({ total_payments: 3, payments_made: 2 }), 0, { kind: 'succeeded' }, setting());
    expect(after).toMatchObject({ status: 'expired', payments_made: 3, expired_at: NOW_ISO, next_date: null });
  });

  test.each(['cancelled', 'expired'] as const)(
    'a successful payment counts for a subscription that is %s, but does not revive it',
    (status) => {
      const row = charged({ status, next_date: null });
      expect(afterPayment(row, 0, { kind: 'succeeded' }, setting())).toEqual(
        subscription({
          ...FREED,
          status,
          next_date: null,
          payments_made: 1,
          last_payment_at: NOW_ISO,
          last_result: 'succeeded',
          due_ms: null,
          lease_ms: 0,
        }),
      );
    },
  );

  test('moves a paused subscription to the next period and leaves it paused', () => {
    expect(afterPayment(charged({ status: 'paused' }), 0, { kind: 'succeeded' }, setting())).toMatchObject({
      status: 'paused',
      next_index: 1,
      next_date: '2027-02-15',
      due_ms: null,
      lease_ms: 0,
    });
  });
});

describe('a failed payment', () => {
  test('retries a failed payment after the first interval', () => {
    const row = charged({ unsent_tries: 2 });
    expect(afterPayment(row, 0, failed(), setting())).toEqual(
      subscription({
        ...FREED,
        status: 'past_due',
        failed_attempts: 1,
        attempts: 1,
        unpaid_since: '2027-01-15',
        retry_ms: later(NOW, DAY_MS),
        unsent_tries: 0,
        last_result: 'failed',
        last_reason: 'Not enough money',
        due_ms: later(NOW, DAY_MS),
        lease_ms: 0,
      }),
    );
  });

  test.each([
    [1, 3],
    [2, 5],
  ])('after %i failed retries is retried after %i days', (failures, days) => {
    const after = afterPayment(charged({ status: 'past_due', failed_attempts: failures }), 0, failed(), setting());
    expect(after).toMatchObject({ status: 'past_due', failed_attempts: failures + 1, retry_ms: later(NOW, days * DAY_MS) });
  });

  test('returns to the charged period if earlier periods were skipped', () => {
    const after = afterPayment(charged({ pending_index: 2 }), 2, failed(), setting());
    expect(after).toMatchObject({ next_index: 2, next_date: '2027-03-15', status: 'past_due' });
  });

  test('cancels the subscription after the last retry', () => {
    const after = afterPayment(charged({ status: 'past_due', failed_attempts: 3, retry_ms: tenantTime(1) }), 0, failed(), setting());
    expect(after).toMatchObject({
      status: 'cancelled',
      cancelled_by: 'service',
      cancel_reason: 'payment_failed',
      cancelled_at: NOW_ISO,
      failed_attempts: 0,
      retry_ms: null,
      due_ms: null,
    });
  });

  test('pauses the subscription after the last retry if the merchant chose so', () => {
    const row = charged({ status: 'past_due', failed_attempts: 3, retry_ms: tenantTime(1) });
    expect(afterPayment(row, 0, failed(), setting({ finalAction: 'pause' }))).toEqual(
      subscription({
        ...FREED,
        status: 'paused',
        attempts: 1,
        unpaid_since: '2027-01-15',
        paused_at: NOW_ISO,
        last_result: 'failed',
        last_reason: 'Not enough money',
        due_ms: null,
        lease_ms: 0,
      }),
    );
  });

  test('does not change a subscription that was paused in the meantime', () => {
    expect(afterPayment(charged({ status: 'paused' }), 0, failed(), setting())).toEqual(
      subscription({ ...FREED, status: 'paused', last_result: 'failed', last_reason: 'Not enough money', due_ms: null, lease_ms: 0 }),
    );
  });

  test('does not retry a failed payment if the subscription was paused and resumed after the period', () => {
    const after = afterPayment(charged({ next_index: 1, next_date: '2027-02-15' }), 0, failed(), setting());
    expect(after).toMatchObject({ status: 'active', next_index: 1, failed_attempts: 0, due_ms: startOf('2027-02-15') });
  });
});

describe('the advice of the processor on a failed payment', () => {
  const advised = (advice: Extract<Result, { kind: 'failed' }>['advice'], failures = 0) =>
    afterPayment(charged({ status: 'past_due', failed_attempts: failures }), 0, failed({ advice }), setting());

  test.each(['stop-card', 'stop-plan'] as const)('the advice %s ends the retries', (kind) => {
    expect(advised({ kind })).toMatchObject({ status: 'cancelled', cancel_reason: 'payment_failed' });
  });

  test('the advice update-card waits for all remaining intervals and then retries once', () => {
    expect(advised({ kind: 'update-card' })).toMatchObject({ failed_attempts: 3, retry_ms: later(NOW, 9 * DAY_MS) });
    expect(advised({ kind: 'update-card' }, 1)).toMatchObject({ failed_attempts: 3, retry_ms: later(NOW, 8 * DAY_MS) });
    expect(advised({ kind: 'update-card' }, 3)).toMatchObject({ status: 'cancelled' });
  });

  test('the advice wait delays the retry, but never makes it earlier', () => {
    expect(advised({ kind: 'wait', days: 10 })).toMatchObject({ failed_attempts: 1, retry_ms: later(NOW, 10 * DAY_MS) });
    expect(advised({ kind: 'wait', days: 2 }, 1)).toMatchObject({ failed_attempts: 2, retry_ms: later(NOW, 3 * DAY_MS) });
    expect(advised({ kind: 'wait', days: 10 }, 3)).toMatchObject({ status: 'cancelled' });
  });
});

describe('a payment that never reached the gateway', () => {
  const unsent = { kind: 'unsent', reason: 'unreachable' } as const;

  test('sends an unsent payment again after 15 seconds, without a failed attempt', () => {
    expect(afterPayment(charged(), 0, unsent, setting())).toEqual(
      subscription({ ...FREED, unsent_tries: 1, last_reason: 'unreachable', due_ms: later(NOW, 15_000), lease_ms: 0 }),
    );
  });

  test.each([
    [1, 30_000],
    [5, 480_000],
    [12, 61_440_000],
    [13, DAY_MS],
    [40, DAY_MS],
  ])('waits twice as long each time, at most a day: try %i waits %i ms', (tries, wait) => {
    expect(afterPayment(charged({ unsent_tries: tries }), 0, unsent, setting())).toMatchObject({
      due_ms: later(NOW, wait),
      retry_ms: null,
      unsent_tries: tries + 1,
    });
  });

  test('moves the retry of a past-due subscription', () => {
    expect(afterPayment(charged({ status: 'past_due', retry_ms: tenantTime(5) }), 0, unsent, setting())).toMatchObject({
      status: 'past_due',
      retry_ms: later(NOW, 15_000),
      due_ms: later(NOW, 15_000),
    });
  });

  test('does not send a payment again if the subscription was canceled in the meantime', () => {
    expect(afterPayment(charged({ status: 'cancelled', retry_ms: tenantTime(5) }), 0, unsent, setting())).toEqual(
      subscription({
        ...FREED,
        status: 'cancelled',
        unsent_tries: 1,
        retry_ms: tenantTime(5),
        last_reason: 'unreachable',
        due_ms: null,
        lease_ms: 0,
      }),
    );
  });
});

describe('a payment that the bank returned', () => {
  const paid = (overrides: Partial<SubscriptionRow> = {}) =>
    subscription({ next_index: 1, next_date: '2027-02-15', payments_made: 1, last_result: 'succeeded', ...overrides });

  test('retries a returned payment of the latest period like a declined one', () => {
    expect(afterReturn(paid({ failed_attempts: 2, unsent_tries: 1 }), 0, failed(), setting())).toEqual(
      subscription({
        updated_at: NOW_ISO,
        status: 'past_due',
        failed_attempts: 1,
        attempts: 1,
        unpaid_since: '2027-01-15',
        retry_ms: later(NOW, DAY_MS),
        last_result: 'failed',
        last_reason: 'Not enough money',
        due_ms: later(NOW, DAY_MS),
        lease_ms: 0,
      }),
    );
  });

  test('revives an expired subscription', () => {
    expect(afterReturn(paid({ status: 'expired', expired_at: 'x', next_date: null }), 0, failed(), setting())).toMatchObject({
      status: 'past_due',
      expired_at: null,
      next_date: '2027-01-15',
    });
  });

  test.each([
    ['an earlier period', {}, 5],
    ['a period of a former calendar', {}, null],
    ['the latest period while another payment is in progress', { pending_transaction: 'txn_2' }, 0],
    ['a paused subscription', { status: 'paused' }, 0],
    ['a cancelled subscription', { status: 'cancelled' }, 0],
    ['a past-due subscription', { status: 'past_due' }, 0],
  ] as const)('a returned payment of %s is only no longer counted', (_, input, index) => {
    expect(afterReturn(paid(input), index, failed(), setting())).toEqual(paid({ ...input, payments_made: 0, updated_at: NOW_ISO }));
  });
});

describe('a resumed subscription', () => {
  const paused = (overrides: Partial<SubscriptionRow> = {}) =>
    subscription({ status: 'paused', paused_at: 'x', anchor_date: '2026-10-20', next_index: 1, next_date: '2026-11-20', ...overrides });

  test('continues with the first period that is not in the past', () => {
    expect(afterResume(paused({ failed_attempts: 2, retry_ms: tenantTime(5), unsent_tries: 1 }), setting())).toEqual(
      subscription({
        anchor_date: '2026-10-20',
        next_index: 3,
        next_date: '2027-01-20',
        due_ms: startOf('2027-01-20'),
        lease_ms: 0,
      }),
    );
  });

  test('does not charge the period again whose payment is in progress', () => {
    expect(afterResume(paused({ pending_transaction: 'txn_1', pending_index: 3 }), setting()).next_index).toBe(4);
    expect(afterResume(paused({ pending_transaction: 'txn_1', pending_index: 1 }), setting()).next_index).toBe(3);
  });

  test('continues with the first period if that is still to come', () => {
    const row = paused({ anchor_date: '2027-02-01', next_index: 0, next_date: '2027-02-01' });
    expect(afterResume(row, setting())).toMatchObject({ next_index: 0, next_date: '2027-02-01', due_ms: startOf('2027-02-01') });
  });

  test('never returns to an earlier period', () => {
    expect(afterResume(paused({ next_index: 6 }), setting()).next_index).toBe(6);
  });
});

describe('the displayed date of the next payment', () => {
  test.each([
    ['2027-01-15', {}],
    ['2027-01-15', { retry_ms: later(NOW, 3 * DAY_MS) }],
    ['2027-01-18', { status: 'past_due', retry_ms: later(NOW, 3 * DAY_MS) }],
    ['2027-01-15', { status: 'past_due' }],
    [null, { status: 'paused' }],
    [null, { status: 'cancelled', retry_ms: NOW }],
    [null, { status: 'expired' }],
  ] as const)('the displayed date is %s for %o', (expected, input) => {
    expect(nextPaymentDate(subscription(input), ZONE)).toBe(expected);
  });
});
