import { type Condition, conditionsOn, lit, newestPage, type Page, type PageRequest, queriesOn, type Read, TENANT } from '#core/database';
import type { Caller } from '#core/kernel';
import { findRow } from './change.ts';
import type { Dependencies } from './dependencies.ts';
import { toQueuedPayment } from './queued-payment.ts';
import type { QueuedPayment } from './records.ts';
import { QUEUED_PAYMENTS, type QueuedPaymentStatus } from './schema.ts';

const row = conditionsOn(QUEUED_PAYMENTS);
const queries = queriesOn(QUEUED_PAYMENTS);

/** Statuses in which a payment still leads to money, or needs a person. */
const OPEN = [lit('waiting'), lit('sending'), lit('declined'), lit('expired')] as const;

export interface QueuedPaymentFilter {
  /** `open`: not paid, canceled or replaced. */
  readonly status?: QueuedPaymentStatus | 'open';
  readonly customerId?: string;
  readonly merchantId?: string;
}

type ReadDependencies = Pick<Dependencies, 'database' | 'merchantFor'>;

/** Returns the payments that the caller may see, newest first. @throws ServiceError MERCHANT_NOT_AUTHORIZED. */
export async function page(
  deps: ReadDependencies,
  actor: Caller,
  filter: QueuedPaymentFilter,
  request: PageRequest,
): Promise<Page<QueuedPayment>> {
  const merchantId = filter.merchantId ?? actor.merchantId ?? undefined;
  if (merchantId !== undefined) await deps.merchantFor(actor, merchantId);
  const { status } = filter;
  const where = { merchant_id: merchantId, customer_id: filter.customerId, status: status === 'open' ? undefined : status };
  const conditions: Condition[] = status === 'open' ? [row('status', 'in', OPEN)] : [];
  const found = await newestPage(deps.database.read(actor.tenantId), QUEUED_PAYMENTS, 'qpy', where, request, conditions);
  return { ...found, items: found.items.map(toQueuedPayment) };
}

/** Returns a payment of the caller's merchants. @throws ServiceError NOT_FOUND, MERCHANT_NOT_AUTHORIZED. */
export async function get(deps: ReadDependencies, actor: Caller, id: string): Promise<QueuedPayment> {
  return toQueuedPayment(await findRow(deps, actor, id));
}

/** Returns the number of payments of a merchant that wait for its gateway. */
export async function countWaiting(deps: Pick<Dependencies, 'database'>, tenantId: string, merchantId: string): Promise<number> {
  const counted = await deps.database.read(tenantId).row(
    queries
      .selectFrom('queued_payments')
      .select(({ fn }) => fn.countAll<number>().as('n'))
      .where('tenant_id', '=', TENANT)
      .where('merchant_id', '=', merchantId)
      .where('status', '=', lit('waiting')),
  );
  return Number(counted?.n ?? 0);
}

/** Returns the IDs of the cards and bank accounts of a customer to which payments wait to be charged. */
export async function methodsOfWaiting(read: Read, customerId: string): Promise<string[]> {
  const rows = await read.rows(
    queries
      .selectFrom('queued_payments')
      .select('payment_method_id')
      .where('tenant_id', '=', TENANT)
      .where('customer_id', '=', customerId)
      .where('status', 'in', [lit('waiting'), lit('sending')]),
  );
  return rows.map(({ payment_method_id }) => payment_method_id);
}
