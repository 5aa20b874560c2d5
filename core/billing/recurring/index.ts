import { lit, queriesOn, TENANT } from '#core/database';
import { type Actor, bind, dateIn } from '#core/kernel';
import { type CommittedEvents, countObstacles } from '#core/processing/domain-events';
import { getWithActions } from './actions.ts';
import { agreedCharges, checkDefaultMethod } from './agreed-charges.ts';
import { billingJob } from './bill.ts';
import { datesOf, type Frequency, type PaymentPlan } from './calendar.ts';
import {
  cancel,
  pause,
  remove,
  resume,
  retryNow,
  retryPastDue,
  skipNext,
  stopBilling,
  update,
  useDefaultMethod,
  useOtherMethod,
} from './change.ts';
import { create } from './create.ts';
import { BILLING_JOB, type Dependencies } from './dependencies.ts';
import { checkEnd, parseFutureDate } from './input.ts';
import { get, hasOpenSubscription, page, payments, recordOf, summary, upcoming } from './read.ts';
import type { RetriesRun } from './records.ts';
import { paymentReturned } from './returned.ts';
import { PERIODS, SUBSCRIPTIONS } from './schema.ts';
import { timeZoneChanged } from './time-zone.ts';
import { createUpdateLink } from './update-link.ts';
import { storeResponse } from './write.ts';

export { dateOfPeriod, FREQUENCIES, type Frequency } from './calendar.ts';
export { CATCH_UP_INTERVAL_MS, daysAfterFault, nextRetry, type Result, resultOf, returnedResult, unsentWaitMs } from './dunning.ts';
export { notifyFailedPayment } from './messages.ts';

export { PaymentDates, RetriesRun, Subscription, SubscriptionPayment, Summary, Upcoming } from './records.ts';
export { PERIOD_STATUSES, SUBSCRIPTION_STATUSES } from './schema.ts';

export const TABLES = [SUBSCRIPTIONS, PERIODS];

const queries = queriesOn(SUBSCRIPTIONS);

/** A subscription that does not exist, for a preview of its dates. */
export interface BillingSimulation {
  readonly frequency: Frequency;
  readonly startDate?: string;
  readonly endDate?: string;
  readonly totalPayments?: number;
}

export type Recurring = ReturnType<typeof createRecurring>;

/** Subscriptions (decision record 12). */
export function createRecurring(deps: Dependencies) {
  deps.scheduler.register(billingJob(deps));
  return {
    /** Counts what prevents a merchant from being closed, in the unit of work of the closing. */
    merchantClosing: [
      countObstacles(SUBSCRIPTIONS, 'active_subscriptions', (subscription) =>
        subscription('status', 'in', [lit('active'), lit('past_due'), lit('paused')]),
      ),
    ],
    ...bind(deps, { create, page, get }),
    ...bind(deps, { getWithActions, createUpdateLink, retryNow }),
    ...bind(deps, { recordOf, payments, upcoming, summary, update, pause, resume, skipNext, cancel, remove }),
    /** Returns the dates on which a subscription would be charged. */
    async preview(actor: Actor, plan: BillingSimulation, count: number, merchantId?: string): Promise<string[]> {
      const { timezone } = await deps.merchantFor(actor, merchantId);
      const today = dateIn(timezone, deps.clockOf(actor.tenantId).now());
      const anchor = plan.startDate === undefined ? today : parseFutureDate(plan.startDate, 'startDate', today);
      const endDate = plan.endDate === undefined ? null : parseFutureDate(plan.endDate, 'endDate', today);
      checkEnd(anchor, endDate);
      const paymentPlan: PaymentPlan = { anchor, frequency: plan.frequency, endDate, left: plan.totalPayments ?? null };
      return datesOf(paymentPlan, 0, count);
    },
    /** Retries every past-due subscription that is due and visible to the caller, one after the other. */
    async processRetries(actor: Actor): Promise<RetriesRun> {
      let pastDue = queries
        .selectFrom('subscriptions')
        .select('id')
        .where('tenant_id', '=', TENANT)
        .where('status', '=', lit('past_due'))
        .where('due_ms', '<=', deps.clockOf(actor.tenantId).now())
        .orderBy('due_ms')
        .orderBy('id');
      if (actor.merchantId !== null) pastDue = pastDue.where('merchant_id', '=', actor.merchantId);
      const due = await deps.database.read(actor.tenantId).rows(pastDue);
      const results: (string | null)[] = [];
      for (const { id } of due) results.push(await deps.scheduler.runOne(BILLING_JOB, actor.tenantId, id));
      const tried = results.filter((result) => result?.startsWith('retried-'));
      const count = (result: string) => tried.filter((each) => each === result).length;
      return {
        processed: tried.length,
        succeeded: count('retried-paid'),
        failed: count('retried-declined'),
        cancelled: count('retried-cancelled'),
      };
    },
    /** Completes the keys of requests that have ended without one, such as those that an earlier version left open. */
    async cleanUp(tenantId: string): Promise<void> {
      const open = await deps.database.read(tenantId).rows(
        queries
          .selectFrom('subscriptions')
          .select('id')
          .where('tenant_id', '=', TENANT)
          .where('idempotency_key', 'is not', null)
          .where('lease_ms', '=', lit(0))
          .where(({ or, eb }) => or([eb('pending_transaction', 'is', null), eb('due_ms', 'is', null)])),
      );
      for (const { id } of open) await storeResponse(deps, tenantId, id);
    },
    ...bind(deps, { agreedCharges, checkDefaultMethod, customerDeleted: stopBilling, timeZoneChanged }),
    /** Continues the subscription whose payment was unconfirmed; most payments belong to no subscription. */
    async paymentConfirmed({ tenantId, transactionId }: CommittedEvents['payment.confirmed']): Promise<void> {
      const now = deps.clockOf(tenantId).now();
      const waiting = await deps.database.unitOfWork.transaction(tenantId, (work) =>
        work.execute(
          queries
            .updateTable('subscriptions')
            .set({ due_ms: now })
            .where('tenant_id', '=', TENANT)
            .where('pending_transaction', '=', transactionId),
        ),
      );
      if (waiting > 0) deps.scheduler.wake(BILLING_JOB, tenantId);
    },
    ...bind(deps, { paymentReturned, paymentMethodChanged: retryPastDue, paymentMethodReplaced: useOtherMethod }),
    paymentMethodRemoved: useDefaultMethod,
    hasOpenSubscription,
  };
}
