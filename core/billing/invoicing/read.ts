import {
  type Condition,
  conditionsOn,
  lit,
  newestPage,
  orderOf,
  type Page,
  type PageRequest,
  queriesOn,
  type Read,
  searchCondition,
  TENANT,
} from '#core/database';
import {
  type Actor,
  addDays,
  type Caller,
  type Currency,
  checkPeriod,
  dateIn,
  idFloor,
  money,
  ServiceError,
  startOfDate,
  type TenantTime,
} from '#core/kernel';
import { type ListTotal, totalsOf } from '#core/platform/list-totals';
import { isLoopback, type Merchant } from '#core/processing/merchants';
import { deliveriesOf } from '#core/records/notifications';
import type { Dependencies } from './dependencies.ts';
import type { InvoiceFilter } from './input.ts';
import { type Addresses, toInvoice } from './invoice.ts';
import type { Invoice, InvoiceSum, InvoicesSummary } from './records.ts';
import { invoiceNotFound, numberOf, paymentsOf } from './repository.ts';
import { INVOICE_PAYMENTS, INVOICES, type InvoiceRow } from './schema.ts';

const invoice = conditionsOn(INVOICES);

/** Dependencies of the functions that read one invoice. */
type ReadDependencies = Pick<Dependencies, 'database' | 'merchants'>;

/** Kinds of messages that bring an invoice or link to the payer. */
const KINDS = ['invoice', 'link'] as const;

const DAY_MS = 86_400_000;
const PAID_DAYS = 30;

/** Returns an existing invoice that the caller may access. @throws ServiceError INVOICE_NOT_FOUND, MERCHANT_NOT_AUTHORIZED. */
export async function findInvoice(
  deps: ReadDependencies,
  actor: Caller,
  id: string,
): Promise<{ readonly row: InvoiceRow; readonly merchant: Merchant }> {
  const row = await deps.database.read(actor.tenantId).one(INVOICES, { id });
  if (!row) throw invoiceNotFound(id);
  return { row, merchant: await deps.merchants.merchantFor(actor, row.merchant_id) };
}

export function addressesOf(
  { merchants }: Pick<Dependencies, 'merchants'>,
  merchant: Merchant,
  row: Pick<InvoiceRow, 'page_token' | 'short_code' | 'hosted_url'>,
): Addresses {
  const { isLocalOnly } = merchant;
  // The page of the processor is reached from elsewhere, except that of the sandbox, which is on this server.
  if (isLocalOnly && row.hosted_url !== null)
    return { url: row.hosted_url, shortUrl: row.hosted_url, isLocalOnly: isLoopback(row.hosted_url) };
  return {
    url: merchants.pageUrl(merchant, `/pay/${row.page_token}`),
    shortUrl: merchants.pageUrl(merchant, `/s/${row.short_code}`),
    isLocalOnly,
  };
}

/** Returns an invoice in the form of the API; inside a unit of work with its uncommitted changes. */
export async function loadInvoice(
  deps: Pick<Dependencies, 'merchants'>,
  read: Read,
  row: InvoiceRow,
  merchant: Merchant,
): Promise<Invoice> {
  const [payments, deliveries] = await Promise.all([paymentsOf(read, [row.id]), deliveriesOf(read, KINDS, [row.id])]);
  return toInvoice(row, addressesOf(deps, merchant, row), payments.get(row.id) ?? [], deliveries.get(row.id) ?? null);
}

export async function get(deps: ReadDependencies, actor: Actor, id: string): Promise<Invoice> {
  const { row, merchant } = await findInvoice(deps, actor, id);
  return loadInvoice(deps, deps.database.read(actor.tenantId), row, merchant);
}

/** Returns the invoice of a payment. @throws ServiceError NOT_FOUND, MERCHANT_NOT_AUTHORIZED. */
export async function invoiceOfPayment(deps: ReadDependencies, actor: Actor, paymentId: string): Promise<Invoice> {
  const payment = await deps.database.read(actor.tenantId).one(INVOICE_PAYMENTS, { id: paymentId });
  if (!payment) throw new ServiceError('NOT_FOUND', `There is no payment ${paymentId.slice(0, 60)}.`, { details: { paymentId } });
  return get(deps, actor, payment.invoice_id);
}

/** Returns the values of a filter that rows are compared with, and its other conditions. */
async function conditionsOf(deps: Dependencies, actor: Actor, filter: InvoiceFilter) {
  const merchantId = filter.merchantId ?? actor.merchantId ?? undefined;
  const { timezone } = await deps.merchants.merchantFor(actor, merchantId);
  const today = dateIn(timezone, deps.clockOf(actor.tenantId).now());
  const where = { status: filter.status, customer_id: filter.customerId, kind: filter.kind, merchant_id: merchantId } as const;
  const conditions = [
    ...periodOf(filter, timezone),
    ...(filter.view === 'to_do' ? toDoOn(today) : []),
    ...(await searchOf(deps, actor, filter.q ?? '')),
  ];
  return { where, conditions };
}

/** Returns the conditions for unpaid invoices that a person asks for today. */
function toDoOn(today: string): Condition[] {
  const isOpen = invoice('status', 'in', [lit('sent'), lit('partially_paid'), lit('overdue')]);
  const isOverdue = invoice.and([invoice('status', '=', lit('overdue')), invoice('promised_date', 'is', null)]);
  return [isOpen, invoice.or([isOverdue, invoice('promised_date', '<=', today)])];
}

/** Returns the number and the amount of the invoices and links of a filter, by currency. */
export async function listTotals(deps: Dependencies, actor: Actor, filter: InvoiceFilter): Promise<ListTotal[]> {
  const { where, conditions } = await conditionsOf(deps, actor, filter);
  const equal = (Object.keys(where) as (keyof typeof where)[]).flatMap((column) =>
    where[column] === undefined ? [] : [invoice(column, '=', where[column])],
  );
  return totalsOf(deps.database.read(actor.tenantId), INVOICES, [...equal, ...conditions]);
}

/** Columns of the fields by which the list can be sorted. */
const SORTS = { createdAt: 'id', amount: 'amount_minor', dueDate: 'due_date' };
const NULLABLE = [SORTS.dueDate];

/** Returns a page of invoices and links, by default newest first. */
export async function page(deps: Dependencies, actor: Actor, filter: InvoiceFilter, pageRequest: PageRequest): Promise<Page<Invoice>> {
  const { where, conditions } = await conditionsOf(deps, actor, filter);
  const read = deps.database.read(actor.tenantId);
  const order = orderOf(SORTS, pageRequest.sort, NULLABLE);
  const found = await newestPage(read, INVOICES, 'inv', where, pageRequest, conditions, undefined, order);
  const ids = found.items.map(({ id }) => id);
  const [payments, deliveries] = await Promise.all([paymentsOf(read, ids), deliveriesOf(read, KINDS, ids)]);
  const items = found.items.map(async (row) => {
    const merchant = await deps.merchants.merchantFor(actor, row.merchant_id);
    return toInvoice(row, addressesOf(deps, merchant, row), payments.get(row.id) ?? [], deliveries.get(row.id) ?? null);
  });
  return { ...found, items: await Promise.all(items) };
}

/** Returns the conditions for invoices of a period. They are a range of the key, because IDs start with the time. */
function periodOf({ startDate, endDate }: InvoiceFilter, zone: string): Condition[] {
  checkPeriod({ startDate, endDate });
  return [
    ...(startDate === undefined ? [] : [invoice('id', '>=', idFloor('inv', startOfDate(zone, startDate)))]),
    ...(endDate === undefined ? [] : [invoice('id', '<', idFloor('inv', startOfDate(zone, addDays(endDate, 1))))]),
  ];
}

const NUMBER = /^(?:inv-)?0*(\d{1,9})$/i;

async function searchOf(deps: Dependencies, actor: Actor, text: string): Promise<Condition[]> {
  const searchText = text.trim();
  if (searchText === '') return [];
  const customers = await deps.customers.foundBy(actor.tenantId, searchText);
  const number = NUMBER.exec(searchText)?.[1];
  const exact = [
    invoice('id', '=', searchText),
    invoice('customer_email', '=', searchText.toLowerCase()),
    ...(number === undefined ? [] : [invoice('number', '=', numberOf(Number(number)))]),
  ];
  const named = customers === null ? null : invoice('customer_id', 'in', customers);
  return [await searchCondition(deps.database.read(actor.tenantId), INVOICES, exact, named)];
}

const OUTSTANDING = ['sent', 'partially_paid', 'overdue'] as const;

export async function summary(deps: Dependencies, actor: Actor, requestedMerchantId?: string): Promise<InvoicesSummary> {
  const { invoices, currency, now, read } = await invoicesOf(deps, actor, requestedMerchantId);
  const since = new Date(now - PAID_DAYS * DAY_MS).toISOString();
  const [byStatus, paid] = await Promise.all([
    read.rows(unpaid(invoices, OUTSTANDING, now)),
    read.row(
      invoices
        .select(({ fn }) => [fn.countAll<number>().as('n'), fn.sum<number | null>('amount_minor').as('minor')])
        .where('status', '=', lit('paid'))
        .where('paid_at', '>=', since),
    ),
  ]);
  return {
    currency,
    outstanding: sumOf(byStatus, currency),
    overdue: sumOf(
      byStatus.filter(({ status }) => status === 'overdue'),
      currency,
    ),
    paidIn30Days: sumOf(paid ? [paid] : [], currency),
  };
}

/** Returns the number and the sum of overdue invoices, as in the summary, and the time since which the first one is overdue. */
export async function overdue(
  deps: Dependencies,
  actor: Actor,
  requestedMerchantId?: string,
): Promise<InvoiceSum & { readonly since: string | null }> {
  const { invoices, currency, now, read } = await invoicesOf(deps, actor, requestedMerchantId);
  const rows = await read.rows(unpaid(invoices, ['overdue'], now));
  return { ...sumOf(rows, currency), since: rows[0]?.since ?? null };
}

/** Returns a query of the invoices of a merchant, or of all merchants of the caller, in the merchant's currency. */
async function invoicesOf(deps: Dependencies, actor: Actor, requestedMerchantId: string | undefined) {
  const { currency } = await deps.merchants.merchantFor(actor, requestedMerchantId);
  const merchantId = requestedMerchantId ?? actor.merchantId;
  const all = queriesOn(INVOICES).selectFrom('invoices').where('tenant_id', '=', TENANT).where('currency', '=', currency);
  const invoices = merchantId === null ? all : all.where('merchant_id', '=', merchantId);
  return { invoices, currency, now: deps.clockOf(actor.tenantId).now(), read: deps.database.read(actor.tenantId).heavy };
}

const unpaid = (
  invoices: Awaited<ReturnType<typeof invoicesOf>>['invoices'],
  statuses: readonly (typeof OUTSTANDING)[number][],
  now: TenantTime,
) =>
  invoices
    .select(({ fn, eb, ref }) => [
      'status',
      fn.countAll<number>().as('n'),
      fn.sum<number | null>(eb('amount_minor', '-', ref('paid_minor'))).as('minor'),
      fn.min('overdue_at').as('since'),
    ])
    .where(
      'status',
      'in',
      statuses.map((status) => lit(status)),
    )
    .where(({ or, eb }) => or([eb('expires_ms', 'is', null), eb('expires_ms', '>', now)]))
    .groupBy('status');

/** Returns the sum of groups of invoices. It is limited, so that invoices with absurd amounts do not break the summary. */
function sumOf(rows: readonly { n: number; minor: number | null }[], currency: Currency): InvoiceSum {
  const minor = rows.reduce((total, row) => total + Number(row.minor ?? 0), 0);
  return { count: rows.reduce((n, row) => n + Number(row.n), 0), amount: money(Math.min(minor, Number.MAX_SAFE_INTEGER), currency) };
}
