import { dueColumns, integer, type RowOf, table, text } from '#core/database';
import type { TenantTime } from '#core/kernel';

/**
 * `pending`: sold by an order that is not paid. `expired`: the merchant has kept the balance after the expiry. `replaced`: the balance is on another card.
 * `canceled`: the order that sold it was canceled.
 */
export const GIFT_CARD_STATUSES = ['pending', 'active', 'blocked', 'expired', 'replaced', 'canceled'] as const;
export type GiftCardStatus = (typeof GIFT_CARD_STATUSES)[number];

/** `store_credit` belongs to a customer and has no code. */
export const GIFT_CARD_KINDS = ['gift_card', 'store_credit'] as const;
export type GiftCardKind = (typeof GIFT_CARD_KINDS)[number];

/** Gift cards and store credit: money that the merchant owes to their holders. */
export const GIFT_CARDS = table(
  'gift_cards',
  {
    tenant_id: text,
    id: text,
    merchant_id: text,
    kind: text.of<GiftCardKind>(),
    status: text.of<GiftCardStatus>(),
    /** Keyed hash of the code with its PIN; null for store credit and canceled cards. The code itself is not stored. */
    code_hash: text.optional,
    /** Keyed hash of the code without its PIN, so that a merchant has a code once. */
    number_hash: text.optional,
    /** Last characters of the code. */
    last4: text.optional,
    currency: text,
    balance_minor: integer,
    customer_id: text.optional,
    /** Card to which the balance was moved. */
    replaced_by: text.optional,
    block_reason: text.optional,
    /** Last local day on which the card pays; null for never. */
    expires_on: text.optional,
    /** Expired balances that were not reinstated. */
    expired_minor: integer,
    /** End of that day, if the card is active and has a balance. */
    ...dueColumns<TenantTime>(),
    created_by: text,
    created_at: text,
    updated_at: text,
  },
  {
    key: ['tenant_id', 'id'],
    indexes: [
      { name: 'gift_cards_by_merchant', columns: ['tenant_id', 'merchant_id', 'id'] },
      { name: 'gift_cards_by_balance', columns: ['tenant_id', 'merchant_id', 'balance_minor', 'id'] },
      { name: 'gift_cards_of_tenant_by_balance', columns: ['tenant_id', 'balance_minor', 'id'] },
      {
        name: 'gift_cards_by_code',
        columns: ['tenant_id', 'merchant_id', 'number_hash'],
        where: 'number_hash IS NOT NULL',
        unique: true,
      },
      {
        name: 'gift_cards_by_customer',
        columns: ['tenant_id', 'merchant_id', 'customer_id', 'currency'],
        where: "kind = 'store_credit'",
        unique: true,
      },
      { name: 'gift_cards_by_last4', columns: ['tenant_id', 'last4'], where: 'last4 IS NOT NULL' },
      { name: 'gift_cards_of_customer', columns: ['tenant_id', 'customer_id'], where: 'customer_id IS NOT NULL' },
      { name: 'gift_cards_due', columns: ['tenant_id', 'due_ms'], where: 'due_ms IS NOT NULL' },
    ],
    counts: { by: ['merchant_id', 'status', 'kind'] },
    checks: [{ name: 'gift_cards_balance', expression: 'balance_minor >= 0' }],
  },
);
export type GiftCardRow = RowOf<typeof GIFT_CARDS>;

/**
 * `sold`: by a paid order. `taken_back`: because the money of the order was returned. `given`: without a payment, also by an import. `redeemed`, `refunded`: by a tender and its
 * refund. `moved_in`, `moved_out`: by a replacement. `expired`: after its last day. `reinstated`: an expired balance that the card got again.
 */
export const GIFT_CARD_ENTRY_KINDS = [
  'sold',
  'taken_back',
  'given',
  'redeemed',
  'refunded',
  'moved_in',
  'moved_out',
  'expired',
  'reinstated',
] as const;
export type GiftCardEntryKind = (typeof GIFT_CARD_ENTRY_KINDS)[number];

/** Changes of balances. Written once and never changed. */
export const GIFT_CARD_ENTRIES = table(
  'gift_card_entries',
  {
    tenant_id: text,
    id: text,
    gift_card_id: text,
    kind: text.of<GiftCardEntryKind>(),
    /** Below zero if it lowers the balance. */
    amount_minor: integer,
    balance_minor: integer,
    /** Order, tender, refund of a tender, or other card. */
    subject_id: text.optional,
    reason: text.optional,
    created_by: text,
    approved_by: text.optional,
    created_at: text,
  },
  {
    key: ['tenant_id', 'id'],
    indexes: [
      { name: 'gift_card_entries_by_card', columns: ['tenant_id', 'gift_card_id', 'id'] },
      { name: 'gift_card_entries_given', columns: ['tenant_id', 'created_at'], where: "kind IN ('given', 'reinstated')" },
    ],
  },
);
/** Amounts that orders put on gift cards. */
export const GIFT_CARD_LOADS = table(
  'gift_card_loads',
  {
    tenant_id: text,
    order_id: text,
    gift_card_id: text,
    amount_minor: integer,
    /** Part of the amount that the card has got: nothing until the order is paid. */
    loaded_minor: integer,
  },
  {
    key: ['tenant_id', 'order_id', 'gift_card_id'],
    indexes: [{ name: 'gift_card_loads_by_card', columns: ['tenant_id', 'gift_card_id'] }],
  },
);
export type GiftCardLoadRow = RowOf<typeof GIFT_CARD_LOADS>;
