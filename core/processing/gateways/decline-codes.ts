/** Reasons of declined card payments. */
export const CARD_DECLINE_CODES = [
  'insufficient_funds',
  'card_declined',
  'invalid_account',
  'invalid_expiry',
  'cvv_failure',
  'avs_failure',
  'fraud_suspected',
  'lost_stolen',
  'expired_card',
  'restricted_card',
  'exceeds_limit',
  'do_not_honor',
  'call_issuer',
] as const;
export type CardDeclineCode = (typeof CARD_DECLINE_CODES)[number];

/** Return codes of declined bank payments and refunds. */
export const ACH_DECLINE_CODES = ['R01', 'R02', 'R03', 'R04', 'R05', 'R07', 'R10', 'R29'] as const;
type AchDeclineCode = (typeof ACH_DECLINE_CODES)[number];

/** Code of a refund that the processor refuses for good after Paydesk accepted it. */
export const REFUND_REFUSED = 'refund_refused';

/** Code of any decline that a gateway reports. */
export type DeclineCode = CardDeclineCode | AchDeclineCode | typeof REFUND_REFUSED;
