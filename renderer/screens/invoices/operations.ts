import { api, type Customer, type Invoice, requestFile, take, takeData } from '#renderer/client';
import type { Item } from './editor/lines.ts';

const on = (id: string) => ({ params: { path: { id } } });
const keyed = (key: string) => ({ params: { header: { 'Idempotency-Key': key } } });
const keyedOn = (id: string, key: string) => ({ params: { path: { id }, header: { 'Idempotency-Key': key } } });

/** Body to create or change an invoice. */
export interface InvoiceBody {
  readonly customerId: string;
  readonly merchantId: string;
  readonly dueDate: string;
  readonly items: Item[];
  readonly note?: string | null;
  readonly allowPartial: boolean;
}

/** Creates a draft. */
export const createInvoice = (body: InvoiceBody, key: string): Promise<Invoice> =>
  takeData(api.POST('/api/v1/invoices', { ...keyed(key), body }));

/** Changes a draft. */
export const changeInvoice = (id: string, { merchantId: _, ...body }: InvoiceBody): Promise<Invoice> =>
  takeData(api.PUT('/api/v1/invoices/{id}', { ...on(id), body }));

export type Channel = 'email' | 'sms';

export interface Sending {
  readonly sendVia: Channel[];
  readonly email?: string;
  readonly phone?: string;
  readonly message?: string;
}

/** Sends an invoice to its recipient; this sends a draft. */
export const sendInvoice = (id: string, body: Sending) => takeData(api.POST('/api/v1/invoices/{id}/send', { ...on(id), body }));

/** Cancels an invoice. */
export const cancelInvoice = (id: string, reason: string): Promise<Invoice> =>
  takeData(api.POST('/api/v1/invoices/{id}/cancel', { ...on(id), body: reason === '' ? {} : { reason } }));

/** A card as it goes to the service, once: it is read out of its fields for the request and kept nowhere. */
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
}

/** Result of a payment that the service answered. */
type PaymentAnswer =
  | { readonly kind: 'paid'; readonly invoice: Invoice }
  | { readonly kind: 'declined'; readonly declineCode: string; readonly declineReason: string };

/** Charges a payment, or records one that was made elsewhere. */
export async function payInvoice(id: string, body: PaymentBody, key: string): Promise<PaymentAnswer> {
  const answer = await take(api.POST('/api/v1/invoices/{id}/payment', { ...keyedOn(id, key), body }));
  if (answer.success) return { kind: 'paid', invoice: answer.data };
  const { declineCode, declineReason } = answer.data;
  return { kind: 'declined', declineCode: declineCode ?? '', declineReason: declineReason ?? 'The payment was declined' };
}

export interface LinkBody {
  /** Decimal text. */
  readonly amount: string;
  readonly merchantId: string;
  readonly description?: string;
  readonly customerEmail?: string;
  readonly expiresAt?: string;
  readonly allowPartial: boolean;
}

/** Creates a payment link, which anyone who has it can pay. */
export const createLink = (body: LinkBody, key: string) => takeData(api.POST('/api/v1/payment-links', { ...keyed(key), body }));

export type NewCustomer = Partial<Pick<Customer, 'firstName' | 'lastName' | 'email' | 'phone'>>;

/** Creates a customer. */
export const createCustomer = (merchantId: string, body: NewCustomer): Promise<Customer> =>
  takeData(api.POST('/api/v1/customers', { body: { merchantId, ...body } }));

/** The invoice on paper. */
export async function fetchPdf(id: string): Promise<Blob> {
  return (await requestFile(`/api/v1/invoices/${encodeURIComponent(id)}/pdf`)).blob();
}
