import { api, type Invoice, requestFile, take, takeData } from '#renderer/base/client';
import { serviceText, t } from '#renderer/base/language';

/** A line in the form of the API. */
export interface Item {
  readonly itemId?: string;
  readonly description: string;
  readonly quantity: number;
  /** Decimal text. */
  readonly unitPrice: string;
}

const pathOf = (id: string) => ({ params: { path: { id } } });
const withKey = (key: string) => ({ params: { header: { 'Idempotency-Key': key } } });
const pathWithKey = (id: string, key: string) => ({ params: { path: { id }, header: { 'Idempotency-Key': key } } });

/** Removes the characters that people write between the digits of a phone number. */
export const phoneDigits = (text: string): string => text.replace(/[\s().-]/g, '');

/** Body to create or change an invoice. */
export interface InvoiceBody {
  readonly customerId: string;
  readonly merchantId: string;
  readonly dueDate: string;
  readonly items: Item[];
  /** Decimal text; 0 removes the tax of a draft. */
  readonly taxAmount?: string;
  readonly purchaseOrderNumber?: string | null;
  readonly note?: string | null;
  readonly allowPartial: boolean;
  readonly collectShippingAddress: boolean;
}

/** Creates a draft. */
export const createInvoice = (body: InvoiceBody, key: string): Promise<Invoice> =>
  takeData(api.POST('/api/v1/invoices', { ...withKey(key), body }));

/** Changes a draft. */
export const changeInvoice = (id: string, { merchantId: _, ...body }: InvoiceBody): Promise<Invoice> =>
  takeData(api.PUT('/api/v1/invoices/{id}', { ...pathOf(id), body }));

export type Channel = 'email' | 'sms';

export interface SendRequest {
  readonly sendVia: Channel[];
  readonly email?: string;
  readonly phone?: string;
  readonly message?: string;
}

/** Sends an invoice to its recipient; this sends a draft. */
export const sendInvoice = (id: string, body: SendRequest) => takeData(api.POST('/api/v1/invoices/{id}/send', { ...pathOf(id), body }));

/** Ends the reminders of an invoice, or continues them. */
export const stopReminders = (id: string, reason: 'manual' | 'dispute'): Promise<Invoice> =>
  takeData(api.POST('/api/v1/invoices/{id}/reminders/stop', { ...pathOf(id), body: { reason } }));
export const resumeReminders = (id: string): Promise<Invoice> =>
  takeData(api.POST('/api/v1/invoices/{id}/reminders/resume', { ...pathOf(id), body: {} }));

/** Takes a late fee off an invoice. */
export const reverseLateFee = (id: string, lateFeeId: string, reason: string, key: string): Promise<Invoice> =>
  takeData(
    api.POST('/api/v1/invoices/{id}/late-fees/{lateFeeId}/reverse', {
      params: { path: { id, lateFeeId }, header: { 'Idempotency-Key': key } },
      body: { reason },
    }),
  );
/** Changes whether an invoice is charged late fees. */
export const chooseLateFees = (id: string, enabled: boolean) =>
  takeData(api.PUT('/api/v1/invoices/{id}/late-fees', { ...pathOf(id), body: { enabled } }));

/** Records the day by which the customer promised to pay. */
export const recordPromise = (id: string, body: { readonly date: string; readonly by: string }): Promise<Invoice> =>
  takeData(api.PUT('/api/v1/invoices/{id}/promise', { ...pathOf(id), body }));
export const withdrawPromise = (id: string): Promise<Invoice> => takeData(api.DELETE('/api/v1/invoices/{id}/promise', pathOf(id)));

/** Creates the payment page of an invoice at its gateway; one that the processor emails goes to the address. */
export const createHostedPage = (id: string, email?: string) =>
  takeData(api.POST('/api/v1/invoices/{id}/hosted-pages', { ...pathOf(id), body: email === undefined ? {} : { email } }));
/** Asks the processor about the newest payment page. */
export const checkHostedPage = (id: string) => takeData(api.POST('/api/v1/invoices/{id}/hosted-pages/check', { ...pathOf(id), body: {} }));
export const closeHostedPage = (id: string) => takeData(api.POST('/api/v1/invoices/{id}/hosted-pages/close', { ...pathOf(id), body: {} }));

/** Records that a person has seen to a payment page, which leaves To do. */
export const noteHostedPage = (id: string, hostedPageId: string, note: string) =>
  takeData(api.POST('/api/v1/invoices/{id}/hosted-pages/{hostedPageId}/note', { params: { path: { id, hostedPageId } }, body: { note } }));

/** Cancels an invoice. */
export const cancelInvoice = (id: string, reason: string): Promise<Invoice> =>
  takeData(api.POST('/api/v1/invoices/{id}/cancel', { ...pathOf(id), body: reason === '' ? {} : { reason } }));

/** A card to send to the service. It is read from its fields for one request and never stored. */
export interface CardToCharge {
  readonly number: string;
  readonly expiryMonth: string;
  readonly expiryYear: string;
  readonly cvv?: string;
}

export interface PaymentBody {
  /** Decimal text. */
  readonly amount: string;
  readonly paymentMethod: 'cash' | 'check' | 'card' | 'token' | 'other';
  readonly card?: CardToCharge;
  readonly token?: string;
  readonly reference?: string;
  readonly note?: string;
  /** Cash drawer of this workstation. */
  readonly drawer?: string;
}

/** Result of a payment according to the service. */
type PaymentResult =
  | { readonly kind: 'paid'; readonly invoice: Invoice }
  | { readonly kind: 'declined'; readonly declineCode: string; readonly declineReason: string };

/** Charges a payment, or records one that was made elsewhere. */
export async function payInvoice(id: string, body: PaymentBody, key: string): Promise<PaymentResult> {
  const response = await take(api.POST('/api/v1/invoices/{id}/payment', { ...pathWithKey(id, key), body }));
  if (response.success) return { kind: 'paid', invoice: response.data };
  const { declineCode, declineReason } = response.data;
  const reason = declineReason ? serviceText(declineReason) : t('The payment was declined');
  return { kind: 'declined', declineCode: declineCode ?? '', declineReason: reason };
}

/** Choice of a link whether its page asks for a tip. */
export type AskForTip = Invoice['askForTip'];

export interface LinkBody {
  /** Decimal text; absent with items. */
  readonly amount?: string;
  readonly items?: Item[];
  readonly taxAmount?: string;
  readonly purchaseOrderNumber?: string;
  readonly merchantId: string;
  readonly description?: string;
  readonly customerEmail?: string;
  readonly phone?: string;
  /** Channels by which the link is sent; only returned without one. */
  readonly sendVia?: Channel[];
  readonly expiresAt?: string;
  readonly allowPartial: boolean;
  readonly collectShippingAddress: boolean;
  readonly askForTip: AskForTip;
}

/** Creates a payment link, which anyone who has it can pay. */
export const createLink = (body: LinkBody, key: string) => takeData(api.POST('/api/v1/payment-links', { ...withKey(key), body }));

/** Returns the PDF of an invoice. */
export async function fetchPdf(id: string): Promise<Blob> {
  return (await requestFile(`/api/v1/invoices/${encodeURIComponent(id)}/pdf`)).blob();
}
