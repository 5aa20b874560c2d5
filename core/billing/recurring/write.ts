import type { Work, Writer } from '#core/database';
import { keyNameOf, NO_IDEMPOTENCY_KEY } from '#core/platform/idempotency';
import type { Merchant } from '#core/processing/merchants';
import type { Payer } from '#core/sales/customers';
import { nextPaymentDate } from './billing-cycle.ts';
import { BILLING_JOB, type Dependencies } from './dependencies.ts';
import { loadSubscription, subscriptionNotFound } from './read.ts';
import type { Subscription } from './records.ts';
import { SUBSCRIPTIONS, type SubscriptionRow } from './schema.ts';
import { toSubscription } from './subscription.ts';

/** Stores the response of the request that waits for a subscription's payment, in the batch that writes the outcome and clears the key of the row. */
export function completeKey(
  deps: Dependencies,
  into: Writer,
  row: SubscriptionRow,
  { timezone }: Pick<Merchant, 'timezone'>,
  payer: Pick<Payer, 'name' | 'email' | 'method'>,
): void {
  const name = keyNameOf(row);
  if (name === null) return;
  const subscription = toSubscription(row, timezone, payer);
  deps.idempotencyKeys.complete(into, row.tenant_id, name, deps.renderResponse(name.route, { subscription }));
}

/** Stores the response of the request that waits for a subscription under its idempotency key, in the unit of work in which the request ends. */
export async function completeRequest(deps: Dependencies, work: Work, row: SubscriptionRow): Promise<Subscription> {
  const { timezone } = await deps.merchantFor({ tenantId: row.tenant_id, merchantId: null }, row.merchant_id);
  const subscription = await loadSubscription(deps, row, timezone, work);
  const name = keyNameOf(row);
  if (name) {
    await deps.idempotencyKeys.completeInWork(work, name, deps.renderResponse(name.route, { subscription }));
    await work.update(SUBSCRIPTIONS, { id: row.id }, NO_IDEMPOTENCY_KEY);
  }
  return subscription;
}

/**
 * Returns a subscription after the request that created or retried it. If its payment is unconfirmed, the response of the request is stored as it is
 * now; the outcome of any other payment was stored with its response.
 */
export async function storeResponse(deps: Dependencies, tenantId: string, id: string): Promise<Subscription> {
  return deps.database.unitOfWork.transaction(tenantId, async (work) => {
    const row = await work.lockOne(SUBSCRIPTIONS, { id });
    if (!row) throw subscriptionNotFound(id);
    return completeRequest(deps, work, row);
  });
}

/** Writes all columns of a subscription. Unless a payment is pending or being prepared, this ends the request that waits for the subscription. */
export async function writeSubscription(deps: Dependencies, work: Work, row: SubscriptionRow): Promise<void> {
  const { tenant_id, id, ...set } = row;
  const { timezone } = await deps.merchantFor({ tenantId: tenant_id, merchantId: null }, row.merchant_id);
  await work.update(SUBSCRIPTIONS, { id }, { ...set, next_payment_on: nextPaymentDate(row, timezone) });
  if (row.idempotency_key !== null && row.pending_transaction === null && row.lease_ms === 0) await completeRequest(deps, work, row);
  work.afterCommit(() => {
    deps.changed(tenant_id, 'recurring', row.merchant_id);
    deps.scheduler.wake(BILLING_JOB, tenant_id);
  });
}
