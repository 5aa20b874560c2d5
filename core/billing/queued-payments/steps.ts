import { refused, type Steps } from '#core/kernel';
import type { QueuedPaymentStatus } from './schema.ts';

/**
 * begin: a payment is sent. pay, decline, postpone: its results. expire: it waited too long. release, cancel, replace: actions of a person.
 */
type QueuedPaymentOperation = 'begin' | 'pay' | 'decline' | 'postpone' | 'expire' | 'release' | 'cancel' | 'replace';

const notSending = refused('RESOURCE_CONFLICT', 'No payment is being sent for it.', 'not_sending');
const sending = refused('RESOURCE_CONFLICT', 'The payment is being sent. Wait for its outcome.', 'operation_in_progress');
const notReleased = refused('RESOURCE_CONFLICT', 'Release it first.', 'not_waiting');
const results = { pay: notSending, postpone: notSending };
const forEveryOperation = <Result>(result: Result): Record<QueuedPaymentOperation, Result> => ({
  begin: result,
  pay: result,
  decline: result,
  postpone: result,
  expire: result,
  release: result,
  cancel: result,
  replace: result,
});
const forAPerson = {
  begin: notReleased,
  decline: notReleased,
  expire: notReleased,
  ...results,
  release: 'waiting',
  cancel: 'cancelled',
  replace: 'replaced',
} as const;

/** Transition table of payments that are charged later. */
export const QUEUED_PAYMENT_STEPS = {
  waiting: {
    begin: 'sending',
    ...results,
    // A card that was removed in the meantime is declined without a payment.
    decline: 'declined',
    expire: 'expired',
    release: 'waiting',
    cancel: 'cancelled',
    replace: 'replaced',
  },
  sending: { ...forEveryOperation(sending), pay: 'paid', decline: 'declined', postpone: 'waiting' },
  declined: forAPerson,
  expired: forAPerson,
  paid: forEveryOperation(refused('RESOURCE_CONFLICT', 'This payment was charged.', 'paid')),
  cancelled: forEveryOperation(refused('RESOURCE_CONFLICT', 'This payment was canceled.', 'cancelled')),
  replaced: forEveryOperation(refused('RESOURCE_CONFLICT', 'A payment link replaced this payment.', 'replaced')),
} satisfies Steps<QueuedPaymentStatus, QueuedPaymentOperation>;
