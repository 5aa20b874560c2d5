import { amountAboveLimit, type Currency, type Money, money, parseMoney, ServiceError, step, storedCurrency } from '#core/kernel';
import type { TransactionRow } from './schema.ts';
import { TRANSACTION_STEPS, type TransactionState } from './steps.ts';

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
  if (row.disputed_minor > 0) return 'disputed';
  return row.refunded_minor + row.reserved_minor > 0 ? 'partly-refunded' : 'captured';
}

type RefundableRow = Pick<TransactionRow, 'currency' | 'captured_minor' | 'refunded_minor' | 'reserved_minor' | 'disputed_minor'>;

/** Returns the amount that can still be refunded: captured, not refunded, not reserved by a refund in progress, and not charged back. */
export function refundable({ currency, captured_minor, refunded_minor, reserved_minor, disputed_minor }: RefundableRow): Money {
  // A bank may charge back an amount that was refunded already.
  return money(Math.max(0, captured_minor - refunded_minor - reserved_minor - disputed_minor), currency as Currency);
}

/**
 * Returns the amount of a refund request; without a requested amount, everything that can still be refunded.
 *
 * @throws ServiceError `INVALID_AMOUNT` (422) if the requested amount is above the remaining amount, or if nothing remains.
 */
export function refundAmountOf(row: TransactionRow, requested: string | number | undefined): Money {
  const available = refundable(row);
  const amount = requested === undefined ? available : parseMoney(requested, storedCurrency(row.currency));
  if (amount.minor <= available.minor && available.minor > 0) return amount;
  const currency = available.currency;
  const message =
    row.disputed_minor === 0
      ? 'The amount exceeds the amount that can still be refunded.'
      : 'The amount exceeds the amount that can still be refunded, because the payer disputed this payment and it was charged back.';
  throw amountAboveLimit(message, {
    originalAmount: money(row.captured_minor, currency),
    refundedAmount: money(row.refunded_minor, currency),
    availableToRefund: available,
    requestedAmount: requested === undefined ? money(row.captured_minor - row.refunded_minor, currency) : amount,
  });
}

/**
 * Returns the amount of a refund request whose transaction allows it now. @throws ServiceError with the refusal of the transition table;
 * INVALID_AMOUNT as `refundAmountOf`; RESOURCE_CONFLICT while another operation is in progress.
 */
export function checkRefund(row: TransactionRow, requested: string | number | undefined): Money {
  step(TRANSACTION_STEPS, stateOf(row), 'refund', { transactionId: row.id });
  const amount = refundAmountOf(row, requested);
  refuseWhileChanging(row);
  return amount;
}

/** Rejects a change while the outcome of another one is open, because both could not succeed. */
export function refuseWhileChanging(row: TransactionRow): void {
  if (row.pending_attempt === null) return;
  throw new ServiceError('RESOURCE_CONFLICT', 'Another operation on this transaction is in progress, and its outcome is not known yet.', {
    details: { transactionId: row.id, reason: 'operation_in_progress' },
  });
}

/** `send`: request a refund from the gateway. `void`: cancel the capture that the gateway does not know yet. `wait`: send the capture first. */
type RefundMethod = 'send' | 'void' | 'wait';

/** Returns how a refund is sent, depending on whether the gateway knows the capture and whether the refund covers all of it. */
export function refundMethodOf(row: TransactionRow, amountMinor: number): RefundMethod {
  if (row.capture_held_until === null) return 'send';
  return coversFullCapture(row, amountMinor, 0) ? 'void' : 'wait';
}

/** Returns true if an amount is the full captured amount and no other refund exists; `reservedMinor` is the refund's own reservation. */
export function coversFullCapture(row: TransactionRow, amountMinor: number, reservedMinor: number): boolean {
  return amountMinor === row.captured_minor && row.refunded_minor === 0 && row.reserved_minor === reservedMinor;
}
