import type { NewTenant as NewTenantOnly } from '#core/access/identity';
import type { InstallmentPlanResult } from '#core/billing/installments';
import type { InvoiceResult } from '#core/billing/invoicing';
import type { QueuedPaymentResult } from '#core/billing/queued-payments';
import type { Subscription } from '#core/billing/recurring';
import type { StatementResult } from '#core/billing/statements';
import type { DisputeResult } from '#core/books/disputes';
import type { SettlementResult } from '#core/books/settlement';
import type { Database } from '#core/database';
import type { Clock, ProcessExchange, StoredResponse } from '#core/kernel';
import type { Patroni } from '#core/operation/failover-rehearsal';
import type { StatusServer } from '#core/operation/status';
import type { AllowsPrivateHost } from '#core/platform/outbound';
import type { RequestLimits } from '#core/platform/rate-limits';
import type { JobPlacement } from '#core/platform/scheduling';
import type { HttpClient } from '#core/processing/gateways';
import type { NewMerchant } from '#core/processing/merchants';
import type { BackupServer } from '#core/records/backup';
import type { MessageLimits } from '#core/records/notifications';
import type { KeyRing } from '#core/records/vault';
import type { DiscountResult } from '#core/sales/discounts';
import type { GiftCardResult } from '#core/sales/gift-cards';
import type { OrderResult } from '#core/sales/orders';
import type { CountOutcome, PaymentResult } from '#core/sales/payments';
import type { ShiftResult } from '#core/sales/shifts';
import type { TenderResult } from '#core/sales/tenders';

/** Result of a request whose response is stored under its idempotency key. */
export type OperationResult =
  | PaymentResult
  | InvoiceResult
  | { readonly subscription: Subscription }
  | SettlementResult
  | StatementResult
  | DiscountResult
  | DisputeResult
  | OrderResult
  | GiftCardResult
  | TenderResult
  | QueuedPaymentResult
  | InstallmentPlanResult
  | ShiftResult;

export interface CoreOptions {
  readonly database: Database;
  /** Database of the sandbox processor. */
  readonly sandboxLedger: Database;
  /** Opened key ring, or a 32-byte key that the database does not store. Every other key derives from it. */
  readonly masterKey: KeyRing | Buffer;
  /** The other processes of the server; absent if it has one process. */
  readonly processes?: ProcessExchange | undefined;
  /** The process that runs the jobs; absent if the server has one process. */
  readonly jobPlacement?: JobPlacement | undefined;
  /** Interval at which the scheduler checks for due rows of stopped servers, in real time; 15 s by default. */
  readonly lookForWorkEveryMs?: number;
  /** Number of lines that one unit of work adds to a settlement; 500 by default. */
  readonly settlementBlockLines?: number;
  /** Real time by default; another clock while sample history is created. */
  readonly clock?: Clock;
  /** HTTP client for the processors of live gateways; HTTPS by default. The core closes it. */
  readonly gatewayHttpClient?: HttpClient;
  /** Time that the service waits for a response that the sandbox never sends. */
  readonly sandboxTimeoutMs?: number;
  /** Time that answers of the sandbox take while it is slow; four seconds by default. */
  readonly sandboxSlowMs?: number;
  /** Time for which a move of a test clock runs jobs; 20 seconds by default. */
  readonly clockMoveMaxMs?: number;
  /** Returns true if this computer has a network; by default it reads the network interfaces. */
  readonly hasNetwork?: () => boolean;
  /** Certificates in PEM that are trusted for webhook receivers, in addition to the public authorities. */
  readonly webhookCa?: readonly string[];
  /** Time limit for responses of webhook receivers; five seconds by default. */
  readonly webhookTimeoutMs?: number;
  /** Private hosts that live tenants may use as mail server, text message provider or webhook receiver; none by default. */
  readonly allowsPrivateHost?: AllowsPrivateHost;
  /** Requests per minute, hour and day of the tier enterprise; those of professional by default. */
  readonly enterpriseLimits?: RequestLimits;
  /** Limits of messages that differ from the usual ones. */
  readonly messageLimits?: Partial<MessageLimits>;
  /** Addresses that webhooks, messages and payments must never reach: the server's own ports and those of its database. */
  readonly ownAddresses?: () => readonly { readonly host: string; readonly port: number }[];
  /** Returns the address of a screen, for messages to users. */
  readonly pageUrl?: (path: string) => string;
  /** Address of this server for payers, if it differs from that of the screens. */
  readonly publicUrl?: string;
  /** Returns the response of a route, as it is stored under an idempotency key. */
  readonly renderResponse: (route: string, result: OperationResult) => StoredResponse;
  /** Patroni cluster of the database, which rehearsals ask for a switchover. If absent, a person carries it out. */
  readonly patroni?: Patroni;
  /** Folder and worker for backups of this workstation. If absent, no backups are made. */
  readonly backupStation?: BackupServer;
  /** The server that runs the core, for its status. */
  readonly station?: StatusServer;
  /** Counts the outcome of a request to a gateway, for metrics. */
  readonly countOutcome?: CountOutcome | undefined;
  /** Writes a log entry about something that requires a person. */
  readonly report: (message: string, context: Record<string, unknown>) => void;
}

/** A new tenant, with its first merchant and its owner. */
export type NewTenant = NewTenantOnly & { readonly merchant: NewMerchant & { readonly currency: string; readonly timezone: string } };
