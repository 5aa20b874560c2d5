import { codeOf } from './sales.ts';
import { type Answer, type ApiFixture, expectData } from './server.ts';

export interface PaymentRecord {
  paymentId: string;
  method: string;
  amount: number;
  taxAmount: number;
  tipAmount: number;
  surchargeAmount: number;
  status: string;
  transactionId: string | null;
  tenderId: string | null;
  card: { brand: string; last4: string } | null;
  bankAccount: { last4: string } | null;
  reference: string | null;
  note: string | null;
  origin: string;
  actor: string;
  declineCode: string | null;
  declineReason: string | null;
  refundedAmount: number;
  roundingAmount: number;
}

/** The fields of an invoice that the tests read. */
export interface InvoiceRecord {
  askForTip: 'default' | 'yes' | 'no';
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
  taxAmount: number;
  purchaseOrderNumber: string | null;
  collectShippingAddress: boolean;
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

/** Creates a draft for a customer, by default of 100.00. */
export function createInvoice({ api }: ApiFixture, customerId: string, more: Record<string, unknown> = {}): Promise<InvoiceRecord> {
  return expectData(api.admin.post<InvoiceRecord>('/invoices', { customerId, amount: 100, ...more }), 201);
}

export const getInvoice = ({ api }: ApiFixture, id: string) => expectData(api.admin.get<InvoiceRecord>(`/invoices/${id}`));

export function createPaymentLink({ api }: ApiFixture, more: Record<string, unknown> = {}): Promise<LinkRecord> {
  return expectData(api.public.post<LinkRecord>('/generate-url', { amount: 25, ...more }), 201);
}

/** Pays an invoice, by default in cash and the whole payable amount; for a paid invoice, its amount. */
export async function payInvoice(
  service: ApiFixture,
  id: string,
  body: Record<string, unknown> = {},
  headers?: Record<string, string>,
): Promise<Answer<InvoiceRecord>> {
  const sent = { paymentMethod: 'cash', ...('amount' in body ? {} : { amount: await payableAmount(service, id) }), ...body };
  return service.api.admin.post<InvoiceRecord>(`/invoices/${id}/payment`, sent, headers);
}

async function payableAmount({ api }: ApiFixture, id: string): Promise<number> {
  const { status, body } = await api.admin.get<InvoiceRecord>(`/invoices/${id}`);
  if (status !== 200) return 1;
  const { amount, amountDue, amountPending } = body.data;
  const freeCents = Math.round((amountDue - amountPending) * 100);
  return freeCents > 0 ? freeCents / 100 : amount;
}

export const cardPaymentBody = (number: string, more: Record<string, unknown> = {}) => ({
  paymentMethod: 'card',
  card: { number, expiryMonth: '12', expiryYear: '2039', cvv: codeOf(number) },
  ...more,
});
