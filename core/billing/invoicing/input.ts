import type { BankAuthorizationInput, PaymentMethodInput } from '#core/sales/payments';
import type { Channel } from '#shared/channels';
import type { NewItem } from './items.ts';
import type { InvoiceStatus, PAYMENT_METHODS } from './schema.ts';
import type { AskForTip, TipChoice } from './tips.ts';

/** Input of a new invoice. */
export interface NewInvoice {
  readonly customerId: string;
  /** Optional if the invoice has items. */
  readonly amount?: string | number;
  /** Tax within the amount. */
  readonly taxAmount?: string | number;
  /** Purchase order number of a business customer, which payments pass to the processor. Null removes it. */
  readonly purchaseOrderNumber?: string | null;
  readonly currency?: string;
  /** YYYY-MM-DD in the merchant's zone; default in 30 days. */
  readonly dueDate?: string;
  readonly items?: readonly NewItem[];
  readonly note?: string | null;
  readonly description?: string | null;
  readonly allowPartial?: boolean;
  readonly collectShippingAddress?: boolean;
  readonly merchantId?: string;
}

/** Change of a draft. Null removes a note or a description. An empty list of items keeps the amount. */
export type InvoiceChange = Partial<Omit<NewInvoice, 'merchantId'>>;

/** Input of a payment link. */
export interface NewLink {
  /** Optional if the link has items. */
  readonly amount?: string | number;
  readonly items?: readonly NewItem[];
  /** Tax within the amount. */
  readonly taxAmount?: string | number;
  /** Purchase order number of a business customer, which payments pass to the processor. Null removes it. */
  readonly purchaseOrderNumber?: string | null;
  readonly currency?: string;
  readonly description?: string;
  readonly customerEmail?: string;
  readonly phone?: string;
  /** Channels by which the new link is sent to `customerEmail` and `phone`. */
  readonly sendVia?: readonly MessageChannel[];
  /** An instant in the future, ISO 8601. */
  readonly expiresAt?: string;
  readonly allowPartial?: boolean;
  readonly collectShippingAddress?: boolean;
  /** `yes` if the page asks for a tip; by default as the settings of the merchant say. */
  readonly askForTip?: AskForTip;
  readonly merchantId?: string;
}

export type MessageChannel = 'email' | 'sms';

export interface SendInput {
  readonly sendVia?: readonly MessageChannel[];
  /** Replaces the address of the customer. */
  readonly email?: string;
  readonly phone?: string;
  /** Additional text of the merchant. */
  readonly message?: string;
}

/** A payment that the merchant records or charges. */
export interface PayInput {
  readonly amount: string | number;
  readonly paymentMethod: (typeof PAYMENT_METHODS)[number];
  /** Surcharge that the customer agreed to, charged in addition to the amount; only for cards. */
  readonly surchargeAmount?: string | number;
  /** Payment method to charge; optional for `token` if the customer has a default. */
  readonly method?: PaymentMethodInput;
  /** Security code of the stored card that is charged. */
  readonly cvv?: string;
  /** Channel of the payment; by default that of the merchant's Sell screen. */
  readonly channel?: Channel;
  /** Authorization of a bank debit. */
  readonly bankAuthorization?: BankAuthorizationInput;
  readonly reference?: string;
  readonly note?: string;
  /** Cash drawer into which cash goes. */
  readonly drawer?: string;
}

/** Input of the payer on the page. */
export interface PageInput {
  /** Identifies one submission of the form, so that a form sent twice makes one payment. */
  readonly attemptKey: string;
  readonly amount?: string;
  /** Currency of the amount that the payer saw. RESOURCE_CONFLICT if it has changed. */
  readonly currency?: string;
  readonly method: PaymentMethodInput;
  /** Text to which the payer agreed on the page, for a bank account. */
  readonly consentText?: string;
  readonly name?: string;
  readonly email?: string;
  readonly zip?: string;
  /** Address in one text; required if the invoice asks for it. */
  readonly shippingAddress?: string;
  /** Tip that the payer adds; none by default. It does not pay the invoice. */
  readonly tip?: TipChoice;
  /** Surcharge that the page showed to the payer, as a decimal; a higher one is refused with RESOURCE_CONFLICT. */
  readonly surchargeAmount?: string;
}

/** Browser that opens a page. */
export interface VisitOrigin {
  readonly ip: string | null;
  readonly userAgent?: string;
  /** Random ID in a cookie of the payer's browser. */
  readonly deviceId?: string;
}

/** Origin of a payment on the page. */
export interface PageOrigin extends VisitOrigin {
  readonly requestId: string;
}

export interface InvoiceFilter {
  /** `to_do`: unpaid invoices that are overdue without a promise for a later day, or were promised for today or earlier. */
  readonly view?: 'to_do';
  readonly status?: InvoiceStatus;
  /** Days of creation, YYYY-MM-DD in the merchant's zone, inclusive. */
  readonly startDate?: string;
  readonly endDate?: string;
  readonly customerId?: string;
  readonly kind?: 'invoice' | 'link';
  readonly merchantId?: string;
  /** Number or ID of the invoice, or beginnings of words of the customer. */
  readonly q?: string;
}
