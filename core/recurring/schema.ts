import { type GuardedUpdate, table } from '#core/database';
import type { DueRow } from '#core/platform/scheduling';
import type { Frequency } from './calendar.ts';

/** Where a subscription stands (decisions 7). */
export type SubscriptionStatus = 'active' | 'past_due' | 'paused' | 'cancelled' | 'expired';

/** A recurring plan of one customer. `due_ms` is when it is looked at next: a payment, a retry, its end, or a payment in doubt. */
export interface SubscriptionRow extends DueRow {
  merchant_id: string;
  customer_id: string;
  plan_id: string | null;
  /** What is charged; null goes by the customer's default. */
  payment_method_id: string | null;
  amount_minor: number;
  currency: string;
  frequency: Frequency;
  status: SubscriptionStatus;
  start_date: string;
  /** The date that periods are counted from, so that month ends are kept. */
  anchor_date: string;
  /** The period to be charged next, counted from the anchor. */
  next_index: number;
  /** Its date; null when no more comes. */
  next_date: string | null;
  end_date: string | null;
  total_payments: number | null;
  payments_made: number;
  /** Tries of the present period that failed. */
  failed_attempts: number;
  /** When a past-due one is tried again. */
  retry_ms: number | null;
  /** Tries on end that never reached the gateway. */
  unsent_tries: number;
  last_payment_at: string | null;
  last_result: 'succeeded' | 'failed' | null;
  last_reason: string | null;
  /** The payment under way, its entry in the history and the period that it is for. */
  busy_transaction: string | null;
  busy_payment: string | null;
  busy_index: number | null;
  paused_at: string | null;
  cancelled_at: string | null;
  cancelled_by: string | null;
  cancel_reason: string | null;
  expired_at: string | null;
  deleted_at: string | null;
  /** The Idempotency-Key that waits for the first payment. */
  once_credential: string | null;
  once_key: string | null;
  once_route: string | null;
  created_at: string;
  updated_at: string;
}

export const SUBSCRIPTIONS = table<SubscriptionRow>(
  'subscriptions',
  {
    tenant_id: 'text',
    id: 'text',
    merchant_id: 'text',
    customer_id: 'text',
    plan_id: 'text?',
    payment_method_id: 'text?',
    amount_minor: 'integer',
    currency: 'text',
    frequency: 'text',
    status: 'text',
    start_date: 'text',
    anchor_date: 'text',
    next_index: 'integer',
    next_date: 'text?',
    end_date: 'text?',
    total_payments: 'integer?',
    payments_made: 'integer',
    failed_attempts: 'integer',
    retry_ms: 'integer?',
    unsent_tries: 'integer',
    last_payment_at: 'text?',
    last_result: 'text?',
    last_reason: 'text?',
    busy_transaction: 'text?',
    busy_payment: 'text?',
    busy_index: 'integer?',
    paused_at: 'text?',
    cancelled_at: 'text?',
    cancelled_by: 'text?',
    cancel_reason: 'text?',
    expired_at: 'text?',
    deleted_at: 'text?',
    once_credential: 'text?',
    once_key: 'text?',
    once_route: 'text?',
    due_ms: 'integer?',
    lease_ms: 'integer',
    fence: 'integer',
    created_at: 'text',
    updated_at: 'text',
  },
  {
    key: ['tenant_id', 'id'],
    indexes: [
      { name: 'subscriptions_by_status', columns: ['tenant_id', 'status', 'id'] },
      { name: 'subscriptions_by_customer', columns: ['tenant_id', 'customer_id', 'id'] },
      { name: 'subscriptions_by_next_date', columns: ['tenant_id', 'next_date'], where: 'next_date IS NOT NULL' },
      { name: 'subscriptions_busy', columns: ['tenant_id', 'busy_transaction'], where: 'busy_transaction IS NOT NULL' },
      { name: 'subscriptions_asked', columns: ['tenant_id', 'once_key'], where: 'once_key IS NOT NULL' },
      { name: 'subscriptions_due', columns: ['tenant_id', 'due_ms'], where: 'due_ms IS NOT NULL' },
    ],
  },
);

/** Marks a subscription with the payment that is about to be sent; lost when somebody changed it or took it over. */
export const MARK_SUBSCRIPTION: GuardedUpdate<SubscriptionRow> = {
  table: SUBSCRIPTIONS,
  where: ['tenant_id', 'id', 'fence'],
  set: ['busy_transaction', 'busy_payment', 'busy_index'],
  guard: 'busy_transaction IS NULL',
};

/** What a payment made of its subscription; lost when somebody changed it meanwhile. */
export const SETTLE_SUBSCRIPTION: GuardedUpdate<SubscriptionRow> = {
  table: SUBSCRIPTIONS,
  where: ['tenant_id', 'id', 'fence'],
  // The key of a request is answered apart, at its own time.
  set: SUBSCRIPTIONS.columns.filter(
    (column) => !['tenant_id', 'id', 'fence', 'once_credential', 'once_key', 'once_route'].includes(column),
  ),
  guard: 'busy_transaction IS NOT NULL',
};

/** pending: at the gateway. unsent: the gateway was away. missed: periods that passed without a service and are not charged. */
export type PeriodStatus = 'pending' | 'succeeded' | 'failed' | 'unsent' | 'missed';

/** One try to charge a period, or periods that were let go: the history of a subscription. */
export interface PeriodRow {
  tenant_id: string;
  id: string;
  subscription_id: string;
  due_date: string;
  /** How many periods from `due_date` on it stands for. */
  periods: number;
  attempt: number;
  amount_minor: number;
  currency: string;
  status: PeriodStatus;
  transaction_id: string | null;
  decline_code: string | null;
  decline_reason: string | null;
  created_at: string;
  concluded_at: string | null;
}

export const PERIODS = table<PeriodRow>(
  'subscription_payments',
  {
    tenant_id: 'text',
    id: 'text',
    subscription_id: 'text',
    due_date: 'text',
    periods: 'integer',
    attempt: 'integer',
    amount_minor: 'integer',
    currency: 'text',
    status: 'text',
    transaction_id: 'text?',
    decline_code: 'text?',
    decline_reason: 'text?',
    created_at: 'text',
    concluded_at: 'text?',
  },
  {
    key: ['tenant_id', 'id'],
    indexes: [
      { name: 'subscription_payments_by_subscription', columns: ['tenant_id', 'subscription_id', 'id'] },
      // No period is ever paid twice, whatever else goes wrong.
      {
        name: 'subscription_payments_once',
        columns: ['tenant_id', 'subscription_id', 'due_date'],
        where: "status IN ('pending', 'succeeded')",
        unique: true,
      },
    ],
  },
);

export const CONCLUDE_PERIOD: GuardedUpdate<PeriodRow> = {
  table: PERIODS,
  where: ['tenant_id', 'id'],
  set: ['status', 'decline_code', 'decline_reason', 'concluded_at'],
  guard: "status = 'pending'",
};
