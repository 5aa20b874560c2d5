import { t } from '#renderer/base/language';
import type { SaleField, SaleMode } from '../form/form.ts';

/** Next step after a decline: a field, another card, or none. */
type DeclineStep = { readonly kind: 'field'; readonly field: SaleField } | { readonly kind: 'other-method' } | { readonly kind: 'stop' };

export interface DeclineAdvice {
  readonly step: DeclineStep;
  /** Instruction for the user. */
  readonly text: string;
}

const field = (name: SaleField, text: string): DeclineAdvice => ({ step: { kind: 'field', field: name }, text });
const otherCard = (text: string): DeclineAdvice => ({ step: { kind: 'other-method' }, text });
/** Advice for every suspicion of the bank: the customer hears one neutral sentence. */
const STOP: DeclineAdvice = {
  step: { kind: 'stop' },
  text: t('Do not try this card again. Tell the customer: “The payment did not go through; please use another payment method.”'),
};

/** Actions that the screen advises after a decline, by decline code. */
const CARD_ADVICE: Readonly<Record<string, DeclineAdvice>> = {
  cvv_failure: field('code', t('Ask for the CVV again: the digits on the back of the card.')),
  avs_failure: field('zip', t('Ask for the billing ZIP again.')),
  invalid_account: field('number', t('Compare the card number digit by digit.')),
  invalid_expiry: field('expiry', t('Ask for the expiry again.')),
  expired_card: field('expiry', t('The card has expired. Check the date, or ask for another card.')),
  insufficient_funds: field('amount', t('Charge less, or ask for another card.')),
  exceeds_limit: field('amount', t('The amount is over the card’s limit. Charge less, or ask for another card.')),
  call_issuer: otherCard(t('The customer must call the bank. Ask for another card.')),
  card_declined: otherCard(t('Ask the customer for another card.')),
  do_not_honor: otherCard(t('The bank gives no reason. Ask for another card.')),
  restricted_card: otherCard(t('This card can’t be used here. Ask for another card.')),
  fraud_suspected: STOP,
  lost_stolen: STOP,
};

/** Advice by return code of bank debits. */
const BANK_ADVICE: Readonly<Record<string, DeclineAdvice>> = {
  R01: field('amount', t('Insufficient funds. Charge less, or ask for another payment method.')),
  R02: otherCard(t('The account is closed. Ask for another payment method.')),
  R03: field('account', t('No such account. Compare both numbers digit by digit.')),
  R04: field('account', t('Compare the account number digit by digit.')),
  R05: STOP,
  R07: otherCard(t('The customer revoked the authorization. Ask for another payment method.')),
  R10: STOP,
  R29: otherCard(t('The bank refuses debits from this company account. Ask for another payment method.')),
};

/** Returns the advice after a decline; an unknown code asks for another card. */
export function declineAdvice(declineCode: string, mode: SaleMode): DeclineAdvice {
  const advice = CARD_ADVICE[declineCode] ?? BANK_ADVICE[declineCode];
  if (!advice) return otherCard(t('Ask for another payment method.'));
  // Only the amount can be corrected for a card that is not keyed.
  const { step } = advice;
  return (mode === 'saved' || mode === 'reader') && step.kind === 'field' && step.field !== 'amount'
    ? otherCard(t('Ask for another card.'))
    : advice;
}
