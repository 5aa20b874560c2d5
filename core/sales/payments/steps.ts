import { refused, type Steps } from '#core/kernel';

/** State of a transaction, derived from its status and from the captured, refunded and settled amounts. */
export type TransactionState =
  | 'pending'
  | 'authorized'
  | 'captured'
  | 'partly-refunded'
  | 'refunded'
  | 'settled'
  | 'disputed'
  | 'returned'
  | 'credited'
  | 'declined'
  | 'failed'
  | 'voided';

export type TransactionOperation =
  | 'capture'
  | 'cancelCapture'
  | 'void'
  | 'refund'
  | 'credit'
  | 'rerun'
  | 'adjustAuthorization'
  | 'adjustTip';

const unconfirmed = (verb: string) =>
  refused('RESOURCE_CONFLICT', `The outcome of this payment is not known yet; ${verb} when it is.`, 'pending');
const notRerunnable = refused('RESOURCE_CONFLICT', 'Only a declined or failed transaction can be rerun.', 'not_declined');
const alreadyRefunded = (consequence: string) =>
  refused('RESOURCE_CONFLICT', `This transaction was refunded in full or in part, so ${consequence}.`, 'refunded');
const alreadySettled = (consequence: string) =>
  refused('RESOURCE_CONFLICT', `This transaction is settled, so ${consequence}. Refund it instead.`, 'settled');
const alreadyReturned = (consequence: string) =>
  refused('RESOURCE_CONFLICT', `The bank returned this payment, so ${consequence}.`, 'returned');
const chargedBack = (consequence: string) => refused('RESOURCE_CONFLICT', `This payment was charged back, so ${consequence}.`, 'disputed');
const captured = refused('ALREADY_CAPTURED', 'This transaction was already captured.');
const voided = refused('ALREADY_VOIDED', 'This transaction was already voided.');
const notCaptured = refused('RESOURCE_CONFLICT', 'This transaction was not captured.', 'not_captured');
const notAuthorization = refused('RESOURCE_CONFLICT', 'Only the amount of an open authorization can be changed.', 'not_authorized');
const noTipChange = (reason: string, consequence: string) =>
  refused('RESOURCE_CONFLICT', `${consequence}, so its tip can't be changed.`, reason);
const creditCannotBe = (consequence: string) => refused('RESOURCE_CONFLICT', `This transaction is a credit, so ${consequence}.`, 'credit');

/** Transition table of transactions. A refusal has the error code for the caller. */
export const TRANSACTION_STEPS = {
  pending: {
    capture: unconfirmed('capture it'),
    cancelCapture: unconfirmed('try again'),
    void: unconfirmed('void it'),
    refund: refused('NOT_REFUNDABLE', 'The outcome of this payment is not known yet.', 'pending'),
    credit: unconfirmed('credit it'),
    rerun: unconfirmed('rerun it'),
    adjustAuthorization: unconfirmed('change its amount'),
    adjustTip: unconfirmed('change its tip'),
  },
  authorized: {
    capture: 'captured',
    cancelCapture: notCaptured,
    void: 'voided',
    refund: refused('NOT_REFUNDABLE', 'This authorization was not captured; void it instead.', 'not_captured'),
    credit: 'authorized',
    rerun: notRerunnable,
    adjustAuthorization: 'authorized',
    adjustTip: 'authorized',
  },
  captured: {
    capture: captured,
    cancelCapture: 'authorized',
    void: 'voided',
    refund: 'captured',
    credit: 'captured',
    rerun: notRerunnable,
    adjustAuthorization: captured,
    adjustTip: 'captured',
  },
  'partly-refunded': {
    capture: captured,
    cancelCapture: alreadyRefunded("its capture can't be canceled"),
    void: alreadyRefunded("it can't be voided"),
    refund: 'partly-refunded',
    credit: 'partly-refunded',
    rerun: notRerunnable,
    adjustAuthorization: captured,
    adjustTip: noTipChange('refunded', 'This transaction was refunded in full or in part'),
  },
  refunded: {
    capture: captured,
    cancelCapture: alreadyRefunded("its capture can't be canceled"),
    void: alreadyRefunded("it can't be voided"),
    refund: refused('ALREADY_REFUNDED', 'This transaction is fully refunded.'),
    credit: 'refunded',
    rerun: notRerunnable,
    adjustAuthorization: captured,
    adjustTip: noTipChange('refunded', 'This transaction was refunded in full or in part'),
  },
  settled: {
    capture: captured,
    cancelCapture: alreadySettled("its capture can't be canceled"),
    void: alreadySettled("it can't be voided"),
    refund: 'settled',
    credit: 'settled',
    rerun: notRerunnable,
    adjustAuthorization: captured,
    adjustTip: noTipChange('settled', 'This transaction is settled'),
  },
  disputed: {
    capture: captured,
    cancelCapture: chargedBack("its capture can't be canceled"),
    void: chargedBack("it can't be voided"),
    refund: 'disputed',
    credit: 'disputed',
    rerun: notRerunnable,
    adjustAuthorization: captured,
    adjustTip: noTipChange('disputed', 'This payment was charged back'),
  },
  returned: {
    capture: captured,
    cancelCapture: alreadyReturned("its capture can't be canceled"),
    void: alreadyReturned("it can't be voided"),
    refund: refused('NOT_REFUNDABLE', 'The bank returned this payment, so there is nothing to refund.', 'returned'),
    credit: refused('RESOURCE_CONFLICT', 'The bank returned this payment, so no money was taken. Credit one that was paid.', 'returned'),
    rerun: notRerunnable,
    adjustAuthorization: captured,
    adjustTip: noTipChange('returned', 'The bank returned this payment'),
  },
  credited: {
    capture: creditCannotBe("it can't be captured"),
    cancelCapture: creditCannotBe("its capture can't be canceled"),
    void: creditCannotBe("it can't be voided"),
    refund: refused('NOT_REFUNDABLE', "A credit can't be refunded.", 'not_captured'),
    credit: 'credited',
    rerun: notRerunnable,
    adjustAuthorization: notAuthorization,
    adjustTip: noTipChange('credit', 'This transaction is a credit'),
  },
  declined: {
    capture: refused('TRANSACTION_DECLINED', 'This transaction was declined; there is nothing to capture.'),
    cancelCapture: notCaptured,
    void: refused('TRANSACTION_DECLINED', 'This transaction was declined; there is nothing to void.'),
    refund: refused('NOT_REFUNDABLE', 'This transaction was declined; no money was taken.', 'declined'),
    credit: refused('TRANSACTION_DECLINED', 'This transaction was declined; credit one that was approved.'),
    rerun: 'declined',
    adjustAuthorization: notAuthorization,
    adjustTip: noTipChange('declined', 'This transaction was declined'),
  },
  failed: {
    capture: refused('RESOURCE_CONFLICT', 'This transaction failed; there is nothing to capture.', 'failed'),
    cancelCapture: notCaptured,
    void: refused('RESOURCE_CONFLICT', 'This transaction failed; there is nothing to void.', 'failed'),
    refund: refused('NOT_REFUNDABLE', 'This transaction failed; no money was taken.', 'not_captured'),
    credit: refused('RESOURCE_CONFLICT', 'This transaction failed; credit one that was approved.', 'failed'),
    rerun: 'failed',
    adjustAuthorization: notAuthorization,
    adjustTip: noTipChange('failed', 'This transaction failed'),
  },
  voided: {
    capture: voided,
    cancelCapture: voided,
    void: voided,
    refund: refused('NOT_REFUNDABLE', 'This transaction was voided; no money was taken.', 'voided'),
    credit: refused('ALREADY_VOIDED', 'This transaction was voided; no money was taken. Credit one that was approved.'),
    rerun: notRerunnable,
    adjustAuthorization: voided,
    adjustTip: voided,
  },
} satisfies Steps<TransactionState, TransactionOperation>;

/** A sale is captured when it is made, so there is no authorization to return to. */
export const SALE_HAS_NO_CAPTURE = refused(
  'RESOURCE_CONFLICT',
  'A sale has no separate capture to cancel; void it instead.',
  'not_an_authorization',
);
