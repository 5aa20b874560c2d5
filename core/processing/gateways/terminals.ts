import type { Money } from '#core/kernel';
import type { AmountParts, Outcome } from './outcome.ts';

/** Operations on a reader: a sale, an authorization, a credit to the card that is presented, or a verification, after which the gateway stores the card. */
export type TerminalOperation = 'sale' | 'auth' | 'credit' | 'verification';

/** Additions to a payment, and operations besides sales and authorizations, that the readers of a connector support. */
export type TerminalFeature = 'tip' | 'surcharge' | 'partial-approval' | 'credit' | 'verification';

/** A card reader as its processor knows it. */
export interface TerminalDevice {
  /** The processor's ID of the reader. */
  readonly deviceId: string;
  readonly model: string;
  readonly serialNumber: string | null;
  /** Address in the local network in its usual form; null for a reader that its processor reaches. */
  readonly address: string | null;
}

/** Result of a registration. `refused`: by the field of the request that is wrong, or by the account, which cannot use readers. */
export type TerminalRegistration =
  | { readonly kind: 'registered'; readonly device: TerminalDevice }
  | { readonly kind: 'refused'; readonly reason: string; readonly field: 'code' | 'address' | 'gatewayId' }
  | { readonly kind: 'unreachable'; readonly reason: string };

/** A payment that runs on a reader, or an outcome. `requestId` is the processor's ID of the dialog, if it assigns one. */
export type TerminalAnswer =
  | {
      readonly kind: 'running';
      readonly step: 'choosing_tip' | 'waiting_for_card' | 'processing';
      readonly requestId: string | null;
      /** Tip that the customer has chosen, if the reader shows it before the end. */
      readonly tip?: Money;
    }
  | Outcome;

export interface TerminalRequest {
  readonly tenantId: string;
  readonly gatewayId: string | null;
  readonly deviceId: string;
  /** Address of a reader in the local network; null for a reader that its processor reaches. */
  readonly address: string | null;
}

/** A reader that shows a code, or one in the local network with its ID as code and its address. */
export interface TerminalRegistrationRequest {
  readonly tenantId: string;
  readonly gatewayId: string | null;
  readonly code: string;
  readonly address: string | null;
  readonly name: string;
}

/** Question for a tip on the reader. */
export interface TipPrompt {
  /** Suggested tips in percent of the amount. */
  readonly percents: readonly number[];
  /** True if the customer may enter another tip. */
  readonly allowsOther: boolean;
  /** Highest tip. A reader that does not know a limit may exceed it; the payment is voided then. */
  readonly max: Money;
}

/** Changes of the amount that a payment on a reader allows; none by default. */
export interface AllowedChanges {
  /** The reader asks for a tip, which is added to the amount. Only for a connector with the feature `tip`. */
  readonly tip?: TipPrompt;
  /**
   * Percentages that the reader adds to the amount without its tip if it reads a credit card, by the brand of the card; no other card has a surcharge. Only for a
   * connector with the feature `surcharge`.
   */
  readonly surchargePercents?: Readonly<Record<string, number>>;
  /** A part of the amount may be approved. Only for a connector with the feature `partial-approval`; others approve all or nothing. */
  readonly allowsPartialApproval?: boolean;
}

/** A payment that the customer makes on the reader. */
export interface TerminalCharge extends TerminalRequest {
  /** `credit` and `verification` only for a connector with this feature. A verification has the amount 0, and its approval has `storedAs`. */
  readonly operation: TerminalOperation;
  /** Paydesk's reference of the attempt, by which an inquiry finds the payment. */
  readonly processorRef: string;
  readonly merchantId: string;
  readonly amount: Money;
  readonly parts?: AmountParts;
  readonly changes?: AllowedChanges;
}

/** A question about a payment that was sent to a reader. */
export interface TerminalInquiry extends TerminalRequest {
  readonly processorRef: string;
  /** The processor's ID of the dialog; null if its answer was lost. */
  readonly requestId: string | null;
  readonly operation: TerminalOperation;
  readonly amount: Money;
  /** Time at which it was sent, ISO 8601, real time. */
  readonly at: string;
}

/**
 * Card readers of an account at a processor. A reader has one payment at a time. The end of a dialog is not its result: an outcome is `approved` only if the
 * processor says so, and reports the amount that was charged in `charged`; the caller decides whether it is allowed. Captures, voids and refunds use the
 * ordinary operations of the connector, without a reader.
 */
export interface TerminalConnector {
  /** True if Paydesk reaches the readers in the local network by their addresses, and not through their processor. */
  readonly isLocal: boolean;
  /** Additions that the readers support; none if absent. */
  readonly features?: ReadonlySet<TerminalFeature>;
  /** Registers a reader, or checks one that was registered before at a new address. */
  register(request: TerminalRegistrationRequest): Promise<TerminalRegistration>;
  /** Removes the registration of a reader. */
  remove(request: TerminalRequest): Promise<void>;
  /** Returns whether a reader is connected; null if the processor does not answer. */
  connectionOf(request: TerminalRequest): Promise<'online' | 'offline' | null>;
  /** Starts a payment. A reader that is busy or offline refuses it with `not-sent` and `refusedBy`. Called once for each reference. */
  start(charge: TerminalCharge): Promise<TerminalAnswer>;
  /** Asks the reader about the payment that runs on it; `unknown` if the reader does not answer. */
  status(inquiry: TerminalInquiry): Promise<TerminalAnswer>;
  /** Asks the processor's records about a payment whose reader does not answer. Never sends a request that moves money. */
  inquire(inquiry: TerminalInquiry): Promise<TerminalAnswer | { readonly kind: 'not-found' }>;
  /**
   * Asks the reader to end the dialog. The payment's own outcome decides whether it did. Called only while the payment is the one that runs on the reader,
   * because some processors cancel whatever runs.
   */
  cancel(inquiry: TerminalInquiry): Promise<void>;
}
