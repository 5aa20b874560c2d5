import type { Database, Work } from '#core/database';
import type { Actor, Clock, Secrets } from '#core/kernel';
import type { ChangeFeed } from '#core/platform/change-feed';
import type { Scheduler } from '#core/platform/scheduling';
import type { RecordAudit } from '#core/records/audit';
import type { Transport } from './transport.ts';

/** Dependencies of the webhooks capability, constructed by `createCore`. */
export interface Dependencies {
  readonly database: Database;
  readonly clockOf: (tenantId: string) => Clock;
  readonly secrets: Secrets;
  /** Returns the secret (`whsec_…`) of the tenant's built-in receiver; always the same one. */
  readonly receiverSecretOf: (tenantId: string) => string;
  readonly transport: Transport;
  readonly scheduler: Scheduler;
  readonly changes: Pick<ChangeFeed, 'publish' | 'subscribe'>;
  readonly audit: RecordAudit;
  /** Tells the owners if anyone but an owner changes where events are sent. */
  readonly warnAboutDestination: (work: Work, actor: Actor, what: string) => Promise<void>;
  /** Returns the merchant of a call. @throws ServiceError MERCHANT_NOT_FOUND, MERCHANT_NOT_AUTHORIZED. */
  readonly merchantFor: (actor: Actor, merchantId?: string) => Promise<{ readonly merchantId: string }>;
}
