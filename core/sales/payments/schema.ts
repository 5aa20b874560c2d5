import { dueColumns, type GuardedUpdate, integer, type RowOf, table, text } from '#core/database';
import type { RealTime } from '#core/kernel';
import type { Alert } from '#core/processing/gateways';
import type { Channel, SecCode } from '#shared/channels';
import type { Refund, Transaction } from './records.ts';

export type TransactionType = Transaction['type'];
export type TransactionMethod = Transaction['paymentMethod'];
export type TransactionStatus = Transaction['status'];
export type RefundStatus = Refund['status'];
/** Origin of the card data. */
export type TransactionSource = Transaction['source'];

/** Tip, surcharge and tax within an amount, in minor units. */
const PART_COLUMNS = { tip_minor: integer, surcharge_minor: integer, tax_minor: integer };

export const TRANSACTIONS = table(
  'transactions',
  {
    tenant_id: text,
    id: text,
    merchant_id: text,
    type: text.of<TransactionType>(),
    method: text.of<TransactionMethod>(),
    status: text.of<TransactionStatus>(),
    amount_minor: integer,
    /** Amount that was requested, if a part of it may be approved; null if all or nothing. */
    requested_minor: integer.optional,
    /** Parts of the captured amount once the payment is captured, otherwise of `amount_minor`. */
    ...PART_COLUMNS,
    /** Taken off before the amount, so it is no part of it. */
    discount_minor: integer,
    /** Granted discount that the payment used, and the person who approved it as the second one. */
    discount_id: text.optional,
    discount_approved_by: text.optional,
    currency: text,
    captured_minor: integer,
    captured_at: text.optional,
    refunded_minor: integer,
    reserved_minor: integer,
    /** Amount that disputes have charged back. */
    disputed_minor: integer,
    voided_at: text.optional,
    void_reason: text.optional,
    settled_at: text.optional,
    settlement_date: text.optional,
    settlement_id: text.optional,
    /** Fee of the payment; null before settlement. */
    fee_minor: integer.optional,
    /** Name of the gateway at the time of the payment. */
    gateway: text,
    /** ID of the merchant's gateway; null for a payment without a configured gateway. */
    gateway_id: text.optional,
    processor_ref: text,
    /** Reference of the payment at the gateway, to which captures, voids and refunds refer. */
    gateway_reference: text.optional,
    auth_code: text.optional,
    avs_response: text.optional,
    cvv_response: text.optional,
    decline_code: text.optional,
    decline_reason: text.optional,
    /** Token of the card or account; empty for a card that a card reader read, which is not stored. */
    token: text,
    card_brand: text.optional,
    /** Last four digits of the card or account; empty before a card reader has read the card. */
    last4: text,
    card_expiry: text.optional,
    account_type: text.optional,
    bank_name: text.optional,
    customer_name: text.optional,
    /** The name from its first, second and last word on, as `aggregates/name-keys.ts` writes it. The payment is found by them. */
    name_key: text.optional,
    second_name_key: text.optional,
    last_name_key: text.optional,
    customer_email: text.optional,
    customer_id: text.optional,
    /** Subscription that it bills. */
    subscription_id: text.optional,
    /** Invoice that it pays. */
    invoice_id: text.optional,
    /** Payment of the charge-later queue that it charges. */
    queued_payment_id: text.optional,
    /** Consent of the customer, until the payment method is stored. */
    save_consent: text.optional,
    billing: text.optional,
    rerun_of: text.optional,
    /** Payment that a credit names; for a credit of a credit, the payment that the first one names. */
    credit_of: text.optional,
    /** The latest rerun of this sale; kept on the first transaction of a chain of reruns, for the whole chain. */
    rerun_transaction_id: text.optional,
    order_id: text.optional,
    /** The order ID in lower case, by which the payment is found. */
    order_key: text.optional,
    /** Purchase order number of a business customer (Level 2). */
    purchase_order_number: text.optional,
    description: text.optional,
    /** Lines of the sale as JSON; null if it is not itemized. */
    line_items: text.optional,
    metadata: text.optional,
    source: text.of<TransactionSource>(),
    /** Channel by which the payment reached the merchant. */
    channel: text.of<Channel>(),
    /** For a bank account: code of the debit or credit. */
    sec_code: text.of<SecCode>().optional,
    /** For a bank debit: JSON of BankAuthorization. */
    bank_authorization: text.optional,
    /** Name of the person or API key that made the payment. */
    created_by: text,
    pending_reason: text.optional,
    /** Time at which a held capture is sent to its gateway. */
    capture_held_until: text.optional,
    /** Time and bank code of a bank payment that was returned after its approval. */
    returned_at: text.optional,
    return_code: text.optional,
    /** Retry advice of the processor for a declined payment, in the spelling of `advice.ts`. */
    retry_advice: text.optional,
    /** Person who approved the credit or the void as the second one. */
    approved_by: text.optional,
    /** Shift that was open at the drawer of the request; null if there was none. */
    shift_id: text.optional,
    /** Card reader that the payment was sent to. */
    terminal_id: text.optional,
    /** For a payment on a card reader: JSON of its facts (`terminal/facts.ts`). */
    terminal: text.optional,
    /** Real time in milliseconds until which the payment occupies its card reader; null if it does not. */
    terminal_until_ms: integer.of<RealTime>().optional,
    /** ID of the attempt of a capture, cancellation or void in progress, which blocks any other. */
    pending_attempt: text.optional,
    /** Calendar day in the merchant's time zone, under which it is counted. */
    day: text,
    created_at: text,
    updated_at: text,
  },
  {
    key: ['tenant_id', 'id'],
    checks: [
      { name: 'transactions_refunds_within_captured', expression: 'refunded_minor + reserved_minor <= captured_minor' },
      { name: 'transactions_captured_within_amount', expression: 'captured_minor <= amount_minor' },
    ],
    indexes: [
      { name: 'transactions_by_status', columns: ['tenant_id', 'status', 'id'] },
      { name: 'transactions_by_merchant', columns: ['tenant_id', 'merchant_id', 'id'] },
      { name: 'transactions_by_last4', columns: ['tenant_id', 'last4', 'id'] },
      { name: 'transactions_by_amount', columns: ['tenant_id', 'amount_minor', 'id'] },
      { name: 'transactions_by_merchant_amount', columns: ['tenant_id', 'merchant_id', 'amount_minor', 'id'] },
      { name: 'transactions_by_order', columns: ['tenant_id', 'order_key', 'id'], where: 'order_key IS NOT NULL' },
      { name: 'transactions_by_auth_code', columns: ['tenant_id', 'auth_code', 'id'], where: 'auth_code IS NOT NULL' },
      { name: 'transactions_by_email', columns: ['tenant_id', 'customer_email', 'id'], where: 'customer_email IS NOT NULL' },
      { name: 'transactions_by_customer', columns: ['tenant_id', 'customer_id', 'id'], where: 'customer_id IS NOT NULL' },
      { name: 'transactions_by_name', columns: ['tenant_id', 'name_key', 'id', 'merchant_id'], where: 'name_key IS NOT NULL' },
      {
        name: 'transactions_by_second_name',
        columns: ['tenant_id', 'second_name_key', 'id', 'merchant_id'],
        where: 'second_name_key IS NOT NULL',
      },
      {
        name: 'transactions_by_last_name',
        columns: ['tenant_id', 'last_name_key', 'id', 'merchant_id'],
        where: 'last_name_key IS NOT NULL',
      },
      { name: 'transactions_by_channel', columns: ['tenant_id', 'channel', 'id', 'merchant_id'] },
      { name: 'transactions_by_decline', columns: ['tenant_id', 'decline_code', 'id'], where: 'decline_code IS NOT NULL' },
      {
        name: 'transactions_with_items',
        columns: ['tenant_id', 'merchant_id', 'day', 'id'],
        where: 'line_items IS NOT NULL',
      },
      { name: 'transactions_by_credit', columns: ['tenant_id', 'credit_of'], where: 'credit_of IS NOT NULL' },
      { name: 'transactions_authorizations', columns: ['tenant_id', 'merchant_id', 'id'], where: "type = 'auth'" },
      { name: 'transactions_credits_by_day', columns: ['tenant_id', 'merchant_id', 'day'], where: "type = 'credit'" },
      {
        name: 'transactions_on_terminals',
        columns: ['tenant_id', 'terminal_id'],
        where: 'terminal_until_ms IS NOT NULL',
        unique: true,
      },
      { name: 'transactions_to_save', columns: ['tenant_id', 'id'], where: 'save_consent IS NOT NULL' },
      {
        name: 'transactions_unsettled',
        columns: ['tenant_id', 'merchant_id', 'captured_at'],
        where: 'settled_at IS NULL AND captured_minor > 0',
      },
      {
        name: 'transactions_unsettled_of_tenant',
        columns: ['tenant_id', 'captured_at', 'id'],
        where: 'settled_at IS NULL AND captured_minor > 0',
      },
      {
        name: 'transactions_refunded',
        columns: [
          'tenant_id',
          'id',
          'merchant_id',
          'type',
          'method',
          'status',
          'card_brand',
          'captured_minor',
          'refunded_minor',
          'settled_at',
        ],
        where: 'refunded_minor > 0',
      },
      {
        name: 'transactions_uncaptured',
        columns: ['tenant_id', 'status', 'captured_minor', 'id'],
        where: "status = 'approved' AND captured_minor = 0 AND settled_at IS NULL",
      },
      {
        name: 'transactions_settled_unapproved',
        columns: ['tenant_id', 'id'],
        where: "status <> 'approved' AND settled_at IS NOT NULL",
      },
      { name: 'transactions_by_terminal', columns: ['tenant_id', 'terminal_id', 'id'], where: 'terminal_id IS NOT NULL' },
      { name: 'transactions_by_shift', columns: ['tenant_id', 'shift_id', 'id'], where: 'shift_id IS NOT NULL' },
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

export type TransactionRow = RowOf<typeof TRANSACTIONS>;

export const REFUNDS = table(
  'refunds',
  {
    tenant_id: text,
    id: text,
    transaction_id: text,
    merchant_id: text,
    status: text.of<RefundStatus>(),
    amount_minor: integer,
    ...PART_COLUMNS,
    remaining_minor: integer,
    currency: text,
    type: text.of<'full' | 'partial'>(),
    reason: text.optional,
    metadata: text.optional,
    refunded_at: text.optional,
    settled_at: text.optional,
    settlement_date: text.optional,
    settlement_id: text.optional,
    decline_code: text.optional,
    decline_reason: text.optional,
    retry_scheduled_at: text.optional,
    /** 1 if the customer gets a message about the approval. */
    notify_customer: integer,
    card_brand: text.optional,
    last4: text,
    card_expiry: text.optional,
    account_type: text.optional,
    processor_ref: text,
    /** Person who approved the refund as the second one. */
    approved_by: text.optional,
    /** Set if the money did not go back by a refund: a void of the unsettled payment, a return by the bank, or a refund to a gift card. */
    sent_as: text.of<'void' | 'return' | 'store_credit'>().optional,
    /** Gift card or store credit that received the money. */
    gift_card_id: text.optional,
    created_at: text,
  },
  {
    key: ['tenant_id', 'id'],
    indexes: [
      { name: 'refunds_by_transaction', columns: ['tenant_id', 'transaction_id', 'id'] },
      { name: 'refunds_by_void', columns: ['tenant_id', 'transaction_id'], where: "sent_as = 'void'" },
      { name: 'refunds_by_status', columns: ['tenant_id', 'status', 'id'] },
      { name: 'refunds_by_merchant', columns: ['tenant_id', 'merchant_id', 'id'] },
      {
        name: 'refunds_unsettled',
        columns: ['tenant_id', 'merchant_id', 'refunded_at'],
        where: 'settled_at IS NULL AND refunded_at IS NOT NULL',
      },
      {
        name: 'refunds_unsettled_of_tenant',
        columns: ['tenant_id', 'refunded_at', 'id'],
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

export type RefundRow = RowOf<typeof REFUNDS>;

export type AttemptOperation = 'sale' | 'auth' | 'capture' | 'cancel_capture' | 'adjust' | 'void' | 'refund' | 'credit';
/**
 * `sending`: written, and the request is being sent. `waiting`: a payment runs on a card reader. `unconfirmed`: inquiries find the outcome. `held`: accepted by
 * Paydesk and sent when it is due. `done`: the result is recorded.
 */
export type AttemptState = 'sending' | 'waiting' | 'unconfirmed' | 'held' | 'done';

/**
 * `void-too-late`: a payment that a rule declined settled before its void. `capture-refused`: the gateway refused a capture that was
 * accepted here. `late-approval`: the gateway approved a payment that was recorded as failed. `returned`: the bank returned money of a
 * refund or credit.
 */
export type AttemptAlert = Alert | 'void-too-late' | 'capture-refused' | 'late-approval' | 'returned';

/** A request to a gateway, written before it is sent. The attempts of a transaction are its history. */
export const ATTEMPTS = table(
  'attempts',
  {
    tenant_id: text,
    id: text,
    transaction_id: text,
    refund_id: text.optional,
    operation: text.of<AttemptOperation>(),
    gateway: text,
    gateway_id: text.optional,
    processor_ref: text,
    amount_minor: integer,
    ...PART_COLUMNS,
    currency: text,
    state: text.of<AttemptState>(),
    result: text.optional,
    reason: text.optional,
    actor: text,
    /** Actor of the request, for the audit entry that is written with the result. */
    actor_id: text.optional,
    /** Person who approved the request as the second one. */
    approved_by: text.optional,
    request_id: text.optional,
    ip: text.optional,
    /** Shift that was open at the drawer of the request; null if there was none. */
    shift_id: text.optional,
    /** Shift whose Z report counts it. */
    shift_report_id: text.optional,
    /** Idempotency-Key of the request that waits for the result. */
    idempotency_credential: text.optional,
    idempotency_key: text.optional,
    idempotency_route: text.optional,
    inquiries: integer,
    /** Time of the last inquiry, real time. */
    last_inquiry_at: text.optional,
    /** Number of consecutive inquiries that did not find it; null if there were none. */
    missed: integer.optional,
    /** Reason why it requires a person. */
    alert: text.of<AttemptAlert>().optional,
    /** Real time in milliseconds at which recovery processes it; null when done. */
    ...dueColumns<RealTime>(),
    created_at: text,
    concluded_at: text.optional,
  },
  {
    key: ['tenant_id', 'id'],
    unique: [['tenant_id', 'processor_ref']],
    indexes: [
      { name: 'attempts_by_transaction', columns: ['tenant_id', 'transaction_id', 'id'] },
      { name: 'attempts_due', columns: ['tenant_id', 'due_ms'], where: 'due_ms IS NOT NULL' },
      { name: 'attempts_alerts', columns: ['tenant_id', 'id'], where: 'alert IS NOT NULL' },
      {
        name: 'attempts_unreported',
        columns: ['tenant_id', 'shift_id'],
        where: 'shift_id IS NOT NULL AND shift_report_id IS NULL',
      },
      {
        name: 'attempts_by_shift_report',
        columns: ['tenant_id', 'shift_report_id', 'id'],
        where: 'shift_report_id IS NOT NULL',
      },
      // The daily close asks for the shift of each movement of a day. Most payments of a busy day are made without one.
      { name: 'attempts_in_shifts', columns: ['tenant_id', 'id', 'shift_id', 'shift_report_id'], where: 'shift_id IS NOT NULL' },
    ],
  },
);

export type AttemptRow = RowOf<typeof ATTEMPTS>;

/** Number of concluded transactions of a kind on a day, or on all days together (EVERY_DAY), for the totals of lists. */
export const TRANSACTION_COUNTS = table(
  'transaction_counts',
  {
    tenant_id: text,
    merchant_id: text,
    day: text,
    status: text,
    type: text,
    method: text,
    n: integer,
  },
  { key: ['tenant_id', 'merchant_id', 'day', 'status', 'type', 'method'] },
);

export type TransactionCountRow = RowOf<typeof TRANSACTION_COUNTS>;

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

/** Concludes a payment of which a part may be approved. */
export const CONCLUDE_PART: GuardedUpdate<TransactionRow> = {
  ...CONCLUDE_TRANSACTION,
  set: [...CONCLUDE_TRANSACTION.set, 'amount_minor', 'tip_minor', 'surcharge_minor', 'tax_minor', 'discount_minor'],
};

/** Concludes a payment on a card reader, which states the card and the amount. */
export const CONCLUDE_AT_TERMINAL: GuardedUpdate<TransactionRow> = {
  ...CONCLUDE_PART,
  set: [...CONCLUDE_PART.set, 'card_brand', 'last4', 'card_expiry', 'channel', 'terminal', 'terminal_until_ms'],
};

export const CONCLUDE_ATTEMPT: GuardedUpdate<AttemptRow> = {
  table: ATTEMPTS,
  where: ['tenant_id', 'id'],
  set: ['state', 'result', 'reason', 'amount_minor', 'tip_minor', 'surcharge_minor', 'tax_minor', 'due_ms', 'alert', 'concluded_at'],
  guard: "state <> 'done'",
};
