import { dueColumns, integer, type RowOf, table, text } from '#core/database';
import type { TenantTime } from '#core/kernel';
import type { Channel } from '#shared/channels';

/** Intervals between installments, named as the frequencies of subscriptions. */
export const INTERVALS = ['weekly', 'biweekly', 'monthly'] as const;

/** `past_due`: an installment failed and is not retried automatically any more. */
export const PLAN_STATUSES = ['active', 'past_due', 'paused', 'completed', 'canceled'] as const;
export type PlanStatus = (typeof PLAN_STATUSES)[number];

/** Plans that pay an invoice in installments. `due_ms` is the time of the next charge; null while a payment is pending. */
export const INSTALLMENT_PLANS = table(
  'installment_plans',
  {
    tenant_id: text,
    id: text,
    merchant_id: text,
    customer_id: text,
    invoice_id: text,
    /** Payment method to charge; null after it was removed. */
    payment_method_id: text.optional,
    consent_text: text,
    consent_at: text,
    /** Channel by which the customer agreed; null if it was not recorded. */
    agreement_channel: text.of<Channel>().optional,
    currency: text,
    /** Amount of the invoice, which cannot be changed while the plan is open. */
    invoice_minor: integer,
    /** Sum of the installments: the amount due when the plan was created. */
    amount_minor: integer,
    /** Amount of the invoice that was paid before the plan. */
    base_minor: integer,
    /** Amount that was paid since. */
    paid_minor: integer,
    installment_count: integer,
    /** Null if the dates were given one by one. */
    charge_interval: text.of<(typeof INTERVALS)[number]>().optional,
    status: text.of<PlanStatus>(),
    /** Number of the first installment that is not fully paid; null if all are. */
    next_number: integer.optional,
    /** Failed attempts of the next installment. */
    failed_attempts: integer,
    retry_ms: integer.of<TenantTime>().optional,
    /** Consecutive attempts that never reached the gateway. */
    unsent_tries: integer,
    last_payment_at: text.optional,
    last_decline_code: text.optional,
    last_reason: text.optional,
    /** Transaction and attempt of the pending payment. */
    pending_transaction: text.optional,
    pending_payment: text.optional,
    /** Transaction that was pending when the payment method was changed or renewed: if it fails, the new one is charged immediately. */
    renewed_during: text.optional,
    /** `payment_voided`: a payment of the invoice was voided, so a person decides whether it is charged again. */
    pause_reason: text.of<'person' | 'payment_voided'>().optional,
    paused_at: text.optional,
    past_due_at: text.optional,
    completed_at: text.optional,
    canceled_at: text.optional,
    canceled_by: text.optional,
    cancel_reason: text.optional,
    created_by: text,
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
      { name: 'installment_plans_by_status', columns: ['tenant_id', 'status', 'id'] },
      { name: 'installment_plans_by_customer', columns: ['tenant_id', 'customer_id', 'id'] },
      { name: 'installment_plans_by_invoice', columns: ['tenant_id', 'invoice_id', 'id'] },
      {
        name: 'installment_plans_one_open',
        columns: ['tenant_id', 'invoice_id'],
        where: "status IN ('active', 'past_due', 'paused')",
        unique: true,
      },
      { name: 'installment_plans_by_idempotency_key', columns: ['tenant_id', 'idempotency_key'], where: 'idempotency_key IS NOT NULL' },
      { name: 'installment_plans_due', columns: ['tenant_id', 'due_ms', 'id'], where: 'due_ms IS NOT NULL' },
    ],
  },
);

export type PlanRow = RowOf<typeof INSTALLMENT_PLANS>;

/** The numbered installments of a plan. Payments of the invoice pay them in the order of their numbers. */
export const INSTALLMENTS = table(
  'installments',
  {
    tenant_id: text,
    plan_id: text,
    number: integer,
    due_date: text,
    amount_minor: integer,
    paid_minor: integer,
    /** Time at which it was fully paid. */
    paid_at: text.optional,
    /** The payment that paid it fully; null for a payment without a processor. */
    transaction_id: text.optional,
  },
  { key: ['tenant_id', 'plan_id', 'number'] },
);

export type InstallmentRow = RowOf<typeof INSTALLMENTS>;

/** `unsent`: the gateway did not answer, so nothing was charged. `voided`: the payment was voided before its outcome was recorded. */
export const ATTEMPT_STATUSES = ['pending', 'succeeded', 'failed', 'unsent', 'voided'] as const;
export type AttemptStatus = (typeof ATTEMPT_STATUSES)[number];

/** Attempts to charge an installment. */
export const INSTALLMENT_PAYMENTS = table(
  'installment_payments',
  {
    tenant_id: text,
    id: text,
    plan_id: text,
    number: integer,
    attempt: integer,
    amount_minor: integer,
    status: text.of<AttemptStatus>(),
    transaction_id: text.optional,
    decline_code: text.optional,
    decline_reason: text.optional,
    created_at: text,
    concluded_at: text.optional,
  },
  {
    key: ['tenant_id', 'id'],
    indexes: [
      { name: 'installment_payments_by_plan', columns: ['tenant_id', 'plan_id', 'id'] },
      { name: 'installment_payments_by_transaction', columns: ['tenant_id', 'transaction_id'], where: 'transaction_id IS NOT NULL' },
      // The last safeguard against two charges of a plan at the same time.
      { name: 'installment_payments_once', columns: ['tenant_id', 'plan_id'], where: "status = 'pending'", unique: true },
    ],
  },
);

export type AttemptRow = RowOf<typeof INSTALLMENT_PAYMENTS>;
