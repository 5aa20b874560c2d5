import type { Work } from '#core/database';
import type { Actor, Caller, Clock, Money } from '#core/kernel';
import type { PublishChange } from '#core/platform/change-feed';
import type { IdempotentDependencies } from '#core/platform/idempotency';
import { claimRow, type Scheduler } from '#core/platform/scheduling';
import type { Merchant } from '#core/processing/merchants';
import type { RecordAudit } from '#core/records/audit';
import type { Notify } from '#core/records/notifications';
import type { Emit } from '#core/records/webhooks';
import type { Customers } from '#core/sales/customers';
import type { Payments } from '#core/sales/payments';
import type { Subscription } from './records.ts';
import { SUBSCRIPTIONS, type SubscriptionRow } from './schema.ts';

/** Dependencies of the recurring capability, constructed by `createCore`. */
export interface Dependencies extends IdempotentDependencies<{ readonly subscription: Subscription }> {
  readonly customers: Customers;
  readonly payments: Payments;
  readonly scheduler: Scheduler;
  readonly clockOf: (tenantId: string) => Clock;
  readonly merchantFor: (actor: Caller, merchantId?: string) => Promise<Merchant>;
  /** Counts an operation against the spending limits of the caller's API key, in its unit of work. @throws ServiceError PERMISSION_DENIED. */
  readonly claimSpending: (work: Work, actor: Actor, amount: Money) => Promise<void>;
  readonly audit: RecordAudit;
  readonly emit: Emit;
  readonly notify: Notify;
  readonly changed: PublishChange;
  /** Writes a log entry about something that requires a person. */
  readonly report: (message: string, context: Record<string, unknown>) => void;
}

export const BILLING_JOB = 'recurring.bill';
export const LEASE_MS = 20_000;

/**
 * Claims a subscription for the caller, so that neither the scheduler nor another request bills it. Returns null while another holder has
 * it.
 */
export const claimNow = (deps: Dependencies, work: Work, id: string): Promise<SubscriptionRow | null> =>
  claimRow(deps.database, work, SUBSCRIPTIONS, id, LEASE_MS);
