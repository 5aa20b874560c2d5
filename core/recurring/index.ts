import { lit, type PageOf, queriesOn, TENANT, type Work } from '#core/database';
import type { ChangeEvents, CommittedEvents } from '#core/domain-events';
import { type Actor, dateIn } from '#core/kernel';
import { billingJob } from './bill.ts';
import { type Course, datesOf, type Frequency } from './calendar.ts';
import { cancel, pause, remove, resume, retryNow, retryPastDue, skipNext, stopBilling, update, useDefaultMethod } from './change.ts';
import { create } from './create.ts';
import { finishOnce } from './finish-once.ts';
import { checkEnd, dayFrom, type NewSubscription, type SubscriptionChange } from './input.ts';
import { BILLING_JOB, type Needs } from './needs.ts';
import { get, page, payments, type SubscriptionFilter, summary, upcoming } from './read.ts';
import { paymentReturned } from './returned.ts';
import { PERIODS, SUBSCRIPTIONS } from './schema.ts';

export { FREQUENCIES, type Frequency } from './calendar.ts';

export type { SubscriptionFilter, Summary } from './read.ts';

import type { SubscriptionPayment } from './subscription.ts';

export type { Subscription, SubscriptionPayment } from './subscription.ts';

export const TABLES = [SUBSCRIPTIONS, PERIODS];

const queries = queriesOn(SUBSCRIPTIONS);

/** What a run over the past-due subscriptions did. */
export interface RetriesRun {
  readonly processed: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly cancelled: number;
}

/** A plan that is thought of. */
export interface Thought {
  readonly frequency: Frequency;
  readonly startDate?: string;
  readonly endDate?: string;
  readonly totalPayments?: number;
}

/** Customers billed again and again (specification 2.5, 3.3, 4.7; decisions 7, 11; record 12). */
export function createRecurring(on: Needs) {
  on.scheduler.register(billingJob(on));
  return {
    create: (by: Actor, input: NewSubscription) => create(on, by, input),
    page: (by: Actor, filter: SubscriptionFilter, at: PageOf) => page(on, by, filter, at),
    get: (by: Actor, id: string) => get(on, by, id),
    payments: (by: Actor, id: string, filter: { readonly status?: SubscriptionPayment['status'] }, at: PageOf) =>
      payments(on, by, id, filter, at),
    upcoming: (by: Actor, id: string, count: number) => upcoming(on, by, id, count),
    summary: (by: Actor, merchantId?: string) => summary(on, by, merchantId),
    update: (by: Actor, id: string, input: SubscriptionChange) => update(on, by, id, input),
    pause: (by: Actor, id: string) => pause(on, by, id),
    resume: (by: Actor, id: string) => resume(on, by, id),
    skipNext: (by: Actor, id: string) => skipNext(on, by, id),
    cancel: (by: Actor, id: string, reason?: string) => cancel(on, by, id, reason),
    remove: (by: Actor, id: string) => remove(on, by, id),
    retryNow: (by: Actor, id: string) => retryNow(on, by, id),
    /** The dates of a plan that is thought of, by the rule that would charge it. */
    async preview(by: Actor, of: Thought, count: number, merchantId?: string): Promise<string[]> {
      const { timezone } = await on.merchantFor(by, merchantId);
      const today = dateIn(timezone, on.clockOf(by.tenantId).now());
      const anchor = of.startDate === undefined ? today : dayFrom(of.startDate, 'startDate', today);
      const endDate = of.endDate === undefined ? null : dayFrom(of.endDate, 'endDate', today);
      checkEnd(anchor, endDate);
      const course: Course = { anchor, frequency: of.frequency, endDate, left: of.totalPayments ?? null };
      return datesOf(course, 0, count);
    },
    /** Tries every past-due subscription within the caller's reach whose next try is due, one after the other. */
    async processRetries(by: Actor): Promise<RetriesRun> {
      let pastDue = queries
        .selectFrom('subscriptions')
        .select('id')
        .where('tenant_id', '=', TENANT)
        .where('status', '=', lit('past_due'))
        .where('due_ms', '<=', on.clockOf(by.tenantId).now())
        .orderBy('due_ms')
        .orderBy('id');
      if (by.merchantId !== null) pastDue = pastDue.where('merchant_id', '=', by.merchantId);
      const due = await on.database.read(by.tenantId).rows(pastDue);
      const became: (string | null)[] = [];
      for (const { id } of due) became.push(await on.scheduler.runOne(BILLING_JOB, by.tenantId, id));
      const tried = became.filter((what) => what?.startsWith('retried-'));
      const count = (what: string) => tried.filter((became) => became === what).length;
      return {
        processed: tried.length,
        succeeded: count('retried-paid'),
        failed: count('retried-declined'),
        cancelled: count('retried-cancelled'),
      };
    },
    /** Finishes the requests of a process that ended before it had answered; called at start. What is held for its payment is finished with it. */
    async takeOver(): Promise<void> {
      const open = await on.database
        .readAcrossTenants()
        .rows(
          queries
            .selectFrom('subscriptions')
            .select(['tenant_id', 'id'])
            .where('once_key', 'is not', null)
            .where('busy_transaction', 'is', null)
            .where('lease_ms', '=', lit(0)),
        );
      for (const { tenant_id, id } of open) await finishOnce(on, tenant_id, id);
    },
    customerDeleted: (work: Work, { by, customerId }: ChangeEvents['customer.deleted']) => stopBilling(on, work, by, customerId),
    /** Continues the subscription whose payment was unconfirmed; most payments belong to no subscription. */
    async paymentConfirmed({ tenantId, transactionId }: CommittedEvents['payment.confirmed']): Promise<void> {
      const now = on.clockOf(tenantId).now();
      const waiting = await on.database.unitOfWork.run(tenantId, (work) =>
        work.change(
          queries
            .updateTable('subscriptions')
            .set({ due_ms: now })
            .where('tenant_id', '=', TENANT)
            .where('busy_transaction', '=', transactionId),
        ),
      );
      if (waiting > 0) on.scheduler.wake(BILLING_JOB);
    },
    paymentReturned: (work: Work, returned: ChangeEvents['payment.returned']) => paymentReturned(on, work, returned),
    paymentMethodChanged: (work: Work, changed: ChangeEvents['payment-method.changed']) => retryPastDue(on, work, changed),
    paymentMethodRemoved: useDefaultMethod,
  };
}
