import type { Money } from '#core/kernel';
import type { Canceler, CardFunding, EntryMode, Verification } from '#shared/terminals';
import type { DeclineCode } from './decline-codes.ts';

/** Facts about a card that a card reader read, as far as its processor states them. Paydesk never receives its number. */
export interface CardPresent {
  readonly entryMode?: EntryMode;
  readonly brand: string;
  readonly last4: string;
  readonly expiryMonth?: string;
  readonly expiryYear?: string;
  /** Name of the payment application on the chip, such as `Visa Credit`. */
  readonly applicationLabel?: string;
  /** Identifier of the payment application (AID), in hexadecimal digits. */
  readonly applicationId?: string;
  readonly verification?: Verification;
  /** Type of the card; absent if the processor does not state it. */
  readonly funding?: CardFunding;
}

/** Amount that was charged: an approved part of the requested one, or the requested one with the tip and the surcharge that were added on a card reader. */
export interface ChargedAmount {
  readonly amount: Money;
  /** Tip that the customer chose on the reader; absent without a choice. */
  readonly tip?: Money;
  /** Surcharge that the reader added; absent without one. */
  readonly surcharge?: Money;
  /** Set if the processor does not confirm voids, so that a charge that is not allowed needs a person. */
  readonly isNotVoidable?: true;
}

/**
 * Outcome of a gateway request, one of five kinds. A response that a connector does not recognize is
 * `unknown`, never a decline.
 */
export type Outcome =
  | {
      readonly kind: 'approved';
      /** Reference at the gateway, to which later operations refer. */
      readonly reference: string;
      readonly authCode?: string;
      readonly avsResponse?: string;
      readonly cvvResponse?: string;
      /**
       * Reference for later charges of the same stored card: the network transaction ID of the first charge, or the reference of the
       * processor.
       */
      readonly credentialReference?: string;
      /** Card that a card reader read. */
      readonly cardPresent?: CardPresent;
      /** Charged amount, if a part may have been approved, or a card reader may have changed it. The caller checks it; a connector only reports it. */
      readonly charged?: ChargedAmount;
      /** Reference under which the gateway stores the card of a verification. */
      readonly storedAs?: string;
    }
  | {
      readonly kind: 'declined';
      readonly declineCode: DeclineCode;
      readonly declineReason: string;
      readonly avsResponse?: string;
      readonly cvvResponse?: string;
      /** Advice of the processor on retries; it overrides the dunning settings. */
      readonly advice?: RetryAdvice;
      /**
       * Set if the processor declined by a rule of the merchant, but its own void failed: money may be held under this reference until it
       * is voided.
       */
      readonly referenceToVoid?: string;
      /** Card that a card reader read; absent if it read none. */
      readonly cardPresent?: CardPresent;
    }
  /** Accepted but not decided: held for review. */
  | { readonly kind: 'pending'; readonly reference: string; readonly reason: string }
  /**
   * Certainly without effect. `unavailable`: the request never reached the gateway. `error`: the gateway responded with an error. `after-batch`: a
   * refund of a payment that the gateway has not settled yet. `code` is the error code for the caller, if it is more specific than GATEWAY_ERROR.
   */
  | {
      readonly kind: 'not-sent';
      readonly reason: string;
      readonly retry: 'error' | 'unavailable' | 'after-batch';
      readonly code?: RefusalCode;
      readonly alert?: Alert;
      /** Set if the dialog on a card reader ended before the card was charged. */
      readonly canceledBy?: Canceler;
      /** Set if the card reader did not start the payment. */
      readonly refusedBy?: 'terminal_busy' | 'terminal_offline';
    }
  /** Outcome unknown; inquire later by our reference. `isNotYetShown`: the inquiry succeeded but proves nothing yet. */
  | { readonly kind: 'unknown'; readonly cause: unknown; readonly alert?: Alert; readonly isNotYetShown?: true };

/** `stop-card`: never charge the card again. `stop-plan`: not for this subscription. `update-card`: the customer has a new card. `wait`: retry after some days. */
export type RetryAdvice = { readonly kind: 'stop-card' | 'stop-plan' | 'update-card' } | { readonly kind: 'wait'; readonly days: number };

/**
 * Situation that requires a person: the account is misconfigured, the processor does not know the payment, it has several payments under
 * one reference, the amount differs, or the processor cannot determine the outcome.
 */
export type Alert = 'set-up' | 'unknown-original' | 'several-found' | 'other-amount' | 'processor-at-a-loss';

/** Error code of a refusal by the processor; nothing was charged. */
export type RefusalCode =
  | 'VALIDATION_ERROR'
  | 'MERCHANT_NOT_FOUND'
  | 'INVALID_AMOUNT'
  | 'INVALID_CURRENCY'
  | 'INVALID_CVV'
  | 'INVALID_CARD'
  | 'CARD_NOT_SUPPORTED'
  | 'DUPLICATE_TRANSACTION'
  | 'NOT_REFUNDABLE'
  | 'ALREADY_VOIDED'
  | 'ALREADY_CAPTURED'
  | 'RESOURCE_CONFLICT';

/** Parts of an amount; 0 for a part that it does not have. */
export interface AmountParts {
  readonly tip: Money;
  readonly surcharge: Money;
  readonly tax: Money;
}
