import type { Record as RecordEntry } from '#core/audit';
import type { Customers } from '#core/customers';
import type { Database, Work } from '#core/database';
import type { DomainEvents } from '#core/domain-events';
import type { Facts, Gateways } from '#core/gateways';
import type { Actor, Clock, KeptAnswer, ServiceError } from '#core/kernel';
import type { Post } from '#core/ledger';
import type { Merchant, Route, RoutingRule } from '#core/merchants';
import type { Notify } from '#core/notifications';
import type { Topic } from '#core/platform/change-feed';
import type { OnceKeys } from '#core/platform/idempotency';
import type { Vault } from '#core/vault';
import type { Emit } from '#core/webhooks';
import type { Serial } from './attempts/serial.ts';
import type { Refund, Transaction } from './transaction.ts';

/** What an operation ended in, as the surface that took the request renders it. */
export type Ending = { readonly transaction: Transaction } | { readonly refund: Refund } | { readonly error: ServiceError };

/** What the payments capability is built on; made once by createCore. */
export interface Needs {
  readonly database: Database;
  readonly once: OnceKeys;
  readonly vault: Vault;
  readonly gateways: Gateways;
  readonly clockOf: (tenantId: string) => Clock;
  /** The merchant that a call is for; MERCHANT_NOT_FOUND, or MERCHANT_NOT_AUTHORIZED outside the caller's scope. */
  readonly merchantFor: (by: Pick<Actor, 'tenantId' | 'merchantId'>, merchantId?: string) => Promise<Merchant>;
  /** Who pays, and with what on file. */
  readonly payer: Customers['payer'];
  /** Puts what a sale was paid with on its customer's file. */
  readonly keepPaid: Customers['keepPaid'];
  /** Where a payment of a merchant goes, by its rules or by others that are tried. */
  readonly route: (merchant: Merchant, tenantId: string, facts: Facts, rules?: readonly RoutingRule[]) => Promise<Route>;
  /** When a capture that is made now is told to a gateway that takes none back; null where it has no batches. */
  readonly holdOf: (tenantId: string, gatewayId: string, nowMs: number) => Promise<number | null>;
  /** When the batch closes into which a gateway puts what it takes now; null where it has none. */
  readonly batchClosesAfter: (tenantId: string, gatewayId: string, nowMs: number) => Promise<number | null>;
  /** Holds a merchant's row until the end of the work, so that two payments see each other. */
  readonly lockMerchant: (work: Work, merchantId: string) => Promise<void>;
  /** Writes an audit entry in the unit of work of the change. */
  readonly audit: RecordEntry;
  /** The bytes that a route answers with for an ending: the same on the straight path and in recovery. */
  readonly renderAnswer: (route: string, ending: Ending) => KeptAnswer;
  readonly serial: Serial;
  /** Writes an event in the unit of work of the change that it tells of. */
  readonly emit: Emit;
  /** Enters a movement of money in the unit of work of what moved it. */
  readonly post: Post;
  /** Tells open screens that something is no longer as they show it. */
  readonly changed: (tenantId: string, topic: Topic) => void;
  /** Has the scheduler look at a job: something of it became due. */
  readonly wake: (job: string) => void;
  /** Writes a message to a customer in the unit of work of what it tells of. */
  readonly notify: Notify;
  readonly events: DomainEvents;
  /** Tells the log of something that needs a person; never card data. */
  readonly report: (message: string, context: Record<string, unknown>) => void;
}
