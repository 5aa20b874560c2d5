import type { Work } from '#core/database';
import { type Actor, assert, type Money, type TenantTime } from '#core/kernel';
import type { RetryAdvice } from '#core/processing/gateways';
import type { AuditActor } from '#core/records/audit';
import type { OrderPart } from '#core/records/ledger';
import type { Rights } from '#shared/api-key-rights';
import type { ClosingMerchant } from './closing.ts';

export { countObstacles, type ObstacleKind } from './closing.ts';

/** Outcome of a payment of an invoice. */
export interface InvoicePaymentOutcome {
  readonly transactionId: string | null;
  readonly status: 'approved' | 'declined' | 'failed' | 'voided';
  readonly declineCode: string | null;
  readonly declineReason: string | null;
  readonly retryAdvice: RetryAdvice | null;
}

/** Open shift in which a payment or its return is made: that of a drawer, or one by its ID; null if it belongs to none. */
export type ShiftPlace = { readonly drawer: string } | { readonly shiftId: string } | null;

/** Published in the unit of work of the change. Its handlers write in the same unit of work, so the change and its consequences commit together. */
export interface ChangeEvents {
  'customer.deleted': { readonly actor: Actor; readonly customerId: string };
  /** The rights of a person changed; null after the person's removal. */
  'user.rights-changed': { readonly actor: Actor; readonly userId: string; readonly rights: Rights | null };
  /** The email address or the phone number of a customer was added, changed or removed. The customer is locked. */
  'customer.contact-changed': {
    readonly tenantId: string;
    readonly merchantId: string;
    readonly customerId: string;
    readonly before: { readonly email: string | null; readonly phone: string | null };
    readonly changed: readonly ('email' | 'sms')[];
  };
  /** A card or bank account was stored, renewed or made the default. */
  'payment-method.changed': {
    readonly tenantId: string;
    readonly customerId: string;
    readonly paymentMethodId: string;
    readonly isDefault: boolean;
    /** Caller that changed the method; null for the payer. */
    readonly actor: Actor | null;
  };
  /** A customer replaced a card or bank account with another one. */
  'payment-method.replaced': {
    readonly tenantId: string;
    readonly customerId: string;
    readonly replacedId: string;
    readonly paymentMethodId: string;
    readonly kind: 'card' | 'ach';
    /** Null for a bank account. */
    readonly brand: string | null;
    readonly last4: string;
  };
  'payment-method.removed': { readonly customerId: string; readonly paymentMethodId: string };
  /** A payment of an invoice was voided. */
  'payment.voided': {
    readonly tenantId: string;
    readonly transactionId: string;
    readonly actor: AuditActor;
    readonly atMs: TenantTime;
  };
  /** A payment of an order is about to be made: the order reserves its share, or refuses it by an error. */
  'order-payment.started': {
    readonly tenantId: string;
    readonly orderId: string;
    readonly merchantId: string;
    readonly paymentId: string;
    readonly kind: 'card' | 'ach' | 'cash' | 'check' | 'other' | 'gift_card';
    /** Share of the order, without tip and surcharge. */
    readonly amount: Money;
    /** Lines of the order that the payment pays, by their position; empty for a part of the whole order. */
    readonly lines: readonly number[];
    /** Declined payment that is repeated, with its lines. */
    readonly rerunOf: string | null;
    readonly actor: Pick<Actor, 'credentialId' | 'name'>;
    /** Receives the share in the tax and the discount of the order, and its earlier payments in cash. */
    readonly assign: (parts: {
      readonly taxMinor: number;
      readonly discountMinor: number;
      readonly discountApprovedBy: string | null;
      /** Earlier payments of the order in cash. */
      readonly earlierCash: readonly string[];
    }) => void;
  };
  /** The outcome of a payment of an order became known. */
  'order-payment.decided': {
    readonly tenantId: string;
    readonly orderId: string;
    readonly paymentId: string;
    /** Approved share with its tax and discount, in minor units; null if the payment had no effect. An issuer may approve a part of the claimed share. */
    readonly approved: { readonly shareMinor: number; readonly taxMinor: number; readonly discountMinor: number } | null;
    /** Receives the part of an approved payment in the number of sales. */
    readonly assign: (orderPart: OrderPart | null) => void;
    readonly place: ShiftPlace;
    readonly actor: AuditActor;
  };
  /** A payment of an order was voided, refunded or returned. */
  'order-payment.returned': {
    readonly tenantId: string;
    readonly orderId: string;
    readonly paymentId: string;
    /** Amount of a refund without its tip and surcharge, in minor units; null if the whole payment was voided or returned by the bank. */
    readonly refundedMinor: number | null;
    /** Receives the part of a void in the number of sales. */
    readonly assign?: (orderPart: OrderPart | null) => void;
    readonly place: ShiftPlace;
    readonly actor: AuditActor;
  };
  /**
   * Money of a payment of an order is about to be returned, or the attempt had no effect, or a chargeback took or returned money. The order refuses the
   * first by an error if a gift card that it sold was spent.
   */
  'order-payment.returning': {
    readonly tenantId: string;
    readonly orderId: string;
    readonly paymentId: string;
    /** Amount of a refund without its tip and surcharge, in minor units; null for the whole payment; 0 for any other change. */
    readonly returningMinor: number | null;
    /** True if a credit to the card or account returns it, which never changes a share of the order. */
    readonly isCredit?: boolean;
    readonly place: ShiftPlace;
    readonly actor: AuditActor;
  };
  /** The bank returned a check that paid an invoice. */
  'check.returned': {
    readonly tenantId: string;
    readonly tenderId: string;
    readonly invoiceId: string;
    /** Sentence that explains the return. */
    readonly reason: string;
    readonly actor: AuditActor;
    readonly atMs: TenantTime;
  };
  /** A check, or another tender of an invoice, was refunded or taken back. A line of the bank may contain it. */
  'tender.refunded': { readonly merchantId: string };
  /** The balance, status or content of an invoice changed, or a payment of it got its outcome. */
  'invoice.changed': {
    readonly tenantId: string;
    readonly invoiceId: string;
    readonly merchantId: string;
    readonly customerId: string | null;
    readonly currency: string;
    readonly amountMinor: number;
    readonly paidMinor: number;
    readonly isPaid: boolean;
    readonly isCancelled: boolean;
    readonly atMs: TenantTime;
    /** The payment that got its outcome. Its transaction is null if no processor was involved. */
    readonly payment: InvoicePaymentOutcome | null;
  };
  /** The bank returned a payment of a subscription or an invoice. */
  'payment.returned': {
    readonly tenantId: string;
    readonly subscriptionId: string | null;
    readonly invoiceId: string | null;
    readonly transactionId: string;
    readonly returnCode: string;
    readonly reason: string;
    readonly atMs: TenantTime;
  };
  /** A settlement was closed, so its day can be compared with the report of the processor. */
  'settlement.closed': { readonly tenantId: string; readonly merchantId: string; readonly settlementDate: string };
  /** A payout reached the bank by Paydesk's records. */
  'payout.paid': { readonly merchantId: string; readonly payoutId: string };
  /** A day or month of a merchant's books was closed. */
  'period.closed': { readonly merchantId: string; readonly period: string };
  'merchant.closing': ClosingMerchant;
  /** The settings of invoice reminders changed. */
  'merchant.reminders-changed': {
    readonly tenantId: string;
    readonly merchantId: string;
    readonly timeZone: string;
    readonly settings: { readonly enabled: boolean; readonly sendAt: string; readonly weekdays: readonly number[] };
  };
  /** The settings of late fees changed. */
  'merchant.late-fees-changed': {
    readonly tenantId: string;
    readonly merchantId: string;
    readonly timeZone: string;
    readonly enabled: boolean;
  };
  /** A payment was disputed, also again after the dispute was won. */
  'payment.disputed': { readonly tenantId: string; readonly transactionId: string; readonly atMs: TenantTime };
  /** A dispute of a payment was won, or an inquiry ended. */
  'payment.dispute-won': { readonly tenantId: string; readonly transactionId: string };
  'merchant.time-zone-changed': { readonly tenantId: string; readonly merchantId: string; readonly timeZone: string };
}

/** Published after the commit of the change. */
export interface CommittedEvents {
  /** The outcome of an unconfirmed sale became known. */
  'payment.confirmed': { readonly tenantId: string; readonly transactionId: string };
}

type ChangeHandlers = { readonly [Name in keyof ChangeEvents]: readonly ((work: Work, event: ChangeEvents[Name]) => Promise<void>)[] };
type CommittedHandlers = { readonly [Name in keyof CommittedEvents]: readonly ((event: CommittedEvents[Name]) => Promise<void>)[] };

/** The handlers of every event, in the order in which they run. */
export type EventHandlers = ChangeHandlers & CommittedHandlers;

/** Typed events by which a capability causes changes in another one that depends on it. */
export interface DomainEvents {
  /** Runs the handlers in the unit of work; the error of one fails the unit of work. */
  publish<Name extends keyof ChangeEvents>(work: Work, name: Name, event: ChangeEvents[Name]): Promise<void>;
  /** Runs the handlers after a commit, one after the other. */
  publishCommitted<Name extends keyof CommittedEvents>(name: Name, event: CommittedEvents[Name]): Promise<void>;
}

/** Returns the events and the function that registers their handlers, to be called once before the first event. */
export function createDomainEvents(): { readonly events: DomainEvents; readonly register: (handlers: EventHandlers) => void } {
  let registered: EventHandlers | undefined;
  const handlers = (): EventHandlers => {
    assert(registered !== undefined, 'the handlers are registered before the first event');
    return registered;
  };
  return {
    events: {
      async publish(work, name, event) {
        const ofChange: ChangeHandlers = handlers();
        for (const handle of ofChange[name]) await handle(work, event);
      },
      async publishCommitted(name, event) {
        const ofCommitted: CommittedHandlers = handlers();
        for (const handle of ofCommitted[name]) await handle(event);
      },
    },
    register(all) {
      registered = all;
    },
  };
}
