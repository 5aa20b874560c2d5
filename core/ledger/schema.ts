import { table } from '#core/database';

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
export interface TransferRow {
  tenant_id: string;
  /** That of the attempt, the settlement or the payout that moved it: nothing is entered twice. */
  id: string;
  merchant_id: string;
  currency: string;
  kind: TransferKind;
  debit: Account;
  credit: Account;
  /** Above zero. */
  amount_minor: number;
  /** The transaction, refund, settlement or payout that it belongs to. */
  subject_id: string;
  /** Calendar day in the merchant's zone. */
  day: string;
  at: string;
}

export const TRANSFERS = table<TransferRow>(
  'ledger_transfers',
  {
    tenant_id: 'text',
    id: 'text',
    merchant_id: 'text',
    currency: 'text',
    kind: 'text',
    debit: 'text',
    credit: 'text',
    amount_minor: 'integer',
    subject_id: 'text',
    day: 'text',
    at: 'text',
  },
  {
    key: ['tenant_id', 'id'],
    indexes: [{ name: 'ledger_transfers_by_day', columns: ['tenant_id', 'merchant_id', 'day', 'kind'] }],
  },
);

/** How many captures and refunds make what is unsettled. */
interface UnsettledLinesRow {
  tenant_id: string;
  merchant_id: string;
  currency: string;
  n: number;
}

export const UNSETTLED_LINES = table<UnsettledLinesRow>(
  'ledger_unsettled_lines',
  { tenant_id: 'text', merchant_id: 'text', currency: 'text', n: 'integer' },
  { key: ['tenant_id', 'merchant_id', 'currency'] },
);

/** What an account holds: debits less credits, in minor units. */
export interface BalanceRow {
  tenant_id: string;
  merchant_id: string;
  currency: string;
  account: Account;
  n: number;
}

export const BALANCES = table<BalanceRow>(
  'ledger_balances',
  { tenant_id: 'text', merchant_id: 'text', currency: 'text', account: 'text', n: 'integer' },
  { key: ['tenant_id', 'merchant_id', 'currency', 'account'] },
);
