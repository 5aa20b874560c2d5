import { tenantTime } from '#core/kernel';
import type { BillingContext } from '../../../core/billing/recurring/billing-cycle.ts';
import type { Result } from '../../../core/billing/recurring/dunning.ts';
import type { SubscriptionRow } from '../../../core/billing/recurring/schema.ts';

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;
export const ZONE = 'America/New_York';
/** 7 a.m. on January 15 in New York. */
export const NOW = tenantTime(Date.parse('2027-01-15T12:00:00.000Z'));
export const NOW_ISO = '2027-01-15T12:00:00.000Z';

export const setting = (overrides: Partial<BillingContext['dunning']> = {}, now = NOW): BillingContext => ({
  now,
  zone: ZONE,
  dunning: { retryIntervalsDays: [1, 3, 5], finalAction: 'cancel', notifyCustomer: false, missedPeriods: 'latest', ...overrides },
});

/** A monthly subscription whose first period is due today. */
export const subscription = (overrides: Partial<SubscriptionRow> = {}) =>
  ({
    id: 'sub_1',
    frequency: 'monthly',
    status: 'active',
    start_date: '2027-01-15',
    anchor_date: '2027-01-15',
    next_index: 0,
    next_date: '2027-01-15',
    end_date: null,
    total_payments: null,
    payments_made: 0,
    failed_attempts: 0,
    attempts: 0,
    unpaid_minor: null,
    unpaid_tax_minor: null,
    unpaid_since: null,
    retry_ms: null,
    unsent_tries: 0,
    last_payment_at: null,
    last_result: null,
    last_reason: null,
    pending_transaction: null,
    pending_payment: null,
    pending_index: null,
    paused_at: null,
    cancelled_at: null,
    cancelled_by: null,
    cancel_reason: null,
    expired_at: null,
    due_ms: NOW - HOUR_MS,
    lease_ms: 99,
    fence: 7,
    updated_at: 'before',
    ...overrides,
  }) as SubscriptionRow;
export const charged = (overrides: Partial<SubscriptionRow> = {}) =>
  subscription({ pending_transaction: 'txn_1', pending_payment: 'spm_1', pending_index: 0, ...overrides });

export const FREED = { pending_transaction: null, pending_payment: null, pending_index: null, updated_at: NOW_ISO };
export const startOf = (date: string) => tenantTime(Date.parse(`${date}T05:00:00.000Z`));
export const failed = (overrides: Partial<Extract<Result, { kind: 'failed' }>> = {}) =>
  ({ kind: 'failed', declined: true, code: 'insufficient_funds', reason: 'Not enough money', ...overrides }) as const;
