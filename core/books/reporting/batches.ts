import { type Settlement, settledBetween } from '#core/books/settlement';
import type { Page, PageRequest } from '#core/database';
import { type Caller, type Currency, checkPeriod, money } from '#core/kernel';
import type { Dependencies } from './dependencies.ts';
import type { BatchTotals } from './records.ts';
import { reportMerchants } from './scope.ts';

/** Filters of the settlements; days are those of the settlement date, inclusive. */
export interface BatchFilter {
  readonly startDate?: string;
  readonly endDate?: string;
  readonly status?: 'pending' | 'paid';
  readonly merchantId?: string;
  readonly currency?: string;
}

export interface Batches {
  readonly page: Page<Settlement>;
  readonly currency: Currency;
  readonly totals: BatchTotals;
  readonly otherCurrencies: readonly { readonly currency: string; readonly count: number }[];
}

/** Returns the settlements of all merchants in scope, newest first, with their totals. */
export async function batches(deps: Dependencies, actor: Caller, filter: BatchFilter, pageRequest: PageRequest): Promise<Batches> {
  const { startDate, endDate, status } = filter;
  checkPeriod({ startDate, endDate });
  const { merchantId, currency } = await reportMerchants(deps, actor, filter);
  const between = { merchantId, status, from: startDate ?? '', to: endDate ?? '9999' };
  const { page, sums } = await settledBetween(deps.database.read(actor.tenantId), between, pageRequest);
  const ownSums = sums.find((row) => row.currency === currency);
  const amount = (minor: number) => money(minor, currency);
  const [captures, refunds, fees] = [ownSums?.capturesMinor ?? 0, ownSums?.refundsMinor ?? 0, ownSums?.feesMinor ?? 0];
  const disputes = ownSums?.disputesMinor ?? 0;
  return {
    page,
    currency,
    totals: {
      count: ownSums?.count ?? 0,
      transactionCount: ownSums?.transactionCount ?? 0,
      refundCount: ownSums?.refundCount ?? 0,
      captures: amount(captures),
      refunds: amount(refunds),
      disputes: amount(disputes),
      amount: amount(captures - refunds + disputes),
      fees: amount(fees),
      netAmount: amount(captures - refunds + disputes - fees),
      paidAmount: amount(ownSums?.paidMinor ?? 0),
    },
    otherCurrencies: sums
      .filter((row) => row.currency !== currency)
      .map((row) => ({ currency: row.currency, count: row.count }))
      .sort((left, right) => right.count - left.count),
  };
}
