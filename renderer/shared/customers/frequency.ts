import type { Subscription } from '#renderer/base/client';
import { t } from '#renderer/base/language';

export type Frequency = Subscription['frequency'];

const FREQUENCY_TEXTS: Readonly<Record<Frequency, string>> = {
  daily: t('every day'),
  weekly: t('every week'),
  biweekly: t('every 2 weeks'),
  monthly: t('every month'),
  quarterly: t('every 3 months'),
  semiannually: t('every 6 months'),
  annually: t('every year'),
};

/** Frequencies of a subscription, the shortest first. */
export const FREQUENCIES = Object.keys(FREQUENCY_TEXTS) as Frequency[];

/** "every 2 weeks". */
export const frequencyText = (frequency: Frequency) => FREQUENCY_TEXTS[frequency];
