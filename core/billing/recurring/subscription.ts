import { type Currency, isoTime, money } from '#core/kernel';
import type { Payer } from '#core/sales/customers';
import type { Agreement } from '#core/sales/payments';
import { nextPaymentDate } from './billing-cycle.ts';
import type { Subscription, SubscriptionPayment } from './records.ts';
import type { PeriodRow, SubscriptionRow } from './schema.ts';

export function toSubscription(row: SubscriptionRow, zone: string, payer: Pick<Payer, 'name' | 'email' | 'method'>): Subscription {
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
