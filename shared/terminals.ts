/** Ways in which a card reader reads a card; `keyed`: the number is typed on the reader. */
export const ENTRY_MODES = ['chip', 'contactless', 'swipe', 'keyed'] as const;
export type EntryMode = (typeof ENTRY_MODES)[number];

/** Ways in which a card reader verifies the holder of the card; `device`: by the phone or watch that paid. */
export const VERIFICATIONS = ['pin', 'signature', 'device', 'none'] as const;
export type Verification = (typeof VERIFICATIONS)[number];

/** Causes by which a dialog on the reader ends before the card is charged; `timeout`: no card was presented in time. */
export const CANCELERS = ['customer', 'clerk', 'timeout'] as const;
export type Canceler = (typeof CANCELERS)[number];

/** Types of cards, as a processor states them. */
export const CARD_FUNDINGS = ['credit', 'debit', 'prepaid'] as const;
export type CardFunding = (typeof CARD_FUNDINGS)[number];

/**
 * State of a payment on its card reader. `starting`: written, not accepted by the reader yet. `choosing_tip`: the customer is asked for a tip. `unconfirmed`: the reader does not answer, and inquiries find
 * the outcome. `reader_error`: certainly not charged, because the reader or its gateway refused the payment.
 */
export const TERMINAL_PAYMENT_STATES = [
  'starting',
  'choosing_tip',
  'waiting_for_card',
  'processing',
  'unconfirmed',
  'approved',
  'declined',
  'canceled',
  'reader_error',
] as const;
export type TerminalPaymentState = (typeof TERMINAL_PAYMENT_STATES)[number];

/**
 * State of a request to store a card that a reader reads. `unconfirmed`: the reader does not answer, and inquiries find the outcome. `failed`: the card was
 * certainly not stored. Nothing is charged in any of them.
 */
export const CARD_SAVE_STATES = [
  'starting',
  'waiting_for_card',
  'processing',
  'unconfirmed',
  'saved',
  'declined',
  'canceled',
  'failed',
] as const;
export type CardSaveState = (typeof CARD_SAVE_STATES)[number];

/** State of a card reader. */
export const TERMINAL_STATES = ['online', 'offline', 'busy'] as const;
export type TerminalState = (typeof TERMINAL_STATES)[number];

/** Longest time, in seconds, for which a request waits for the outcome of a payment on a card reader. */
export const TERMINAL_WAIT_MAX_SECONDS = 60;

/** Actions of a person at a simulated card reader. `part` and `other_amount` present a chip of which a part or another amount is charged. */
export const READER_ACTIONS = [
  'tip',
  'no_tip',
  'chip',
  'chip_signature',
  'contactless',
  'phone',
  'swipe',
  'keyed',
  'unreadable',
  'chip_refuses',
  'part',
  'other_amount',
  'wrong_pin',
  'remove_card',
  'cancel',
  'time_out',
  'unplug',
  'unplug_after_approval',
  'disconnect',
  'connect',
] as const;
export type ReaderAction = (typeof READER_ACTIONS)[number];
