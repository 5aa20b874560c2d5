import { dueColumns, type GuardedUpdate, integer, type RowOf, table, text } from '#core/database';
import type { TenantTime } from '#core/kernel';
import type { Frequency } from './calendar.ts';

/** Status of a subscription. */
export const SUBSCRIPTION_STATUSES = ['active', 'paused', 'past_due', 'cancelled', 'expired'] as const;
export type SubscriptionStatus = (typeof SUBSCRIPTION_STATUSES)[number];

/**
 * Subscriptions of customers. `due_ms` is the time of the next step: a payment, a retry, the end, or an inquiry about an unconfirmed
 * payment.
 */
export const SUBSCRIPTIONS = table(
  'subscriptions',
  {
    tenant_id: text,
    id: text,
    merchant_id: text,
    customer_id: text,
    plan_id: text.optional,
    /** Payment method to charge; null means the customer's default. */
    payment_method_id: text.optional,
    amount_minor: integer,
    /** Tax within the amount of each payment. */
    tax_minor: integer,
    currency: text,
    /** Purchase order number of a business customer, which each payment carries. */
    purchase_order_number: text.optional,
    /** JSON of Agreement: how the customer agreed to the payments; null for subscriptions from before it was recorded. */
    agreement: text.optional,
    frequency: text.of<Frequency>(),
    status: text.of<SubscriptionStatus>(),
    start_date: text,
    /** The date that periods are counted from, so that month ends are kept. */
    anchor_date: text,
    /** The period to be charged next, counted from the anchor. */
    next_index: integer,
    /** Date of the next period; null if there is none. */
    next_date: text.optional,
    /** Date of the next payment as people see it, by which lists are sorted; see `nextPaymentDate`. */
    next_payment_on: text.optional,
    end_date: text.optional,
    total_payments: integer.optional,
    payments_made: integer,
    /** Failed attempts of the present period by the retry schedule. */
    failed_attempts: integer,
    /** All failed attempts of the present period, also those that a person or a new card caused. */
    attempts: integer,
    /** Amount and tax of the present period from its first attempt on: a change of the subscription applies from the next period on. */
    unpaid_minor: integer.optional,
    unpaid_tax_minor: integer.optional,
    /** Date of the first of the successive periods that were declined; null after a success. */
    unpaid_since: text.optional,
    /** Time of the next retry of a past due subscription. */
    retry_ms: integer.of<TenantTime>().optional,
    /** Consecutive attempts that never reached the gateway. */
    unsent_tries: integer,
    last_payment_at: text.optional,
    last_result: text.of<'succeeded' | 'failed'>().optional,
    last_reason: text.optional,
    /** The pending payment, its history entry and its period. */
    pending_transaction: text.optional,
    pending_payment: text.optional,
    pending_index: integer.optional,
    paused_at: text.optional,
    cancelled_at: text.optional,
    cancelled_by: text.optional,
    cancel_reason: text.optional,
    expired_at: text.optional,
    deleted_at: text.optional,
    /** The idempotency key of the request that waits for the payment. */
    idempotency_credential: text.optional,
    idempotency_key: text.optional,
    idempotency_route: text.optional,
    ...dueColumns<TenantTime>(),
    created_at: text,
    updated_at: text,
  },
  {
    key: ['tenant_id', 'id'],
    indexes: [
      { name: 'subscriptions_by_status', columns: ['tenant_id', 'status', 'id'] },
      { name: 'subscriptions_by_customer', columns: ['tenant_id', 'customer_id', 'id'] },
      {
        name: 'subscriptions_by_next_payment',
        columns: ['tenant_id', 'merchant_id', 'next_payment_on', 'id'],
        where: 'next_payment_on IS NOT NULL',
      },
      {
        name: 'subscriptions_of_tenant_by_next_payment',
        columns: ['tenant_id', 'next_payment_on', 'id'],
        where: 'next_payment_on IS NOT NULL',
      },
      { name: 'subscriptions_busy', columns: ['tenant_id', 'pending_transaction'], where: 'pending_transaction IS NOT NULL' },
      { name: 'subscriptions_by_idempotency_key', columns: ['tenant_id', 'idempotency_key'], where: 'idempotency_key IS NOT NULL' },
      { name: 'subscriptions_due', columns: ['tenant_id', 'due_ms', 'id'], where: 'due_ms IS NOT NULL' },
    ],
    counts: { by: ['merchant_id', 'status'], unless: 'deleted_at' },
  },
);

export type SubscriptionRow = RowOf<typeof SUBSCRIPTIONS>;

/** Marks a subscription with the payment that is about to be sent; fails if it was changed or claimed in the meantime. */
export const MARK_SUBSCRIPTION: GuardedUpdate<SubscriptionRow> = {
  table: SUBSCRIPTIONS,
  where: ['tenant_id', 'id', 'fence'],
  set: ['pending_transaction', 'pending_payment', 'pending_index', 'unpaid_minor', 'unpaid_tax_minor'],
  guard: 'pending_transaction IS NULL',
};

/**
 * Writes the success of a payment to its subscription; fails if it was changed in the meantime. It sets the columns that `afterPayment` changes, because
 * each further column is written to its indexes as well.
 */
export const SETTLE_SUBSCRIPTION: GuardedUpdate<SubscriptionRow> = {
  table: SUBSCRIPTIONS,
  where: ['tenant_id', 'id', 'fence'],
  set: [
    'status',
    'next_index',
    'next_date',
    'next_payment_on',
    'payments_made',
    'failed_attempts',
    'attempts',
    'unpaid_minor',
    'unpaid_tax_minor',
    'unpaid_since',
    'retry_ms',
    'unsent_tries',
    'last_payment_at',
    'last_result',
    'last_reason',
    'pending_transaction',
    'pending_payment',
    'pending_index',
    'expired_at',
    'due_ms',
    'lease_ms',
    'updated_at',
  ],
  guard: 'pending_transaction IS NOT NULL',
};

/** Same as `SETTLE_SUBSCRIPTION` for a payment for which a request waits, whose key is cleared. */
export const SETTLE_REQUESTED_SUBSCRIPTION: GuardedUpdate<SubscriptionRow> = {
  ...SETTLE_SUBSCRIPTION,
  set: [...SETTLE_SUBSCRIPTION.set, 'idempotency_credential', 'idempotency_key', 'idempotency_route'],
};

/**
 * `pending`: at the gateway. `unsent`: the gateway did not answer. `missed`: periods that passed without an attempt and are not charged.
 * `abandoned`: a period that was declined and is not charged any more, because the next one is due.
 */
export const PERIOD_STATUSES = ['pending', 'succeeded', 'failed', 'unsent', 'missed', 'abandoned'] as const;
export type PeriodStatus = (typeof PERIOD_STATUSES)[number];

/** An attempt to charge a period, or skipped periods: the history of a subscription. */
export const PERIODS = table(
  'subscription_payments',
  {
    tenant_id: text,
    id: text,
    subscription_id: text,
    due_date: text,
    /** Number of periods that the entry covers, starting at `due_date`. */
    periods: integer,
    attempt: integer,
    amount_minor: integer,
    currency: text,
    status: text.of<PeriodStatus>(),
    transaction_id: text.optional,
    decline_code: text.optional,
    decline_reason: text.optional,
    created_at: text,
    concluded_at: text.optional,
  },
  {
    key: ['tenant_id', 'id'],
    indexes: [
      { name: 'subscription_payments_by_subscription', columns: ['tenant_id', 'subscription_id', 'id'] },
      // The last safeguard against charging a period twice.
      {
        name: 'subscription_payments_once',
        columns: ['tenant_id', 'subscription_id', 'due_date'],
        where: "status IN ('pending', 'succeeded')",
        unique: true,
      },
    ],
  },
);

export type PeriodRow = RowOf<typeof PERIODS>;

export const CONCLUDE_PERIOD: GuardedUpdate<PeriodRow> = {
  table: PERIODS,
  where: ['tenant_id', 'id'],
  set: ['status', 'decline_code', 'decline_reason', 'concluded_at'],
  guard: "status = 'pending'",
};
