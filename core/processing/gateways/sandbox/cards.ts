import type { CardFunding } from '#shared/terminals';
import type { CardDeclineCode } from '../decline-codes.ts';

/** Outcome of a sandbox card: an approval, an approval of at most the balance of a prepaid card, a decline, a fault of the connection, or an approval whose refunds are declined. */
export type CardOutcome =
  | 'approved'
  | 'prepaid_balance'
  | CardDeclineCode
  | 'answer_lost'
  | 'never_received'
  | 'stays_unconfirmed'
  | 'gateway_error'
  | 'refund_declined'
  | 'refund_declined_once';

/** Test card numbers of the sandbox gateway; all others are approved. Tests compare `docs/sandbox.md` and the test cards of the virtual terminal with this list. */
export const SANDBOX_CARDS: Readonly<Record<string, CardOutcome>> = {
  '4111111111111111': 'approved',
  '4242424242424242': 'approved',
  '5555555555554444': 'approved',
  '378282246310005': 'approved',
  '6011111111111117': 'approved',
  '5105100000003005': 'prepaid_balance',
  '4000000000009995': 'insufficient_funds',
  '4000000000000002': 'card_declined',
  '4000000000000218': 'invalid_account',
  '4000000000000317': 'invalid_expiry',
  '4000000000000127': 'cvv_failure',
  '4000000000000036': 'avs_failure',
  '4100000000000019': 'fraud_suspected',
  '4000000000009987': 'lost_stolen',
  '4000000000000069': 'expired_card',
  '4000000000000416': 'restricted_card',
  '4000000000000515': 'exceeds_limit',
  '4000000000000119': 'do_not_honor',
  '4000000000000614': 'call_issuer',
  '4000000000006975': 'answer_lost',
  '4000000000006983': 'never_received',
  '4000000000006967': 'stays_unconfirmed',
  '4000000000006991': 'gateway_error',
  '4000000000005126': 'refund_declined',
  '4000000000007726': 'refund_declined_once',
};

/** Balance of the prepaid test card, in units of its currency. It never changes. */
export const PREPAID_BALANCE = 30;

/** Types of the test cards by their first digits. They are not valid in a live account, where the same digits belong to real cards. */
const FUNDINGS: Readonly<Record<string, CardFunding>> = {
  '400000': 'credit',
  '400005': 'debit',
  '410000': 'credit',
  '411111': 'credit',
  '424242': 'credit',
  '510510': 'prepaid',
  '520082': 'debit',
  '555555': 'credit',
  '378282': 'credit',
  '371449': 'credit',
  '601111': 'credit',
};

/** Returns the type of a test card; undefined for another card. */
export const sandboxFundingOf = (number: string): CardFunding | undefined => FUNDINGS[number.slice(0, 6)];
