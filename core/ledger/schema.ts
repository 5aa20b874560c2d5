import { integer, type RowOf, table, text } from '#core/database';

/**
 * Where money is: owed by the processor, owed to the merchant before and after settlement, kept as fees, paid out; and what was given away beside that,
 * by credits and by refunds made outside of any processor.
 */
export type Account = 'processor' | 'unsettled' | 'settled' | 'fees' | 'paid_out' | 'credited' | 'own_funds' | 'refunded_outside';

export type TransferKind =
  | 'capture'
  | 'capture_reversed'
  | 'refund'
  | 'credit'
  | 'refund_outside'
  | 'settlement'
  | 'settlement_owed'
  | 'fee'
  | 'payout';

/** One movement of money, out of the credited account and into the debited one. Written once and never changed. */
export const TRANSFERS = table(
  'ledger_transfers',
  {
    tenant_id: text,
    /** That of the attempt, the settlement or the payout that moved it: nothing is entered twice. */
    id: text,
    merchant_id: text,
    currency: text,
    kind: text.of<TransferKind>(),
    debit: text.of<Account>(),
    credit: text.of<Account>(),
    /** Above zero. */
    amount_minor: integer,
    /** The transaction, refund, settlement or payout that it belongs to. */
    subject_id: text,
    /** Calendar day in the merchant's zone. */
    day: text,
    at: text,
  },
  {
    key: ['tenant_id', 'id'],
    indexes: [{ name: 'ledger_transfers_by_day', columns: ['tenant_id', 'merchant_id', 'day', 'kind'] }],
  },
);

export type TransferRow = RowOf<typeof TRANSFERS>;

/** How many captures and refunds make what is unsettled. */
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

/** What an account holds: debits less credits, in minor units. */
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

export type BalanceRow = RowOf<typeof BALANCES>;
