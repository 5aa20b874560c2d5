import { integer, type RowOf, table, text } from '#core/database';
import type { DrawerTransferKind, OrderPart, SoldGiftCardKind, TenderTransferKind } from '#core/records/ledger';

/** Shifts at cash drawers. The expected cash is kept up to date under the lock of the row, so that a close and a cash sale never miss each other. */
export const SHIFTS = table(
  'shifts',
  {
    tenant_id: text,
    id: text,
    merchant_id: text,
    drawer: text,
    /** Identifies the open shift of a drawer, or of a person at a drawer; null once the shift is closed. */
    open_key: text.optional,
    status: text.of<'open' | 'closed'>(),
    currency: text,
    float_minor: integer,
    /** Cash that should be in the drawer: the float and all movements of cash. Negative if more was taken out than put in. */
    expected_minor: integer,
    counted_minor: integer.optional,
    /** Counted less expected cash. */
    variance_minor: integer.optional,
    /** Explanation of the variance, written once after the count. */
    note: text.optional,
    note_by: text.optional,
    /** Number of the Z report, per merchant and without gaps. */
    z_number: integer.optional,
    /** JSON of the Z report as it was printed at the close. */
    report: text.optional,
    opened_by: text,
    /** Time of the opening. */
    created_at: text,
    closed_by: text.optional,
    closed_at: text.optional,
    closed_day: text.optional,
    updated_at: text,
  },
  {
    key: ['tenant_id', 'id'],
    indexes: [
      { name: 'shifts_by_merchant', columns: ['tenant_id', 'merchant_id', 'id'] },
      { name: 'shifts_open', columns: ['tenant_id', 'open_key'], where: 'open_key IS NOT NULL', unique: true },
      { name: 'shifts_by_closed_day', columns: ['tenant_id', 'merchant_id', 'closed_day'], where: 'closed_day IS NOT NULL' },
    ],
  },
);

export type ShiftRow = RowOf<typeof SHIFTS>;

/**
 * `float` and `removed` are the cash at the opening and at the close; `over` and `short` are the variance of the count. `rounded_up` and `rounded_down` are
 * the differences of rounded tenders. `no_sale` is an opening of the drawer without a sale, which moves nothing.
 */
export type ShiftMovementKind =
  | 'float'
  | 'pay_in'
  | 'pay_out'
  | 'over'
  | 'short'
  | 'removed'
  | 'rounded_up'
  | 'rounded_down'
  | 'no_sale'
  | SoldGiftCardKind
  | TenderTransferKind;

/** Money that moved during a shift, with a ledger transfer of the same ID, and openings of the drawer without a sale. */
export const SHIFT_MOVEMENTS = table(
  'shift_movements',
  {
    tenant_id: text,
    /** ID of the movement; for a tender or its refund, their ID, and for their rounding, this ID with the suffix `-rounding`. */
    id: text,
    shift_id: text,
    merchant_id: text,
    kind: text.of<ShiftMovementKind>(),
    currency: text,
    /** Above zero; 0 for an opening without a sale. */
    amount_minor: integer,
    /** Discount of a tender; 0 for all others. */
    discount_minor: integer,
    /** For a payment of an order. */
    order_part: text.of<OrderPart>().optional,
    reason: text.optional,
    actor: text,
    /** Calendar day in the merchant's zone. */
    day: text,
    at: text,
  },
  {
    key: ['tenant_id', 'id'],
    indexes: [
      { name: 'shift_movements_by_shift', columns: ['tenant_id', 'shift_id', 'id'] },
      { name: 'shift_movements_by_day', columns: ['tenant_id', 'merchant_id', 'day', 'kind'] },
    ],
  },
);

export type ShiftMovementRow = RowOf<typeof SHIFT_MOVEMENTS>;

/** Last number of the Z reports of each merchant. */
export const SHIFT_NUMBERS = table(
  'shift_numbers',
  { tenant_id: text, merchant_id: text, last: integer },
  { key: ['tenant_id', 'merchant_id'] },
);

/** Effect of a movement on the cash in the drawer. */
export const CASH_EFFECT: Readonly<Record<ShiftMovementKind, 1 | 0 | -1>> = {
  float: 1,
  pay_in: 1,
  pay_out: -1,
  over: 1,
  short: -1,
  removed: -1,
  rounded_up: 1,
  rounded_down: -1,
  no_sale: 0,
  cash_sale: 1,
  cash_refund: -1,
  check_sale: 0,
  check_refund: 0,
  other_sale: 0,
  other_refund: 0,
  gift_card_sale: 0,
  gift_card_refund: 0,
  gift_card_sold: 0,
  gift_card_taken_back: 0,
};

/** Returns true for a payment by a tender. */
export const isTenderSale = (kind: ShiftMovementKind): boolean => kind.endsWith('_sale') && kind !== 'no_sale';

/** Effect of a movement on net sales. A sold gift card is no sale, because what it pays later is one. */
export function salesEffect(kind: ShiftMovementKind): 1 | 0 | -1 {
  if (kind === 'gift_card_sold') return -1;
  if (kind === 'gift_card_taken_back') return 1;
  return kind.endsWith('_refund') ? -1 : isTenderSale(kind) ? 1 : 0;
}

/** Ledger transfer of a movement of a drawer itself. Those of tenders and gift cards are posted with them. */
export const DRAWER_TRANSFERS: Readonly<
  Record<Exclude<ShiftMovementKind, TenderTransferKind | SoldGiftCardKind | 'no_sale'>, DrawerTransferKind>
> = {
  float: 'cash_in',
  pay_in: 'cash_in',
  pay_out: 'cash_out',
  over: 'cash_over',
  short: 'cash_short',
  removed: 'cash_out',
  rounded_up: 'cash_rounded_up',
  rounded_down: 'cash_rounded_down',
};
