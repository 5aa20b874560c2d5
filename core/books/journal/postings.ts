import type { Money } from '#core/kernel';
import type { TransferKind } from '#core/records/ledger';
import type { JournalEntry } from './entries.ts';
import type { BookAccount } from './records.ts';

const DESCRIPTIONS: Readonly<Partial<Record<TransferKind, string>>> = {
  capture: 'Captures',
  capture_reversed: 'Canceled captures',
  refund: 'Refunds',
  credit: 'Unlinked credits',
  refund_outside: 'Refunds paid outside of the processor',
  fee: 'Processing fees',
  payout: 'Payout',
  chargeback: 'Chargebacks',
  chargeback_reversed: 'Reversed chargebacks',
  dispute_fee: 'Dispute fees',
  tip: 'Tips',
  tip_reversed: 'Tips of canceled captures',
  tip_refunded: 'Refunded tips',
  surcharge: 'Surcharges',
  surcharge_reversed: 'Surcharges of canceled captures',
  surcharge_refunded: 'Refunded surcharges',
  tax: 'Sales tax',
  tax_reversed: 'Sales tax of canceled captures',
  tax_refunded: 'Refunded sales tax',
  bank_deposit: 'Payout received',
  bank_deposit_reversed: 'Match undone: payout received',
  bank_fee: 'Bank line: fee',
  bank_fee_reversed: 'Bank line: fee returned',
  bank_chargeback: 'Bank line: chargeback',
  bank_chargeback_reversed: 'Bank line: chargeback returned',
  bank_invoice: 'Bank line: invoice paid',
  bank_invoice_reversed: 'Match undone: invoice paid',
  bank_cash: 'Bank line: cash deposited',
  bank_cash_reversed: 'Match undone: cash deposited',
  bank_check: 'Bank line: checks deposited',
  bank_check_reversed: 'Bank line: check returned, or match undone',
  bank_refund: 'Bank line: refund paid',
  bank_refund_reversed: 'Match undone: refund paid',
  cash_sale: 'Cash sales',
  cash_refund: 'Cash refunds',
  check_sale: 'Checks received',
  check_refund: 'Refunded and returned checks',
  other_sale: 'Other tenders received',
  other_refund: 'Refunded other tenders',
  gift_card_sale: 'Redeemed gift cards',
  gift_card_refund: 'Refunds to gift cards',
  gift_card_sold: 'Sold gift cards',
  gift_card_taken_back: 'Sold gift cards taken back',
  gift_card_given: 'Given gift cards',
  gift_card_imported: 'Imported gift cards',
  gift_card_expired: 'Expired gift cards',
  gift_card_reinstated: 'Reinstated gift cards',
  store_credit_refund: 'Refunds to store credit',
  late_fee: 'Late fees',
  late_fee_reversed: 'Late fees of voided payments',
  cash_in: 'Cash put into drawers',
  cash_out: 'Cash taken out of drawers',
  cash_over: 'Surplus cash',
  cash_short: 'Missing cash',
  cash_rounded_up: 'Cash rounding',
  cash_rounded_down: 'Cash rounding',
};

/** Returns the description of an entry: its kind, the payout or bank line, and the day that it adjusts. */
export function descriptionOf({ kind, subject, adjusts }: JournalEntry): string {
  return [DESCRIPTIONS[kind] ?? kind, subject, adjusts && `adjusts ${adjusts}`].filter(Boolean).join(' ');
}

/** A debit or credit of an entry. Credits are negative in `signed`. */
export interface Posting {
  readonly account: BookAccount;
  readonly amount: Money;
  readonly isDebit: boolean;
  readonly signed: Money;
}

/** Returns the debit and the credit of an entry. */
export function postingsOf({ debit, credit, amount }: JournalEntry): readonly [Posting, Posting] {
  return [
    { account: debit, amount, isDebit: true, signed: amount },
    { account: credit, amount, isDebit: false, signed: { minor: -amount.minor, currency: amount.currency } },
  ];
}

/** Returns an entry with its description and postings. */
export const describe = (entry: JournalEntry) => ({ ...entry, description: descriptionOf(entry), postings: postingsOf(entry) });
export type DescribedEntry = ReturnType<typeof describe>;
