import type { Money } from '#core/kernel';
import type { AmountParts, Outcome } from './outcome.ts';

/** A card reader as its processor knows it. */
export interface TerminalDevice {
  /** The processor's ID of the reader. */
  readonly deviceId: string;
  readonly model: string;
  readonly serialNumber: string | null;
}

/** Result of a registration. `refused`: the code is wrong or expired, or the account cannot use readers. */
export type TerminalRegistration =
  | { readonly kind: 'registered'; readonly device: TerminalDevice }
  | { readonly kind: 'refused'; readonly reason: string; readonly isCodeWrong: boolean }
  | { readonly kind: 'unreachable'; readonly reason: string };

/** A payment that runs on a reader, or an outcome. `requestId` is the processor's ID of the dialog, if it assigns one. */
export type TerminalAnswer =
  | { readonly kind: 'running'; readonly step: 'waiting_for_card' | 'processing'; readonly requestId: string | null }
  | Outcome;

interface TerminalRequest {
  readonly tenantId: string;
  readonly gatewayId: string | null;
  readonly deviceId: string;
}

/** A payment that the customer makes on the reader. */
export interface TerminalCharge extends TerminalRequest {
  readonly operation: 'sale' | 'auth';
  /** Paydesk's reference of the attempt, by which an inquiry finds the payment. */
  readonly processorRef: string;
  readonly merchantId: string;
  readonly amount: Money;
  readonly parts?: AmountParts;
}

/** A question about a payment that was sent to a reader. */
export interface TerminalInquiry extends TerminalRequest {
  readonly processorRef: string;
  /** The processor's ID of the dialog; null if its answer was lost. */
  readonly requestId: string | null;
  readonly operation: 'sale' | 'auth';
  readonly amount: Money;
  /** Time at which it was sent, ISO 8601, real time. */
  readonly at: string;
}

/**
 * Card readers of an account at a processor. A reader has one payment at a time. The end of a dialog is not its result: an outcome is `approved` only if the
 * processor says so. Captures, voids and refunds use the ordinary operations of the connector, without a reader.
 */
export interface TerminalConnector {
  /** Registers the reader that shows a code. */
  register(request: { tenantId: string; gatewayId: string | null; code: string; name: string }): Promise<TerminalRegistration>;
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
