import type { Writer } from '#core/database';
import { assert, type Currency, type Money } from '#core/kernel';
import { type Account, BALANCES, type OrderPart, TRANSFERS, type TransferKind, UNSETTLED_LINES } from './schema.ts';

/** The account that each kind of transfer debits, and the account that it credits. */
const ACCOUNTS_BY_KIND: Readonly<Record<TransferKind, readonly [debit: Account, credit: Account]>> = {
  capture: ['processor', 'unsettled'],
  capture_reversed: ['unsettled', 'processor'],
  refund: ['unsettled', 'processor'],
  credit: ['credited', 'processor'],
  refund_outside: ['refunded_outside', 'own_funds'],
  settlement: ['unsettled', 'settled'],
  settlement_owed: ['settled', 'unsettled'],
  fee: ['settled', 'fees'],
  payout: ['settled', 'paid_out'],
  chargeback: ['unsettled', 'processor'],
  chargeback_reversed: ['processor', 'unsettled'],
  dispute_fee: ['unsettled', 'fees'],
  tip: ['sales', 'tips'],
  tip_reversed: ['tips', 'sales'],
  tip_refunded: ['tips', 'sales'],
  surcharge: ['sales', 'surcharges'],
  surcharge_reversed: ['surcharges', 'sales'],
  surcharge_refunded: ['surcharges', 'sales'],
  tax: ['sales', 'taxes'],
  tax_reversed: ['taxes', 'sales'],
  tax_refunded: ['taxes', 'sales'],
  bank_deposit: ['paid_out', 'bank'],
  bank_deposit_reversed: ['bank', 'paid_out'],
  bank_fee: ['bank', 'bank_fees'],
  bank_fee_reversed: ['bank_fees', 'bank'],
  bank_chargeback: ['bank', 'bank_chargebacks'],
  bank_chargeback_reversed: ['bank_chargebacks', 'bank'],
  bank_invoice: ['tenders_deposited', 'bank'],
  bank_invoice_reversed: ['bank', 'tenders_deposited'],
  bank_cash: ['tenders_deposited', 'bank'],
  bank_cash_reversed: ['bank', 'tenders_deposited'],
  bank_check: ['tenders_deposited', 'bank'],
  bank_check_reversed: ['bank', 'tenders_deposited'],
  bank_refund: ['bank', 'tenders_deposited'],
  bank_refund_reversed: ['tenders_deposited', 'bank'],
  cash_sale: ['cash', 'tender_sales'],
  cash_refund: ['tender_sales', 'cash'],
  check_sale: ['checks', 'tender_sales'],
  check_refund: ['tender_sales', 'checks'],
  other_sale: ['other_tenders', 'tender_sales'],
  other_refund: ['tender_sales', 'other_tenders'],
  gift_card_sale: ['gift_cards', 'tender_sales'],
  gift_card_refund: ['tender_sales', 'gift_cards'],
  gift_card_sold: ['sales', 'gift_cards'],
  gift_card_taken_back: ['gift_cards', 'sales'],
  gift_card_given: ['gift_cards_given', 'gift_cards'],
  gift_card_imported: ['own_funds', 'gift_cards'],
  gift_card_expired: ['gift_cards', 'gift_cards_expired'],
  gift_card_reinstated: ['gift_cards_expired', 'gift_cards'],
  store_credit_refund: ['refunded_outside', 'gift_cards'],
  late_fee: ['sales', 'late_fees'],
  late_fee_reversed: ['late_fees', 'sales'],
  cash_in: ['cash', 'own_funds'],
  cash_out: ['own_funds', 'cash'],
  cash_over: ['cash', 'cash_differences'],
  cash_short: ['cash_differences', 'cash'],
  cash_rounded_up: ['cash', 'cash_differences'],
  cash_rounded_down: ['cash_differences', 'cash'],
};

/** The number of unsettled lines that a transfer adds. */
const UNSETTLED_LINES_BY_KIND: Readonly<Partial<Record<TransferKind, number>>> = {
  capture: 1,
  capture_reversed: -1,
  refund: 1,
  chargeback: 1,
  chargeback_reversed: 1,
  dispute_fee: 1,
};

export interface Transfer {
  readonly tenantId: string;
  readonly merchantId: string;
  /** ID of the attempt, settlement, payout, dispute movement, tender or shift movement that moved the money. */
  readonly id: string;
  readonly kind: TransferKind;
  readonly amount: Money;
  readonly subjectId: string;
  /** Calendar day in the merchant's zone. */
  readonly day: string;
  readonly at: string;
  /** For a payment of an order or its reversal. */
  readonly orderPart?: OrderPart | null;
}

/** Posts a transfer in the unit of work that records its cause. */
export type Post = (writer: Writer, transfer: Transfer) => void;

export const post: Post = (writer, { tenantId, merchantId, id, kind, amount, subjectId, day, at, orderPart = null }) => {
  assert(amount.minor > 0, 'the amount of a transfer is greater than 0');
  const [debit, credit] = ACCOUNTS_BY_KIND[kind];
  const { currency } = amount;
  const balanceKey = { tenant_id: tenantId, merchant_id: merchantId, currency };
  writer.count(BALANCES, { ...balanceKey, account: debit }, amount.minor);
  writer.count(BALANCES, { ...balanceKey, account: credit }, -amount.minor);
  const lines = UNSETTLED_LINES_BY_KIND[kind];
  if (lines !== undefined) writer.count(UNSETTLED_LINES, balanceKey, lines);
  writer.insert(TRANSFERS, {
    ...balanceKey,
    id,
    kind,
    debit,
    credit,
    amount_minor: amount.minor,
    subject_id: subjectId,
    day,
    at,
    order_part: orderPart,
  });
};

/** Subtracts lines that were added to a settlement from the number of unsettled lines. */
export function countSettled(
  writer: Writer,
  { tenantId, merchantId, currency }: { readonly tenantId: string; readonly merchantId: string; readonly currency: Currency },
  lines: number,
): void {
  writer.count(UNSETTLED_LINES, { tenant_id: tenantId, merchant_id: merchantId, currency }, -lines);
}
