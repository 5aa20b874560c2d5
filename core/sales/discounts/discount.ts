import { type Currency, type Money, money, storedCurrency } from '#core/kernel';
import type { DiscountRow } from './schema.ts';

/** A granted discount, in the form of the API. */
export interface Discount {
  readonly discountId: string;
  readonly merchantId: string;
  /** Price before the discount. */
  readonly price: Money;
  readonly discountAmount: Money;
  readonly currency: Currency;
  readonly reason: string | null;
  readonly status: 'open' | 'used';
  readonly requestedBy: string;
  /** Person who approved it as the second one; null if it needed no approval. */
  readonly approvedBy: string | null;
  readonly expiresAt: string;
}

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
