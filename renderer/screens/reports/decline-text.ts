import { t } from '#renderer/base/language';
import { sentenceCase } from '#renderer/kit/ui';

const DECLINES: Readonly<Record<string, string>> = {
  insufficient_funds: t('Insufficient funds'),
  card_declined: t('Card declined'),
  invalid_account: t('Invalid account'),
  invalid_expiry: t('Invalid expiry'),
  cvv_failure: t('CVV failure'),
  avs_failure: t('AVS failure'),
  fraud_suspected: t('Fraud suspected'),
  lost_stolen: t('Lost stolen'),
  expired_card: t('Expired card'),
  restricted_card: t('Restricted card'),
  exceeds_limit: t('Exceeds limit'),
  do_not_honor: t('Do not honor'),
  call_issuer: t('Call issuer'),
  refund_refused: t('Refund refused'),
};

/** Returns the text of a decline code: "Insufficient funds". Return codes of banks such as "R01" are not changed. */
export const declineText = (code: string) => DECLINES[code] ?? sentenceCase(code);
