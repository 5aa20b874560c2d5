import { type ApiFixture, expectData } from './server.ts';

export interface OrderPaymentRecord {
  paymentId: string;
  kind: string;
  state: string;
  amount: number;
  shareAmount: number;
  tipAmount: number;
  taxAmount: number;
  discountAmount: number;
  returnedAmount: number;
  refundedAmount: number;
  roundingAmount: number;
  lines: { line: number; amount: number }[];
}

/** The fields of an order that the tests read. */
export interface OrderRecord {
  orderId: string;
  number: string;
  status: string;
  name: string | null;
  amount: number;
  taxAmount: number;
  paidAmount: number;
  reservedAmount: number;
  remainingAmount: number;
  refundedAmount: number;
  tipAmount: number;
  createdBy: string;
  resumedBy: string | null;
  lineItems: { amount: number; remainingAmount: number; paidBy: string[] }[];
  payments: OrderPaymentRecord[];
  actions: Record<string, { allowed: boolean; code?: string; maxAmount?: number }>;
}

export const createOrder = ({ api }: Pick<ApiFixture, 'api'>, body: Record<string, unknown>) =>
  expectData(api.admin.post<OrderRecord>('/orders', body), 201);

export const getOrder = ({ api }: Pick<ApiFixture, 'api'>, orderId: string) => expectData(api.admin.get<OrderRecord>(`/orders/${orderId}`));
