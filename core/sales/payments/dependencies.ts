import type { CheckApproval } from '#core/access/approvals';
import type { Database, Work } from '#core/database';
import type { Actor, Caller, Clock, Money, ServiceError, StoredResponse } from '#core/kernel';
import type { ChangeFeed, PublishChange } from '#core/platform/change-feed';
import type { IdempotencyKeys } from '#core/platform/idempotency';
import type { Scheduler } from '#core/platform/scheduling';
import type { DomainEvents } from '#core/processing/domain-events';
import type { Gateways, Outcome, RoutingAttributes } from '#core/processing/gateways';
import type { Merchant, Route, RoutingRule } from '#core/processing/merchants';
import type { Terminals } from '#core/processing/terminals';
import type { RecordAudit } from '#core/records/audit';
import type { Post } from '#core/records/ledger';
import type { Notify } from '#core/records/notifications';
import type { Vault } from '#core/records/vault';
import type { Emit } from '#core/records/webhooks';
import type { Customers } from '#core/sales/customers';
import type { Discounts } from '#core/sales/discounts';
import type { Refund, Transaction } from './records.ts';
import type { AttemptOperation } from './schema.ts';
import type { Serial } from './serial.ts';

/** Result of an operation, which the API surface of the request renders. */
export type PaymentResult = { readonly transaction: Transaction } | { readonly refund: Refund } | { readonly error: ServiceError };

/** Counts the outcome of one request that moves money. `processor` is the type of the gateway; null if the gateway is not set up. */
export type CountOutcome = (request: {
  readonly processor: string | null;
  readonly operation: AttemptOperation;
  readonly outcome: Outcome['kind'];
}) => void;

/** Dependencies of the payments capability, constructed by `createCore`. */
export interface Dependencies {
  readonly database: Database;
  readonly idempotencyKeys: IdempotencyKeys;
  readonly vault: Vault;
  readonly gateways: Gateways;
  readonly clockOf: (tenantId: string) => Clock;
  /** Returns the merchant of a call. @throws ServiceError MERCHANT_NOT_FOUND, or MERCHANT_NOT_AUTHORIZED outside of the caller's scope. */
  readonly merchantFor: (actor: Caller, merchantId?: string) => Promise<Merchant>;
  /** Returns the customer and the payment method. */
  readonly payer: Customers['payer'];
  /** Returns the network's identifier of the first payment of an imported card; null if there is none. */
  readonly networkTransactionId: Customers['networkTransactionId'];
  /** Stores the payment method of a sale on its customer. */
  readonly storePaidMethod: Customers['storePaidMethod'];
  /** Returns the gateways for a payment, by the merchant's rules or by given ones. */
  readonly route: (merchant: Merchant, tenantId: string, facts: RoutingAttributes, rules?: readonly RoutingRule[]) => Promise<Route>;
  /** Returns the time at which a capture is sent to a gateway that cannot cancel captures; null if the gateway has no batches. */
  readonly captureSendTime: (tenantId: string, gatewayId: string, nowMs: number) => Promise<number | null>;
  /** Returns the time at which the gateway's current batch closes; null if it has none. */
  readonly batchClosesAt: (tenantId: string, gatewayId: string, nowMs: number) => Promise<number | null>;
  /** Returns the shift that is open at the drawer of the request, in this currency; null if there is none. */
  readonly shiftOf: (actor: Actor, merchantId: string, currency: string) => Promise<string | null>;
  /** Returns true if a merchant is closed; read from the database. */
  readonly isMerchantClosed: (tenantId: string, merchantId: string) => Promise<boolean>;
  /** Locks a merchant's row until the end of the unit of work, so that concurrent payments see each other. */
  readonly lockMerchant: (work: Work, merchantId: string) => Promise<void>;
  /** Counts an operation, and the new total of its payment, against the spending limits of the caller's API key, in its unit of work. @throws ServiceError PERMISSION_DENIED. */
  readonly claimSpending: (work: Work, actor: Actor, amount: Money, total?: Money) => Promise<void>;
  /** Checks in the unit of work of an operation that it needs no second person. @throws ApprovalRequired. */
  readonly checkApproval: CheckApproval;
  /** Returns the percentage above which a tip needs a second person; null if none does. */
  readonly maxTipPercent: (tenantId: string, merchantId: string) => Promise<number | null>;
  /** Granted discounts, which payments use up. */
  readonly discounts: Pick<Discounts, 'claim' | 'reclaim' | 'release'>;
  /** Writes an audit entry in the unit of work of the change. */
  readonly audit: RecordAudit;
  /** Returns the response body of a route for a result: the same for the request and for recovery. */
  readonly renderResponse: (route: string, ending: PaymentResult) => StoredResponse;
  /** Card readers. */
  readonly terminals: Pick<Terminals, 'forPayment' | 'claim' | 'reachedAt' | 'connectionSeen' | 'recheck'>;
  /** Notifies of changes, for requests that wait for the outcome of a payment on a card reader. */
  readonly subscribe: ChangeFeed['subscribe'];
  /** Returns true if the server stops, so that no request waits any longer. */
  readonly isStopping: () => boolean;
  readonly serial: Serial;
  /** Writes an event in the unit of work of its cause. */
  readonly emit: Emit;
  /** Posts a movement of money to the ledger, in the unit of work of its cause. */
  readonly post: Post;
  /** Notifies open screens of a change. */
  readonly changed: PublishChange;
  /** Makes the scheduler run a job that has become due. */
  readonly wake: Scheduler['wake'];
  /** Runs a due row of a job now. */
  readonly runOne: Scheduler['runOne'];
  /** Writes a message to a customer in the unit of work of its cause. */
  readonly notify: Notify;
  readonly events: DomainEvents;
  /** Counts the outcome of a request to a gateway, for metrics. */
  readonly countOutcome?: CountOutcome | undefined;
  /** Writes a log entry about something that requires a person; never card data. */
  readonly report: (message: string, context: Record<string, unknown>) => void;
}
