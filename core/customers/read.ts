import { conditionsOn, type Database, newestPage, type Page, type PageRequest, pageOf, queriesOn, type Read, TENANT } from '#core/database';
import { type Actor, addDays, assert, dateIn, ServiceError } from '#core/kernel';
import { type Customer, nameOf, type Payer, type PaymentMethod, toCustomer, toMethod } from './customer.ts';
import type { Dependencies } from './dependencies.ts';
import { CUSTOMERS, type CustomerRow, type MethodRow, PAYMENT_METHODS } from './schema.ts';
import { searchConditions } from './words.ts';

const queries = queriesOn(CUSTOMERS, PAYMENT_METHODS);

export interface CustomerFilter {
  /** Beginnings of words: names, company, e-mail, phone, last four. */
  readonly q?: string;
  readonly merchantId?: string;
}

/** A card on file that ends soon or has ended, with whose it is. */
export interface ExpiringCard extends PaymentMethod {
  readonly customerName: string | null;
  readonly customerEmail: string | null;
  /** Last day on which the card is valid. */
  readonly expiresOn: string;
}

/** Returns the row of a customer within the caller's reach. @throws CUSTOMER_NOT_FOUND, MERCHANT_NOT_AUTHORIZED */
export async function present(
  { database }: Pick<Dependencies, 'database'>,
  actor: Pick<Actor, 'tenantId' | 'merchantId'>,
  customerId: string,
): Promise<CustomerRow> {
  const row = await database.read(actor.tenantId).one(CUSTOMERS, { id: customerId });
  if (!row || row.deleted_at !== null) throw noCustomer(customerId);
  if (actor.merchantId !== null && actor.merchantId !== row.merchant_id)
    throw new ServiceError('MERCHANT_NOT_AUTHORIZED', 'This credential has no access to that merchant.', {
      details: { merchantId: row.merchant_id },
    });
  return row;
}

/** Refuses a customer outside the caller's reach. @throws CUSTOMER_NOT_FOUND, MERCHANT_NOT_AUTHORIZED */
export async function checkReach(database: Database, actor: Pick<Actor, 'tenantId' | 'merchantId'>, customerId: string): Promise<void> {
  await present({ database }, actor, customerId);
}

export function noCustomer(customerId: string): ServiceError {
  return new ServiceError('CUSTOMER_NOT_FOUND', `There is no customer ${customerId.slice(0, 60)}.`, { details: { customerId } });
}

export async function get(deps: Dependencies, actor: Actor, customerId: string): Promise<Customer> {
  const [customer] = await shown(deps, actor.tenantId, [await present(deps, actor, customerId)]);
  return customer as Customer;
}

/** Rows with what is shown beside them: the default method and the last payment. */
async function shown(deps: Dependencies, tenantId: string, rows: readonly CustomerRow[]): Promise<Customer[]> {
  const read = deps.database.read(tenantId);
  const ids = rows.map(({ default_method_id }) => default_method_id).filter((id) => id !== null);
  const [methods, lastPayments] = await Promise.all([
    methodsOf(read, 'id', ids),
    deps.lastPayments(
      tenantId,
      rows.map(({ id }) => id),
    ),
  ]);
  const byId = new Map(methods.map((method) => [method.id, method]));
  return rows.map((row) => toCustomer(row, byId.get(row.default_method_id ?? '') ?? null, lastPayments.get(row.id) ?? null));
}

async function methodsOf(read: Read, column: 'id' | 'customer_id', ids: readonly string[]): Promise<MethodRow[]> {
  if (ids.length === 0) return [];
  return read.rows(queries.selectFrom('payment_methods').selectAll().where('tenant_id', '=', TENANT).where(column, 'in', ids));
}

/** One page of customers, newest first. */
export async function page(deps: Dependencies, actor: Actor, filter: CustomerFilter, at: PageRequest): Promise<Page<Customer>> {
  const merchantId = filter.merchantId ?? actor.merchantId ?? undefined;
  if (merchantId !== undefined) await deps.merchantFor(actor, merchantId);
  const present = [conditionsOn(CUSTOMERS)('deleted_at', 'is', null), ...searchConditions(filter.q ?? '')];
  const found = await newestPage(deps.database.read(actor.tenantId), CUSTOMERS, 'cus', { merchant_id: merchantId }, at, present);
  return { ...found, items: await shown(deps, actor.tenantId, found.items) };
}

/** The ways to pay of a customer, the default first, then newest first. */
export async function methods(deps: Dependencies, actor: Actor, customerId: string, at: PageRequest): Promise<Page<PaymentMethod>> {
  const row = await present(deps, actor, customerId);
  const rows = await deps.database.read(actor.tenantId).find(PAYMENT_METHODS, { customer_id: customerId }, { orderBy: [['id', 'desc']] });
  const all = rows.map((method) => toMethod(method, row.default_method_id));
  all.sort((left, right) => Number(right.isDefault) - Number(left.isDefault));
  return pageOf(all, at, ({ paymentMethodId }) => paymentMethodId);
}

/** Names the place of a card in the list even when it is renewed or removed before the next page. */
const EXPIRING_CURSOR = /^(?<day>\d{4}-\d{2}-\d{2})\.(?<id>pm_\w+)$/;

/** One page of the cards on file that have expired or do so within some days, the earliest first, with their total. */
export async function expiring(
  deps: Dependencies,
  actor: Actor,
  of: { readonly days: number; readonly merchantId?: string },
  at: PageRequest,
): Promise<Page<ExpiringCard>> {
  const merchant = await deps.merchantFor(actor, of.merchantId);
  const merchantId = of.merchantId ?? actor.merchantId;
  const until = addDays(dateIn(merchant.timezone, deps.clockOf(actor.tenantId).now()), of.days);
  const all = queries
    .selectFrom('payment_methods as m')
    .where('m.tenant_id', '=', TENANT)
    .where('m.expires_on', 'is not', null)
    .where('m.expires_on', '<=', until);
  const cards = merchantId === null ? all : all.where('m.merchant_id', '=', merchantId);
  const after = EXPIRING_CURSOR.exec(at.cursor ?? '')?.groups as { day: string; id: string } | undefined;
  const limit = Math.trunc(at.limit);
  let page = cards
    .innerJoin('customers as c', (join) => join.onRef('c.tenant_id', '=', 'm.tenant_id').onRef('c.id', '=', 'm.customer_id'))
    .selectAll('m')
    .select(['c.first_name', 'c.last_name', 'c.company', 'c.email', 'c.default_method_id'])
    .orderBy('m.expires_on')
    .orderBy('m.id')
    .limit(limit)
    .offset(after ? 0 : (Math.trunc(at.page) - 1) * limit);
  if (after) page = page.where(({ eb, refTuple, tuple }) => eb(refTuple('m.expires_on', 'm.id'), '>', tuple(after.day, after.id)));
  const read = deps.database.read(actor.tenantId);
  const [rows, counted] = await Promise.all([read.rows(page), read.row(cards.select(({ fn }) => fn.countAll<number>().as('n')))]);
  const items = rows.map((row) => ({
    ...toMethod(row, row.default_method_id),
    customerName: nameOf(row),
    customerEmail: row.email,
    expiresOn: row.expires_on ?? '',
  }));
  const last = items.length === limit ? items.at(-1) : undefined;
  const nextCursor = last ? `${last.expiresOn}.${last.paymentMethodId}` : null;
  return { items, page: at.page, limit: at.limit, total: Number(counted?.n ?? 0), nextCursor };
}

/** The customer and the named payment method; without a name, the default. */
export interface PayerOf {
  readonly customerId: string;
  readonly methodId: string | null;
}

/** Returns the customers, including deleted ones, with the named payment method or else the default, in the order of the request. */
export async function payersOf(deps: Dependencies, tenantId: string, wanted: readonly PayerOf[]): Promise<Payer[]> {
  const read = deps.database.read(tenantId);
  const ids = [...new Set(wanted.map(({ customerId }) => customerId))];
  const [customers, methods] = await Promise.all([rowsOf(read, ids), methodsOf(read, 'customer_id', ids)]);
  const customerOf = new Map(customers.map((row) => [row.id, row]));
  const methodOf = new Map(methods.map((row) => [row.id, row]));
  return wanted.map(({ customerId, methodId }) => {
    const row = customerOf.get(customerId);
    assert(row, 'what is billed to a customer names one that was there');
    const method = methodOf.get(methodId ?? '') ?? methodOf.get(row.default_method_id ?? '') ?? null;
    return {
      customerId,
      merchantId: row.merchant_id,
      name: nameOf(row),
      email: row.email,
      phone: row.phone,
      method: method === null ? null : toMethod(method, row.default_method_id),
    };
  });
}

async function rowsOf(read: Read, ids: readonly string[]): Promise<CustomerRow[]> {
  if (ids.length === 0) return [];
  return read.rows(queries.selectFrom('customers').selectAll().where('tenant_id', '=', TENANT).where('id', 'in', ids));
}
