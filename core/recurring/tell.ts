import type { Writer } from '#core/database';
import { type Actor, type Currency, formatDecimal, money, toNumber } from '#core/kernel';
import type { Merchant } from '#core/merchants';
import type { PaymentEvent } from '#shared/webhook-events';
import { nextPaymentDate } from './course.ts';
import type { Needs } from './needs.ts';
import type { SubscriptionRow } from './schema.ts';

type Plan = ReturnType<typeof planOf>;

const planOf = (row: SubscriptionRow, merchant: Merchant) => ({
  subscriptionId: row.id,
  customerId: row.customer_id,
  amount: toNumber(money(row.amount_minor, row.currency as Currency)),
  status: row.status,
  nextPaymentDate: nextPaymentDate(row, merchant.timezone),
});

/** Tells of a subscription in the unit of work of what happened to it (specification 6.3, decisions 8). */
export function tell(
  on: Needs,
  into: Writer,
  row: SubscriptionRow,
  merchant: Merchant,
  atMs: number,
  eventOf: (plan: Plan) => PaymentEvent,
): void {
  on.emit(into, { tenantId: row.tenant_id, merchantId: row.merchant_id, resourceId: row.id, atMs, ...eventOf(planOf(row, merchant)) });
}

/** Tells that a subscription ended, if it did: cancelled or expired. */
export function tellEnd(on: Needs, into: Writer, row: SubscriptionRow, merchant: Merchant, atMs: number): void {
  if (row.status === 'expired') tell(on, into, row, merchant, atMs, (data) => ({ type: 'subscription.expired', data }));
  if (row.status !== 'cancelled') return;
  const { cancel_reason: reason, cancelled_at: cancelledAt } = row;
  tell(on, into, row, merchant, atMs, (plan) => ({ type: 'subscription.cancelled', data: { ...plan, reason, cancelledAt } }));
}

/** What the audit log keeps of a subscription. */
function auditFields(row: SubscriptionRow) {
  return {
    status: row.status,
    amount: formatDecimal(money(row.amount_minor, row.currency as Currency)),
    currency: row.currency,
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

export function note(on: Needs, into: Writer, by: Actor, action: string, before: SubscriptionRow | null, after: SubscriptionRow): void {
  on.audit(into, {
    by,
    action: `subscription.${action}`,
    resource: `recurring/${after.id}`,
    merchantId: after.merchant_id,
    before: before === null ? null : auditFields(before),
    after: auditFields(after),
  });
}
