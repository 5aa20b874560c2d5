import type { ChargedInstallment } from '#core/billing/installments';
import type { Invoice, PageVisit } from '#core/billing/invoicing';
import type { Work } from '#core/database';
import type { Actor, Caller, Clock, Money, Secrets } from '#core/kernel';
import type { PublishChange } from '#core/platform/change-feed';
import type { IdempotentDependencies } from '#core/platform/idempotency';
import type { Scheduler } from '#core/platform/scheduling';
import type { DomainEvents } from '#core/processing/domain-events';
import type { Gateways } from '#core/processing/gateways';
import type { Merchant } from '#core/processing/merchants';
import type { Audit, RecordAudit } from '#core/records/audit';
import type { Notifications } from '#core/records/notifications';
import type { Emit } from '#core/records/webhooks';
import type { Customers } from '#core/sales/customers';
import type { Payments } from '#core/sales/payments';
import type { Dispute } from './records.ts';

/** Result of a request whose response is stored under its idempotency key. */
export interface DisputeResult {
  readonly dispute: Dispute;
}

/** Records of other capabilities that are evidence. */
interface EvidenceSources {
  readonly invoice: (actor: Actor, invoiceId: string) => Promise<Invoice>;
  /** Returns the kept visits of the pay page of an invoice, oldest first. */
  readonly invoiceVisits: (tenantId: string, invoiceId: string) => Promise<readonly PageVisit[]>;
  readonly subscription: (
    actor: Actor,
    subscriptionId: string,
  ) => Promise<{
    readonly subscriptionId: string;
    readonly frequency: string;
    readonly startDate: string;
    readonly paymentsMade: number;
    readonly cancelledAt: string | null;
    readonly cancelledBy: string | null;
  }>;
  /** Returns the installment that a payment charged; null for any other payment. */
  readonly installment: (tenantId: string, transactionId: string) => Promise<ChargedInstallment | null>;
  readonly messages: Notifications['page'];
  readonly methods: Customers['methods'];
  readonly auditEntries: Audit['entryBlocks'];
  readonly receiptPdf: (tenantId: string, transactionId: string) => Promise<Buffer>;
  readonly invoicePdf: (tenantId: string, invoiceId: string) => Promise<Buffer>;
}

/** Dependencies of the disputes capability, constructed by `createCore`. */
export interface Dependencies extends IdempotentDependencies<DisputeResult> {
  readonly payments: Payments;
  readonly gateways: Gateways;
  readonly events: DomainEvents;
  /** Returns the gateways of a tenant or merchant, including removed ones, at which earlier payments can still be charged back. */
  readonly gatewayIds: (tenantId: string, merchantId?: string) => Promise<readonly string[]>;
  readonly clockOf: (tenantId: string) => Clock;
  readonly merchantFor: (actor: Caller, merchantId?: string) => Promise<Merchant>;
  /** Counts an operation against the spending limits of the caller's API key, in its unit of work. @throws ServiceError PERMISSION_DENIED. */
  readonly claimSpending: (work: Work, actor: Actor, amount: Money) => Promise<void>;
  readonly audit: RecordAudit;
  /** Encrypts documents for their tenant. */
  readonly secrets: Secrets;
  readonly sources: EvidenceSources;
  readonly emit: Emit;
  readonly changed: PublishChange;
  /** Makes the scheduler run a job that has become due. */
  readonly wake: Scheduler['wake'];
  /** Writes a log entry about something that requires a person. */
  readonly report: (message: string, context: Record<string, unknown>) => void;
}
