import {
  type Condition,
  conditionsOn,
  lit,
  newestPage,
  type Page,
  type PageRequest,
  queriesOn,
  type Read,
  type RowOf,
  TENANT,
} from '#core/database';
import { type Caller, parseCurrency, ServiceError } from '#core/kernel';
import type { Dependencies } from './dependencies.ts';
import type { Payout, PayoutBatch, Settlement } from './records.ts';
import { PAYOUT_LINES, PAYOUTS, type PayoutRow, SETTLEMENTS, type SettlementRow } from './schema.ts';
import { scopeRows } from './scope.ts';
import { toBatch, toPayout, toSettlement } from './settlement.ts';

const settlements = conditionsOn(SETTLEMENTS);
const payoutRows = conditionsOn(PAYOUTS);

export async function findSettlement(deps: Dependencies, actor: Caller, settlementId: string): Promise<SettlementRow> {
  const row = await deps.database.read(actor.tenantId).one(SETTLEMENTS, { id: settlementId });
  if (!row || row.status === 'assembling')
    throw new ServiceError('NOT_FOUND', `There is no settlement ${settlementId.slice(0, 60)}.`, { details: { settlementId } });
  await deps.merchantFor(actor, row.merchant_id);
  return row;
}

/** Filters of a merchant's settlements; absent ones do not narrow. */
export interface HistoryFilter {
  readonly status?: 'pending' | 'paid';
  readonly currency?: string;
}

/** Returns the settlements of a merchant, newest first. @throws ServiceError INVALID_CURRENCY. */
export async function history(
  deps: Dependencies,
  actor: Caller,
  merchantId: string,
  { status, currency }: HistoryFilter,
  pageRequest: PageRequest,
): Promise<Page<Settlement>> {
  await deps.merchantFor(actor, merchantId);
  const where = { merchant_id: merchantId, currency: currency === undefined ? undefined : parseCurrency(currency) };
  // The status is a literal, so that the database can use the partial index of unpaid settlements.
  const conditions = status === undefined ? settlements('status', '<>', lit('assembling')) : settlements('status', '=', lit(status));
  const page = await newestPage(deps.database.read(actor.tenantId), SETTLEMENTS, 'stl', where, pageRequest, [conditions]);
  return { ...page, items: page.items.map(toSettlement) };
}

/** Totals of settlements in one currency. */
interface SettlementSums {
  readonly currency: string;
  readonly count: number;
  readonly transactionCount: number;
  readonly refundCount: number;
  readonly capturesMinor: number;
  readonly refundsMinor: number;
  readonly disputesMinor: number;
  readonly feesMinor: number;
  readonly paidMinor: number;
}

/** Settlements of a merchant, or of all merchants of the tenant, between two settlement dates, both inclusive. */
interface SettledBetween {
  readonly merchantId: string | undefined;
  readonly status: 'pending' | 'paid' | undefined;
  readonly from: string;
  readonly to: string;
}

/** Returns a page of settlements, newest first, with the totals of all of them in each currency. */
export async function settledBetween(
  read: Read,
  { merchantId, status, from, to }: SettledBetween,
  pageRequest: PageRequest,
): Promise<{ page: Page<Settlement>; sums: SettlementSums[] }> {
  const where = { merchant_id: merchantId };
  const conditions = [
    status === undefined ? settlements('status', '<>', lit('assembling')) : settlements('status', '=', lit(status)),
    settlements('settlement_date', '>=', from),
    settlements('settlement_date', '<=', to),
  ];
  const totals = queriesOn(SETTLEMENTS)
    .selectFrom('settlements')
    .select(({ fn }) => [
      'currency',
      fn.countAll<number>().as('count'),
      fn.sum<number>('transaction_count').as('transactions'),
      fn.sum<number>('refund_count').as('refund_count'),
      fn.sum<number>('captures_minor').as('captures'),
      fn.sum<number>('refunds_minor').as('refunds'),
      fn.sum<number>('disputes_minor').as('disputes'),
      fn.sum<number>('fees_minor').as('fees'),
      fn.sum<number>('paid_minor').as('paid'),
    ])
    .where(({ and }) => and([and(scopeRows({ merchantId })), ...conditions]))
    .groupBy('currency');
  const [page, rows] = await Promise.all([newestPage(read, SETTLEMENTS, 'stl', where, pageRequest, conditions), read.rows(totals)]);
  const sums: SettlementSums[] = rows.map((row) => ({
    currency: row.currency,
    count: Number(row.count),
    transactionCount: Number(row.transactions),
    refundCount: Number(row.refund_count),
    capturesMinor: Number(row.captures),
    refundsMinor: Number(row.refunds),
    disputesMinor: Number(row.disputes),
    feesMinor: Number(row.fees),
    paidMinor: Number(row.paid),
  }));
  return { page: { ...page, items: page.items.map(toSettlement) }, sums };
}

export function linesOf(deps: Dependencies, tenantId: string, row: PayoutRow): Promise<RowOf<typeof PAYOUT_LINES>[]> {
  return deps.database.read(tenantId).find(PAYOUT_LINES, { payout_id: row.id }, { orderBy: [['settlement_id', 'asc']] });
}

/** Filters of payouts and batches; absent ones do not narrow. */
export interface PayoutFilter {
  readonly merchantId?: string;
  readonly currency?: string;
  /** Limits the list to payouts that pay a part of this settlement. */
  readonly settlementId?: string;
  /** Paid at this time or later. */
  readonly paidSince?: string;
  readonly status?: PayoutRow['status'];
}

/** Returns the payouts that the caller may see, newest first. @throws ServiceError INVALID_CURRENCY. */
export async function payouts(deps: Dependencies, actor: Caller, filter: PayoutFilter, pageRequest: PageRequest): Promise<Page<Payout>> {
  const page = await payoutPage(deps, actor, 'single', filter, pageRequest);
  return { ...page, items: await Promise.all(page.items.map((row) => payoutFrom(deps, actor.tenantId, row))) };
}

/** Returns the batches that the caller may see, newest first. @throws ServiceError INVALID_CURRENCY. */
export async function batches(
  deps: Dependencies,
  actor: Caller,
  filter: PayoutFilter,
  pageRequest: PageRequest,
): Promise<Page<PayoutBatch>> {
  const page = await payoutPage(deps, actor, 'batch', filter, pageRequest);
  return { ...page, items: await Promise.all(page.items.map((row) => batch(deps, actor.tenantId, row))) };
}

async function payoutPage(
  deps: Dependencies,
  actor: Caller,
  kind: PayoutRow['kind'],
  { merchantId, currency, settlementId, paidSince, status }: PayoutFilter,
  pageRequest: PageRequest,
): Promise<Page<PayoutRow>> {
  const scope = await scopeOf(deps, actor, merchantId);
  const conditions: Condition[] = [
    ...(settlementId === undefined ? [] : [payoutRows('id', 'in', paying(settlementId))]),
    ...(paidSince === undefined ? [] : [payoutRows('status', '=', lit('paid')), payoutRows('paid_at', '>=', paidSince)]),
  ];
  const where = { ...scope, kind, status, currency: currency === undefined ? undefined : parseCurrency(currency) };
  return newestPage(deps.database.read(actor.tenantId), PAYOUTS, kind === 'single' ? 'pay' : 'bat', where, pageRequest, conditions);
}

/** Returns the query for the payouts that pay a part of a settlement. */
const paying = (settlementId: string) =>
  queriesOn(PAYOUT_LINES)
    .selectFrom('payout_lines')
    .select('payout_id')
    .where('tenant_id', '=', TENANT)
    .where('settlement_id', '=', settlementId);

/** Returns a payout. @throws ServiceError NOT_FOUND, MERCHANT_NOT_AUTHORIZED. */
export async function payout(deps: Dependencies, actor: Caller, payoutId: string): Promise<Payout> {
  const row = await deps.database.read(actor.tenantId).one(PAYOUTS, { id: payoutId });
  if (row?.kind !== 'single')
    throw new ServiceError('NOT_FOUND', `There is no payout ${payoutId.slice(0, 60)}.`, { details: { payoutId } });
  await deps.merchantFor(actor, row.merchant_id);
  return payoutFrom(deps, actor.tenantId, row);
}

const payoutFrom = async (deps: Dependencies, tenantId: string, row: PayoutRow) => toPayout(row, await linesOf(deps, tenantId, row));

export async function batch(deps: Dependencies, tenantId: string, row: PayoutRow): Promise<PayoutBatch> {
  return toBatch(
    row,
    (await linesOf(deps, tenantId, row)).map(({ settlement_id }) => settlement_id),
  );
}

async function scopeOf(deps: Dependencies, actor: Caller, merchantId?: string): Promise<{ merchant_id?: string }> {
  const requestedMerchantId = merchantId ?? actor.merchantId ?? undefined;
  if (requestedMerchantId === undefined) return {};
  await deps.merchantFor(actor, requestedMerchantId);
  return { merchant_id: requestedMerchantId };
}
