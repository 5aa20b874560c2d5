import { api, type Customer, type Invoice, requestFile, take, takeData } from '#renderer/client';
import type { Item } from './editor/lines.ts';

const on = (id: string) => ({ params: { path: { id } } });
const keyed = (key: string) => ({ params: { header: { 'Idempotency-Key': key } } });
const keyedOn = (id: string, key: string) => ({ params: { path: { id }, header: { 'Idempotency-Key': key } } });

/** What an invoice is made or changed with. */
export interface InvoiceBody {
  readonly customerId: string;
  readonly merchantId: string;
  readonly dueDate: string;
  readonly items: Item[];
  readonly note?: string | null;
  readonly allowPartial: boolean;
}

/** Makes a draft. */
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

/** Writes to whoever is to pay; a draft is sent by it. */
export const sendInvoice = (id: string, body: Sending) => takeData(api.POST('/api/v1/invoices/{id}/send', { ...on(id), body }));

/** Nothing more is asked for. */
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

/** What became of a payment that the service answered for. */
type PaymentAnswer =
  | { readonly kind: 'paid'; readonly invoice: Invoice }
  | { readonly kind: 'declined'; readonly declineCode: string; readonly declineReason: string };

/** Takes a payment, or writes down one that was taken elsewhere. */
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

/** Makes a link that anybody who has it can pay. */
export const createLink = (body: LinkBody, key: string) => takeData(api.POST('/api/v1/payment-links', { ...keyed(key), body }));

export type NewCustomer = Partial<Pick<Customer, 'firstName' | 'lastName' | 'email' | 'phone'>>;

/** Puts somebody new on file. */
export const createCustomer = (merchantId: string, body: NewCustomer): Promise<Customer> =>
  takeData(api.POST('/api/v1/customers', { body: { merchantId, ...body } }));

/** The invoice on paper. */
export async function fetchPdf(id: string): Promise<Blob> {
  return (await requestFile(`/api/v1/invoices/${encodeURIComponent(id)}/pdf`)).blob();
}
