import { money, storedCurrency } from '#core/kernel';
import type { Discount } from './records.ts';
import type { DiscountRow } from './schema.ts';

export function toDiscount(row: DiscountRow): Discount {
  const currency = storedCurrency(row.currency);
  return {
    discountId: row.id,
    merchantId: row.merchant_id,
    price: money(row.price_minor, currency),
    discountAmount: money(row.discount_minor, currency),
    currency,
    reason: row.reason,
    status: row.status,
    requestedBy: row.requested_by,
    approvedBy: row.approved_by,
    expiresAt: row.expires_at,
  };
}
