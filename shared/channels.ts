/** Channels: how a payment reached the merchant. The last three come from card readers only. */
export const CHANNELS = [
  'counter',
  'phone',
  'mail',
  'internet',
  'recurring',
  'installment',
  'unscheduled',
  'chip',
  'contactless',
  'swipe',
] as const;
export type Channel = (typeof CHANNELS)[number];

/** Channels of a payment that a person enters for a customer. */
export const DESK_CHANNELS = ['phone', 'mail', 'counter'] as const satisfies readonly Channel[];
export type DeskChannel = (typeof DESK_CHANNELS)[number];

/** Channels that a request may name; which of them, depends on the caller and the payment method. */
export const REQUEST_CHANNELS = [...DESK_CHANNELS, 'internet', 'unscheduled', 'recurring'] as const satisfies readonly Channel[];

/** Channels of charges that the merchant makes without the customer, under an agreement. */
export const STANDING_CHANNELS = ['recurring', 'installment', 'unscheduled'] as const satisfies readonly Channel[];

export const isStanding = (channel: Channel): boolean => (STANDING_CHANNELS as readonly Channel[]).includes(channel);

/** Standard Entry Class codes of bank debits: how the holder of the account authorized them. */
export const SEC_CODES = ['PPD', 'WEB', 'TEL', 'CCD'] as const;
export type SecCode = (typeof SEC_CODES)[number];

/** Holder of a bank account. */
export type AccountHolder = 'person' | 'company';
