import { describe, expect, test } from 'vitest';
import type { Work } from '#core/database';
import { type Currency, later, money, tenantTime } from '#core/kernel';
import type { Dependencies } from '../../../core/sales/payments/dependencies.ts';
import { afterRetry, emitCancelled, lockEntryOf, newEntry, writeEntry } from '../../../core/sales/payments/queue-entries/outcome.ts';
import { delayBefore, delaySince, FRESH_ENTRY_DELAY_MS } from '../../../core/sales/payments/queue-entries/schedule.ts';
import { type QueueRow, type QueueStatus, REFUND_QUEUE } from '../../../core/sales/payments/queue-entries/schema.ts';
import { QUEUE_STEPS, type QueueOperation } from '../../../core/sales/payments/queue-entries/steps.ts';
import type { RefundRow, TransactionRow } from '../../../core/sales/payments/schema.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const NOW = tenantTime(Date.parse('2026-11-20T10:00:00.000Z'));
const NOW_ISO = '2026-11-20T10:00:00.000Z';

describe('states of the refund decline queue', () => {
  const OPERATIONS: readonly QueueOperation[] = ['begin', 'approve', 'requeue', 'exhaust', 'retry', 'resolve', 'cancel'];
  const NO_ATTEMPT = 'RESOURCE_CONFLICT no_attempt';
  const waiting = ['processing', NO_ATTEMPT, NO_ATTEMPT, NO_ATTEMPT, 'processing', 'resolved', 'cancelled'];
  const expected: Readonly<Record<QueueStatus, readonly string[]>> = {
    pending: waiting,
    retry: waiting,
    processing: ['processing', 'resolved', 'retry', 'failed', 'processing', 'resolved', 'cancelled'],
    failed: ['RESOURCE_CONFLICT failed', NO_ATTEMPT, NO_ATTEMPT, NO_ATTEMPT, 'processing', 'resolved', 'cancelled'],
    resolved: OPERATIONS.map(() => 'RESOURCE_CONFLICT resolved'),
    cancelled: OPERATIONS.map(() => 'RESOURCE_CONFLICT cancelled'),
  };

  test.each(Object.entries(expected))('allows and refuses the specified operations of an entry in state %s', (status, row) => {
    const table = QUEUE_STEPS[status as QueueStatus];
    const shown = OPERATIONS.map((operation) => {
      const next = table[operation];
      return typeof next === 'string' ? next : `${next.code} ${next.reason}`;
    });
    expect(shown).toEqual(row);
  });
});

describe('the retry schedule of declined refunds', () => {
  test('waits 0, 5, 10, 20, 60, 120, 360, 720 and 1,440 minutes, then a day before every further retry', () => {
    const minutes = Array.from({ length: 11 }, (_, index) => delayBefore(index + 1) / MINUTE_MS);
    expect(minutes).toEqual([0, 5, 10, 20, 60, 120, 360, 720, 1_440, 1_440, 1_440]);
  });

  test('waits a day if there is no such retry', () => {
    expect(delayBefore(0)).toBe(24 * HOUR_MS);
  });

  test('runs every five minutes', () => {
    expect(FRESH_ENTRY_DELAY_MS).toBe(5 * MINUTE_MS);
  });

  test.each([
    ['at least the minimum', 0, 5 * MINUTE_MS],
    ['at least the minimum', 5 * MINUTE_MS, 5 * MINUTE_MS],
    ['as long as it has waited so far', 17 * MINUTE_MS, 17 * MINUTE_MS],
    ['at most an hour', 61 * MINUTE_MS, HOUR_MS],
  ])('waits %s after waiting %i ms for an unavailable gateway', (_, waitedMs, expected) => {
    expect(delaySince(NOW - waitedMs, NOW, 5 * MINUTE_MS)).toBe(expected);
  });
});

const transaction = { gateway: 'nmi', customer_name: 'Ada', customer_email: 'ada@shop.example' } as TransactionRow;
const refund = {
  tenant_id: 'ten_1',
  id: 'ref_1',
  transaction_id: 'txn_1',
  merchant_id: 'mer_1',
  amount_minor: 2_500,
  currency: 'USD',
  card_brand: 'visa',
  last4: '1111',
  card_expiry: '12/2030',
  account_type: null,
} as RefundRow;
const declined = { kind: 'declined', declineCode: 'insufficient_funds', declineReason: 'Not enough money' } as const;
const entry = (overrides: Partial<QueueRow> = {}): QueueRow => ({ ...newEntry(transaction, refund, declined, 3, NOW), ...overrides });

describe('a new entry of the refund decline queue', () => {
  test('copies the refund and the decline, and is due immediately through the API and after five minutes for the scheduler', () => {
    const { id, ...row } = entry();
    expect(id).toMatch(/^rdq_/);
    expect(row).toEqual({
      tenant_id: 'ten_1',
      transaction_id: 'txn_1',
      refund_id: 'ref_1',
      merchant_id: 'mer_1',
      status: 'pending',
      amount_minor: 2_500,
      currency: 'USD',
      decline_code: 'insufficient_funds',
      decline_reason: 'Not enough money',
      gateway: 'nmi',
      attempt_count: 0,
      max_attempts: 3,
      last_attempt_at: null,
      last_error: null,
      scheduled_ms: NOW,
      customer_name: 'Ada',
      customer_email: 'ada@shop.example',
      card_brand: 'visa',
      last4: '1111',
      card_expiry: '12/2030',
      account_type: null,
      resolved_at: null,
      resolved_by: null,
      resolution_notes: null,
      refund_method: null,
      refund_date: null,
      cancelled_at: null,
      cancelled_by: null,
      cancellation_reason: null,
      cancellation_notes: null,
      created_ms: NOW,
      resolved_ms: null,
      due_ms: NOW + 5 * MINUTE_MS,
      lease_ms: 0,
      fence: 0,
      updated_at: NOW_ISO,
    });
  });
});

describe('the result of a retried refund', () => {
  const anHourLater = later(NOW, HOUR_MS);
  const laterIso = '2026-11-20T11:00:00.000Z';
  const processing = (overrides: Partial<QueueRow> = {}) => entry({ status: 'processing', due_ms: null, ...overrides });

  test('resolves the entry if the gateway approves it', () => {
    const before = processing({ attempt_count: 1 });
    expect(afterRetry(before, { kind: 'approved', reference: 'r' }, anHourLater)).toEqual({
      ...before,
      status: 'resolved',
      attempt_count: 2,
      last_attempt_at: laterIso,
      resolved_at: laterIso,
      resolved_ms: anHourLater,
      resolved_by: 'service',
      scheduled_ms: null,
      due_ms: null,
      lease_ms: 0,
      updated_at: laterIso,
    });
  });

  test('uses no attempt and schedules another retry if the gateway was not reached', () => {
    const before = processing();
    const next = later(anHourLater, HOUR_MS);
    expect(afterRetry(before, { kind: 'not-sent', reason: 'unreachable', retry: 'unavailable' }, anHourLater)).toEqual({
      ...before,
      status: 'retry',
      last_attempt_at: laterIso,
      last_error: 'unreachable',
      scheduled_ms: next,
      due_ms: next,
      lease_ms: 0,
      updated_at: laterIso,
    });
  });

  test('waits at least five minutes after a gateway that was not reached', () => {
    const after = afterRetry(processing(), { kind: 'not-sent', reason: 'unreachable', retry: 'unavailable' }, later(NOW, MINUTE_MS));
    expect(after.due_ms).toBe(NOW + 6 * MINUTE_MS);
  });

  test.each([
    [0, 'retry', 5 * MINUTE_MS],
    [1, 'retry', 10 * MINUTE_MS],
    [2, 'failed', null],
    [3, 'failed', null],
  ] as const)('after %i attempts, another decline makes the entry %s', (attempts, status, delay) => {
    const before = processing({ attempt_count: attempts });
    const due = delay === null ? null : later(anHourLater, delay);
    expect(afterRetry(before, { ...declined, declineCode: 'expired_card', declineReason: 'Expired' }, anHourLater)).toEqual({
      ...before,
      status,
      attempt_count: attempts + 1,
      decline_code: 'expired_card',
      decline_reason: 'Expired',
      last_attempt_at: laterIso,
      last_error: 'expired_card: Expired',
      scheduled_ms: due,
      due_ms: due,
      lease_ms: 0,
      updated_at: laterIso,
    });
  });

  test('refuses a result if no attempt is in progress', () => {
    for (const outcome of [{ kind: 'approved', reference: 'r' }, declined, { kind: 'not-sent', reason: 'x', retry: 'error' }] as const)
      expect(() => afterRetry(entry(), outcome, anHourLater)).toThrowError(
        expect.objectContaining({ code: 'RESOURCE_CONFLICT', details: { reason: 'no_attempt' } }),
      );
  });
});

describe('a stored entry of the refund decline queue', () => {
  /** Runs a change with a work and dependencies that keep what is written. */
  async function changesOf(change: (deps: Dependencies, work: Work) => Promise<void>) {
    const written: unknown[] = [];
    const events: unknown[] = [];
    const changed: unknown[] = [];
    const work = {
      insert: async (table: unknown, values: unknown) => written.push(['insert', table, values]),
      update: async (table: unknown, where: unknown, values: unknown) => written.push(['update', table, where, values]),
      afterCommit: (callback: () => void) => callback(),
    } as unknown as Work;
    const deps = {
      emit: async (_: Work, event: unknown) => events.push(event),
      changed: (...overrides: unknown[]) => changed.push(overrides),
    } as unknown as Dependencies;
    await change(deps, work);
    return { written, events, changed };
  }
  const stored = (before: QueueRow | null, row: QueueRow) => changesOf((deps, work) => writeEntry(deps, work, before, row, NOW));
  const event = { tenantId: 'ten_1', merchantId: 'mer_1', resourceId: 'txn_1', atMs: NOW };
  const data = (row: QueueRow) => ({ id: row.id, transactionId: 'txn_1', amount: money(2_500, 'USD' as Currency) });

  test('inserts and publishes a new entry with its decline reason', async () => {
    const row = entry();
    const { written, events, changed } = await stored(null, row);
    expect(written).toEqual([['insert', REFUND_QUEUE, row]]);
    expect(events).toEqual([{ ...event, type: 'refund_decline_queue.created', data: { ...data(row), declineReason: 'Not enough money' } }]);
    expect(changed).toEqual([['ten_1', 'refund-queue', 'mer_1']]);
  });

  test('updates a resolved entry by its ID and publishes it once', async () => {
    const row = entry({ status: 'resolved', resolved_at: NOW_ISO });
    const { written, events, changed } = await stored(entry(), row);
    const { tenant_id: _, id, ...set } = row;
    expect(written).toEqual([['update', REFUND_QUEUE, { id }, set]]);
    expect(events).toEqual([{ ...event, type: 'refund_decline_queue.resolved', data: { ...data(row), resolvedAt: NOW_ISO } }]);
    expect(changed).toEqual([['ten_1', 'refund-queue', 'mer_1']]);
  });

  test('publishes a failed entry with its attempts and last error', async () => {
    const row = entry({ status: 'failed', attempt_count: 3, last_error: 'declined' });
    const { events } = await stored(entry(), row);
    expect(events).toEqual([
      { ...event, type: 'refund_decline_queue.failed', data: { ...data(row), attemptCount: 3, lastError: 'declined' } },
    ]);
  });

  test('publishes a canceled entry with the person and the reason', async () => {
    const row = entry({ status: 'cancelled', cancelled_at: NOW_ISO, cancelled_by: 'Ada', cancellation_reason: 'Paid by check' });
    const { events, changed } = await changesOf((deps, work) => emitCancelled(deps, work, row, NOW));
    const cancellation = { reason: 'Paid by check', cancelledBy: 'Ada', cancelledAt: NOW_ISO };
    expect(events).toEqual([{ ...event, type: 'refund_decline_queue.cancelled', data: { ...data(row), ...cancellation } }]);
    expect(changed).toEqual([['ten_1', 'refund-queue', 'mer_1']]);
  });

  test('publishes no event while it waits for another retry, but notifies the screens', async () => {
    const { events, changed } = await stored(entry(), entry({ status: 'retry' }));
    expect(events).toEqual([]);
    expect(changed).toEqual([['ten_1', 'refund-queue', 'mer_1']]);
  });

  test('locks an entry by its refund', async () => {
    const row = entry();
    const asked: unknown[] = [];
    const work = {
      lockOne: async (...overrides: unknown[]) => {
        asked.push(overrides);
        return row;
      },
    } as unknown as Work;
    expect(await lockEntryOf(work, 'ref_1')).toBe(row);
    expect(asked).toEqual([[REFUND_QUEUE, { refund_id: 'ref_1' }]]);
  });
});
