import type { PaymentMethodInput } from '#core/payments';
import type { NewItem } from './items.ts';
import type { InvoicePaymentMethod } from './schema.ts';

/** What a new invoice is made of (specification 2.6, 4.10; decisions 7). */
export interface NewInvoice {
  readonly customerId: string;
  /** May be left out where the items say it. */
  readonly amount?: string | number;
  readonly currency?: string;
  /** YYYY-MM-DD in the merchant's zone; in 30 days unless given. */
  readonly dueDate?: string;
  readonly items?: readonly NewItem[];
  readonly note?: string | null;
  readonly description?: string | null;
  readonly allowPartial?: boolean;
  readonly merchantId?: string;
}

/** Fields of a draft that are to be changed; null takes a note or a description away, no items leave the amount alone. */
export type InvoiceChange = Partial<Omit<NewInvoice, 'merchantId'>>;

/** What a payment link is made of (specification 4.1, generate-url; decisions 7). */
export interface NewLink {
  readonly amount: string | number;
  readonly currency?: string;
  readonly description?: string;
  readonly customerEmail?: string;
  /** An instant in the future, ISO 8601. */
  readonly expiresAt?: string;
  readonly allowPartial?: boolean;
  readonly merchantId?: string;
}

export interface SendInput {
  readonly sendVia?: readonly ('email' | 'sms')[];
  /** In the place of the customer's. */
  readonly email?: string;
  readonly phone?: string;
  /** A sentence of the merchant's own. */
  readonly message?: string;
}

/** A payment that the merchant records or charges. */
export interface PayInput {
  readonly amount: string | number;
  readonly paymentMethod: InvoicePaymentMethod;
  /** What is charged; for `token` it may be left out where the customer has a default on file. */
  readonly method?: PaymentMethodInput;
  readonly reference?: string;
  readonly note?: string;
}

/** What the payer filled in on the page. */
export interface PageInput {
  /** Names one press of the button: the same form sent twice is one payment. */
  readonly attemptKey: string;
  readonly amount?: string;
  /** That of the amount as the payer saw it; RESOURCE_CONFLICT where another is asked for by now. */
  readonly currency?: string;
  readonly method: PaymentMethodInput;
  readonly name?: string;
  readonly email?: string;
  readonly zip?: string;
}

export interface InvoiceFilter {
  readonly status?: string;
  /** Days of creation, YYYY-MM-DD in the merchant's zone, inclusive. */
  readonly startDate?: string;
  readonly endDate?: string;
  readonly customerId?: string;
  readonly kind?: 'invoice' | 'link';
  readonly merchantId?: string;
  /** The number, the id, or beginnings of words of the customer. */
  readonly q?: string;
}
