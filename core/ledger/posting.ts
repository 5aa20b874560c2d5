import type { Writer } from '#core/database';
import { assert, type Currency, type Money } from '#core/kernel';
import { type Account, BALANCES, TRANSFERS, type TransferKind, UNSETTLED_LINES } from './schema.ts';

/** The account that each kind of transfer debits, and the account that it credits. */
const MOVES: Readonly<Record<TransferKind, readonly [debit: Account, credit: Account]>> = {
  capture: ['processor', 'unsettled'],
  capture_reversed: ['unsettled', 'processor'],
  refund: ['unsettled', 'processor'],
  credit: ['credited', 'processor'],
  refund_outside: ['refunded_outside', 'own_funds'],
  settlement: ['unsettled', 'settled'],
  settlement_owed: ['settled', 'unsettled'],
  fee: ['settled', 'fees'],
  payout: ['settled', 'paid_out'],
};

/** The number of unsettled lines that a transfer adds. */
const LINES: Readonly<Partial<Record<TransferKind, number>>> = { capture: 1, capture_reversed: -1, refund: 1 };

export interface Transfer {
  readonly tenantId: string;
  readonly merchantId: string;
  /** ID of the attempt, settlement or payout that moved the money. */
  readonly id: string;
  readonly kind: TransferKind;
  readonly amount: Money;
  readonly subjectId: string;
  /** Calendar day in the merchant's zone. */
  readonly day: string;
  readonly at: string;
}

/** Posts a transfer in the unit of work that records its cause. */
export type Post = (into: Writer, transfer: Transfer) => void;

export const post: Post = (into, { tenantId, merchantId, id, kind, amount, subjectId, day, at }) => {
  assert(amount.minor > 0, 'a transfer moves an amount above zero');
  const [debit, credit] = MOVES[kind];
  const { currency } = amount;
  const whose = { tenant_id: tenantId, merchant_id: merchantId, currency };
  into.count(BALANCES, { ...whose, account: debit }, amount.minor);
  into.count(BALANCES, { ...whose, account: credit }, -amount.minor);
  const lines = LINES[kind];
  if (lines !== undefined) into.count(UNSETTLED_LINES, whose, lines);
  into.insert(TRANSFERS, { ...whose, id, kind, debit, credit, amount_minor: amount.minor, subject_id: subjectId, day, at });
};

/** Subtracts lines that were added to a settlement from the number of unsettled lines. */
export function countSettled(
  into: Writer,
  { tenantId, merchantId, currency }: { readonly tenantId: string; readonly merchantId: string; readonly currency: Currency },
  lines: number,
): void {
  into.count(UNSETTLED_LINES, { tenant_id: tenantId, merchant_id: merchantId, currency }, -lines);
}
