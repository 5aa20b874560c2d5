import type { Channel } from '#shared/channels';

/** Value of `industry` for the card payments of a channel. Charges under an agreement have none: `initiated_by` and `billing_method` describe them. */
const INDUSTRY: Readonly<Record<Channel, string | undefined>> = {
  counter: 'retail',
  phone: 'moto',
  mail: 'moto',
  internet: 'ecommerce',
  recurring: undefined,
  installment: undefined,
  unscheduled: undefined,
  chip: 'retail',
  contactless: 'retail',
  swipe: 'retail',
};

export const industryOf = (channel: Channel): string | undefined => INDUSTRY[channel];
