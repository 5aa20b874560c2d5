import type { RecordAudit } from '#core/audit';
import type { Database } from '#core/database';
import type { DomainEvents } from '#core/domain-events';
import type { Actor, Clock } from '#core/kernel';
import type { Merchant } from '#core/merchants';
import type { Topic } from '#core/platform/change-feed';
import type { Vault } from '#core/vault';

/** Dependencies of the customers capability, constructed by `createCore`. */
export interface Dependencies {
  readonly database: Database;
  readonly vault: Vault;
  readonly clockOf: (tenantId: string) => Clock;
  readonly merchantFor: (actor: Pick<Actor, 'tenantId' | 'merchantId'>, merchantId?: string) => Promise<Merchant>;
  readonly audit: RecordAudit;
  readonly changed: (tenantId: string, topic: Topic) => void;
  /** Returns the time of the last payment of each customer. */
  readonly lastPayments: (tenantId: string, customerIds: readonly string[]) => Promise<ReadonlyMap<string, string>>;
  readonly events: DomainEvents;
}
