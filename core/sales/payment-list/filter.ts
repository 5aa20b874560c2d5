import { parseDate, ServiceError } from '#core/kernel';
import type { TransactionFilter } from '#core/sales/payments';
import type { TenderFilter, TenderKind } from '#core/sales/tenders';

/** Filters of the list of payments: those of transactions, and the kinds of tenders as payment methods. */
export type PaymentFilter = Omit<TransactionFilter, 'paymentMethod'> & {
  readonly paymentMethod?: TransactionFilter['paymentMethod'] | TenderKind;
};

const isTenderKind = (method: PaymentFilter['paymentMethod']): method is TenderKind =>
  method === 'cash' || method === 'check' || method === 'other' || method === 'gift_card';

/** Returns the filter of the transactions; null if no transaction can match. */
export function transactionFilterOf({ paymentMethod, ...filter }: PaymentFilter): TransactionFilter | null {
  if (isTenderKind(paymentMethod)) return null;
  return paymentMethod === undefined ? filter : { ...filter, paymentMethod };
}

/**
 * Returns the filter of the tenders; null if no tender can match. A tender is an approved sale that is captured when it is received. It has no
 * card, and no processor settles or declines it.
 */
export function tenderFilterOf(filter: PaymentFilter): TenderFilter | null {
  const { status, type, paymentMethod, refundStatus, startDate, endDate, capturedFrom, capturedTo } = filter;
  const { refundedFrom, refundedTo, minAmount, maxAmount, merchantId, customerId, shiftId, createdBy, q } = filter;
  const ofProcessors = [
    filter.settled,
    filter.settlementDate,
    filter.settlementId,
    filter.last4,
    filter.brand,
    filter.channel,
    filter.terminalId,
    filter.declineCode,
  ];
  const canMatch =
    ofProcessors.every((value) => value === undefined) &&
    (status === undefined || status === 'approved') &&
    (type === undefined || type === 'sale') &&
    (paymentMethod === undefined || isTenderKind(paymentMethod));
  checkDays(startDate, endDate, 'endDate');
  checkDays(capturedFrom, capturedTo, 'capturedTo');
  checkDays(refundedFrom, refundedTo, 'refundedTo');
  if (!canMatch) return null;
  const firstDay = latest(startDate, capturedFrom);
  const lastDay = earliest(endDate, capturedTo);
  return {
    ...(isTenderKind(paymentMethod) && { kind: paymentMethod }),
    ...(refundStatus && { refundStatus }),
    ...(firstDay && { firstDay }),
    ...(lastDay && { lastDay }),
    ...(refundedFrom && { refundedFrom }),
    ...(refundedTo && { refundedTo }),
    ...(minAmount && { minAmount }),
    ...(maxAmount && { maxAmount }),
    ...(merchantId && { merchantId }),
    ...(customerId && { customerId }),
    ...(shiftId && { shiftId }),
    ...(createdBy && { createdBy }),
    ...(q && { q }),
    ...(filter.ids && { ids: filter.ids }),
  };
}

const days = (...given: readonly (string | undefined)[]) => given.filter((day) => day !== undefined).sort();
const latest = (...given: readonly (string | undefined)[]) => days(...given).at(-1);
const earliest = (...given: readonly (string | undefined)[]) => days(...given)[0];

function checkDays(from: string | undefined, to: string | undefined, field: string): void {
  if (from !== undefined) parseDate(from, field);
  if (to !== undefined) parseDate(to, field);
  if (from !== undefined && to !== undefined && to < from)
    throw new ServiceError('VALIDATION_ERROR', `\`${field}\` must not be before the first day.`, { field });
}
