import { type ApiFixture, expectData } from './server.ts';

/** The fields of a tender that the tests read. */
export interface TenderRecord {
  tenderId: string;
  number: string;
  merchantId: string;
  kind: string;
  name: string | null;
  status: string;
  amount: number;
  roundingAmount: number;
  refundedAmount: number;
  change: number | null;
  checkNumber: string | null;
  customerName: string | null;
  customerEmail: string | null;
  invoiceId: string | null;
  shiftId: string | null;
  drawer: string;
  refunds?: TenderRefundRecord[];
  createdAt: string;
}

export interface TenderRefundRecord {
  refundId: string;
  number: string;
  amount: number;
  roundingAmount: number;
  shiftId: string | null;
}

export interface ShiftRecord {
  shiftId: string;
  drawer: string;
  status: string;
  floatAmount: number;
  expectedAmount: number | null;
  countedAmount: number | null;
  varianceAmount: number | null;
  note: string | null;
  zNumber: number | null;
  openedBy: string;
  movements?: { movementId: string; kind: string; amount: number; reason: string | null }[];
}

interface LineRecord {
  count: number;
  amount: number;
}

/** Card and bank payments in the report of a shift. */
export interface CardTotalsRecord {
  sales: LineRecord;
  adjustments: LineRecord;
  voids: LineRecord;
  refunds: LineRecord;
  credits: LineRecord;
  totalAmount: number;
  tipAmount: number;
  taxAmount: number;
  brands: (LineRecord & { brand: string })[];
  tips: (LineRecord & { person: string })[];
}

export interface ShiftReportRecord {
  cards: CardTotalsRecord | null;
  salesCount: number | null;
  paymentsCount: number | null;
  netSalesAmount: number | null;
  discounts: LineRecord | null;
  kind: string;
  zNumber: number | null;
  floatAmount: number;
  payIns: LineRecord;
  payOuts: LineRecord;
  cashSales: LineRecord | null;
  cashRefunds: LineRecord | null;
  cashRounding: number | null;
  checkSales: LineRecord;
  checkRefunds: LineRecord;
  otherSales: LineRecord;
  otherRefunds: LineRecord;
  expectedAmount: number | null;
  countedAmount: number | null;
  varianceAmount: number | null;
  denominations: { denomination: string; quantity: number }[];
}

/** Records a tender, by default in cash. */
export const takeTender = ({ api }: ApiFixture, amount: number | string, more: Record<string, unknown> = {}) =>
  expectData(api.admin.post<TenderRecord>('/tenders', { kind: 'cash', amount, ...more }), 201);

export const getTender = ({ api }: ApiFixture, id: string) => expectData(api.admin.get<TenderRecord>(`/tenders/${id}`));

export const refundTender = ({ api }: ApiFixture, id: string, body: Record<string, unknown> = {}) =>
  api.admin.post<TenderRefundRecord>(`/tenders/${id}/refund`, body);

export const openShift = ({ api }: ApiFixture, body: Record<string, unknown>) =>
  expectData(api.admin.post<ShiftRecord>('/shifts/open', body), 201);

export const closeShift = ({ api }: ApiFixture, id: string, body: Record<string, unknown>, headers?: Record<string, string>) =>
  api.admin.post<ShiftRecord>(`/shifts/${id}/close`, body, headers);

export const reportOfShift = ({ api }: ApiFixture, id: string) => expectData(api.admin.get<ShiftReportRecord>(`/shifts/${id}/report`));
