import type { Record as RecordEntry } from '#core/audit';
import type { Customers } from '#core/customers';
import type { Database, Work } from '#core/database';
import type { Actor, Clock, KeptAnswer } from '#core/kernel';
import type { Merchant } from '#core/merchants';
import type { Notify } from '#core/notifications';
import type { Payments } from '#core/payments';
import type { Topic } from '#core/platform/change-feed';
import type { OnceKeys } from '#core/platform/idempotency';
import { claimRow, type Scheduler } from '#core/platform/scheduling';
import type { Emit } from '#core/webhooks';
import { SUBSCRIPTIONS, type SubscriptionRow } from './schema.ts';
import type { Subscription } from './subscription.ts';

/** What the recurring capability is built on; made once by createCore. */
export interface Needs {
  readonly database: Database;
  readonly customers: Customers;
  readonly payments: Payments;
  readonly scheduler: Scheduler;
  readonly once: OnceKeys;
  readonly clockOf: (tenantId: string) => Clock;
  readonly merchantFor: (by: Pick<Actor, 'tenantId' | 'merchantId'>, merchantId?: string) => Promise<Merchant>;
  readonly audit: RecordEntry;
  readonly emit: Emit;
  readonly notify: Notify;
  readonly changed: (tenantId: string, topic: Topic) => void;
  /** Tells the log of something that needs a person. */
  readonly report: (message: string, context: Record<string, unknown>) => void;
  /** The bytes that a route answers with; an Idempotency-Key keeps them. */
  readonly renderAnswer: (route: string, result: { readonly subscription: Subscription }) => KeptAnswer;
}

export const BILLING_JOB = 'recurring.bill';
export const LEASE_MS = 20_000;

/** Claims a subscription for the caller, so that neither the scheduler nor another request bills it. Returns null while another holder has it. */
export const holdNow = (on: Needs, work: Work, id: string): Promise<SubscriptionRow | null> =>
  claimRow(on.database, work, SUBSCRIPTIONS, id, LEASE_MS);

/** Writes a row as it now is; its key and its tenant stay. */
export async function keepRow(on: Needs, work: Work, row: SubscriptionRow): Promise<void> {
  const { tenant_id, id, ...set } = row;
  await work.update(SUBSCRIPTIONS, { id }, set);
  work.afterCommit(() => {
    on.changed(tenant_id, 'recurring');
    on.scheduler.wake(BILLING_JOB);
  });
}
