import { t } from '#renderer/base/language';
import type { Verification } from '#shared/terminals';

const VERIFICATIONS: Readonly<Record<Verification, string>> = {
  pin: t('PIN'),
  signature: t('Signature'),
  device: t('Customer’s device'),
  none: t('Not required'),
};

/** Returns how a card reader verified the holder of the card. */
export const verificationText = (verification: Verification): string => VERIFICATIONS[verification];
