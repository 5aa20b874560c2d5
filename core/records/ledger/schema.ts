import { integer, table, text } from '#core/database';

/**
 * Ledger accounts. `processor`: owed by the processor. `unsettled`, `settled`: owed to the merchant before and after settlement. `fees`,
 * `paid_out`: deducted and paid out. `credited`: paid by unlinked credits. `refunded_outside`: refunded outside of a processor, from the
 * merchant's `own_funds` or to `gift_cards`. `bank`: received on a bank account, by its statement. `bank_fees`, `bank_chargebacks`: withheld from a payout or
 * debited from the bank account by the processor. `tenders_deposited`: the part of `bank` that customers transferred, or that was deposited as cash and checks. `tips`, `surcharges`, `taxes`: included in captured payments and not refunded, taken out of `sales`.
 * `cash`, `checks`, `other_tenders`: received at the counter without a processor, for
 * `tender_sales`. `cash_differences`: missing or surplus cash of counted drawers. `gift_cards`: owed to holders of gift cards and store credit.
 * `gift_cards_given`: put on them without a payment. `gift_cards_expired`: kept by the merchant after their expiry. `late_fees`: paid with invoices, taken out of `sales`.
 */
export const ACCOUNTS = [
  'processor',
  'unsettled',
  'settled',
  'fees',
  'paid_out',
  'credited',
  'own_funds',
  'refunded_outside',
  'bank',
  'bank_fees',
  'bank_chargebacks',
  'tenders_deposited',
  'sales',
  'tips',
  'surcharges',
  'taxes',
  'cash',
  'checks',
  'other_tenders',
  'tender_sales',
  'cash_differences',
  'gift_cards',
  'gift_cards_given',
  'gift_cards_expired',
  'late_fees',
] as const;
export type Account = (typeof ACCOUNTS)[number];

export type TransferKind =
  | 'capture'
  | 'capture_reversed'
  | 'refund'
  | 'credit'
  | 'refund_outside'
  | 'settlement'
  | 'settlement_owed'
  | 'fee'
  | 'payout'
  | 'chargeback'
  | 'chargeback_reversed'
  | 'dispute_fee'
  | PartTransferKind
  | BankTransferKind
  | TenderTransferKind
  | GiftCardTransferKind
  | StoreCreditTransferKind
  | LateFeeTransferKind
  | DrawerTransferKind;

/** Parts of captures, of canceled captures and of refunds. The movement of the whole amount is posted beside them. */
export type PartTransferKind = `${'tip' | 'surcharge' | 'tax'}${'' | '_reversed' | '_refunded'}`;

/** Movements of a bank account. A `_reversed` one is the opposite of the other: an undone match, or a fee that the bank returned. */
export const BANK_TRANSFER_KINDS = (['deposit', 'fee', 'chargeback', 'invoice', 'cash', 'check', 'refund'] as const).flatMap(
  (kind) => [`bank_${kind}`, `bank_${kind}_reversed`] as const,
);
export type BankTransferKind = (typeof BANK_TRANSFER_KINDS)[number];

/** Sales and refunds without a processor. */
export type TenderTransferKind = `${'cash' | 'check' | 'other' | 'gift_card'}_${'sale' | 'refund'}`;

/**
 * Part of a payment, or of its reversal, in the number of sales. `further`: its order has another payment, so that it neither begins nor ends the sale.
 * `discounted`: it begins or ends the sale of an order with a discount.
 */
export type OrderPart = 'further' | 'discounted';

/** Sold by an order, and taken back by a refund. Net sales leave both out, because they count what a card pays. */
export type SoldGiftCardKind = 'gift_card_sold' | 'gift_card_taken_back';
/** Changes of what is owed to holders of gift cards, beside payments with them. `gift_card_reinstated`: an expired balance that was put on its card again. */
export type GiftCardTransferKind =
  | SoldGiftCardKind
  | 'gift_card_given'
  | 'gift_card_imported'
  | 'gift_card_expired'
  | 'gift_card_reinstated';
/** Refund of a card payment to a gift card or to store credit. */
export type StoreCreditTransferKind = 'store_credit_refund';

/** Late fees that a payment of an invoice paid, and that are no longer paid after its void. */
type LateFeeTransferKind = `late_fee${'' | '_reversed'}`;

/** Cash that is put into or taken out of a drawer, differences found by counting it, and differences of rounded payments and refunds. */
export type DrawerTransferKind = 'cash_in' | 'cash_out' | 'cash_over' | 'cash_short' | 'cash_rounded_up' | 'cash_rounded_down';

/** One movement of money, out of the credited account and into the debited one. Written once and never changed. */
export const TRANSFERS = table(
  'ledger_transfers',
  {
    tenant_id: text,
    /** ID of the attempt, settlement, payout, dispute movement, tender or shift movement that moved the money, so that nothing is posted twice. */
    id: text,
    merchant_id: text,
    currency: text,
    kind: text.of<TransferKind>(),
    debit: text.of<Account>(),
    credit: text.of<Account>(),
    /** Above zero. */
    amount_minor: integer,
    /** The transaction, refund, settlement, payout, dispute, tender or shift that it belongs to. */
    subject_id: text,
    /** Calendar day in the merchant's zone. */
    day: text,
    at: text,
    /** For a payment of an order or its reversal. */
    order_part: text.of<OrderPart>().optional,
  },
  {
    key: ['tenant_id', 'id'],
    indexes: [{ name: 'ledger_transfers_by_day', columns: ['tenant_id', 'merchant_id', 'day', 'kind'] }],
  },
);

/** Number of unsettled captures and refunds. */
export const UNSETTLED_LINES = table(
  'ledger_unsettled_lines',
  {
    tenant_id: text,
    merchant_id: text,
    currency: text,
    n: integer,
  },
  { key: ['tenant_id', 'merchant_id', 'currency'] },
);

/** Balance of an account: debits less credits, in minor units. */
export const BALANCES = table(
  'ledger_balances',
  {
    tenant_id: text,
    merchant_id: text,
    currency: text,
    account: text.of<Account>(),
    n: integer,
  },
  { key: ['tenant_id', 'merchant_id', 'currency', 'account'] },
);
