import { type Currency, type Money, money } from '#core/kernel';
import type { RetryAdvice } from '#core/processing/gateways';
import { type LineItem, lineItemsOf } from '#core/sales/items';
import type { Channel, SecCode } from '#shared/channels';
import { type CheckDetails, declineErrorOf } from './declines.ts';
import { partAmounts } from './parts/parts.ts';
import { adviceOf } from './sale/advice.ts';
import type { BankAuthorization } from './sale/bank-authorization.ts';
import type {
  RefundRow,
  RefundStatus,
  TransactionMethod,
  TransactionRow,
  TransactionSource,
  TransactionStatus,
  TransactionType,
} from './schema.ts';

export interface Billing {
  readonly firstName?: string;
  readonly lastName?: string;
  readonly address?: string;
  readonly city?: string;
  readonly state?: string;
  readonly zip?: string;
  readonly country?: string;
}

export interface CardOnRecord {
  readonly brand: string;
  readonly last4: string;
  readonly expiryMonth: string;
  readonly expiryYear: string;
}

export interface BankAccountOnRecord {
  readonly bankName: string | null;
  readonly last4: string;
  readonly accountType: string;
}

/** One entry in the history of a transaction. */
export interface HistoryEntry {
  readonly at: string;
  readonly actor: string;
  /** Person who approved the action as the second one; null if none was needed. */
  readonly approvedBy: string | null;
  readonly action: string;
  /** Shift in which the request was made; null if no drawer with an open shift made it. */
  readonly shiftId: string | null;
  /** approved, declined, pending, failed, unconfirmed, held, cancelled */
  readonly result: string;
  readonly amount: Money | null;
  readonly processorRef: string | null;
  readonly reason: string | null;
}

/** The latest rerun of a declined or failed payment. */
export interface LatestRerun {
  readonly transactionId: string;
  readonly status: TransactionStatus;
}

/** A transaction with the details that only single reads return. */
export interface TransactionDetail extends Transaction {
  /** Time at which an open authorization is voided unless it is captured; null for every other payment. */
  readonly authorizationExpiresAt: string | null;
  /** Null if the payment was not rerun. Unless it is declined or failed, the payment cannot be rerun again. */
  readonly rerun: LatestRerun | null;
  /** Address of delivery that the payer or the shop sent with the payment, in one text. */
  readonly shippingAddress: string | null;
  readonly history: readonly HistoryEntry[];
}

/** A payment in the form of the API. */
export interface Transaction {
  readonly transactionId: string;
  readonly tenantId: string;
  readonly merchantId: string;
  readonly type: TransactionType;
  readonly paymentMethod: TransactionMethod;
  readonly amount: Money;
  /** Parts of the captured amount once the payment is captured, otherwise of `amount`. */
  readonly tipAmount: Money;
  readonly surchargeAmount: Money;
  readonly taxAmount: Money;
  /** Taken off before `amount`; captures and refunds do not change it. */
  readonly discountAmount: Money;
  /** Person who approved the discount as the second one; null if none was needed. */
  readonly discountApprovedBy: string | null;
  readonly currency: Currency;
  readonly status: TransactionStatus;
  readonly captured: boolean;
  readonly capturedAmount: Money;
  readonly capturedAt: string | null;
  /** Time until which a capture is held and can be canceled; its gateway does not know it yet. */
  readonly captureHeldUntil: string | null;
  /** Time and bank code of a bank payment that was returned after its approval. */
  readonly returnedAt: string | null;
  readonly returnCode: string | null;
  /** Retry advice of the processor for a declined payment. */
  readonly retryAdvice: RetryAdvice | null;
  readonly refundedAmount: Money;
  readonly refundStatus: 'none' | 'partial' | 'full';
  /** Amount reserved by pending refunds. */
  readonly reservedAmount: Money;
  /** Amount that disputes have charged back. */
  readonly disputedAmount: Money;
  readonly voidedAt: string | null;
  readonly voidReason: string | null;
  /** Person who approved the credit or the void as the second one; null if none was needed. */
  readonly approvedBy: string | null;
  /** Shift in which the payment was made; null if no drawer with an open shift made it. Later changes can belong to other shifts. */
  readonly shiftId: string | null;
  readonly settledAt: string | null;
  readonly settlementDate: string | null;
  readonly settlementId: string | null;
  readonly gateway: string;
  readonly processorRef: string;
  readonly authCode: string | null;
  readonly avsResponse: string | null;
  readonly cvvResponse: string | null;
  readonly declineCode: string | null;
  readonly declineReason: string | null;
  /** The matching error code of the Payment or AVS and CVV categories. */
  readonly errorCode: string | null;
  /** Responses of both checks when the error code belongs to the AVS and CVV category. */
  readonly details: CheckDetails | null;
  readonly token: string | null;
  readonly card: CardOnRecord | null;
  readonly bankAccount: BankAccountOnRecord | null;
  readonly customer: { readonly name: string | null; readonly email: string | null } | null;
  readonly billing: Billing | null;
  readonly rerunOf: string | null;
  /** Payment whose card or account a credit pays; null for other transactions. */
  readonly creditOf: string | null;
  readonly customerId: string | null;
  readonly subscriptionId: string | null;
  readonly invoiceId: string | null;
  readonly queuedPaymentId: string | null;
  readonly orderId: string | null;
  readonly purchaseOrderNumber: string | null;
  readonly description: string | null;
  /** Lines of the sale; empty if it is not itemized. */
  readonly lineItems: readonly LineItem[];
  readonly metadata: Record<string, unknown> | null;
  readonly source: TransactionSource;
  /** Channel by which the payment reached the merchant. */
  readonly channel: Channel;
  /** Code and authorization of a bank debit; a credit to a bank account has a code only. */
  readonly secCode: SecCode | null;
  readonly bankAuthorization: BankAuthorization | null;
  /** Name of the person or API key that made the payment. */
  readonly createdBy: string | null;
  readonly pendingReason: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** A refund in the form of the API. */
export interface Refund {
  readonly refundId: string;
  readonly transactionId: string;
  readonly merchantId: string;
  readonly status: RefundStatus;
  readonly amount: Money;
  /** Parts of the refunded amount. */
  readonly tipAmount: Money;
  readonly surchargeAmount: Money;
  readonly taxAmount: Money;
  /** Amount of the transaction that could still be refunded after this refund. */
  readonly remainingAmount: Money;
  readonly currency: Currency;
  readonly reason: string | null;
  readonly metadata: Record<string, unknown> | null;
  readonly type: 'full' | 'partial';
  readonly refundedAt: string | null;
  readonly settledAt: string | null;
  readonly card: CardOnRecord | null;
  readonly bankAccount: BankAccountOnRecord | null;
  readonly declineCode: string | null;
  readonly declineReason: string | null;
  /** Set while the refund is declined. */
  readonly errorCode: 'REFUND_DECLINED' | null;
  readonly queuedForRetry: boolean;
  readonly retryScheduledAt: string | null;
  readonly processorRef: string;
  /** Operation that returned the money: a refund, a void of the unsettled payment, or a return by the bank. */
  readonly sentAs: 'refund' | 'void' | 'return';
  /** Person who approved the refund as the second one; null if none was needed. */
  readonly approvedBy: string | null;
  readonly createdAt: string;
}

function parseJson<Shape>(text: string | null): Shape | null {
  return text === null ? null : (JSON.parse(text) as Shape);
}

function cardOf(row: { card_brand: string | null; last4: string; card_expiry: string | null }): CardOnRecord | null {
  if (row.card_brand === null || row.card_expiry === null) return null;
  const [expiryMonth = '', expiryYear = ''] = row.card_expiry.split('/');
  return { brand: row.card_brand, last4: row.last4, expiryMonth, expiryYear };
}

function bankAccountOf(row: { account_type: string | null; last4: string; bank_name?: string | null }): BankAccountOnRecord | null {
  return row.account_type === null ? null : { bankName: row.bank_name ?? null, last4: row.last4, accountType: row.account_type };
}

export function toTransaction(row: TransactionRow): Transaction {
  const currency = row.currency as Currency;
  const captured = row.captured_minor > 0;
  return {
    transactionId: row.id,
    tenantId: row.tenant_id,
    merchantId: row.merchant_id,
    type: row.type,
    paymentMethod: row.method,
    amount: money(row.amount_minor, currency),
    ...partAmounts(row, currency),
    discountAmount: money(row.discount_minor, currency),
    discountApprovedBy: row.discount_approved_by,
    currency,
    status: row.status,
    captured,
    capturedAmount: money(row.captured_minor, currency),
    capturedAt: row.captured_at,
    captureHeldUntil: row.capture_held_until,
    returnedAt: row.returned_at,
    returnCode: row.return_code,
    retryAdvice: adviceOf(row.retry_advice),
    refundedAmount: money(row.refunded_minor, currency),
    refundStatus: row.refunded_minor === 0 ? 'none' : row.refunded_minor < row.captured_minor ? 'partial' : 'full',
    reservedAmount: money(row.reserved_minor, currency),
    disputedAmount: money(row.disputed_minor, currency),
    voidedAt: row.voided_at,
    voidReason: row.void_reason,
    approvedBy: row.approved_by,
    shiftId: row.shift_id,
    settledAt: row.settled_at,
    settlementDate: row.settlement_date,
    settlementId: row.settlement_id,
    gateway: row.gateway,
    processorRef: row.processor_ref,
    authCode: row.auth_code,
    avsResponse: row.avs_response,
    cvvResponse: row.cvv_response,
    declineCode: row.decline_code,
    declineReason: row.decline_reason,
    ...declineErrorOf({ declineCode: row.decline_code, avsResponse: row.avs_response, cvvResponse: row.cvv_response }),
    token: row.token,
    card: cardOf(row),
    bankAccount: bankAccountOf(row),
    customer: row.customer_name === null && row.customer_email === null ? null : { name: row.customer_name, email: row.customer_email },
    billing: parseJson(row.billing),
    rerunOf: row.rerun_of,
    creditOf: row.credit_of,
    customerId: row.customer_id,
    subscriptionId: row.subscription_id,
    invoiceId: row.invoice_id,
    queuedPaymentId: row.queued_payment_id,
    orderId: row.order_id,
    purchaseOrderNumber: row.purchase_order_number,
    description: row.description,
    lineItems: lineItemsOf(row.line_items, currency),
    metadata: parseJson(row.metadata),
    source: row.source,
    channel: row.channel,
    secCode: row.sec_code,
    bankAuthorization: parseJson(row.bank_authorization),
    createdBy: row.created_by,
    pendingReason: row.pending_reason,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

export function toRefund(row: RefundRow): Refund {
  const currency = row.currency as Currency;
  return {
    refundId: row.id,
    transactionId: row.transaction_id,
    merchantId: row.merchant_id,
    status: row.status,
    amount: money(row.amount_minor, currency),
    ...partAmounts(row, currency),
    remainingAmount: money(row.remaining_minor, currency),
    currency,
    reason: row.reason,
    metadata: parseJson(row.metadata),
    type: row.type,
    refundedAt: row.refunded_at,
    settledAt: row.settled_at,
    card: cardOf(row),
    bankAccount: bankAccountOf(row),
    declineCode: row.decline_code,
    declineReason: row.decline_reason,
    errorCode: row.status === 'declined' ? 'REFUND_DECLINED' : null,
    queuedForRetry: row.retry_scheduled_at !== null,
    retryScheduledAt: row.retry_scheduled_at,
    processorRef: row.processor_ref,
    sentAs: row.sent_as ?? 'refund',
    approvedBy: row.approved_by,
    createdAt: row.created_at,
  };
}
