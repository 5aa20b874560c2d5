import type { Work } from '#core/database';
import { isoTime, serviceActor, timeAfter } from '#core/kernel';
import type { ChangeEvents } from '#core/processing/domain-events';
import { afterReturn, dateOf } from './billing-cycle.ts';
import { lastPeriodUpTo, monthDayOf } from './calendar.ts';
import type { Dependencies } from './dependencies.ts';
import { returnedResult } from './dunning.ts';
import { auditSubscription, emitEnd, emitSubscriptionEvent } from './events.ts';
import { notifyCustomer } from './messages.ts';
import { payerOf } from './read.ts';
import { PERIODS, SUBSCRIPTIONS } from './schema.ts';
import { writeSubscription } from './write.ts';

/**
 * Records a bank payment that was returned after its approval. It counts as failed; the latest payment is retried by the dunning settings
 * (decision record 25).
 */
export async function paymentReturned(
  deps: Dependencies,
  work: Work,
  { tenantId, subscriptionId, transactionId, returnCode, reason, atMs }: ChangeEvents['payment.returned'],
): Promise<void> {
  if (subscriptionId === null) return;
  const row = await work.lockOne(SUBSCRIPTIONS, { id: subscriptionId });
  const period = row && (await work.one(PERIODS, { subscription_id: subscriptionId, transaction_id: transactionId, status: 'succeeded' }));
  if (!period) return;
  const merchant = await deps.merchantFor({ tenantId, merchantId: null }, row.merchant_id);
  const now = timeAfter(atMs, row.updated_at);
  const index = lastPeriodUpTo(row.anchor_date, row.frequency, period.due_date, monthDayOf(row.anchor_date, row.start_date));
  // If the calendar was changed since, the subscription cannot return to this period.
  const isInCalendar = dateOf(row, index) === period.due_date;
  const failed = returnedResult(returnCode, reason);
  const context = { now, zone: merchant.timezone, dunning: merchant.dunning };
  const after = afterReturn(row, isInCalendar ? index : null, failed, context);
  const { taxAmount } = await deps.payments.find(tenantId, transactionId);
  // The period is open again, with its amounts and its number of attempts.
  const unpaid = { attempts: period.attempt, unpaid_minor: period.amount_minor, unpaid_tax_minor: taxAmount.minor };
  const next = { ...after, ...(after.attempts > row.attempts ? unpaid : {}), fence: row.fence + 1 };
  await work.update(
    PERIODS,
    { id: period.id },
    { status: 'failed', decline_code: returnCode, decline_reason: reason, concluded_at: isoTime(now) },
  );
  await writeSubscription(deps, work, next);
  const changed = next.status !== row.status;
  if (changed) auditSubscription(deps, work, serviceActor(tenantId), next.status, row, next);
  const failedRow = { ...next, amount_minor: period.amount_minor };
  const failure = { transactionId, declineCode: returnCode, declineReason: reason, attempt: period.attempt, returned: true };
  emitSubscriptionEvent(deps, work, failedRow, merchant, now, (subscription) => ({
    type: 'subscription.payment_failed',
    data: { ...subscription, ...failure },
  }));
  if (!changed) return;
  await notifyCustomer(deps, work, failedRow, merchant, await payerOf(deps, row), true, now);
  emitEnd(deps, work, next, merchant, now);
}
