import type { RetryAdvice } from '#core/gateways';
import type { Currency, Money } from '#core/kernel';
import type { CheckDetails } from './declines.ts';

export type TransactionType = 'sale' | 'auth' | 'credit';
export type TransactionMethod = 'card' | 'ach' | 'token';
export type TransactionStatus = 'pending' | 'approved' | 'declined' | 'voided' | 'failed';
export type RefundStatus = 'approved' | 'declined' | 'pending' | 'failed';
/** How the card came in. */
export type TransactionSource = 'keyed' | 'swiped' | 'saved' | 'api' | 'recurring' | 'link';

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

/** One step in the life of a transaction. */
export interface HistoryEntry {
  readonly at: string;
  readonly actor: string;
  readonly action: string;
  /** approved, declined, pending, failed, in_doubt, held, cancelled */
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

/** A transaction with what is only read for one at a time. */
export interface TransactionDetail extends Transaction {
  /** Null if the payment was not rerun. Unless it is declined or failed, the payment cannot be rerun again. */
  readonly rerun: LatestRerun | null;
  readonly history: readonly HistoryEntry[];
}

/** A payment as its record stands (specification 2.2, decisions 4). */
export interface Transaction {
  readonly transactionId: string;
  readonly tenantId: string;
  readonly merchantId: string;
  readonly type: TransactionType;
  readonly paymentMethod: TransactionMethod;
  readonly amount: Money;
  readonly currency: Currency;
  readonly status: TransactionStatus;
  readonly captured: boolean;
  readonly capturedAmount: Money;
  readonly capturedAt: string | null;
  /** Until when a capture waits here and can be taken back; its gateway does not know it yet. */
  readonly captureHeldUntil: string | null;
  /** When a bank payment came back after it had been approved, and the bank's code. */
  readonly returnedAt: string | null;
  readonly returnCode: string | null;
  /** What the processor advised on trying a declined payment again. */
  readonly retryAdvice: RetryAdvice | null;
  readonly refundedAmount: Money;
  readonly refundStatus: 'none' | 'partial' | 'full';
  /** What refunds under way hold back. */
  readonly reservedAmount: Money;
  readonly voidedAt: string | null;
  readonly voidReason: string | null;
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
  /** The matching error code of the Payment or AVS and CVV categories (decisions 4, 11). */
  readonly errorCode: string | null;
  /** Responses of both checks when the error code belongs to the AVS and CVV category. */
  readonly details: CheckDetails | null;
  readonly token: string | null;
  readonly card: CardOnRecord | null;
  readonly bankAccount: BankAccountOnRecord | null;
  readonly customer: { readonly name: string | null; readonly email: string | null } | null;
  readonly billing: Billing | null;
  readonly rerunOf: string | null;
  readonly customerId: string | null;
  readonly subscriptionId: string | null;
  readonly invoiceId: string | null;
  readonly orderId: string | null;
  readonly description: string | null;
  readonly metadata: Record<string, unknown> | null;
  readonly source: TransactionSource;
  readonly pendingReason: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** A refund as its record stands (specification 2.3). */
export interface Refund {
  readonly refundId: string;
  readonly transactionId: string;
  readonly merchantId: string;
  readonly status: RefundStatus;
  readonly amount: Money;
  /** What may still be refunded of the transaction, as this refund left it. */
  readonly remainingAmount: Money;
  readonly currency: Currency;
  readonly reason: string | null;
  readonly type: 'full' | 'partial';
  readonly refundedAt: string | null;
  readonly settledAt: string | null;
  readonly card: CardOnRecord | null;
  readonly bankAccount: BankAccountOnRecord | null;
  readonly declineCode: string | null;
  readonly declineReason: string | null;
  /** Set while the refund is declined (specification 7.4). */
  readonly errorCode: 'REFUND_DECLINED' | null;
  readonly queuedForRetry: boolean;
  readonly retryScheduledAt: string | null;
  readonly processorRef: string;
  /** How the money goes back: by a refund, a void of the unsettled payment, or the bank's own return. */
  readonly sentAs: 'refund' | 'void' | 'return';
  readonly createdAt: string;
}
