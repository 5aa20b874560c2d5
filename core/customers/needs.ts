import type { Record as RecordEntry } from '#core/audit';
import type { Database } from '#core/database';
import type { DomainEvents } from '#core/domain-events';
import type { Actor, Clock } from '#core/kernel';
import type { Merchant } from '#core/merchants';
import type { Topic } from '#core/platform/change-feed';
import type { Vault } from '#core/vault';

/** What the customers capability is built on; made once by createCore. */
export interface Needs {
  readonly database: Database;
  readonly vault: Vault;
  readonly clockOf: (tenantId: string) => Clock;
  readonly merchantFor: (by: Pick<Actor, 'tenantId' | 'merchantId'>, merchantId?: string) => Promise<Merchant>;
  readonly audit: RecordEntry;
  readonly changed: (tenantId: string, topic: Topic) => void;
  /** When a payment of each customer was last taken. */
  readonly lastPayments: (tenantId: string, customerIds: readonly string[]) => Promise<ReadonlyMap<string, string>>;
  readonly events: DomainEvents;
}
