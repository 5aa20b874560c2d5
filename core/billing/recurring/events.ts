import type { Writer } from '#core/database';
import { type Actor, type Currency, formatDecimal, money } from '#core/kernel';
import type { Merchant } from '#core/processing/merchants';
import type { TypedEvent } from '#core/records/webhooks';
import type { Agreement } from '#core/sales/payments';
import { nextPaymentDate } from './billing-cycle.ts';
import type { Dependencies } from './dependencies.ts';
import type { SubscriptionRow } from './schema.ts';

type SubscriptionData = ReturnType<typeof subscriptionDataOf>;

const subscriptionDataOf = (row: SubscriptionRow, merchant: Merchant) => ({
  subscriptionId: row.id,
  customerId: row.customer_id,
  amount: money(row.amount_minor, row.currency as Currency),
  status: row.status,
  nextPaymentDate: nextPaymentDate(row, merchant.timezone),
});

/** Emits an event of a subscription in the unit of work of its cause. */
export function emitSubscriptionEvent(
  deps: Dependencies,
  into: Writer,
  row: SubscriptionRow,
  merchant: Merchant,
  atMs: number,
  eventOf: (subscription: SubscriptionData) => TypedEvent,
): void {
  deps.emit(into, {
    tenantId: row.tenant_id,
    merchantId: row.merchant_id,
    resourceId: row.id,
    atMs,
    ...eventOf(subscriptionDataOf(row, merchant)),
  });
}

/** Emits the event of a subscription that ended, canceled or expired. */
export function emitEnd(deps: Dependencies, into: Writer, row: SubscriptionRow, merchant: Merchant, atMs: number): void {
  if (row.status === 'expired') emitSubscriptionEvent(deps, into, row, merchant, atMs, (data) => ({ type: 'subscription.expired', data }));
  if (row.status !== 'cancelled') return;
  const { cancel_reason: reason, cancelled_at: cancelledAt } = row;
  emitSubscriptionEvent(deps, into, row, merchant, atMs, (subscription) => ({
    type: 'subscription.cancelled',
    data: { ...subscription, reason, cancelledAt },
  }));
}

/** Returns the fields of a subscription that the audit log keeps. */
function auditFields(row: SubscriptionRow) {
  return {
    status: row.status,
    amount: formatDecimal(money(row.amount_minor, row.currency as Currency)),
    taxAmount: formatDecimal(money(row.tax_minor, row.currency as Currency)),
    currency: row.currency,
    purchaseOrderNumber: row.purchase_order_number,
    agreement: row.agreement === null ? null : (JSON.parse(row.agreement) as Agreement),
    frequency: row.frequency,
    planId: row.plan_id,
    startDate: row.start_date,
    endDate: row.end_date,
    totalPayments: row.total_payments,
    paymentMethodId: row.payment_method_id,
    nextDate: row.next_date,
    cancelReason: row.cancel_reason,
  };
}

export function auditSubscription(
  deps: Dependencies,
  into: Writer,
  actor: Actor,
  action: string,
  before: SubscriptionRow | null,
  after: SubscriptionRow,
): void {
  deps.audit(into, {
    actor,
    action: `subscription.${action}`,
    resource: `recurring/${after.id}`,
    merchantId: after.merchant_id,
    before: before === null ? null : auditFields(before),
    after: auditFields(after),
  });
}
