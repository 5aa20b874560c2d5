import { type Condition, newestOf, type Page, type PageOf } from '#core/database';
import { parseCurrency, ServiceError } from '#core/kernel';
import { type BatchPayout, toBatch } from './batch-payout.ts';
import type { By, Needs } from './needs.ts';
import { PAYOUT_LINES, PAYOUTS, type PayoutRow, SETTLEMENTS, type SettlementRow } from './schema.ts';
import { type Payout, type Settlement, toPayout, toSettlement } from './settlement.ts';

export const READY = "status <> 'assembling'";

export async function rowOf(on: Needs, by: By, settlementId: string): Promise<SettlementRow> {
  const row = await on.database.read(by.tenantId).one(SETTLEMENTS, { id: settlementId });
  if (!row || row.status === 'assembling')
    throw new ServiceError('NOT_FOUND', `There is no settlement ${settlementId.slice(0, 60)}.`, { details: { settlementId } });
  await on.merchantFor(by, row.merchant_id);
  return row;
}

/** Filters of a merchant's settlements; absent ones do not narrow. */
export interface HistoryFilter {
  readonly status?: 'pending' | 'paid';
  readonly currency?: string;
}

/** Settlements of a merchant, newest first. INVALID_CURRENCY. */
export async function history(
  on: Needs,
  by: By,
  merchantId: string,
  { status, currency }: HistoryFilter,
  at: PageOf,
): Promise<Page<Settlement>> {
  await on.merchantFor(by, merchantId);
  const where = { merchant_id: merchantId, currency: currency === undefined ? undefined : parseCurrency(currency) };
  // Written out, so that the index of what is unpaid is seen to hold it.
  const also = { sql: status === undefined ? READY : `status = '${status === 'paid' ? 'paid' : 'pending'}'` };
  const page = await newestOf(on.database.read(by.tenantId), SETTLEMENTS, 'stl', where, at, also);
  return { ...page, items: page.items.map(toSettlement) };
}

export async function linesOf(on: Needs, tenantId: string, row: PayoutRow) {
  return on.database.read(tenantId).find(PAYOUT_LINES, { payout_id: row.id }, { orderBy: [['settlement_id', 'asc']] });
}

/** Filters of payouts and batches; absent ones do not narrow. */
export interface PayoutFilter {
  readonly merchantId?: string;
  readonly currency?: string;
  /** Of which something pays this settlement. */
  readonly settlementId?: string;
  /** Paid at this time or later. */
  readonly paidSince?: string;
  readonly status?: PayoutRow['status'];
}

/** Payouts within the caller's reach, newest first. INVALID_CURRENCY. */
export async function payouts(on: Needs, by: By, filter: PayoutFilter, at: PageOf): Promise<Page<Payout>> {
  const page = await outgoing(on, by, 'single', filter, at);
  return { ...page, items: await Promise.all(page.items.map((row) => payoutFrom(on, by.tenantId, row))) };
}

/** Batches within the caller's reach, newest first. INVALID_CURRENCY. */
export async function batches(on: Needs, by: By, filter: PayoutFilter, at: PageOf): Promise<Page<BatchPayout>> {
  const page = await outgoing(on, by, 'batch', filter, at);
  return { ...page, items: await Promise.all(page.items.map((row) => batch(on, by.tenantId, row))) };
}

async function outgoing(
  on: Needs,
  by: By,
  kind: PayoutRow['kind'],
  { merchantId, currency, settlementId, paidSince, status }: PayoutFilter,
  at: PageOf,
): Promise<Page<PayoutRow>> {
  const scope = await scopeOf(on, by, merchantId);
  const also: Condition[] = [
    ...(settlementId === undefined
      ? []
      : [
          {
            sql: 'id IN (SELECT payout_id FROM payout_lines WHERE tenant_id = :tenantId AND settlement_id = :settlementId)',
            params: { settlementId },
          },
        ]),
    ...(paidSince === undefined ? [] : [{ sql: "status = 'paid' AND paid_at >= :paidSince", params: { paidSince } }]),
  ];
  const where = { ...scope, kind, status, currency: currency === undefined ? undefined : parseCurrency(currency) };
  return newestOf(on.database.read(by.tenantId), PAYOUTS, kind === 'single' ? 'pay' : 'bat', where, at, {
    sql: also.map(({ sql }) => sql).join(' AND '),
    params: Object.assign({}, ...also.map(({ params }) => params)),
  });
}

/** One payout. NOT_FOUND, MERCHANT_NOT_AUTHORIZED. */
export async function payout(on: Needs, by: By, payoutId: string): Promise<Payout> {
  const row = await on.database.read(by.tenantId).one(PAYOUTS, { id: payoutId });
  if (row?.kind !== 'single')
    throw new ServiceError('NOT_FOUND', `There is no payout ${payoutId.slice(0, 60)}.`, { details: { payoutId } });
  await on.merchantFor(by, row.merchant_id);
  return payoutFrom(on, by.tenantId, row);
}

const payoutFrom = async (on: Needs, tenantId: string, row: PayoutRow) => toPayout(row, await linesOf(on, tenantId, row));

export async function batch(on: Needs, tenantId: string, row: PayoutRow): Promise<BatchPayout> {
  return toBatch(
    row,
    (await linesOf(on, tenantId, row)).map(({ settlement_id }) => settlement_id),
  );
}

async function scopeOf(on: Needs, by: By, merchantId?: string): Promise<{ merchant_id?: string }> {
  const wanted = merchantId ?? by.merchantId ?? undefined;
  if (wanted === undefined) return {};
  await on.merchantFor(by, wanted);
  return { merchant_id: wanted };
}
