import { type Answer, type ApiFixture, expectData } from './server.ts';

export interface PaymentRecord {
  paymentId: string;
  method: string;
  amount: number;
  status: string;
  transactionId: string | null;
  card: { brand: string; last4: string } | null;
  bankAccount: { last4: string } | null;
  reference: string | null;
  note: string | null;
  origin: string;
  actor: string;
  declineCode: string | null;
  declineReason: string | null;
  refundedAmount: number;
}

/** An invoice as far as the tests read it. */
export interface InvoiceRecord {
  invoiceId: string;
  number: string;
  kind: string;
  merchantId: string;
  customerId: string | null;
  customer: { name: string | null; email: string | null; phone: string | null } | null;
  amount: number;
  amountPaid: number;
  amountPending: number;
  amountDue: number;
  currency: string;
  dueDate: string | null;
  items: { description: string; quantity: number; unitPrice: number; amount: number }[];
  note: string | null;
  description: string | null;
  allowPartial: boolean;
  status: string;
  sentAt: string | null;
  paidAt: string | null;
  overdueAt: string | null;
  cancelledAt: string | null;
  cancelReason: string | null;
  expiresAt: string | null;
  url: string;
  shortUrl: string;
  isLocalOnly: boolean;
  payments: PaymentRecord[];
  createdAt: string;
}

export interface LinkRecord {
  invoiceId: string;
  url: string;
  shortUrl: string;
}

/** A draft of 100.00 for a customer, unless said otherwise. */
export function invoice({ api }: ApiFixture, customerId: string, more: Record<string, unknown> = {}): Promise<InvoiceRecord> {
  return expectData(api.admin.post<InvoiceRecord>('/invoices', { customerId, amount: 100, ...more }), 201);
}

export const invoiceOf = ({ api }: ApiFixture, id: string) => expectData(api.admin.get<InvoiceRecord>(`/invoices/${id}`));

export function link({ api }: ApiFixture, more: Record<string, unknown> = {}): Promise<LinkRecord> {
  return expectData(api.public.post<LinkRecord>('/generate-url', { amount: 25, ...more }), 201);
}

/** Pays an invoice, by default in cash and the whole amount that is free; a paid invoice is asked for its amount again. */
export async function payment(
  on: ApiFixture,
  id: string,
  body: Record<string, unknown> = {},
  headers?: Record<string, string>,
): Promise<Answer<InvoiceRecord>> {
  const sent = { paymentMethod: 'cash', ...('amount' in body ? {} : { amount: await payableAmount(on, id) }), ...body };
  return on.api.admin.post<InvoiceRecord>(`/invoices/${id}/payment`, sent, headers);
}

async function payableAmount({ api }: ApiFixture, id: string): Promise<number> {
  const { status, body } = await api.admin.get<InvoiceRecord>(`/invoices/${id}`);
  if (status !== 200) return 1;
  const { amount, amountDue, amountPending } = body.data;
  const freeCents = Math.round((amountDue - amountPending) * 100);
  return freeCents > 0 ? freeCents / 100 : amount;
}

export const byCard = (number: string, more: Record<string, unknown> = {}) => ({
  paymentMethod: 'card',
  card: { number, expiryMonth: '12', expiryYear: '2039', cvv: '123' },
  ...more,
});
