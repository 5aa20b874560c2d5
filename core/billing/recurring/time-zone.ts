import { lit, queriesOn, TENANT, type Work } from '#core/database';
import { startOfDate, tenantTime } from '#core/kernel';
import type { ChangeEvents } from '#core/processing/domain-events';
import { BILLING_JOB, type Dependencies } from './dependencies.ts';
import { SUBSCRIPTIONS } from './schema.ts';

const queries = queriesOn(SUBSCRIPTIONS);

/**
 * Moves the next charges of a merchant's active subscriptions to the start of their day in another time zone. A charge that came up to a day
 * later by the former zone could miss its whole day, and its period would be skipped.
 */
export async function timeZoneChanged(
  deps: Dependencies,
  work: Work,
  { tenantId, merchantId, timeZone }: ChangeEvents['merchant.time-zone-changed'],
): Promise<void> {
  const dates = await work.rows(
    queries
      .selectFrom('subscriptions')
      .select('next_payment_on as date')
      .distinct()
      .where('tenant_id', '=', TENANT)
      .where('merchant_id', '=', merchantId)
      .where('next_payment_on', 'is not', null)
      .where('status', '=', lit('active')),
  );
  for (const { date } of dates) {
    if (date === null) continue;
    await work.execute(
      queries
        .updateTable('subscriptions')
        .set({ due_ms: tenantTime(startOfDate(timeZone, date)) })
        .where('tenant_id', '=', TENANT)
        .where('merchant_id', '=', merchantId)
        .where('next_payment_on', '=', date)
        .where('status', '=', lit('active'))
        .where('due_ms', '>', deps.clockOf(tenantId).now())
        .where('pending_transaction', 'is', null),
    );
  }
  work.afterCommit(() => deps.scheduler.wake(BILLING_JOB, tenantId));
}
