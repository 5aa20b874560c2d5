import { lit, queriesOn, TENANT } from '#core/database';
import { type Actor, addDays, dateIn, isoTime, type Money, money, startOfDate, storedCurrency } from '#core/kernel';
import type { Dependencies } from './dependencies.ts';
import { numberOf } from './order.ts';
import type { Order } from './records.ts';
import { ORDERS } from './schema.ts';

/** Open order of an earlier day that holds money of its payments. */
export interface LeftOpen extends Pick<Order, 'orderId' | 'merchantId' | 'number' | 'name' | 'customerName' | 'createdAt'> {
  readonly heldAmount: Money;
  /** End of the day on which the order was created. */
  readonly dueAt: string;
}

/** Largest number of open orders with money that are read, the oldest first. */
const READ_MAX = 1_000;
const queries = queriesOn(ORDERS);

/** Returns the open orders with money that were created before today, in the time zone of their merchants, the oldest first. The caller has checked the merchant. */
export async function leftOpen(deps: Dependencies, actor: Actor, merchantId = actor.merchantId ?? undefined): Promise<LeftOpen[]> {
  const now = deps.clockOf(actor.tenantId).now();
  const open = queries
    .selectFrom('orders')
    .select(['id', 'merchant_id', 'number', 'name', 'customer_name', 'currency', 'paid_minor', 'refunded_minor', 'created_at'])
    .where('tenant_id', '=', TENANT)
    .where('status', '=', lit('open'))
    .whereRef('paid_minor', '>', 'refunded_minor')
    .orderBy('id')
    .limit(READ_MAX);
  const rows = await deps.database.read(actor.tenantId).rows(merchantId === undefined ? open : open.where('merchant_id', '=', merchantId));
  const found: LeftOpen[] = [];
  for (const row of rows) {
    const { timezone } = await deps.merchantFor(actor, row.merchant_id);
    const day = dateIn(timezone, Date.parse(row.created_at));
    if (day >= dateIn(timezone, now)) continue;
    found.push({
      orderId: row.id,
      merchantId: row.merchant_id,
      number: numberOf(Number(row.number)),
      name: row.name,
      customerName: row.customer_name,
      createdAt: row.created_at,
      heldAmount: money(Number(row.paid_minor) - Number(row.refunded_minor), storedCurrency(row.currency)),
      dueAt: isoTime(startOfDate(timezone, addDays(day, 1)) - 1),
    });
  }
  return found;
}
