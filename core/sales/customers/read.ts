import {
  cursorOf,
  cutPage,
  type Database,
  listOf,
  newestPage,
  orderOf,
  type Page,
  type PageRequest,
  pageOf,
  queriesOn,
  type Read,
  rowsToRead,
  TENANT,
} from '#core/database';
import { type Actor, addDays, type Caller, dateIn, ServiceError } from '#core/kernel';
import { nameOf, toCustomer, toMethod } from './customer.ts';
import type { Dependencies } from './dependencies.ts';
import type { Customer, ExpiringCard, PaymentMethod } from './records.ts';
import { CUSTOMERS, type CustomerRow, EXTERNAL_IDS, type ExternalIdRow, type MethodRow, PAYMENT_METHODS } from './schema.ts';
import { searchConditions } from './search-words.ts';

export const queries = queriesOn(CUSTOMERS, PAYMENT_METHODS, EXTERNAL_IDS);

export interface CustomerFilter {
  /** Search text: beginnings of names, company, email, phone number or last four digits. */
  readonly q?: string;
  readonly merchantId?: string;
}

/** Returns the row of a customer of the caller's merchants. @throws ServiceError CUSTOMER_NOT_FOUND, MERCHANT_NOT_AUTHORIZED */
export async function readCustomer({ database }: Pick<Dependencies, 'database'>, actor: Caller, customerId: string): Promise<CustomerRow> {
  return checkRow(await database.read(actor.tenantId).one(CUSTOMERS, { id: customerId }), actor, customerId);
}

function checkRow(row: CustomerRow | null, actor: Pick<Actor, 'merchantId'>, customerId: string): CustomerRow {
  if (!row || row.deleted_at !== null) throw customerNotFound(customerId);
  if (actor.merchantId !== null && actor.merchantId !== row.merchant_id)
    throw new ServiceError('MERCHANT_NOT_AUTHORIZED', 'You have no access to this merchant.', { details: { merchantId: row.merchant_id } });
  return row;
}

/** Returns the merchant of a customer. @throws ServiceError CUSTOMER_NOT_FOUND, MERCHANT_NOT_AUTHORIZED */
export async function merchantOfCustomer(read: Read, actor: Caller, customerId: string): Promise<string> {
  return checkRow(await read.one(CUSTOMERS, { id: customerId }), actor, customerId).merchant_id;
}

/** Rejects a customer of other merchants. @throws ServiceError CUSTOMER_NOT_FOUND, MERCHANT_NOT_AUTHORIZED */
export async function checkAccess(database: Database, actor: Caller, customerId: string): Promise<void> {
  await readCustomer({ database }, actor, customerId);
}

export function customerNotFound(customerId: string): ServiceError {
  return new ServiceError('CUSTOMER_NOT_FOUND', `There is no customer ${customerId.slice(0, 60)}.`, { details: { customerId } });
}

export async function get(deps: Dependencies, actor: Actor, customerId: string): Promise<Customer> {
  const [customer] = await withDetails(deps, actor.tenantId, [await readCustomer(deps, actor, customerId)]);
  return customer as Customer;
}

/** Returns true if the customer was deleted. */
export const isDeleted = async (read: Pick<Read, 'one'>, customerId: string): Promise<boolean> =>
  (await read.one(CUSTOMERS, { id: customerId }))?.deleted_at !== null;

/** Returns customers with their default payment method and last payment. */
async function withDetails(deps: Dependencies, tenantId: string, rows: readonly CustomerRow[]): Promise<Customer[]> {
  const read = deps.database.read(tenantId);
  const ids = rows.map(({ default_method_id }) => default_method_id).filter((id) => id !== null);
  const customerIds = rows.map(({ id }) => id);
  const [methods, lastPayments, externalIds] = await Promise.all([
    methodsOf(read, 'id', ids),
    deps.lastPayments(tenantId, customerIds),
    externalIdsOf(read, customerIds),
  ]);
  const byId = new Map(methods.map((method) => [method.id, method]));
  return rows.map((row) =>
    toCustomer(row, byId.get(row.default_method_id ?? '') ?? null, {
      lastPaymentAt: lastPayments.get(row.id) ?? null,
      externalIds: externalIds.filter(({ customer_id }) => customer_id === row.id).map(({ source, external_id: id }) => ({ source, id })),
    }),
  );
}

async function externalIdsOf(read: Read, customerIds: readonly string[]): Promise<ExternalIdRow[]> {
  if (customerIds.length === 0) return [];
  return read.rows(
    queries
      .selectFrom('customer_external_ids')
      .selectAll()
      .where('tenant_id', '=', TENANT)
      .where('customer_id', 'in', listOf(customerIds))
      .orderBy('source')
      .orderBy('external_id'),
  );
}

export async function methodsOf(read: Read, column: 'id' | 'customer_id', ids: readonly string[]): Promise<MethodRow[]> {
  if (ids.length === 0) return [];
  return read.rows(queries.selectFrom('payment_methods').selectAll().where('tenant_id', '=', TENANT).where(column, 'in', ids));
}

/** Columns of the fields by which the list can be sorted. */
const SORTS = { createdAt: 'id', name: 'name_key' };

/** Returns one page of customers, by default newest first. */
export async function page(deps: Dependencies, actor: Actor, filter: CustomerFilter, at: PageRequest): Promise<Page<Customer>> {
  const merchantId = filter.merchantId ?? actor.merchantId ?? undefined;
  if (merchantId !== undefined) await deps.merchantFor(actor, merchantId);
  const found = await newestPage(
    deps.database.read(actor.tenantId),
    CUSTOMERS,
    'cus',
    { merchant_id: merchantId, deleted_at: null },
    at,
    searchConditions(filter.q ?? ''),
    undefined,
    orderOf(SORTS, at.sort),
  );
  return { ...found, items: await withDetails(deps, actor.tenantId, found.items) };
}

/** Returns the payment methods of a customer, the default first, then newest first. */
export async function methods(deps: Dependencies, actor: Actor, customerId: string, at: PageRequest): Promise<Page<PaymentMethod>> {
  const row = await readCustomer(deps, actor, customerId);
  const rows = await deps.database.read(actor.tenantId).find(PAYMENT_METHODS, { customer_id: customerId }, { orderBy: [['id', 'desc']] });
  const all = rows.map((method) => toMethod(method, row.default_method_id));
  all.sort((left, right) => Number(right.isDefault) - Number(left.isDefault));
  return pageOf(all, at, ({ paymentMethodId }) => paymentMethodId);
}

/** Cursor with the expiry date and ID, so that the next page is right even if the card was renewed or removed. */
const EXPIRING_CURSOR = /^(?<day>\d{4}-\d{2}-\d{2})\.(?<id>pm_\w+)$/;

/** Returns one page of the cards on file that have expired or expire within some days, the earliest first, with their total. */
export async function expiring(
  deps: Dependencies,
  actor: Actor,
  options: { readonly days: number; readonly merchantId?: string },
  at: PageRequest,
): Promise<Page<ExpiringCard>> {
  const merchant = await deps.merchantFor(actor, options.merchantId);
  const merchantId = options.merchantId ?? actor.merchantId;
  const until = addDays(dateIn(merchant.timezone, deps.clockOf(actor.tenantId).now()), options.days);
  const all = queries
    .selectFrom('payment_methods as m')
    .where('m.tenant_id', '=', TENANT)
    .where('m.expires_on', 'is not', null)
    .where('m.expires_on', '<=', until);
  const cards = merchantId === null ? all : all.where('m.merchant_id', '=', merchantId);
  const cursor = cursorOf(at, (text) => EXPIRING_CURSOR.test(text));
  const after = EXPIRING_CURSOR.exec(cursor ?? '')?.groups as { day: string; id: string } | undefined;
  const limit = Math.trunc(at.limit);
  let page = cards
    .innerJoin('customers as c', (join) => join.onRef('c.tenant_id', '=', 'm.tenant_id').onRef('c.id', '=', 'm.customer_id'))
    .selectAll('m')
    .select(['c.first_name', 'c.last_name', 'c.company', 'c.email', 'c.default_method_id'])
    .orderBy('m.expires_on')
    .orderBy('m.id')
    .limit(rowsToRead(limit))
    .offset(after ? 0 : (Math.trunc(at.page) - 1) * limit);
  if (after) page = page.where(({ eb, refTuple, tuple }) => eb(refTuple('m.expires_on', 'm.id'), '>', tuple(after.day, after.id)));
  const read = deps.database.read(actor.tenantId).heavy;
  const [rows, counted] = await Promise.all([read.rows(page), read.row(cards.select(({ fn }) => fn.countAll<number>().as('n')))]);
  const found = rows.map((row) => ({
    ...toMethod(row, row.default_method_id),
    customerName: nameOf(row),
    customerEmail: row.email,
    expiresOn: row.expires_on ?? '',
  }));
  const { items, nextCursor } = cutPage(found, limit, ({ expiresOn, paymentMethodId }) => `${expiresOn}.${paymentMethodId}`);
  return { items, nextCursor, page: at.page, limit: at.limit, total: Number(counted?.n ?? 0) };
}
