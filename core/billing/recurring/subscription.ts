import { type Currency, isoTime, type Money, money } from '#core/kernel';
import type { Agreement } from '#core/sales/payments';
import { nextPaymentDate } from './billing-cycle.ts';
import type { Frequency } from './calendar.ts';
import type { PeriodRow, PeriodStatus, SubscriptionRow, SubscriptionStatus } from './schema.ts';

/** Public details of a card or bank account. */
export interface ShownMethod {
  readonly paymentMethodId: string;
  readonly type: 'card' | 'ach';
  readonly brand: string | null;
  readonly last4: string;
  readonly expiryMonth: string | null;
  readonly expiryYear: string | null;
}

/** Payer of a subscription, and the present payment method. */
export interface ShownPayer {
  readonly name: string | null;
  readonly email: string | null;
  readonly method: ShownMethod | null;
}

/** A subscription in the form of the API. */
export interface Subscription {
  readonly subscriptionId: string;
  readonly merchantId: string;
  readonly customerId: string;
  readonly customer: { readonly name: string | null; readonly email: string | null };
  readonly planId: string | null;
  readonly amount: Money;
  /** Tax within the amount of each payment. */
  readonly taxAmount: Money;
  readonly currency: Currency;
  readonly purchaseOrderNumber: string | null;
  /** Agreement of the customer to the payments; null if it was not recorded. */
  readonly agreement: Agreement | null;
  readonly frequency: Frequency;
  readonly status: SubscriptionStatus;
  readonly startDate: string;
  readonly endDate: string | null;
  readonly totalPayments: number | null;
  readonly paymentsMade: number;
  /** Date of the next retry after a failure, otherwise of the next period; null if there is no further payment. */
  readonly nextPaymentDate: string | null;
  /** Own payment method of the subscription; null means the customer's default. */
  readonly paymentMethodId: string | null;
  /** Payment method of the next payment. */
  readonly card: ShownMethod | null;
  /** Failed attempts of the present period by the retry schedule. */
  readonly failedAttempts: number;
  /** Amount of the unpaid period, which is fixed; null unless past due. */
  readonly unpaidAmount: Money | null;
  readonly nextRetryAt: string | null;
  readonly lastPaymentAt: string | null;
  readonly lastResult: 'succeeded' | 'failed' | null;
  readonly lastReason: string | null;
  /** True while a payment is pending at the gateway. */
  readonly paymentInProgress: boolean;
  readonly pausedAt: string | null;
  readonly cancelledAt: string | null;
  readonly cancelledBy: string | null;
  readonly cancelReason: string | null;
  readonly expiredAt: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export function toSubscription(row: SubscriptionRow, zone: string, payer: ShownPayer): Subscription {
  const currency = row.currency as Currency;
  return {
    subscriptionId: row.id,
    merchantId: row.merchant_id,
    customerId: row.customer_id,
    customer: { name: payer.name, email: payer.email },
    planId: row.plan_id,
    amount: money(row.amount_minor, currency),
    taxAmount: money(row.tax_minor, currency),
    currency,
    purchaseOrderNumber: row.purchase_order_number,
    agreement: row.agreement === null ? null : (JSON.parse(row.agreement) as Agreement),
    frequency: row.frequency,
    status: row.status,
    startDate: row.start_date,
    endDate: row.end_date,
    totalPayments: row.total_payments,
    paymentsMade: row.payments_made,
    nextPaymentDate: nextPaymentDate(row, zone),
    paymentMethodId: row.payment_method_id,
    card: payer.method,
    failedAttempts: row.failed_attempts,
    unpaidAmount: row.status !== 'past_due' || row.unpaid_minor === null ? null : money(row.unpaid_minor, currency),
    nextRetryAt: row.retry_ms === null ? null : isoTime(row.retry_ms),
    lastPaymentAt: row.last_payment_at,
    lastResult: row.last_result,
    lastReason: row.last_reason,
    paymentInProgress: row.pending_transaction !== null,
    pausedAt: row.paused_at,
    cancelledAt: row.cancelled_at,
    cancelledBy: row.cancelled_by,
    cancelReason: row.cancel_reason,
    expiredAt: row.expired_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

/** An attempt to charge a period, or skipped periods. */
export interface SubscriptionPayment {
  readonly id: string;
  readonly subscriptionId: string;
  readonly transactionId: string | null;
  /** Date of the period. */
  readonly dueDate: string;
  readonly periods: number;
  /** Number of the attempt within the period, from 1. */
  readonly attempt: number;
  readonly amount: Money;
  readonly currency: Currency;
  readonly status: PeriodStatus;
  readonly declineCode: string | null;
  readonly declineReason: string | null;
  readonly createdAt: string;
  readonly concludedAt: string | null;
}

export function toPayment(row: PeriodRow): SubscriptionPayment {
  const currency = row.currency as Currency;
  return {
    id: row.id,
    subscriptionId: row.subscription_id,
    transactionId: row.transaction_id,
    dueDate: row.due_date,
    periods: row.periods,
    attempt: row.attempt,
    amount: money(row.amount_minor, currency),
    currency,
    status: row.status,
    declineCode: row.decline_code,
    declineReason: row.decline_reason,
    createdAt: row.created_at,
    concludedAt: row.concluded_at,
  };
}
