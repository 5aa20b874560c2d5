import type { Writer } from '#core/database';
import { type Actor, type Currency, formatDecimal, money, toNumber } from '#core/kernel';
import type { Merchant } from '#core/merchants';
import { nextPaymentDate } from './course.ts';
import type { Needs } from './needs.ts';
import type { SubscriptionRow } from './schema.ts';

type SubscriptionEvent =
  | 'subscription.created'
  | 'subscription.payment_succeeded'
  | 'subscription.payment_failed'
  | 'subscription.cancelled'
  | 'subscription.expired';

/** Tells of a subscription in the unit of work of what happened to it (specification 6.3, decisions 8). */
export function tell(
  on: Needs,
  into: Writer,
  type: SubscriptionEvent,
  row: SubscriptionRow,
  merchant: Merchant,
  atMs: number,
  more: Record<string, unknown> = {},
): void {
  const data = {
    subscriptionId: row.id,
    customerId: row.customer_id,
    amount: toNumber(money(row.amount_minor, row.currency as Currency)),
    status: row.status,
    nextPaymentDate: nextPaymentDate(row, merchant.timezone),
    ...more,
  };
  on.emit(into, { tenantId: row.tenant_id, merchantId: row.merchant_id, type, resourceId: row.id, atMs, data });
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
