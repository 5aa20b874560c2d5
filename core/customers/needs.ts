import type { Record as RecordEntry } from '#core/audit';
import type { Database, Work } from '#core/database';
import type { Actor, Clock } from '#core/kernel';
import type { Merchant } from '#core/merchants';
import type { Topic } from '#core/platform/change-feed';
import type { Vault } from '#core/vault';

/** What became of a customer's ways to pay: what waits for a payment of it may try again. */
export interface MethodChange {
  readonly tenantId: string;
  readonly customerId: string;
  readonly paymentMethodId: string;
  readonly isDefault: boolean;
}

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
  /** Ends what is billed to a customer, in the unit of work that deletes it. */
  readonly stopBilling: (work: Work, by: Actor, customerId: string) => Promise<void>;
  /** Tells that a card or account was stored, renewed or made the default, in the unit of work of that. */
  readonly methodChanged: (work: Work, change: MethodChange) => Promise<void>;
  /** Tells that a card or account is gone: what was billed to it goes by the customer's default from then on. */
  readonly methodRemoved: (work: Work, removed: Pick<MethodChange, 'customerId' | 'paymentMethodId'>) => Promise<void>;
}
