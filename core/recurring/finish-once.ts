import { ANSWERED, onceNameOf } from '#core/platform/idempotency';
import type { Needs } from './needs.ts';
import { missing, shown } from './read.ts';
import { SUBSCRIPTIONS } from './schema.ts';
import type { Subscription } from './subscription.ts';

/** Keeps the answer of the request that made or retried a subscription under its key, and answers what it showed. */
export async function finishOnce(on: Needs, tenantId: string, id: string): Promise<Subscription> {
  return on.database.unitOfWork.run(tenantId, async (work) => {
    const row = await work.lockOne(SUBSCRIPTIONS, { id });
    if (!row) throw missing(id);
    const { timezone } = await on.merchantFor({ tenantId, merchantId: null }, row.merchant_id);
    const subscription = await shown(on, row, timezone);
    const name = onceNameOf(row);
    if (name) {
      await on.once.finishIn(work, name, on.renderAnswer(name.route, { subscription }));
      await work.update(SUBSCRIPTIONS, { id }, ANSWERED);
    }
    return subscription;
  });
}
