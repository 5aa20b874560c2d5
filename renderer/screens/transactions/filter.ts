import type { TransactionQuery } from '#renderer/client';
import type { FilterOption } from '#renderer/ui';
import { PERIODS, type Period, periodDates } from './period.ts';

const STATUSES = ['approved', 'settled', 'pending', 'declined', 'voided', 'failed'] as const;
const TYPES = ['sale', 'auth', 'credit'] as const;
const METHODS = ['card', 'ach', 'token'] as const;
const REFUNDS = ['none', 'partial', 'full'] as const;
/** `ach` stands for bank accounts. */
export const BRANDS = ['visa', 'mastercard', 'amex', 'discover', 'diners', 'jcb', 'unionpay', 'maestro', 'ach'] as const;

/** What narrows the list. Lives in the address, so that reload, back and a copied link keep it. */
export interface TransactionFilter {
  readonly q?: string;
  readonly period?: Period;
  /** Calendar days of the merchant's zone, YYYY-MM-DD, when the period is none of the presets. */
  readonly startDate?: string;
  readonly endDate?: string;
  readonly status?: (typeof STATUSES)[number];
  readonly type?: (typeof TYPES)[number];
  readonly paymentMethod?: (typeof METHODS)[number];
  readonly refundStatus?: (typeof REFUNDS)[number];
  readonly settlementDate?: string;
  readonly brand?: (typeof BRANDS)[number];
  /** As the processor gave it. */
  readonly declineCode?: string;
  /** The settlement that it belongs to. */
  readonly settlementId?: string;
  /** Days on which it was captured. */
  readonly capturedFrom?: string;
  readonly capturedTo?: string;
  /** Days on which money of it went back. */
  readonly refundedFrom?: string;
  readonly refundedTo?: string;
}

/** The filters that are one of a few words, with the words for people. */
export const WORD_FILTERS = [
  {
    key: 'status',
    label: 'Status',
    options: [
      { value: 'approved', name: 'Approved' },
      { value: 'settled', name: 'Settled' },
      { value: 'pending', name: 'Pending' },
      { value: 'declined', name: 'Declined' },
      { value: 'voided', name: 'Voided' },
      { value: 'failed', name: 'Failed' },
    ],
  },
  {
    key: 'type',
    label: 'Type',
    options: [
      { value: 'sale', name: 'Sale' },
      { value: 'auth', name: 'Authorization' },
      { value: 'credit', name: 'Credit' },
    ],
  },
  {
    key: 'paymentMethod',
    label: 'Method',
    options: [
      { value: 'card', name: 'Card' },
      { value: 'ach', name: 'Bank account' },
      { value: 'token', name: 'Saved card' },
    ],
  },
  {
    key: 'refundStatus',
    label: 'Refund',
    options: [
      { value: 'none', name: 'Not refunded' },
      { value: 'partial', name: 'Partly refunded' },
      { value: 'full', name: 'Refunded in full' },
    ],
  },
] as const satisfies readonly { key: keyof TransactionFilter; label: string; options: readonly FilterOption[] }[];

const DECLINE_CODE = /^\w{1,40}$/;
const SETTLEMENT_ID = /^stl_\w{1,40}$/;
const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** Reads the filter of an address; what it does not know it leaves out. */
export function filterOf(params: URLSearchParams): TransactionFilter {
  const word = <Word extends string>(key: string, words: readonly Word[]) => words.find((known) => known === params.get(key));
  const date = (key: string) => (DATE.test(params.get(key) ?? '') ? (params.get(key) ?? undefined) : undefined);
  return defined({
    q: params.get('q')?.trim() || undefined,
    period: word('period', PERIODS),
    startDate: date('startDate'),
    endDate: date('endDate'),
    status: word('status', STATUSES),
    type: word('type', TYPES),
    paymentMethod: word('paymentMethod', METHODS),
    refundStatus: word('refundStatus', REFUNDS),
    settlementDate: date('settlementDate'),
    brand: word('brand', BRANDS),
    declineCode: DECLINE_CODE.exec(params.get('declineCode') ?? '')?.[0],
    settlementId: SETTLEMENT_ID.exec(params.get('settlementId') ?? '')?.[0],
    capturedFrom: date('capturedFrom'),
    capturedTo: date('capturedTo'),
    refundedFrom: date('refundedFrom'),
    refundedTo: date('refundedTo'),
  });
}

/** The address of a filter; the first page is left unsaid. */
export function paramsOf(filter: TransactionFilter, page = 1): URLSearchParams {
  return new URLSearchParams(defined({ ...filter, page: page > 1 ? String(page) : undefined }));
}

export function pageOf(params: URLSearchParams): number {
  const page = Number(params.get('page') ?? '1');
  return Number.isSafeInteger(page) && page > 0 ? page : 1;
}

export function isFiltered(filter: TransactionFilter): boolean {
  return Object.keys(filter).length > 0;
}

/** The filter as the service reads it, for a merchant and as of today in its zone. */
export function queryOf(filter: TransactionFilter, merchantId: string, today: string): TransactionQuery {
  const { period, startDate, endDate, ...rest } = filter;
  return defined({ ...rest, merchantId, ...(period ? periodDates(period, today) : { startDate, endDate }) });
}

function defined<Given extends object>(given: Given): { [Key in keyof Given]: NonNullable<Given[Key]> } {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as {
    [Key in keyof Given]: NonNullable<Given[Key]>;
  };
}
