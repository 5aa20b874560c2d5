import { type Currency, isoTime, money } from '#core/kernel';
import { lineItemsOf } from '#core/sales/items';
import { adviceOf, declineErrorOf } from './declines.ts';
import { partAmounts } from './parts/parts.ts';
import type { BankAccountOnRecord, CardOnRecord, Refund, Transaction } from './records.ts';
import type { RefundRow, TransactionRow } from './schema.ts';
import { terminalPaymentOf } from './terminal-facts/facts.ts';

/** Lifetime of an authorization without a capture. */
export const AUTHORIZATION_LIFETIME_MS = 7 * 86_400_000;

function parseJson<Shape>(text: string | null): Shape | null {
  return text === null ? null : (JSON.parse(text) as Shape);
}

function cardOf(row: { card_brand: string | null; last4: string; card_expiry: string | null }): CardOnRecord | null {
  if (row.card_brand === null) return null;
  const [expiryMonth = '', expiryYear = ''] = row.card_expiry?.split('/') ?? [];
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
    requestedAmount: row.requested_minor === null ? null : money(row.requested_minor, currency),
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
    token: row.token === '' ? null : row.token,
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
    terminal: terminalPaymentOf(row),
    createdBy: row.created_by,
    pendingReason: row.pending_reason,
    authorizationExpiresAt:
      row.type === 'auth' && row.status === 'approved' && !captured
        ? isoTime(Date.parse(row.created_at) + AUTHORIZATION_LIFETIME_MS)
        : null,
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
    settledAt: row.sent_as === 'store_credit' ? null : row.settled_at,
    card: cardOf(row),
    bankAccount: bankAccountOf(row),
    declineCode: row.decline_code,
    declineReason: row.decline_reason,
    errorCode: row.status === 'declined' ? 'REFUND_DECLINED' : null,
    queuedForRetry: row.retry_scheduled_at !== null,
    retryScheduledAt: row.retry_scheduled_at,
    processorRef: row.processor_ref,
    sentAs: row.sent_as ?? 'refund',
    giftCardId: row.gift_card_id,
    approvedBy: row.approved_by,
    createdAt: row.created_at,
  };
}

/** Returns true for a payment on a page of the processor. Its card is not stored, and no card reader read it. */
export const isOnHostedPage = ({ type, token, terminal_id: terminalId }: TransactionRow): boolean =>
  type === 'sale' && token === '' && terminalId === null;
