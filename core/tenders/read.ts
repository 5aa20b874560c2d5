import { type Condition, conditionsOn, lit, newestPage, type Page, type PageRequest } from '#core/database';
import type { Actor } from '#core/kernel';
import type { Merchant } from '#core/merchants';
import type { Caller, Dependencies } from './dependencies.ts';
import { tenderNotFound } from './record.ts';
import { TENDER_REFUNDS, TENDERS, type TenderKind, type TenderRow } from './schema.ts';
import { type Tender, type TenderDetail, type TenderRefund, toRefund, toTender } from './tender.ts';

/** Filters of the list; absent ones do not narrow. */
export interface TenderFilter {
  readonly kind?: TenderKind;
  readonly status?: Tender['status'];
  readonly shiftId?: string;
  readonly customerId?: string;
  readonly merchantId?: string;
  /** Number, ID, check number, order ID or email address. */
  readonly q?: string;
}

type ReadDependencies = Pick<Dependencies, 'database' | 'merchantFor'>;

const tender = conditionsOn(TENDERS);
const NUMBER = /^(?:t-)?0*(\d{1,9})$/i;

/** Returns a tender of the caller's merchants. @throws ServiceError NOT_FOUND, MERCHANT_NOT_AUTHORIZED. */
export async function findTender(deps: ReadDependencies, actor: Caller, tenderId: string): Promise<{ row: TenderRow; merchant: Merchant }> {
  const row = await deps.database.read(actor.tenantId).one(TENDERS, { id: tenderId });
  if (!row) throw tenderNotFound(tenderId);
  return { row, merchant: await deps.merchantFor(actor, row.merchant_id) };
}

/** Returns a tender with its refunds. */
export async function getTender(deps: ReadDependencies, actor: Caller, tenderId: string): Promise<TenderDetail> {
  const { row } = await findTender(deps, actor, tenderId);
  const refunds = await deps.database.read(actor.tenantId).find(TENDER_REFUNDS, { tender_id: tenderId }, { orderBy: [['id', 'asc']] });
  return { ...toTender(row), refunds: refunds.map(toRefund) };
}

/** Returns a refund of a tender; null if the tender has no such refund. */
export async function findRefund(deps: ReadDependencies, tenantId: string, refundId: string): Promise<TenderRefund | null> {
  const row = await deps.database.read(tenantId).one(TENDER_REFUNDS, { id: refundId });
  return row === null ? null : toRefund(row);
}

/** Returns the tenders that the caller may see, newest first. @throws ServiceError MERCHANT_NOT_AUTHORIZED. */
export async function page(deps: ReadDependencies, actor: Caller, filter: TenderFilter, request: PageRequest): Promise<Page<Tender>> {
  const merchantId = filter.merchantId ?? actor.merchantId ?? undefined;
  if (merchantId !== undefined) await deps.merchantFor(actor, merchantId);
  const where = { merchant_id: merchantId, kind: filter.kind, shift_id: filter.shiftId, customer_id: filter.customerId };
  const rows = await newestPage(deps.database.read(actor.tenantId), TENDERS, 'tnd', where, request, [
    ...searchOf(filter.q ?? ''),
    ...statusOf(filter.status),
  ]);
  return { ...rows, items: rows.items.map(toTender) };
}

function statusOf(status: Tender['status'] | undefined): Condition[] {
  switch (status) {
    case 'received':
      return [tender('refunded_minor', '=', lit(0))];
    case 'partially_refunded':
      return [tender('refunded_minor', '>', lit(0)), tender('refunded_minor', '<', tender.ref('amount_minor'))];
    case 'refunded':
      return [tender('refunded_minor', '=', tender.ref('amount_minor'))];
    default:
      return [];
  }
}

function searchOf(text: string): Condition[] {
  const wanted = text.trim();
  if (wanted === '') return [];
  const number = NUMBER.exec(wanted)?.[1];
  return [
    tender.or([
      tender('id', '=', wanted),
      tender('check_number', '=', wanted),
      tender('order_id', '=', wanted),
      tender('customer_email', '=', wanted.toLowerCase()),
      ...(number === undefined ? [] : [tender('number', '=', Number(number))]),
    ]),
  ];
}

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
    const found: Page<Tender> = await page(deps, actor, filter, request);
    yield found.items;
    cursor = found.nextCursor ?? undefined;
  } while (cursor !== undefined);
}
