import type { Page, PageRequest } from '#core/database';
import { type Currency, type Money, money, parseDate, ServiceError } from '#core/kernel';
import { type Settlement, settledBetween } from '#core/settlement';
import type { By, Dependencies } from './dependencies.ts';
import { whose } from './scope.ts';

/** Filters of the settlements; days are those of the settlement date, inclusive. */
export interface BatchFilter {
  readonly startDate?: string;
  readonly endDate?: string;
  readonly status?: 'pending' | 'paid';
  readonly merchantId?: string;
  readonly currency?: string;
}

/** Totals of the settlements of a filter in one currency. */
interface BatchTotals {
  readonly count: number;
  readonly transactionCount: number;
  readonly refundCount: number;
  readonly captures: Money;
  readonly refunds: Money;
  readonly amount: Money;
  readonly fees: Money;
  readonly netAmount: Money;
  readonly paidAmount: Money;
}

export interface Batches {
  readonly page: Page<Settlement>;
  readonly currency: Currency;
  readonly totals: BatchTotals;
  readonly otherCurrencies: readonly { readonly currency: string; readonly count: number }[];
}

/** Settlements of all merchants in scope, newest first, with their sums. */
export async function batches(deps: Dependencies, actor: By, filter: BatchFilter, at: PageRequest): Promise<Batches> {
  const { startDate, endDate, status } = filter;
  if (startDate !== undefined) parseDate(startDate, 'startDate');
  if (endDate !== undefined) parseDate(endDate, 'endDate');
  if (startDate !== undefined && endDate !== undefined && endDate < startDate)
    throw new ServiceError('VALIDATION_ERROR', 'endDate must not be before startDate.', { field: 'endDate' });
  const { merchantId, currency } = await whose(deps, actor, filter);
  const between = { merchantId, status, from: startDate ?? '', to: endDate ?? '9999' };
  const { page, sums } = await settledBetween(deps.database.read(actor.tenantId), between, at);
  const mine = sums.find((row) => row.currency === currency);
  const of = (minor: number) => money(minor, currency);
  const [captures, refunds, fees] = [mine?.capturesMinor ?? 0, mine?.refundsMinor ?? 0, mine?.feesMinor ?? 0];
  return {
    page,
    currency,
    totals: {
      count: mine?.count ?? 0,
      transactionCount: mine?.transactionCount ?? 0,
      refundCount: mine?.refundCount ?? 0,
      captures: of(captures),
      refunds: of(refunds),
      amount: of(captures - refunds),
      fees: of(fees),
      netAmount: of(captures - refunds - fees),
      paidAmount: of(mine?.paidMinor ?? 0),
    },
    otherCurrencies: sums
      .filter((row) => row.currency !== currency)
      .map((row) => ({ currency: row.currency, count: row.count }))
      .sort((left, right) => right.count - left.count),
  };
}
