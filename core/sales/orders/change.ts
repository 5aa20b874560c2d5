import type { Work } from '#core/database';
import { type Actor, type Caller, isId, isoTime, ServiceError, type TenantTime, timeAfter } from '#core/kernel';
import { runIdempotent } from '#core/platform/idempotency';
import { heldOf } from './balance.ts';
import type { Dependencies } from './dependencies.ts';
import { announce, type OrderEvent, orderNotFound, toOrder } from './order.ts';
import type { Order } from './records.ts';
import { ORDERS, type OrderRow } from './schema.ts';

const conflict = ({ id: orderId, status, resumed_by: resumedBy }: OrderRow, reason: string, message: string, heldBy?: string) =>
  new ServiceError('RESOURCE_CONFLICT', message, {
    details: { reason, orderId, status, ...(resumedBy !== null && { resumedBy }), ...(heldBy !== undefined && { heldBy }) },
  });

const NOT_OPEN = {
  parked: 'This order is parked. Resume it first.',
  paid: 'This order is paid. It takes no further payment.',
  canceled: 'This order is canceled. Create a new one.',
} as const;

/** @throws ServiceError RESOURCE_CONFLICT unless the order is open. */
export function checkIsOpen(row: OrderRow): void {
  if (row.status !== 'open') throw conflict(row, `order_${row.status}`, NOT_OPEN[row.status]);
}

/**
 * Checks that no other person has resumed an order. An order that was never resumed belongs to everyone, and API keys are no people (decision record 204).
 * @throws ServiceError RESOURCE_CONFLICT with `details.heldBy`.
 */
export function checkHolder(row: OrderRow, { credentialId, name }: Pick<Actor, 'credentialId' | 'name'>): void {
  const { status, resumed_by: holder } = row;
  if (status !== 'open' || holder === null || holder === name || !isId('usr', credentialId)) return;
  throw conflict(
    row,
    'order_held',
    `${holder} has taken over this sale. Resume it first, from the list of parked and unfinished sales.`,
    holder,
  );
}

/** Checks that an order can be parked: it is open, and has no money of its payments. @throws ServiceError RESOURCE_CONFLICT. */
export function checkPark(row: OrderRow, actor: Actor): void {
  checkIsOpen(row);
  checkHolder(row, actor);
  if (heldOf(row) + row.reserved_minor > 0)
    throw conflict(row, 'order_has_payments', 'An order with payments cannot be parked. Take the rest, or return its payments first.');
}

/**
 * Checks that an order can be resumed: it is parked, or the caller takes it over from the person who has it. Of several people, the first one gets it.
 * @throws ServiceError RESOURCE_CONFLICT, with `details.heldBy` for an open order.
 */
export function checkResume(row: OrderRow, takeOverFrom?: string): void {
  if (row.status === 'parked') return;
  if (row.status !== 'open') throw conflict(row, 'not_parked', 'This order is not parked.');
  const holder = row.resumed_by ?? row.created_by;
  if (takeOverFrom !== holder) throw conflict(row, 'order_held', `${holder} has this sale. Take it over to continue it.`, holder);
}

/** @throws ServiceError RESOURCE_CONFLICT while the outcome of a payment is not known. */
export function checkOutcomes(row: OrderRow): void {
  if (row.reserved_minor > 0)
    throw conflict(row, 'payment_pending', 'The outcome of a payment of this order is not known yet. Try again when it is.');
}

/** Checks that an order can be canceled: its payments were returned. @throws ServiceError RESOURCE_CONFLICT. */
export function checkCancel(row: OrderRow, actor: Actor): void {
  if (row.status === 'canceled') throw conflict(row, 'order_canceled', 'This order was already canceled.');
  if (row.status === 'paid') throw conflict(row, 'order_paid', 'This order is paid. Refund its payments instead.');
  checkHolder(row, actor);
  checkOutcomes(row);
  if (heldOf(row) > 0)
    throw conflict(row, 'order_has_payments', 'Void or refund the payments of this order first. GET /orders/{id} lists them.');
}

/** Checks that no open or parked order reloads the store credit of a customer. The caller has locked the customer. @throws ServiceError RESOURCE_CONFLICT. */
export async function checkReloads(deps: Pick<Dependencies, 'giftCards'>, work: Work, customerId: string): Promise<void> {
  for (const id of await deps.giftCards.ordersReloading(work, customerId)) {
    const row = await work.one(ORDERS, { id });
    if (row?.status === 'open' || row?.status === 'parked')
      throw conflict(row, 'store_credit_order', 'An open sale adds to the store credit of this customer. Cancel that sale first.');
  }
}

export const parkOrder = (deps: Dependencies, actor: Actor, orderId: string, { name }: { readonly name?: string }): Promise<Order> =>
  change(deps, actor, orderId, 'order.parked', (row, now) => {
    checkPark(row, actor);
    const named = name?.trim() ? { name: name.trim() } : {};
    return { status: 'parked', parked_at: isoTime(now), parked_by: actor.name, resumed_by: null, ...named };
  });

export const resumeOrder = (
  deps: Dependencies,
  actor: Actor,
  orderId: string,
  { takeOverFrom }: { readonly takeOverFrom?: string },
): Promise<Order> =>
  change(deps, actor, orderId, 'order.resumed', (row) => {
    checkResume(row, takeOverFrom);
    return { status: 'open', parked_at: null, resumed_by: actor.name };
  });

export const cancelOrder = (deps: Dependencies, actor: Actor, orderId: string, { reason }: { readonly reason?: string }): Promise<Order> =>
  change(deps, actor, orderId, 'order.canceled', async (row, now, work) => {
    checkCancel(row, actor);
    await deps.giftCards.orderCanceled(work, row.id, actor);
    if (row.discount_id !== null) deps.releaseDiscount(work, { tenant_id: row.tenant_id, id: row.discount_id, payment_id: row.id });
    const cancel_reason = reason?.trim() || null;
    return { status: 'canceled', parked_at: null, canceled_at: isoTime(now), canceled_by: actor.name, cancel_reason };
  });

/** Changes an order under its lock. @throws ServiceError NOT_FOUND, MERCHANT_NOT_AUTHORIZED, and those of the change. */
async function change(
  deps: Dependencies,
  actor: Actor,
  orderId: string,
  event: OrderEvent,
  changesOf: (row: OrderRow, now: TenantTime, work: Work) => Partial<OrderRow> | Promise<Partial<OrderRow>>,
): Promise<Order> {
  await findOrder(deps, actor, orderId);
  const { order } = await runIdempotent(deps, actor, async (work) => {
    const row = await work.lockOne(ORDERS, { id: orderId });
    if (!row) throw orderNotFound(orderId);
    const now = timeAfter(deps.clockOf(actor.tenantId).now(), row.updated_at);
    const set = { ...(await changesOf(row, now, work)), updated_at: isoTime(now) };
    await work.update(ORDERS, { id: orderId }, set);
    const next = { ...row, ...set };
    announce(deps, work, event, { row: next, actor, atMs: now });
    return { order: toOrder(next) };
  });
  return order;
}

/** Returns an order of the caller's merchants. @throws ServiceError NOT_FOUND, MERCHANT_NOT_AUTHORIZED. */
export async function findOrder(deps: Pick<Dependencies, 'database' | 'merchantFor'>, actor: Caller, orderId: string): Promise<OrderRow> {
  const row = await deps.database.read(actor.tenantId).one(ORDERS, { id: orderId });
  if (!row) throw orderNotFound(orderId);
  await deps.merchantFor(actor, row.merchant_id);
  return row;
}
