import { keyNameOf, NO_IDEMPOTENCY_KEY } from '#core/platform/idempotency';
import type { Dependencies } from './dependencies.ts';
import { loadSubscription, subscriptionNotFound } from './read.ts';
import { SUBSCRIPTIONS } from './schema.ts';
import type { Subscription } from './subscription.ts';

/** Stores the response of the request that created or retried a subscription under its idempotency key, and returns it. */
export async function storeResponse(deps: Dependencies, tenantId: string, id: string): Promise<Subscription> {
  return deps.database.unitOfWork.transaction(tenantId, async (work) => {
    const row = await work.lockOne(SUBSCRIPTIONS, { id });
    if (!row) throw subscriptionNotFound(id);
    const { timezone } = await deps.merchantFor({ tenantId, merchantId: null }, row.merchant_id);
    const subscription = await loadSubscription(deps, row, timezone);
    const name = keyNameOf(row);
    if (name) {
      await deps.idempotencyKeys.completeInWork(work, name, deps.renderResponse(name.route, { subscription }));
      await work.update(SUBSCRIPTIONS, { id }, NO_IDEMPOTENCY_KEY);
    }
    return subscription;
  });
}
