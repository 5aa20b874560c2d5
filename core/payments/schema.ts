import { type GuardedUpdate, table } from '#core/database';
import type { Alert } from '#core/gateways';
import type { RefundStatus, TransactionMethod, TransactionSource, TransactionStatus, TransactionType } from './transaction.ts';

export interface TransactionRow {
  tenant_id: string;
  id: string;
  merchant_id: string;
  type: TransactionType;
  method: TransactionMethod;
  status: TransactionStatus;
  amount_minor: number;
  currency: string;
  captured_minor: number;
  captured_at: string | null;
  refunded_minor: number;
  reserved_minor: number;
  voided_at: string | null;
  void_reason: string | null;
  settled_at: string | null;
  settlement_date: string | null;
  settlement_id: string | null;
  /** What the payment cost the merchant; null before settlement. */
  fee_minor: number | null;
  /** The gateway's name, as it was then. */
  gateway: string;
  /** Which of the merchant's gateways took it; null before there were several. */
  gateway_id: string | null;
  processor_ref: string;
  /** The gateway's own name of the payment; what a capture, void or refund refers to. */
  gateway_reference: string | null;
  auth_code: string | null;
  avs_response: string | null;
  cvv_response: string | null;
  decline_code: string | null;
  decline_reason: string | null;
  token: string;
  card_brand: string | null;
  /** Of the card or of the account. */
  last4: string;
  card_expiry: string | null;
  account_type: string | null;
  bank_name: string | null;
  customer_name: string | null;
  customer_email: string | null;
  customer_id: string | null;
  /** The plan that it bills. */
  subscription_id: string | null;
  /** The invoice that it pays. */
  invoice_id: string | null;
  /** What the customer agreed to, until what was paid with is on file. */
  save_consent: string | null;
  billing: string | null;
  rerun_of: string | null;
  /** The latest rerun of this sale; kept on the first transaction of a chain of reruns, for the whole chain. */
  rerun_transaction_id: string | null;
  order_id: string | null;
  description: string | null;
  metadata: string | null;
  source: TransactionSource;
  pending_reason: string | null;
  /** A capture that its gateway does not know yet: when it is sent. */
  capture_held_until: string | null;
  /** When a bank payment came back after it had been approved, and the bank's code. */
  returned_at: string | null;
  return_code: string | null;
  /** What the processor advised on trying a declined payment again, as advice.ts spells it. */
  retry_advice: string | null;
  /** The capture, cancellation or void under way, which bars any other. */
  busy_attempt: string | null;
  /** Calendar day in the merchant's zone; the day under which it is counted. */
  day: string;
  created_at: string;
  updated_at: string;
}

export const TRANSACTIONS = table<TransactionRow>(
  'transactions',
  {
    tenant_id: 'text',
    id: 'text',
    merchant_id: 'text',
    type: 'text',
    method: 'text',
    status: 'text',
    amount_minor: 'integer',
    currency: 'text',
    captured_minor: 'integer',
    captured_at: 'text?',
    refunded_minor: 'integer',
    reserved_minor: 'integer',
    voided_at: 'text?',
    void_reason: 'text?',
    settled_at: 'text?',
    settlement_date: 'text?',
    settlement_id: 'text?',
    fee_minor: 'integer?',
    gateway: 'text',
    gateway_id: 'text?',
    processor_ref: 'text',
    gateway_reference: 'text?',
    auth_code: 'text?',
    avs_response: 'text?',
    cvv_response: 'text?',
    decline_code: 'text?',
    decline_reason: 'text?',
    token: 'text',
    card_brand: 'text?',
    last4: 'text',
    card_expiry: 'text?',
    account_type: 'text?',
    bank_name: 'text?',
    customer_name: 'text?',
    customer_email: 'text?',
    customer_id: 'text?',
    subscription_id: 'text?',
    invoice_id: 'text?',
    save_consent: 'text?',
    billing: 'text?',
    rerun_of: 'text?',
    rerun_transaction_id: 'text?',
    order_id: 'text?',
    description: 'text?',
    metadata: 'text?',
    source: 'text',
    pending_reason: 'text?',
    capture_held_until: 'text?',
    returned_at: 'text?',
    return_code: 'text?',
    retry_advice: 'text?',
    busy_attempt: 'text?',
    day: 'text',
    created_at: 'text',
    updated_at: 'text',
  },
  {
    key: ['tenant_id', 'id'],
    indexes: [
      { name: 'transactions_by_status', columns: ['tenant_id', 'status', 'id'] },
      { name: 'transactions_by_merchant', columns: ['tenant_id', 'merchant_id', 'id'] },
      { name: 'transactions_by_last4', columns: ['tenant_id', 'last4', 'id'] },
      { name: 'transactions_by_amount', columns: ['tenant_id', 'amount_minor', 'id'] },
      { name: 'transactions_by_order', columns: ['tenant_id', 'order_id', 'id'], where: 'order_id IS NOT NULL' },
      { name: 'transactions_by_email', columns: ['tenant_id', 'customer_email', 'id'], where: 'customer_email IS NOT NULL' },
      { name: 'transactions_by_customer', columns: ['tenant_id', 'customer_id', 'id'], where: 'customer_id IS NOT NULL' },
      { name: 'transactions_to_save', columns: ['tenant_id', 'id'], where: 'save_consent IS NOT NULL' },
      {
        name: 'transactions_unsettled',
        columns: ['tenant_id', 'merchant_id', 'captured_at'],
        where: 'settled_at IS NULL AND captured_minor > 0',
      },
      { name: 'transactions_by_settlement', columns: ['tenant_id', 'settlement_id', 'id'], where: 'settlement_id IS NOT NULL' },
      {
        name: 'transactions_by_settlement_date',
        columns: ['tenant_id', 'settlement_date', 'id', 'settlement_id', 'type', 'captured_minor'],
        where: 'settlement_date IS NOT NULL',
      },
      { name: 'transactions_by_gateway_reference', columns: ['tenant_id', 'gateway_reference'], where: 'settlement_date IS NOT NULL' },
    ],
  },
);

export interface RefundRow {
  tenant_id: string;
  id: string;
  transaction_id: string;
  merchant_id: string;
  status: RefundStatus;
  amount_minor: number;
  remaining_minor: number;
  currency: string;
  type: 'full' | 'partial';
  reason: string | null;
  metadata: string | null;
  refunded_at: string | null;
  settled_at: string | null;
  settlement_date: string | null;
  settlement_id: string | null;
  decline_code: string | null;
  decline_reason: string | null;
  retry_scheduled_at: string | null;
  /** 1 where the customer is told of its approval by message (specification 4.5). */
  notify_customer: number;
  card_brand: string | null;
  last4: string;
  card_expiry: string | null;
  account_type: string | null;
  processor_ref: string;
  /** How the money went back where not by a refund: a void of the unsettled payment, or a return by the bank. */
  sent_as: 'void' | 'return' | null;
  created_at: string;
}

export const REFUNDS = table<RefundRow>(
  'refunds',
  {
    tenant_id: 'text',
    id: 'text',
    transaction_id: 'text',
    merchant_id: 'text',
    status: 'text',
    amount_minor: 'integer',
    remaining_minor: 'integer',
    currency: 'text',
    type: 'text',
    reason: 'text?',
    metadata: 'text?',
    refunded_at: 'text?',
    settled_at: 'text?',
    settlement_date: 'text?',
    settlement_id: 'text?',
    decline_code: 'text?',
    decline_reason: 'text?',
    retry_scheduled_at: 'text?',
    notify_customer: 'integer',
    card_brand: 'text?',
    last4: 'text',
    card_expiry: 'text?',
    account_type: 'text?',
    processor_ref: 'text',
    sent_as: 'text?',
    created_at: 'text',
  },
  {
    key: ['tenant_id', 'id'],
    indexes: [
      { name: 'refunds_by_transaction', columns: ['tenant_id', 'transaction_id', 'id'] },
      { name: 'refunds_by_void', columns: ['tenant_id', 'transaction_id'], where: "sent_as = 'void'" },
      { name: 'refunds_by_status', columns: ['tenant_id', 'status', 'id'] },
      {
        name: 'refunds_unsettled',
        columns: ['tenant_id', 'merchant_id', 'refunded_at'],
        where: 'settled_at IS NULL AND refunded_at IS NOT NULL',
      },
      { name: 'refunds_by_settlement', columns: ['tenant_id', 'settlement_id', 'id'], where: 'settlement_id IS NOT NULL' },
      {
        name: 'refunds_by_settlement_date',
        columns: ['tenant_id', 'settlement_date', 'transaction_id', 'id', 'settlement_id', 'amount_minor'],
        where: 'settlement_date IS NOT NULL',
      },
    ],
  },
);

export type AttemptOperation = 'sale' | 'auth' | 'capture' | 'cancel_capture' | 'void' | 'refund' | 'credit';
/**
 * sending: written, the gateway is being asked. doubt: no answer; inquiry decides. held: decided here and sent when it is due. done: the result is
 * recorded.
 */
export type AttemptState = 'sending' | 'doubt' | 'held' | 'done';

/**
 * `void-too-late`: a payment that a rule declined was settled before it could be voided. `capture-refused`: of a capture that was decided here. `late-approval`:
 * the gateway approved what was recorded as failed. `returned`: the bank took back money that was given back or credited.
 */
export type AttemptAlert = Alert | 'void-too-late' | 'capture-refused' | 'late-approval' | 'returned';

/** One question put to a gateway, written before it is sent. The rows of a transaction are its history. */
export interface AttemptRow {
  tenant_id: string;
  id: string;
  transaction_id: string;
  refund_id: string | null;
  operation: AttemptOperation;
  gateway: string;
  gateway_id: string | null;
  processor_ref: string;
  amount_minor: number;
  currency: string;
  state: AttemptState;
  result: string | null;
  reason: string | null;
  actor: string;
  /** Who asked, for the audit entry that is written with the result. */
  actor_id: string | null;
  request_id: string | null;
  ip: string | null;
  /** The Idempotency-Key that waits for the result. */
  once_credential: string | null;
  once_key: string | null;
  once_route: string | null;
  inquiries: number;
  /** When it was last inquired into, real time. */
  asked_at: string | null;
  /** Inquiries on end that found nothing; null for none. */
  missed: number | null;
  /** What about it wants a person. */
  alert: AttemptAlert | null;
  /** Real time in milliseconds at which recovery looks at it; null when done. */
  due_ms: number | null;
  lease_ms: number;
  fence: number;
  created_at: string;
  concluded_at: string | null;
}

export const ATTEMPTS = table<AttemptRow>(
  'attempts',
  {
    tenant_id: 'text',
    id: 'text',
    transaction_id: 'text',
    refund_id: 'text?',
    operation: 'text',
    gateway: 'text',
    gateway_id: 'text?',
    processor_ref: 'text',
    amount_minor: 'integer',
    currency: 'text',
    state: 'text',
    result: 'text?',
    reason: 'text?',
    actor: 'text',
    actor_id: 'text?',
    request_id: 'text?',
    ip: 'text?',
    once_credential: 'text?',
    once_key: 'text?',
    once_route: 'text?',
    inquiries: 'integer',
    asked_at: 'text?',
    missed: 'integer?',
    alert: 'text?',
    due_ms: 'integer?',
    lease_ms: 'integer',
    fence: 'integer',
    created_at: 'text',
    concluded_at: 'text?',
  },
  {
    key: ['tenant_id', 'id'],
    unique: [['tenant_id', 'processor_ref']],
    indexes: [
      { name: 'attempts_by_transaction', columns: ['tenant_id', 'transaction_id', 'id'] },
      { name: 'attempts_due', columns: ['tenant_id', 'due_ms'], where: 'due_ms IS NOT NULL' },
      { name: 'attempts_alerts', columns: ['tenant_id', 'id'], where: 'alert IS NOT NULL' },
    ],
  },
);

/** How many concluded transactions there are of a kind on a day, or on all days together (EVERY_DAY): what list totals are made from. */
export interface TransactionCountRow {
  tenant_id: string;
  merchant_id: string;
  day: string;
  status: string;
  type: string;
  method: string;
  n: number;
}

export const TRANSACTION_COUNTS = table<TransactionCountRow>(
  'transaction_counts',
  { tenant_id: 'text', merchant_id: 'text', day: 'text', status: 'text', type: 'text', method: 'text', n: 'integer' },
  { key: ['tenant_id', 'merchant_id', 'day', 'status', 'type', 'method'] },
);

export const CONCLUDE_TRANSACTION: GuardedUpdate<TransactionRow> = {
  table: TRANSACTIONS,
  where: ['tenant_id', 'id'],
  set: [
    'status',
    'captured_minor',
    'captured_at',
    'gateway_reference',
    'auth_code',
    'avs_response',
    'cvv_response',
    'decline_code',
    'decline_reason',
    'pending_reason',
    'retry_advice',
    'updated_at',
  ],
  guard: "status = 'pending'",
};

export const CONCLUDE_ATTEMPT: GuardedUpdate<AttemptRow> = {
  table: ATTEMPTS,
  where: ['tenant_id', 'id'],
  set: ['state', 'result', 'reason', 'due_ms', 'alert', 'concluded_at'],
  guard: "state <> 'done'",
};
