import { t } from '#renderer/base/language';
import { CHANNELS, type Channel, type SecCode } from '#shared/channels';

const NAMES: Readonly<Record<Channel, string>> = {
  counter: t('Counter'),
  phone: t('Phone', { context: 'channel' }),
  mail: t('Mail'),
  internet: t('Internet'),
  recurring: t('Subscription'),
  installment: t('Installment'),
  unscheduled: t('Card on file, customer not present'),
  chip: t('Chip'),
  contactless: t('Contactless'),
  swipe: t('Swiped'),
};

/** Returns the name of the channel of a payment. */
export const channelName = (channel: Channel | null): string => (channel === null ? t('Not recorded') : NAMES[channel]);

/** Channels as options of a filter or a choice. */
export const CHANNEL_OPTIONS = CHANNELS.map((value) => ({ value, name: NAMES[value] }));

const SEC_CODES: Readonly<Record<SecCode, string>> = {
  PPD: t('PPD: in writing'),
  WEB: t('WEB: on the internet'),
  TEL: t('TEL: by phone'),
  CCD: t('CCD: by a company'),
};

export const secCodeName = (code: SecCode): string => SEC_CODES[code];
