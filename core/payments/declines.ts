import type { ErrorCode } from '#core/kernel';

const BY_DECLINE: Readonly<Record<string, ErrorCode>> = {
  insufficient_funds: 'INSUFFICIENT_FUNDS',
  R01: 'INSUFFICIENT_FUNDS',
  card_declined: 'CARD_DECLINED',
  exceeds_limit: 'EXCEEDS_LIMIT',
  avs_failure: 'AVS_MISMATCH',
  cvv_failure: 'CVV_MISMATCH',
  invalid_account: 'INVALID_CARD',
  invalid_expiry: 'INVALID_CARD',
};

/** The error code that goes beside a decline code (decisions 11). */
export function errorCodeOf(declineCode: string): ErrorCode {
  return BY_DECLINE[declineCode] ?? 'TRANSACTION_DECLINED';
}
