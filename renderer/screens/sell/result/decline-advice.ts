import type { SaleField, SaleMode } from '../form/form.ts';

/** Next step after a decline: a field, another card, or none. */
type DeclineStep = { readonly kind: 'field'; readonly field: SaleField } | { readonly kind: 'other-means' } | { readonly kind: 'stop' };

export interface DeclineAdvice {
  readonly step: DeclineStep;
  /** Instruction for the user. */
  readonly words: string;
}

const field = (name: SaleField, words: string): DeclineAdvice => ({ step: { kind: 'field', field: name }, words });
const otherCard = (words: string): DeclineAdvice => ({ step: { kind: 'other-means' }, words });
/** The customer hears the same neutral text, whatever the bank suspects. */
const STOP: DeclineAdvice = {
  step: { kind: 'stop' },
  words: 'Do not try this card again. Tell the customer: “The payment did not go through; please use another means of payment.”',
};

/** Table of experience 2.4, by the decline codes of specification 7.5. */
const CARD_ADVICE: Readonly<Record<string, DeclineAdvice>> = {
  cvv_failure: field('code', 'Ask for the CVV again: the digits on the back of the card.'),
  avs_failure: field('zip', 'Ask for the billing ZIP again.'),
  invalid_account: field('number', 'Compare the card number digit by digit.'),
  invalid_expiry: field('expiry', 'Ask for the expiry again.'),
  expired_card: field('expiry', 'The card has expired: check the date, or ask for the new card.'),
  insufficient_funds: field('amount', 'Charge less, or ask for another card.'),
  exceeds_limit: field('amount', 'The amount is above what is allowed: charge less, or ask for another card.'),
  call_issuer: otherCard('The customer must call the bank. Ask for another card.'),
  card_declined: otherCard('Ask for another card.'),
  do_not_honor: otherCard('The bank gives no reason. Ask for another card.'),
  restricted_card: otherCard('This card cannot be used here. Ask for another card.'),
  fraud_suspected: STOP,
  lost_stolen: STOP,
};

/** The same for the return codes of bank debits (specification 7.6). */
const BANK_ADVICE: Readonly<Record<string, DeclineAdvice>> = {
  R01: field('amount', 'The account lacks funds: charge less, or ask for other means of payment.'),
  R02: otherCard('The account is closed. Ask for other means of payment.'),
  R03: field('account', 'No such account: compare both numbers digit by digit.'),
  R04: field('account', 'Compare the account number digit by digit.'),
  R05: STOP,
  R07: otherCard('The customer has withdrawn the permission. Ask for other means of payment.'),
  R10: STOP,
  R29: otherCard('The bank refuses debits of this company account. Ask for other means of payment.'),
};

/** Returns the advice after a decline; an unknown code asks for another card. */
export function declineAdvice(declineCode: string, mode: SaleMode): DeclineAdvice {
  const advice = CARD_ADVICE[declineCode] ?? BANK_ADVICE[declineCode];
  if (!advice) return otherCard('Ask for another card or other means of payment.');
  // Of a card on file there is nothing to correct but the amount.
  const { step } = advice;
  return mode === 'saved' && step.kind === 'field' && step.field !== 'amount' ? otherCard('Ask for another card.') : advice;
}
