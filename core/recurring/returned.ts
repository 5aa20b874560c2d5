import type { Work } from '#core/database';
import type { ChangeEvents } from '#core/domain-events';
import type { RetryAdvice } from '#core/gateways';
import { isoTime, serviceActor, timeAfter } from '#core/kernel';
import { afterReturn } from './billing-cycle.ts';
import { dateOfPeriod, lastPeriodUpTo } from './calendar.ts';
import { type Dependencies, keepRow } from './dependencies.ts';
import { auditSubscription, emitEnd, emitSubscriptionEvent } from './events.ts';
import { writeToCustomer } from './messages.ts';
import { payerOf } from './read.ts';
import { PERIODS, SUBSCRIPTIONS } from './schema.ts';

/** Too little on the account, or not yet available: all that a bank lets one ask for again. */
const MAY_BE_ASKED_AGAIN: readonly string[] = ['R01', 'R09'];

/** The payment of a period was not paid after all: it counts as failed, and the plan goes by the merchant's dunning table where it was the latest one (record 25). */
export async function paymentReturned(
  deps: Dependencies,
  work: Work,
  { tenantId, subscriptionId, transactionId, returnCode, reason, atMs }: ChangeEvents['payment.returned'],
): Promise<void> {
  const row = await work.lockOne(SUBSCRIPTIONS, { id: subscriptionId });
  const period = row && (await work.one(PERIODS, { subscription_id: subscriptionId, transaction_id: transactionId, status: 'succeeded' }));
  if (!period) return;
  const merchant = await deps.merchantFor({ tenantId, merchantId: null }, row.merchant_id);
  const now = timeAfter(atMs, row.updated_at);
  const index = lastPeriodUpTo(row.anchor_date, row.frequency, period.due_date);
  // Of a calendar that has been changed since, no period can be gone back to.
  const isOfCalendar = dateOfPeriod(row.anchor_date, row.frequency, index) === period.due_date;
  const advice: RetryAdvice | undefined = MAY_BE_ASKED_AGAIN.includes(returnCode) ? undefined : { kind: 'stop-card' };
  const failed = { kind: 'failed', declined: true, code: returnCode, reason, ...(advice && { advice }) } as const;
  const of = { now, zone: merchant.timezone, dunning: merchant.dunning };
  const next = { ...afterReturn(row, isOfCalendar ? index : null, failed, of), fence: row.fence + 1 };
  await work.update(
    PERIODS,
    { id: period.id },
    { status: 'failed', decline_code: returnCode, decline_reason: reason, concluded_at: isoTime(now) },
  );
  await keepRow(deps, work, next);
  const changed = next.status !== row.status;
  if (changed) auditSubscription(deps, work, serviceActor(tenantId), next.status, row, next);
  const told = { ...next, amount_minor: period.amount_minor };
  const failure = { transactionId, declineCode: returnCode, declineReason: reason, attempt: period.attempt, returned: true };
  emitSubscriptionEvent(deps, work, told, merchant, now, (plan) => ({
    type: 'subscription.payment_failed',
    data: { ...plan, ...failure },
  }));
  if (!changed) return;
  await writeToCustomer(deps, work, told, merchant, await payerOf(deps, row), true, now);
  emitEnd(deps, work, next, merchant, now);
}
