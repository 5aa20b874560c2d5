import { refused, type Steps } from '#core/kernel';

/** State of a transaction, derived from its status and from the captured, refunded and settled amounts (decisions 4). */
export type TransactionState =
  | 'pending'
  | 'authorized'
  | 'captured'
  | 'partly-refunded'
  | 'refunded'
  | 'settled'
  | 'returned'
  | 'credited'
  | 'declined'
  | 'failed'
  | 'voided';

export type TransactionOperation = 'capture' | 'cancelCapture' | 'void' | 'refund' | 'credit' | 'rerun';

const inFlight = (what: string) =>
  refused('RESOURCE_CONFLICT', `The outcome of this payment is not known yet; ${what} when it is.`, 'pending');
const notRerunnable = refused('RESOURCE_CONFLICT', 'Only a declined or failed transaction can be run again.', 'not_declined');
const refunded = (what: string) =>
  refused('RESOURCE_CONFLICT', `Money of this transaction was refunded, so it can't be ${what}.`, 'refunded');
const settled = (what: string) =>
  refused('RESOURCE_CONFLICT', `This transaction is settled and can't be ${what}. Refund it instead.`, 'settled');
const returned = (what: string) => refused('RESOURCE_CONFLICT', `The bank returned this payment, so it can't be ${what}.`, 'returned');
const captured = refused('ALREADY_CAPTURED', 'This transaction was captured already.');
const voided = refused('ALREADY_VOIDED', 'This transaction was voided already.');
const notCaptured = refused('RESOURCE_CONFLICT', 'This transaction was not captured.', 'not_captured');
const isCredit = (what: string) => refused('RESOURCE_CONFLICT', `A credit can't be ${what}.`, 'credit');

/** The one table of what may happen to a transaction; a refusal carries the code that the caller gets. */
export const TRANSACTION_STEPS = {
  pending: {
    capture: inFlight('capture it'),
    cancelCapture: inFlight('try again'),
    void: inFlight('void it'),
    refund: refused('NOT_REFUNDABLE', 'The outcome of this payment is not known yet.', 'pending'),
    credit: inFlight('credit it'),
    rerun: inFlight('run it again'),
  },
  authorized: {
    capture: 'captured',
    cancelCapture: notCaptured,
    void: 'voided',
    refund: refused('NOT_REFUNDABLE', 'This authorization was not captured; void it instead.', 'not_captured'),
    credit: 'authorized',
    rerun: notRerunnable,
  },
  captured: {
    capture: captured,
    cancelCapture: 'authorized',
    void: 'voided',
    refund: 'captured',
    credit: 'captured',
    rerun: notRerunnable,
  },
  'partly-refunded': {
    capture: captured,
    cancelCapture: refunded('uncaptured'),
    void: refunded('voided'),
    refund: 'partly-refunded',
    credit: 'partly-refunded',
    rerun: notRerunnable,
  },
  refunded: {
    capture: captured,
    cancelCapture: refunded('uncaptured'),
    void: refunded('voided'),
    refund: refused('ALREADY_REFUNDED', 'This transaction is fully refunded.'),
    credit: 'refunded',
    rerun: notRerunnable,
  },
  settled: {
    capture: captured,
    cancelCapture: settled('uncaptured'),
    void: settled('voided'),
    refund: 'settled',
    credit: 'settled',
    rerun: notRerunnable,
  },
  returned: {
    capture: captured,
    cancelCapture: returned('uncaptured'),
    void: returned('voided'),
    refund: refused('NOT_REFUNDABLE', 'The bank returned this payment, so there is nothing to refund.', 'returned'),
    credit: 'returned',
    rerun: notRerunnable,
  },
  credited: {
    capture: isCredit('captured'),
    cancelCapture: isCredit('uncaptured'),
    void: isCredit('voided'),
    refund: refused('NOT_REFUNDABLE', "A credit can't be refunded.", 'not_captured'),
    credit: 'credited',
    rerun: notRerunnable,
  },
  declined: {
    capture: refused('TRANSACTION_DECLINED', 'This transaction was declined; there is nothing to capture.'),
    cancelCapture: notCaptured,
    void: refused('TRANSACTION_DECLINED', 'This transaction was declined; there is nothing to void.'),
    refund: refused('NOT_REFUNDABLE', 'This transaction was declined; no money was taken.', 'declined'),
    credit: refused('TRANSACTION_DECLINED', 'This transaction was declined; credit one that was approved.'),
    rerun: 'declined',
  },
  failed: {
    capture: refused('RESOURCE_CONFLICT', 'This transaction failed; there is nothing to capture.', 'failed'),
    cancelCapture: notCaptured,
    void: refused('RESOURCE_CONFLICT', 'This transaction failed; there is nothing to void.', 'failed'),
    refund: refused('NOT_REFUNDABLE', 'This transaction failed; no money was taken.', 'not_captured'),
    credit: refused('RESOURCE_CONFLICT', 'This transaction failed; credit one that was approved.', 'failed'),
    rerun: 'failed',
  },
  voided: {
    capture: voided,
    cancelCapture: voided,
    void: voided,
    refund: refused('NOT_REFUNDABLE', 'This transaction was voided; no money was taken.', 'voided'),
    credit: 'voided',
    rerun: notRerunnable,
  },
} satisfies Steps<TransactionState, TransactionOperation>;

/** A sale is captured when it is made, so there is no authorization to return to. */
export const SALE_HAS_NO_CAPTURE = refused(
  'RESOURCE_CONFLICT',
  'A sale has no separate capture to cancel; void it instead.',
  'not_an_authorization',
);
