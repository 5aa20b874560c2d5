import type { Money } from '#core/kernel';

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
    }
  | {
      readonly kind: 'declined';
      readonly declineCode: string;
      readonly declineReason: string;
      readonly avsResponse?: string;
      readonly cvvResponse?: string;
    }
  /** Taken in, not decided: held for review. */
  | { readonly kind: 'pending'; readonly reference: string; readonly reason: string }
  /** Certain: it had no effect. `unavailable` never reached the gateway; `error` was answered with one. */
  | { readonly kind: 'not-sent'; readonly reason: string; readonly retry: 'error' | 'unavailable' }
  /** No telling; ask later by our reference. */
  | { readonly kind: 'unknown'; readonly cause: unknown };

export interface CardSource {
  readonly kind: 'card';
  readonly number: string;
  /** Two digits. */
  readonly expiryMonth: string;
  /** Four digits. */
  readonly expiryYear: string;
  readonly brand: string;
  /** For this one call; never stored. */
  readonly cvv?: string;
}

export interface BankSource {
  readonly kind: 'ach';
  readonly accountNumber: string;
  readonly routingNumber: string;
  readonly accountType: string;
  readonly accountHolderName: string;
}

/** What a payment is charged to. */
export type Source = CardSource | BankSource;

export interface BillingAddress {
  readonly address?: string;
  readonly zip?: string;
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
  /** It pays an invoice, and its amount is what is due (decisions 11). */
  readonly forInvoice?: boolean;
}

/** Something done to an earlier payment. */
export interface FollowUp extends Question {
  readonly original: { readonly processorRef: string; readonly reference: string };
}

/** A line of a gateway's own settlement report. */
export interface SettlementLine {
  /** The gateway's reference of the captured payment or refund. */
  readonly reference: string;
  readonly processorRef: string;
  readonly kind: 'capture' | 'refund';
  readonly amount: Money;
  readonly at: string;
}

/** A processor as the core sees it. No method succeeds by default; a failure to hear the answer is `unknown`. */
export interface Connector {
  readonly name: string;
  readonly capabilities: {
    /** Whether an inquiry that finds nothing proves that nothing will come. */
    readonly notFoundIsFinal: boolean;
    /** Every question is answered, or given up, within this time. */
    readonly answersWithinMs: number;
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
  inquire(of: {
    readonly tenantId: string;
    readonly gatewayId: string | null;
    readonly processorRef: string;
  }): Promise<Outcome | { readonly kind: 'not-found' }>;
  /** What the gateway says it settled of the captures and refunds within a period. */
  settlementReport(of: { readonly tenantId: string; readonly from: string; readonly to: string }): Promise<SettlementLine[]>;
}
