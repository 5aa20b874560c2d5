import {
  type Condition,
  conditionsOn,
  createdWithin,
  listOf,
  lit,
  newestPage,
  orderOf,
  type Page,
  type PageRequest,
  queriesOn,
  type RowRange,
  rangeOfRows,
  rowsOf,
  sql,
  TENANT,
} from '#core/database';
import { type Actor, addDays, type Caller, idFloor, startOfDate } from '#core/kernel';
import { type ListTotal, listTotals } from '#core/platform/list-totals';
import { type Merchant, READABLE_MERCHANTS } from '#core/processing/merchants';
import { amountConditions, EVERY_DAY, searchedAmount } from '#core/sales/payments';
import type { Dependencies } from './dependencies.ts';
import { tenderNotFound } from './record.ts';
import type { Tender, TenderDetail, TenderRefund } from './records.ts';
import { TENDER_COUNTS, TENDER_REFUNDS, TENDERS, type TenderKind, type TenderRow } from './schema.ts';
import { toRefund, toTender } from './tender.ts';

/** Filters of the list; absent ones do not narrow. */
export interface TenderFilter {
  readonly kind?: TenderKind;
  readonly status?: Tender['status'];
  /** Refunded part of the amount, also by the return of a check. */
  readonly refundStatus?: 'none' | 'partial' | 'full';
  readonly shiftId?: string;
  /** Email address of the person, or name of the API key, that took the payment. */
  readonly createdBy?: string;
  readonly customerId?: string;
  readonly merchantId?: string;
  /** First and last day of the payment, in the time zone of its merchant. */
  readonly firstDay?: string;
  readonly lastDay?: string;
  /** First and last day of a refund. */
  readonly refundedFrom?: string;
  readonly refundedTo?: string;
  /** Decimal amounts, in the currency of each tender, with at most the decimals of the merchant's. */
  readonly minAmount?: string;
  readonly maxAmount?: string;
  /** Number, ID, check number, order ID, exact amount or email address. */
  readonly q?: string;
  /** Only these tenders. */
  readonly ids?: readonly string[];
}

type ReadDependencies = Pick<Dependencies, 'database' | 'merchantFor' | 'customers'>;

const tender = conditionsOn(TENDERS);
/** A number as it is written (T-000005), or its digits. Other digits after zeros are the last four of a card. */
const NUMBER = /^(?:t-0*(?=\d)|(?=[1-9])|(?=\d{6}$))(\d{1,9})$/i;

/** Returns a tender of the caller's merchants. @throws ServiceError NOT_FOUND, MERCHANT_NOT_AUTHORIZED. */
export async function findTender(deps: ReadDependencies, actor: Caller, tenderId: string): Promise<{ row: TenderRow; merchant: Merchant }> {
  const row = await deps.database.read(actor.tenantId).one(TENDERS, { id: tenderId });
  if (!row) throw tenderNotFound(tenderId);
  return { row, merchant: await deps.merchantFor(actor, row.merchant_id) };
}

/** Returns a tender with its refunds. */
export async function getTender(deps: ReadDependencies, actor: Caller, tenderId: string): Promise<TenderDetail> {
  const { row } = await findTender(deps, actor, tenderId);
  return detailOf(deps, row);
}

export async function detailOf(deps: ReadDependencies, row: TenderRow): Promise<TenderDetail> {
  const refunds = await deps.database.read(row.tenant_id).find(TENDER_REFUNDS, { tender_id: row.id }, { orderBy: [['id', 'asc']] });
  return { ...toTender(row), refunds: refunds.map(toRefund) };
}

/** Returns a refund of a tender; null if the tender has no such refund. */
export async function findRefund(deps: ReadDependencies, tenantId: string, refundId: string): Promise<TenderRefund | null> {
  const row = await deps.database.read(tenantId).one(TENDER_REFUNDS, { id: refundId });
  return row === null ? null : toRefund(row);
}

/** Columns of the fields by which the list can be sorted. */
const SORTS = { createdAt: 'id', amount: 'amount_minor' };

/** Returns the tenders that the caller may see, by default newest first. @throws ServiceError MERCHANT_NOT_AUTHORIZED. */
export async function page(
  deps: ReadDependencies,
  actor: Caller,
  filter: TenderFilter,
  request: PageRequest,
  knownTotal?: () => Promise<number>,
): Promise<Page<Tender>> {
  const conditions = await conditionsOf(deps, actor, filter);
  const rows = await newestPage(
    deps.database.read(actor.tenantId),
    TENDERS,
    'tnd',
    {},
    request,
    conditions,
    knownTotal ?? counterOf(deps, actor, filter, request),
    orderOf(SORTS, request.sort),
  );
  return { ...rows, items: rows.items.map(toTender) };
}

const FIRST_DAY = '0';
const COUNTED_FIELDS: ReadonlySet<string> = new Set<keyof TenderFilter>(['kind', 'merchantId', 'firstDay', 'lastDay']);

/** Returns the function that reads the total of a filter from the counters; undefined if the filter has fields that they don't have. */
function counterOf({ database }: ReadDependencies, actor: Caller, filter: TenderFilter, { created }: PageRequest) {
  if (created !== undefined || Object.entries(filter).some(([name, value]) => value !== undefined && !COUNTED_FIELDS.has(name))) return;
  const { kind, firstDay, lastDay, merchantId = actor.merchantId ?? undefined } = filter;
  let counts = queriesOn(TENDER_COUNTS).selectFrom('tender_counts').where('tenant_id', '=', TENANT);
  if (merchantId !== undefined) counts = counts.where('merchant_id', '=', merchantId);
  if (kind !== undefined) counts = counts.where('kind', '=', kind);
  if (firstDay === undefined && lastDay === undefined) counts = counts.where('day', '=', lit(EVERY_DAY));
  else counts = counts.where('day', '>=', firstDay ?? FIRST_DAY);
  if (lastDay !== undefined) counts = counts.where('day', '<=', lastDay);
  const sum = counts.select(({ fn }) => fn.sum<number | null>('n').as('n'));
  return async () => Number((await database.read(actor.tenantId).row(sum))?.n ?? 0);
}

/** Returns a range of the tenders of a filter. Throws the same errors as the list. */
export async function range(deps: ReadDependencies, actor: Caller, filter: TenderFilter, part: RowRange): Promise<Tender[]> {
  const conditions = await conditionsOf(deps, actor, filter);
  const rows = conditions.reduce((narrowed, condition) => narrowed.where(condition), rowsOf(TENDERS));
  const found = await deps.database.read(actor.tenantId).heavy.rows(rangeOfRows(TENDERS, rows, part));
  return (found as unknown as TenderRow[]).map(toTender);
}

/** Returns the number and the amount less refunds of the tenders of a filter and a period of creation, by currency. */
export const totals = async (...[deps, actor, filter, period]: Parameters<typeof netSums>): Promise<ListTotal[]> =>
  listTotals(await netSums(deps, actor, filter, period));

/** Returns the number and the amount less refunds of the tenders of a filter by currency, limited to those of a period of creation. */
export async function netSums(
  deps: ReadDependencies,
  actor: Caller,
  filter: TenderFilter,
  period: Pick<PageRequest, 'created'> = {},
): Promise<ReadonlyMap<string, { readonly count: number; readonly minor: number }>> {
  const conditions = [...(await conditionsOf(deps, actor, filter)), ...createdWithin(period, 'tnd')];
  const rows = (await deps.database.read(actor.tenantId).heavy.rows(
    conditions
      .reduce((narrowed, condition) => narrowed.where(condition), rowsOf(TENDERS))
      .select(({ fn }) => ['currency', fn.countAll<number>().as('n'), sql<number>`sum(amount_minor - refunded_minor)`.as('minor')])
      .groupBy('currency'),
  )) as unknown as { currency: string; n: number; minor: number }[];
  return new Map(rows.map(({ currency, n, minor }) => [currency, { count: Number(n), minor: Number(minor) }]));
}

async function conditionsOf(deps: ReadDependencies, actor: Caller, filter: TenderFilter): Promise<Condition[]> {
  const merchantId = filter.merchantId ?? actor.merchantId ?? undefined;
  const { kind, shiftId, createdBy, customerId, minAmount, maxAmount, q = '' } = filter;
  const { currency } = await deps.merchantFor(actor, merchantId);
  return [
    ...(merchantId === undefined ? [] : [tender('merchant_id', '=', merchantId)]),
    ...(kind === undefined ? [] : [tender('kind', '=', kind)]),
    ...(shiftId === undefined ? [] : [tender('shift_id', '=', shiftId)]),
    ...(createdBy === undefined ? [] : [tender('created_by', '=', createdBy)]),
    ...(customerId === undefined ? [] : [tender('customer_id', '=', customerId)]),
    ...(minAmount === undefined ? [] : amountConditions(AMOUNT_COLUMNS, minAmount, currency, 'minAmount')),
    ...(maxAmount === undefined ? [] : amountConditions(AMOUNT_COLUMNS, maxAmount, currency, 'maxAmount')),
    ...(filter.ids === undefined ? [] : [tender('id', 'in', listOf(filter.ids))]),
    ...daysOf(filter),
    ...refundedIn(filter),
    ...statusOf(filter.status),
    ...refundStatusOf(filter.refundStatus),
    ...(await searchOf(deps, actor, q)),
  ];
}

/** More than the largest offset of a time zone from UTC. */
const ZONES_MS = 15 * 3_600_000;

/** Returns the conditions for the days of a filter, with a range of the key that contains them. */
function daysOf({ firstDay, lastDay }: TenderFilter): Condition[] {
  const timeOf = (day: string) => startOfDate('UTC', day);
  return [
    ...(firstDay === undefined ? [] : [tender('day', '>=', firstDay), tender('id', '>=', idFloor('tnd', timeOf(firstDay) - ZONES_MS))]),
    ...(lastDay === undefined
      ? []
      : [tender('day', '<=', lastDay), tender('id', '<', idFloor('tnd', timeOf(addDays(lastDay, 1)) + ZONES_MS))]),
  ];
}

const AMOUNT_COLUMNS = {
  compare: (operator: '>=' | '<=' | '=', minor: number) => tender('amount_minor', operator, minor),
  isIn: (operator: 'in' | 'not in', codes: readonly string[]) => tender('currency', operator, codes),
  and: (conditions: readonly Condition[]) => tender.and(conditions),
  or: (conditions: readonly Condition[]) => tender.or(conditions),
};

function refundedIn({ refundedFrom, refundedTo }: TenderFilter): Condition[] {
  if (refundedFrom === undefined && refundedTo === undefined) return [];
  let refunds = queriesOn(TENDER_REFUNDS).selectFrom('tender_refunds').select('tender_id').where('tenant_id', '=', TENANT);
  if (refundedFrom !== undefined) refunds = refunds.where('day', '>=', refundedFrom);
  if (refundedTo !== undefined) refunds = refunds.where('day', '<=', refundedTo);
  return [tender('id', 'in', refunds)];
}

function statusOf(status: Tender['status'] | undefined): Condition[] {
  switch (status) {
    case 'received':
      return refundStatusOf('none');
    case 'partially_refunded':
      return refundStatusOf('partial');
    case 'refunded':
      return [...refundStatusOf('full'), tender('returned_at', 'is', null)];
    case 'returned':
      return [tender('returned_at', 'is not', null)];
    default:
      return [];
  }
}

function refundStatusOf(status: TenderFilter['refundStatus']): Condition[] {
  switch (status) {
    case 'none':
      return [tender('refunded_minor', '=', lit(0))];
    case 'partial':
      return [tender('refunded_minor', '>', lit(0)), tender('refunded_minor', '<', tender.ref('amount_minor'))];
    case 'full':
      return [tender('refunded_minor', '>', lit(0)), tender('refunded_minor', '=', tender.ref('amount_minor'))];
    default:
      return [];
  }
}

async function searchOf({ customers }: ReadDependencies, { tenantId }: Pick<Caller, 'tenantId'>, text: string): Promise<Condition[]> {
  const wanted = text.trim();
  if (wanted === '') return [];
  const number = NUMBER.exec(wanted)?.[1];
  const named = /\p{L}{2}/u.test(wanted) ? await customers.foundBy(tenantId, wanted) : null;
  const ofMerchant = (condition: Condition) => tender.and([tender('merchant_id', 'in', merchantIds), condition]);
  const ways = [
    tender('check_number', '=', wanted),
    tender('order_key', '=', wanted.toLowerCase()),
    tender('customer_email', '=', wanted.toLowerCase()),
    ...(named === null ? [] : [tender('customer_id', 'in', named)]),
    ...(number === undefined ? [] : [ofMerchant(tender('number', '=', Number(number)))]),
    ...searchedAmount(AMOUNT_COLUMNS, wanted).map(ofMerchant),
  ];
  // Without statistics, SQLite would read all tenders for an `or` of these conditions. Each query of a union uses its own index.
  const found = ways.reduce((all, way) => all.unionAll(matching(way)), matching(tender('id', '=', wanted)));
  return [tender('id', 'in', found)];
}

const queries = queriesOn(TENDERS, READABLE_MERCHANTS);
const matching = (condition: Condition) => queries.selectFrom('tenders').select('id').where('tenant_id', '=', TENANT).where(condition);
const merchantIds = queries.selectFrom('merchants').select('id').where('tenant_id', '=', TENANT);

/** Total of the pages of an export, which does not show it. */
const UNCOUNTED = () => Promise.resolve(0);

/** Yields the tenders that the caller may see, newest first, for an export. */
export async function* lines(
  deps: ReadDependencies,
  actor: Actor,
  filter: TenderFilter,
  created: PageRequest['created'],
): AsyncGenerator<readonly Tender[]> {
  let cursor: string | undefined;
  do {
    const request: PageRequest = {
      page: 1,
      limit: 200,
      ...(cursor === undefined ? {} : { cursor }),
      ...(created === undefined ? {} : { created }),
    };
    const found: Page<Tender> = await page(deps, actor, filter, request, UNCOUNTED);
    yield found.items;
    cursor = found.nextCursor ?? undefined;
  } while (cursor !== undefined);
}
