import { amountAboveLimit, type Currency, type Money, money, parseMoney, storedCurrency } from '#core/kernel';
import type { TransactionRow } from '../schema.ts';
import type { TransactionState } from '../steps.ts';

/**
 * Returns the state of a transaction in the table of transitions. A refund in progress makes an unsettled capture `partly-refunded`, because its amount is
 * reserved.
 */
export function stateOf(row: TransactionRow): TransactionState {
  if (row.status !== 'approved') return row.status;
  if (row.type === 'credit') return 'credited';
  if (row.captured_minor === 0) return 'authorized';
  if (row.returned_at !== null) return 'returned';
  if (row.refunded_minor === row.captured_minor) return 'refunded';
  if (row.settled_at !== null) return 'settled';
  return row.refunded_minor + row.reserved_minor > 0 ? 'partly-refunded' : 'captured';
}

/** Returns the amount that can still be refunded: captured, not refunded and not reserved by a refund in progress. */
export function refundable(row: TransactionRow): Money {
  return money(row.captured_minor - row.refunded_minor - row.reserved_minor, row.currency as Currency);
}

/**
 * Returns the amount of a refund request; without a requested amount, everything that can still be refunded.
 *
 * @throws ServiceError `INVALID_AMOUNT` (422) if the requested amount is above the remaining amount, or if nothing remains.
 */
export function amountOf(row: TransactionRow, asked: string | number | undefined): Money {
  const available = refundable(row);
  const amount = asked === undefined ? available : parseMoney(asked, storedCurrency(row.currency));
  if (amount.minor <= available.minor && available.minor > 0) return amount;
  const currency = available.currency;
  throw amountAboveLimit('The amount is more than is left to refund.', {
    originalAmount: money(row.captured_minor, currency),
    refundedAmount: money(row.refunded_minor, currency),
    availableToRefund: available,
    requestedAmount: asked === undefined ? money(row.captured_minor - row.refunded_minor, currency) : amount,
  });
}

/** `ask`: request a refund from the gateway. `void`: drop the capture that the gateway does not know yet. `wait`: send the capture first. */
type Way = 'ask' | 'void' | 'wait';

/** Returns how a refund is sent, depending on whether the gateway knows the capture and whether the refund covers all of it. */
export function wayOf(row: TransactionRow, amountMinor: number): Way {
  if (row.capture_held_until === null) return 'ask';
  return isWhole(row, amountMinor, 0) ? 'void' : 'wait';
}

/** Returns true if an amount is the full captured amount and no other refund exists; `reservedMinor` is the refund's own reservation. */
export function isWhole(row: TransactionRow, amountMinor: number, reservedMinor: number): boolean {
  return amountMinor === row.captured_minor && row.refunded_minor === 0 && row.reserved_minor === reservedMinor;
}
