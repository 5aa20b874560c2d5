import type { RecordAudit } from '#core/audit';
import type { Database } from '#core/database';
import type { Actor, Clock, StoredResponse } from '#core/kernel';
import type { Merchant } from '#core/merchants';
import type { Payments } from '#core/payments';
import type { Topic } from '#core/platform/change-feed';
import type { IdempotencyKeys } from '#core/platform/idempotency';
import type { Scheduler } from '#core/platform/scheduling';
import type { Emit } from '#core/webhooks';
import type { Dispute } from './dispute.ts';

/** Result of a request whose response is stored under its idempotency key. */
export interface DisputeResult {
  readonly dispute: Dispute;
}

/** Dependencies of the disputes capability, constructed by `createCore`. */
export interface Dependencies {
  readonly database: Database;
  readonly payments: Payments;
  readonly clockOf: (tenantId: string) => Clock;
  readonly merchantFor: (actor: Pick<Actor, 'tenantId' | 'merchantId'>, merchantId?: string) => Promise<Merchant>;
  readonly idempotencyKeys: IdempotencyKeys;
  /** Returns the response body of a route, as an idempotency key stores it. */
  readonly renderResponse: (route: string, result: DisputeResult) => StoredResponse;
  readonly audit: RecordAudit;
  readonly emit: Emit;
  readonly changed: (tenantId: string, topic: Topic) => void;
  /** Makes the scheduler run a job that has become due. */
  readonly wake: Scheduler['wake'];
}
