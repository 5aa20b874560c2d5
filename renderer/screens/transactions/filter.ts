import { addressSchema, day, matching, oneOf, text } from '#renderer/base/address';
import { CHANNEL_OPTIONS } from '#renderer/base/channels';
import type { PaymentQuery } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import type { FilterOption } from '#renderer/kit/ui';
import { PERIODS, type Period, periodDates } from '#renderer/session/periods';
import { CHANNELS, type Channel } from '#shared/channels';

const STATUSES = ['approved', 'authorized', 'settled', 'pending', 'declined', 'voided', 'failed'] as const;
const TYPES = ['sale', 'auth', 'credit'] as const;
const METHODS = ['card', 'ach', 'token', 'cash', 'check', 'other', 'gift_card'] as const;
const REFUNDS = ['none', 'partial', 'full'] as const;
/** Card brands; `ach` stands for bank accounts. */
export const BRANDS = ['visa', 'mastercard', 'amex', 'discover', 'diners', 'jcb', 'unionpay', 'maestro', 'ach'] as const;

/** Filter of the list, stored in the URL so that reload, back and a copied link restore it. */
export interface TransactionFilter {
  readonly q?: string;
  readonly period?: Period;
  /** Dates in the merchant's time zone, YYYY-MM-DD, if the period is not a preset. */
  readonly startDate?: string;
  readonly endDate?: string;
  readonly status?: (typeof STATUSES)[number];
  readonly type?: (typeof TYPES)[number];
  readonly paymentMethod?: (typeof METHODS)[number];
  readonly channel?: Channel;
  readonly refundStatus?: (typeof REFUNDS)[number];
  readonly settlementDate?: string;
  readonly brand?: (typeof BRANDS)[number];
  /** Code of the processor. */
  readonly declineCode?: string;
  /** ID of its settlement. */
  readonly settlementId?: string;
  /** ID of the shift in which the payment was made. */
  readonly shiftId?: string;
  /** ID of the card reader on which the customer paid. */
  readonly terminalId?: string;
  /** Dates of the capture. */
  readonly capturedFrom?: string;
  readonly capturedTo?: string;
  /** Dates of refunds. */
  readonly refundedFrom?: string;
  readonly refundedTo?: string;
}

/** Filters with a fixed set of options, with their labels. */
export const OPTION_FILTERS = [
  {
    key: 'status',
    label: t('Status'),
    options: [
      { value: 'approved', name: t('Approved') },
      { value: 'authorized', name: t('Open authorizations') },
      { value: 'settled', name: t('Settled') },
      { value: 'pending', name: t('Pending') },
      { value: 'declined', name: t('Declined') },
      { value: 'voided', name: t('Voided') },
      { value: 'failed', name: t('Failed') },
    ],
  },
  {
    key: 'type',
    label: t('Type'),
    options: [
      { value: 'sale', name: t('Sale') },
      { value: 'auth', name: t('Authorization') },
      { value: 'credit', name: t('Credit') },
    ],
  },
  {
    key: 'paymentMethod',
    label: t('Method'),
    options: [
      { value: 'card', name: t('Card') },
      { value: 'ach', name: t('Bank account') },
      { value: 'token', name: t('Saved card') },
      { value: 'cash', name: t('Cash') },
      { value: 'check', name: t('Check') },
      { value: 'other', name: t('Other') },
      { value: 'gift_card', name: t('Gift card') },
    ],
  },
  { key: 'channel', label: t('Channel'), options: CHANNEL_OPTIONS },
  {
    key: 'refundStatus',
    label: t('Refund'),
    options: [
      { value: 'none', name: t('Not refunded') },
      { value: 'partial', name: t('Partly refunded') },
      { value: 'full', name: t('Refunded in full') },
    ],
  },
] as const satisfies readonly { key: keyof TransactionFilter; label: string; options: readonly FilterOption[] }[];

/** Orders of the list. */
export const SORTS = ['createdAt', '-createdAt', 'amount', '-amount'] as const;
export type Sort = (typeof SORTS)[number];

/** Period of an address without which the front desk sees the payments of today. */
const ALL_DAYS = 'all' as const;

export const ADDRESS = addressSchema({
  sort: oneOf(SORTS, '-createdAt'),
  q: text,
  period: oneOf([...PERIODS, ALL_DAYS]),
  startDate: day,
  endDate: day,
  status: oneOf(STATUSES),
  type: oneOf(TYPES),
  paymentMethod: oneOf(METHODS),
  channel: oneOf(CHANNELS),
  refundStatus: oneOf(REFUNDS),
  settlementDate: day,
  brand: oneOf(BRANDS),
  declineCode: matching(/^\w{1,40}$/),
  settlementId: matching(/^stl_\w{1,40}$/),
  shiftId: matching(/^shf_\w{1,40}$/),
  terminalId: matching(/^trm_\w{1,40}$/),
  capturedFrom: day,
  capturedTo: day,
  refundedFrom: day,
  refundedTo: day,
});

/** Returns the filter of a URL. Without one the front desk sees the payments of today; a search finds those of all days. */
export function filterOf(
  { page: _, sort: __, q, period, ...values }: ReturnType<typeof ADDRESS.read>,
  isFrontDesk = false,
): TransactionFilter {
  const filter = defined({ q: q || undefined, period: period === ALL_DAYS ? undefined : period, ...values });
  return isFrontDesk && period === undefined && !isFiltered(filter) ? TODAY : filter;
}

const TODAY: TransactionFilter = { period: 'today' };

/**
 * Returns the values of the URL for a filter. The front desk sees all days once it removes the period, and today again after a search, which takes the
 * place of the period of today.
 */
export function addressOf(next: TransactionFilter, before: TransactionFilter, isFrontDesk: boolean) {
  if (isFrontDesk && !isFiltered(next) && before.q === undefined) return { period: ALL_DAYS };
  const { period: _, ...search } = next;
  return before === TODAY && next.q !== undefined ? search : next;
}

export function isFiltered(filter: TransactionFilter): boolean {
  return Object.keys(filter).length > 0;
}

/** Returns the filter in the form of the API, for a merchant and the current date in its time zone. */
export function queryOf(filter: TransactionFilter, merchantId: string, today: string): PaymentQuery {
  const { period, startDate, endDate, ...rest } = filter;
  return defined({ ...rest, merchantId, ...(period ? periodDates(period, today) : { startDate, endDate }) });
}

function defined<Given extends object>(given: Given): { [Key in keyof Given]: NonNullable<Given[Key]> } {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as {
    [Key in keyof Given]: NonNullable<Given[Key]>;
  };
}
