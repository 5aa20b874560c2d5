import { type Read, TENANT } from '#core/database';
import { assert, type Caller, ServiceError } from '#core/kernel';
import { nameOf, type Payer, toMethod } from './customer.ts';
import type { Dependencies } from './dependencies.ts';
import { methodOf } from './methods.ts';
import { methodsOf, queries, readCustomer } from './read.ts';
import type { CustomerAddress } from './records.ts';
import { CUSTOMERS, type CustomerRow, type MethodRow, PAYMENT_METHODS } from './schema.ts';

/** A customer with the requested payment method; null for the default. */
export interface PayerRequest {
  readonly customerId: string;
  readonly methodId: string | null;
}

/** Returns a customer, who may be deleted, with the requested payment method or else the default. */
export async function payerOf(
  deps: Pick<Dependencies, 'database'>,
  tenantId: string,
  { customerId, methodId }: PayerRequest,
  read = deps.database.read(tenantId),
  known?: CustomerRow,
): Promise<Payer> {
  const row = known ?? (await read.one(CUSTOMERS, { id: customerId }));
  assert(row, 'a charge refers to an existing customer');
  const methodOfCustomer = async (id: string | null) => {
    const method = id === null ? null : await read.one(PAYMENT_METHODS, { id });
    return method?.customer_id === customerId ? method : null;
  };
  return toPayer(row, (await methodOfCustomer(methodId)) ?? (await methodOfCustomer(row.default_method_id)));
}

const toPayer = (row: CustomerRow, method: MethodRow | null): Payer => ({
  customerId: row.id,
  merchantId: row.merchant_id,
  name: nameOf(row),
  email: row.email,
  phone: row.phone,
  company: row.company,
  address: row.address === null ? null : (JSON.parse(row.address) as CustomerAddress),
  method: method === null ? null : toMethod(method, row.default_method_id),
});

/** Returns the customers, including deleted ones, with the requested payment method or else the default, in the order of the requests. */
export async function payersOf(
  deps: Dependencies,
  tenantId: string,
  requests: readonly PayerRequest[],
  read = deps.database.read(tenantId),
): Promise<Payer[]> {
  const ids = [...new Set(requests.map(({ customerId }) => customerId))];
  const [customers, methods] = await Promise.all([rowsOf(read, ids), methodsOf(read, 'customer_id', ids)]);
  const customerOf = new Map(customers.map((row) => [row.id, row]));
  const methodOf = new Map(methods.map((row) => [row.id, row]));
  return requests.map(({ customerId, methodId }) => {
    const row = customerOf.get(customerId);
    assert(row, 'a charge refers to an existing customer');
    return toPayer(row, methodOf.get(methodId ?? '') ?? methodOf.get(row.default_method_id ?? '') ?? null);
  });
}

async function rowsOf(read: Read, ids: readonly string[]): Promise<CustomerRow[]> {
  if (ids.length === 0) return [];
  return read.rows(queries.selectFrom('customers').selectAll().where('tenant_id', '=', TENANT).where('id', 'in', ids));
}

/**
 * Returns the customer and the payment method: the named one, or the default. @throws ServiceError CUSTOMER_NOT_FOUND; NOT_FOUND for a
 * method of another customer.
 */
export async function payer(deps: Dependencies, actor: Caller, customerId: string, methodId?: string): Promise<Payer> {
  const row = await readCustomer(deps, actor, customerId);
  if (methodId !== undefined) await methodOf(deps.database.read(actor.tenantId), customerId, methodId);
  return payerOf(deps, actor.tenantId, { customerId, methodId: methodId ?? null }, undefined, row);
}

/** Returns the network's identifier of the first payment of a customer's card; null if the card was not imported with one. */
export async function networkTransactionId(
  deps: Dependencies,
  tenantId: string,
  customerId: string | null,
  token: string,
): Promise<string | null> {
  if (customerId === null) return null;
  return (await deps.database.read(tenantId).one(PAYMENT_METHODS, { customer_id: customerId, token }))?.network_transaction_id ?? null;
}

/** Returns a customer of one merchant. @throws as `payer()`; ServiceError VALIDATION_ERROR. */
export async function payerAt(deps: Dependencies, actor: Caller, merchantId: string, customerId: string): Promise<Payer> {
  const found = await payer(deps, actor, customerId);
  if (found.merchantId !== merchantId)
    throw new ServiceError('VALIDATION_ERROR', 'This customer belongs to another merchant.', { field: 'customerId' });
  return found;
}
