import type { Work } from '#core/database';
import { formatDecimal, money, ServiceError, storedCurrency, type TenantTime } from '#core/kernel';
import type { AuditActor } from '#core/records/audit';
import { lineItemsOf } from '#core/sales/items';
import { remainingOf } from './balance.ts';
import type { Dependencies } from './dependencies.ts';
import type { Order } from './records.ts';
import type { OrderRow } from './schema.ts';

const NUMBER_DIGITS = 6;
/** Formats a number of the series of orders: O-000001. */
export const numberOf = (n: number) => `O-${String(n).padStart(NUMBER_DIGITS, '0')}`;

/** Returns true if an order can still get payments, also after it was resumed. */
export const isPayable = ({ status }: OrderRow): boolean => status === 'open' || status === 'parked';

export function toOrder(row: OrderRow): Order {
  const currency = storedCurrency(row.currency);
  return {
    orderId: row.id,
    number: numberOf(row.number),
    merchantId: row.merchant_id,
    status: row.status,
    amount: money(row.amount_minor, currency),
    currency,
    taxAmount: money(row.tax_minor, currency),
    discountAmount: money(row.discount_minor, currency),
    discountApprovedBy: row.discount_approved_by,
    paidAmount: money(row.paid_minor, currency),
    reservedAmount: money(row.reserved_minor, currency),
    remainingAmount: money(isPayable(row) ? remainingOf(row) : 0, currency),
    refundedAmount: money(row.refunded_minor, currency),
    name: row.name,
    reference: row.reference,
    description: row.description,
    customerId: row.customer_id,
    customerName: row.customer_name,
    lineItems: lineItemsOf(row.line_items, currency),
    createdBy: row.created_by,
    parkedAt: row.parked_at,
    parkedBy: row.parked_by,
    resumedBy: row.resumed_by,
    paidAt: row.paid_at,
    canceledAt: row.canceled_at,
    canceledBy: row.canceled_by,
    cancelReason: row.cancel_reason,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

export const orderNotFound = (orderId: string, field?: string) =>
  new ServiceError('NOT_FOUND', `There is no order ${orderId.slice(0, 60)}.`, { field, details: { orderId: orderId.slice(0, 60) } });

export type OrderEvent = 'order.created' | 'order.parked' | 'order.resumed' | 'order.paid' | 'order.reopened' | 'order.canceled';

/** Emits an event about an order, writes it to the audit log and announces the change, in the unit of work of the change. */
export function announce(
  { emit, audit, changed }: Pick<Dependencies, 'emit' | 'audit' | 'changed'>,
  work: Work,
  type: OrderEvent,
  { row, actor, atMs }: { readonly row: OrderRow; readonly actor: AuditActor; readonly atMs: TenantTime },
): void {
  const { tenant_id: tenantId, merchant_id: merchantId, id: orderId } = row;
  const currency = storedCurrency(row.currency);
  const amount = (minor: number) => money(minor, currency);
  const data = {
    orderId,
    number: numberOf(row.number),
    status: row.status,
    amount: amount(row.amount_minor),
    paidAmount: amount(row.paid_minor),
    remainingAmount: toOrder(row).remainingAmount,
    currency,
    name: row.name,
    reference: row.reference,
    customerId: row.customer_id,
  };
  emit(work, { tenantId, merchantId, resourceId: orderId, atMs, type, data });
  const after = {
    number: data.number,
    status: row.status,
    amount: formatDecimal(money(row.amount_minor, currency)),
    currency,
    name: row.name,
    customerId: row.customer_id,
  };
  audit(work, { actor, action: type, resource: `orders/${orderId}`, merchantId, after });
  work.afterCommit(() => changed(tenantId, 'orders', merchantId));
}
