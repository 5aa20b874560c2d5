import type { Money } from '#core/kernel';
import type { BankSource, Source } from '#core/vault';
import type { DeclineCode } from './decline-codes.ts';

/**
 * What a gateway said, folded into five meanings (decisions 4, 5, 7.5, 7.6 of the specification). Anything that a connector does not
 * recognise is `unknown`: doubt, never a decline.
 */
export type Outcome =
  | {
      readonly kind: 'approved';
      /** The gateway's own name of it; what later operations refer to. */
      readonly reference: string;
      readonly authCode?: string;
      readonly avsResponse?: string;
      readonly cvvResponse?: string;
      /** What later charges of the same stored card refer to: the card network's name of the first one, or the processor's. */
      readonly chainReference?: string;
    }
  | {
      readonly kind: 'declined';
      readonly declineCode: DeclineCode;
      readonly declineReason: string;
      readonly avsResponse?: string;
      readonly cvvResponse?: string;
      /** What the processor advises on trying again; it overrides the dunning table (decisions 10). */
      readonly advice?: RetryAdvice;
      /** The processor declined it by a rule of the merchant's, but its own void failed: money may be held under this reference until it is voided. */
      readonly heldUnder?: string;
    }
  /** Taken in, not decided: held for review. */
  | { readonly kind: 'pending'; readonly reference: string; readonly reason: string }
  /**
   * Certain: it had no effect. `unavailable` never reached the gateway, `error` was answered with one, and `after-batch` is a refund of a payment that the
   * gateway has not settled yet. `code` is the contract's, where one says more than GATEWAY_ERROR.
   */
  | {
      readonly kind: 'not-sent';
      readonly reason: string;
      readonly retry: 'error' | 'unavailable' | 'after-batch';
      readonly code?: RefusalCode;
      readonly alert?: Alert;
    }
  /** No telling; ask later by our reference. `isNotYetShown` where the processor did answer an inquiry, with nothing that proves anything yet. */
  | { readonly kind: 'unknown'; readonly cause: unknown; readonly alert?: Alert; readonly isNotYetShown?: true };

/** `stop-card`: never charge the card again; `stop-plan`: not for this plan; `update-card`: the customer has another; `wait`: not before so many days. */
export type RetryAdvice = { readonly kind: 'stop-card' | 'stop-plan' | 'update-card' } | { readonly kind: 'wait'; readonly days: number };

/**
 * What a person must look at: the account is set up wrongly, the processor does not know a payment that we have, it has several under one reference, its
 * amount is another than ours, or it cannot say itself what became of it.
 */
export type Alert = 'set-up' | 'unknown-original' | 'several-found' | 'other-amount' | 'processor-at-a-loss';

/** What a processor's refusal means in the contract (specification 7.4), when nothing was charged. */
export type RefusalCode =
  | 'VALIDATION_ERROR'
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

/** That a stored card is charged, or will be: card schemes want to be told. */
export interface StoredCredential {
  readonly use: 'first' | 'later';
  /** Who starts this charge: the customer who is there, or the merchant alone. */
  readonly by: 'customer' | 'merchant';
  readonly purpose: 'recurring' | 'unscheduled';
  /** Of a later one: the `chainReference` and the amount of the first, where they are known. */
  readonly first?: { readonly chainReference: string; readonly amount: Money };
}

interface Question {
  /** Our reference of this one attempt, and the gateway's idempotency key: sent twice, it has one effect. */
  readonly processorRef: string;
  readonly tenantId: string;
  readonly merchantId: string;
  /** Which of the merchant's gateways is asked. */
  readonly gatewayId: string | null;
  readonly amount: Money;
}

/** A new payment. */
export interface Order extends Question {
  readonly source: Source;
  readonly billing?: BillingAddress;
  readonly email?: string;
  readonly storedCredential?: StoredCredential;
  /** It pays an invoice, and its amount is what is due (decisions 11). */
  readonly forInvoice?: boolean;
}

/** Something done to an earlier payment. */
export interface FollowUp extends Question {
  readonly original: { readonly processorRef: string; readonly reference: string };
  /** Of a refund: what the payment was made with, which some processors want to hear again. */
  readonly paidWith?: { readonly kind: 'card'; readonly last4: string } | BankSource;
}

/** An attempt whose outcome is asked for. */
export interface Inquiry {
  readonly tenantId: string;
  readonly gatewayId: string | null;
  readonly processorRef: string;
  /** What was sent, for processors that only list what they have. */
  readonly sent?: {
    readonly operation: 'sale' | 'auth' | 'credit' | 'capture' | 'cancel_capture' | 'void' | 'refund';
    readonly amount: Money;
    /** When it was sent, ISO 8601, real time. */
    readonly at: string;
    readonly last4?: string;
    readonly original?: FollowUp['original'];
  };
}

/** A bank payment that came back after it had been approved (decisions 10). */
export interface ReturnedItem {
  readonly reference: string;
  readonly processorRef: string;
  /** R01 and the like. */
  readonly returnCode: string;
  readonly reason: string;
  readonly amount: Money;
  readonly at: string;
}

/** A line of a gateway's own settlement report. */
export interface SettlementLine {
  /** The gateway's reference of the captured payment or refund. */
  readonly reference: string;
  readonly processorRef: string;
  readonly kind: 'capture' | 'refund';
  readonly amount: Money;
  readonly at: string;
  /** The processor's name of the batch that it was settled in. */
  readonly batch?: string;
}

/** Whose report is asked for, and the time that it is about. */
export interface ReportPeriod {
  readonly tenantId: string;
  readonly from: string;
  readonly to: string;
}

/** A processor as the core sees it. No method succeeds by default; a failure to hear the answer is `unknown`. */
export interface Connector {
  readonly name: string;
  readonly capabilities: {
    /** Whether an inquiry that finds nothing proves that nothing will come. */
    readonly notFoundIsFinal: boolean;
    /** Every question is answered, or given up, within this time. */
    readonly answersWithinMs: number;
    /** Whether a capture can be taken back there; if not, it is held here until shortly before the gateway's cut-off (decisions 10). */
    readonly cancelsCaptures: boolean;
    /** Which refunds it takes of a payment that it has not settled; where not all, a full one is sent as a void (decisions 10). */
    readonly refundsUnsettled: 'all' | 'none';
    /** Whether bank payments may come back after they were approved. */
    readonly returnsLate: boolean;
  };
  sell(order: Order): Promise<Outcome>;
  authorize(order: Order): Promise<Outcome>;
  /** Pays money out, bound to no earlier payment. */
  credit(order: Order): Promise<Outcome>;
  capture(question: FollowUp): Promise<Outcome>;
  cancelCapture(question: FollowUp): Promise<Outcome>;
  void(question: FollowUp): Promise<Outcome>;
  refund(question: FollowUp): Promise<Outcome>;
  /** What became of an attempt; sends nothing that could move money. */
  inquire(of: Inquiry): Promise<Outcome | { readonly kind: 'not-found' }>;
  /** What the gateway says it settled of the captures and refunds within a period: at once where it is short, else a page at a time. */
  settlementReport(of: ReportPeriod): Promise<SettlementLine[]> | AsyncIterable<readonly SettlementLine[]>;
  /** The bank payments that came back within a period; absent where none do. */
  returns?(of: ReportPeriod): AsyncIterable<readonly ReturnedItem[]>;
}
