import { type BulkStatement, integer, type RowOf, table, text } from '#core/database';

/** Discounts that were granted before their payment. Each is used by one payment. */
export const DISCOUNTS = table(
  'discounts',
  {
    tenant_id: text,
    id: text,
    merchant_id: text,
    status: text.of<'open' | 'used'>(),
    currency: text,
    /** Price before the discount. */
    price_minor: integer,
    discount_minor: integer,
    reason: text.optional,
    requested_by: text,
    /** ID of the user or API key, which alone may use it. */
    requester_id: text,
    /** Person who approved it as the second one; null if it needed no approval. */
    approved_by: text.optional,
    /** Transaction, tender or later payment that uses it; null while it is open. */
    payment_id: text.optional,
    expires_at: text,
    used_at: text.optional,
    created_at: text,
  },
  { key: ['tenant_id', 'id'] },
);

export type DiscountRow = RowOf<typeof DISCOUNTS>;

/** A discount and the payment that uses it. */
export interface DiscountUse {
  readonly tenant_id: string;
  readonly id: string;
  readonly payment_id: string;
}

/** Opens a discount again, unless another payment uses it. */
export const RELEASE_DISCOUNT: BulkStatement<DiscountUse> = {
  columns: { tenant_id: 'text', id: 'text', payment_id: 'text' },
  sql: `UPDATE discounts SET status = 'open', payment_id = NULL, used_at = NULL FROM {rows} AS given
    WHERE discounts.tenant_id = given.tenant_id AND discounts.id = given.id AND discounts.payment_id = given.payment_id`,
};
