/** The fields of reports that the tests read; amounts in major units. */
export interface TransactionSums {
  count: number;
  approved: number;
  declined: number;
  voided: number;
  failed: number;
  pending: number;
  approvalRate: number;
  amount: number;
  averageAmount: number;
  declines: { code: string; count: number }[];
}

export interface RevenueSums {
  gross: number;
  refunds: number;
  fees: number;
  net: number;
  credits: number;
  refundedOutside: number;
}

export interface RefundSums {
  count: number;
  amount: number;
  fullCount: number;
  partialCount: number;
  declined: number;
  rate: number;
  outsideCount: number;
  outsideAmount: number;
}

export interface Analysis<Sums> {
  startDate: string;
  endDate: string;
  groupBy: string;
  currency: string;
  totals: Sums;
  series: (Sums & { key: string; label: string })[];
  otherCurrencies: { currency: string; count: number }[];
}

interface Share {
  key: string;
  count: number;
  amount: number;
}

export interface DailySummary {
  date: string;
  currency: string;
  salesCount: number;
  salesAmount: number;
  refundsCount: number;
  refundsAmount: number;
  voidsCount: number;
  openAuthorizationsCount: number;
  openAuthorizationsAmount: number;
  declinedCount: number;
  feesAmount: number;
  netAmount: number;
  byType: Share[];
  byMethod: Share[];
  byBrand: Share[];
  declines: { code: string; count: number }[];
}

/** A list with its sums. */
export interface Report<Item = Record<string, unknown>> {
  data: Item[];
  pagination: { total: number };
  currency: string;
  totals: Record<string, number>;
  otherCurrencies: { currency: string; count: number }[];
}
