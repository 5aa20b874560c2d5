import type { Money } from '#core/kernel';
import type { BankSource, Source } from '#core/records/vault';
import type { Channel, SecCode } from '#shared/channels';
import type { DeclineCode } from './decline-codes.ts';

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

export interface BillingAddress {
  readonly firstName?: string;
  readonly lastName?: string;
  readonly address?: string;
  readonly city?: string;
  readonly state?: string;
  readonly zip?: string;
  /** ISO 3166, two letters. */
  readonly country?: string;
}

/** Marks a charge of a stored card, or one that stores it, as card schemes require. */
export interface StoredCredential {
  readonly use: 'first' | 'later';
  /** Initiator of the charge: the customer who is present, or the merchant alone. */
  readonly initiator: 'customer' | 'merchant';
  readonly purpose: 'recurring' | 'installment' | 'unscheduled';
  /** For a later charge: `credentialReference` and amount of the first one, if they are known. */
  readonly first?: { readonly credentialReference: string; readonly amount: Money };
  /**
   * For a later charge of a card that was first charged at another processor: the reference of the card network. Processors that know charges only by
   * their own references leave it out.
   */
  readonly networkTransactionId?: string;
}

/** Parts of an amount; 0 for a part that it does not have. */
export interface AmountParts {
  readonly tip: Money;
  readonly surcharge: Money;
  readonly tax: Money;
}

interface GatewayRequest {
  /** Paydesk's reference of this attempt, which is also the idempotency key at the gateway: sent twice, it has one effect. */
  readonly processorRef: string;
  readonly tenantId: string;
  readonly merchantId: string;
  /** ID of the merchant's gateway. */
  readonly gatewayId: string | null;
  readonly amount: Money;
}

/** One line of an itemized sale. */
interface SoldLine {
  readonly itemId: string | null;
  readonly description: string;
  readonly quantity: number;
  /** Price of one unit before the discount. */
  readonly unitPrice: Money;
  readonly taxRate: number | null;
  /** Taken off quantity times unit price, before the tax is computed. */
  readonly discountAmount: Money;
  readonly taxAmount: Money;
  /** Amount of the line with its tax, after the discount. The lines add up to the amount of the payment without tip and surcharge. */
  readonly amount: Money;
}

/** A new payment. */
export interface ChargeRequest extends GatewayRequest {
  readonly source: Source;
  /** Tip, surcharge and tax within the amount, for processors that take them separately. */
  readonly parts?: AmountParts;
  /** Purchase order number of a business customer (Level 2). */
  readonly purchaseOrderNumber?: string;
  /** Lines of an itemized sale, for processors that take them. */
  readonly lineItems?: readonly SoldLine[];
  readonly billing?: BillingAddress;
  readonly email?: string;
  readonly storedCredential?: StoredCredential;
  /** Channel by which the payment reached the merchant. */
  readonly channel: Channel;
  /** For a bank account: how its holder authorized the debit, or the code of the credit. */
  readonly secCode?: SecCode | undefined;
  /** For an installment: its number and the number of all installments. */
  readonly installment?: { readonly number: number; readonly total: number } | undefined;
  /** The payment pays an invoice, and its amount is the amount due. */
  readonly forInvoice?: boolean;
}

/** An operation on an earlier payment. */
export interface ReferencedRequest extends GatewayRequest {
  readonly original: { readonly processorRef: string; readonly reference: string };
  /** For a capture: tip, surcharge and tax within its amount. */
  readonly parts?: AmountParts;
  /** For a refund: payment method of the original payment, which some processors require. */
  readonly paidWith?: { readonly kind: 'card'; readonly last4: string } | BankSource;
}

/** An inquiry about the outcome of an attempt. */
export interface StatusInquiry {
  readonly tenantId: string;
  readonly gatewayId: string | null;
  readonly processorRef: string;
  /** The request that was sent, for processors that can only list their transactions. */
  readonly sent?: {
    readonly operation: 'sale' | 'auth' | 'credit' | 'capture' | 'cancel_capture' | 'adjust' | 'void' | 'refund';
    readonly amount: Money;
    /** Time at which it was sent, ISO 8601, real time. */
    readonly at: string;
    readonly last4?: string;
    readonly original?: ReferencedRequest['original'];
  };
}

/** A bank payment that was returned after its approval. */
export interface ReturnedItem {
  readonly reference: string;
  readonly processorRef: string;
  /** Return code such as R01. */
  readonly returnCode: string;
  readonly reason: string;
  readonly amount: Money;
  readonly at: string;
}

/** A chargeback, or its reversal, as a processor reports it. */
export interface ReportedDispute {
  readonly kind: 'chargeback' | 'reversal';
  /** The gateway's reference of the disputed payment. */
  readonly reference: string;
  readonly processorRef: string;
  readonly amount: Money;
  /** Time of the step; absent if the processor reports only the present state of the payment. */
  readonly at?: string;
  /** Code of the card scheme. */
  readonly reasonCode?: string;
  readonly reason?: string;
  /** ID of the case at the processor. */
  readonly processorCase?: string;
}

/** A line of a gateway's own settlement report. */
export interface SettlementLine {
  /** The gateway's reference of the captured payment or refund. */
  readonly reference: string;
  readonly processorRef: string;
  readonly kind: 'capture' | 'refund';
  readonly amount: Money;
  readonly at: string;
  /** Batch ID of the processor. */
  readonly batch?: string;
}

/** Account and period of a settlement report. */
export interface ReportPeriod {
  readonly tenantId: string;
  readonly from: string;
  readonly to: string;
}

/** Interface to a processor. If a response is missing or incomprehensible, the outcome is `unknown`. */
export interface Connector {
  readonly name: string;
  readonly capabilities: {
    /** True if an inquiry without a result proves that the processor never received the request. */
    readonly notFoundIsFinal: boolean;
    /** Time within which every request is answered or has timed out. */
    readonly answersWithinMs: number;
    /** True if a capture can be canceled at the gateway. Otherwise Paydesk holds it until shortly before the gateway's cutoff. */
    readonly cancelsCaptures: boolean;
    /** Refunds of unsettled payments that it accepts. With `none`, a full refund is sent as a void. */
    readonly refundsUnsettled: 'all' | 'none';
    /**
     * True if the amount of an open authorization can be raised (incremental authorization) and lowered (partial reversal), and the amount of a sale
     * can be changed by its tip until the sale is settled.
     */
    readonly adjustsAmounts: boolean;
    /** True if bank payments may be returned after their approval. */
    readonly returnsLate: boolean;
  };
  purchase(charge: ChargeRequest): Promise<Outcome>;
  authorize(charge: ChargeRequest): Promise<Outcome>;
  /** Pays money out as an unlinked credit. */
  credit(charge: ChargeRequest): Promise<Outcome>;
  capture(request: ReferencedRequest): Promise<Outcome>;
  cancelCapture(request: ReferencedRequest): Promise<Outcome>;
  /** Changes the amount of an open authorization or an unsettled sale to the amount of the request. Called only if `adjustsAmounts`. */
  adjust(request: ReferencedRequest): Promise<Outcome>;
  void(request: ReferencedRequest): Promise<Outcome>;
  refund(request: ReferencedRequest): Promise<Outcome>;
  /** Inquires about the outcome of an attempt. Never sends a request that moves money. */
  inquire(request: StatusInquiry): Promise<Outcome | { readonly kind: 'not-found' }>;
  /** Returns the captures and refunds that the gateway reports as settled within a period, in one page or several. */
  settlementReport(request: ReportPeriod): Promise<SettlementLine[]> | AsyncIterable<readonly SettlementLine[]>;
  /** Yields the bank payments returned within a period; absent for a processor without returns. */
  returns?(request: ReportPeriod): AsyncIterable<readonly ReturnedItem[]>;
  /**
   * Yields the chargebacks and reversals of a period, oldest first for each payment; those without a time are the present states of payments. Absent for a
   * processor that reports none.
   */
  disputes?(request: ReportPeriod): AsyncIterable<readonly ReportedDispute[]>;
}
