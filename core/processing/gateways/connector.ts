import type { Money } from '#core/kernel';
import type { BankSource, Source } from '#core/records/vault';
import type { Channel, SecCode } from '#shared/channels';
import type { HostedPageConnector } from './hosted-pages.ts';
import type { AmountParts, Outcome } from './outcome.ts';
import type { TerminalConnector } from './terminals.ts';

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
  /** A part of the amount may be approved; an approval reports it in `charged`. By default all or nothing. */
  readonly allowsPartialApproval?: boolean;
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
  /** For a void or refund: the card reader of the original payment, which some processors ask to send it. */
  readonly reader?: { readonly deviceId: string; readonly address: string | null };
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
    /** A part of the amount may have been approved; an approval reports it in `charged`. */
    readonly allowsPartialApproval?: boolean;
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
  /** Card readers of the account; absent for a processor whose readers Paydesk does not support. */
  readonly terminals?: TerminalConnector;
  /** Payment pages of the processor; absent for one without pages that Paydesk supports. */
  readonly hostedPages?: HostedPageConnector;
}
