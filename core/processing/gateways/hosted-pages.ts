import type { Money } from '#core/kernel';
import type { Outcome } from './outcome.ts';

/**
 * Way from a page to the payer. `link`: an address that can be sent and opened until the page is closed. `form`: a form that a browser posts, within a time.
 * `email`: the processor emails an address of its own to the payer, and Paydesk never learns it.
 */
export const HOSTED_PAGE_DELIVERIES = ['link', 'form', 'email'] as const;
export type HostedPageDelivery = (typeof HOSTED_PAGE_DELIVERIES)[number];

/** A page at a processor by Paydesk's reference, which its payments carry. */
export interface HostedPageReference {
  readonly tenantId: string;
  readonly gatewayId: string | null;
  readonly processorRef: string;
}

export interface NewHostedPage extends HostedPageReference {
  readonly merchantId: string;
  readonly amount: Money;
  /** Tax within the amount. */
  readonly tax: Money;
  /** Text for the payer, such as the number of the invoice. */
  readonly description: string;
  readonly companyName: string;
  /** `email` is never null for a page that the processor emails. */
  readonly payer: { readonly name: string | null; readonly email: string | null };
}

/** Address of a page, with the fields of its form. A page that the processor emails has none. */
export interface HostedPageAddress {
  readonly url: string;
  readonly fields?: Readonly<Record<string, string>>;
}

/** Result of a creation. `reference`: the processor's ID of the page, if it is needed to close it. */
export type HostedPageCreation =
  | { readonly kind: 'created'; readonly reference: string | null; readonly address: HostedPageAddress | null }
  | Extract<Outcome, { kind: 'not-sent' | 'unknown' }>;

/** A page that is asked about. */
export interface HostedPageInquiry extends HostedPageReference {
  readonly amount: Money;
  /** Time of its creation, ISO 8601, real time. */
  readonly at: string;
}

/** An approved payment on a page, as the processor reports it. */
export interface HostedPayment {
  readonly reference: string;
  readonly amount: Money;
  readonly authCode?: string | undefined;
  readonly avsResponse?: string | undefined;
  readonly cvvResponse?: string | undefined;
  readonly card: { readonly brand: string; readonly last4: string };
}

/**
 * Payments on a page. Declined attempts do not count, because the payer may try again on the same page. `pending`: a payment that the processor has not
 * decided. Never `not-found`: a page without a payment is `unpaid`, whether or not the processor has it.
 */
export type HostedPageStatus =
  | { readonly kind: 'unpaid' }
  | { readonly kind: 'paid'; readonly payments: readonly [HostedPayment, ...HostedPayment[]] }
  | { readonly kind: 'pending'; readonly reason: string }
  | Extract<Outcome, { kind: 'unknown' }>;

/** Payment pages of a processor, on which a payer pays a fixed amount by card. No request here moves money; the payer does. */
export interface HostedPageConnector {
  readonly delivery: HostedPageDelivery;
  /** Time within which a page must be opened; null if it can be opened until it is closed. */
  readonly opensWithinMs: number | null;
  /** Creates a page. Called once for each reference. A processor that emails its page does so here. */
  create(page: NewHostedPage): Promise<HostedPageCreation>;
  /** Returns the payments on a page by its reference. Their amounts may differ from that of the page: the caller checks them. */
  find(inquiry: HostedPageInquiry): Promise<HostedPageStatus>;
  /** Closes a page. Absent for a processor that cannot; its pages end by their time. Returns true if the processor has confirmed it. */
  close?(page: HostedPageReference & { readonly reference: string | null }): Promise<boolean>;
}

/** Reference of the attempt that records a further payment on a page, by the references of the page and of the payment. Attempts share none. */
export const extraReference = (processorRef: string, reference: string): string => `${processorRef}-${reference}`;

/** Returns the reference of the page by that of an attempt. */
export const pageReferenceOf = (processorRef: string): string => processorRef.split('-', 1)[0] ?? processorRef;

/** Returns the outcome of the attempt that records a payment on a page. */
export function outcomeOnPage(status: HostedPageStatus, amount: Money): Outcome {
  if (status.kind === 'unknown') return status;
  if (status.kind !== 'paid') return { kind: 'unknown', cause: 'The processor does not show the payment.', isNotYetShown: true };
  const [payment, ...others] = status.payments;
  if (others.length > 0) return { kind: 'unknown', cause: 'The processor has several payments of this page.', alert: 'several-found' };
  return isAmountOf(payment, amount) ? approvalOf(payment) : { kind: 'unknown', cause: 'The amount differs.', alert: 'other-amount' };
}

/** Returns true if a payment has the amount and the currency of its page. */
export const isAmountOf = ({ amount }: HostedPayment, { minor, currency }: Money): boolean =>
  amount.minor === minor && amount.currency === currency;

function approvalOf({ reference, authCode, avsResponse, cvvResponse }: HostedPayment): Outcome {
  return {
    kind: 'approved',
    reference,
    ...(authCode && { authCode }),
    ...(avsResponse && { avsResponse }),
    ...(cvvResponse && { cvvResponse }),
  };
}
