import type { Read, Work } from '#core/database';
import type { Actor, Clock, Money, Secrets, ServiceError } from '#core/kernel';
import type { PublishChange } from '#core/platform/change-feed';
import type { IdempotentDependencies } from '#core/platform/idempotency';
import type { Scheduler } from '#core/platform/scheduling';
import type { DomainEvents } from '#core/processing/domain-events';
import type { Merchant, Merchants } from '#core/processing/merchants';
import type { RecordAudit } from '#core/records/audit';
import type { Post } from '#core/records/ledger';
import type { Notify } from '#core/records/notifications';
import type { Emit } from '#core/records/webhooks';
import type { Customers } from '#core/sales/customers';
import type { Payments, Transaction } from '#core/sales/payments';
import type { Tenders } from '#core/sales/tenders';
import type { Language } from '#shared/languages';
import type { Invoice } from './records.ts';
import type { InvoiceRow } from './schema.ts';

/** Result of a payment on an invoice: the invoice after it and, if there is one, the transaction. */
export interface PaidInvoice {
  readonly invoice: Invoice;
  readonly transaction: Transaction | null;
}

/** Result of an invoice request, whose response is stored under its idempotency key. */
export type InvoiceResult =
  | { readonly invoice: Invoice; readonly messageIds?: readonly string[] }
  | { readonly paidInvoice: PaidInvoice }
  | { readonly error: ServiceError };

/** Dependencies of the invoicing capability, constructed by `createCore`. */
export interface Dependencies extends IdempotentDependencies<InvoiceResult> {
  readonly customers: Customers;
  readonly merchants: Pick<Merchants, 'merchantFor' | 'pageUrl'>;
  readonly payments: Payments;
  readonly tenders: Pick<Tenders, 'receiveForInvoice' | 'takeBackTransfer'>;
  readonly scheduler: Scheduler;
  readonly clockOf: (tenantId: string) => Clock;
  readonly environmentOf: (tenantId: string) => 'sandbox' | 'live';
  /** Returns the addresses of this server, besides the public addresses of merchants. */
  readonly ownUrls: () => readonly string[];
  /** Counts an operation against the spending limits of the caller's API key, in its unit of work. @throws ServiceError PERMISSION_DENIED. */
  readonly claimSpending: (work: Work, actor: Actor, amount: Money) => Promise<void>;
  /** Encrypts texts for their tenant. */
  readonly secrets: Secrets;
  readonly post: Post;
  readonly audit: RecordAudit;
  readonly events: DomainEvents;
  readonly emit: Emit;
  readonly notify: Notify;
  /** Returns those of at most 512 invoices that have an open installment plan. */
  readonly invoicesInInstallments: (read: Pick<Read, 'rows'>, invoiceIds: readonly string[]) => Promise<string[]>;
  /** Returns true if one of these payments has a dispute that was not won. */
  readonly isAnyDisputed: (read: Pick<Read, 'find'>, transactionIds: readonly string[]) => Promise<boolean>;
  /** Returns true if messages of the channel reach their recipients. */
  readonly delivers: (tenantId: string, channel: 'email' | 'sms') => Promise<boolean>;
  /** Returns the end of an email with a sample link to the page of the customer; null if emails of the merchant have none. */
  readonly sampleFooter: (merchant: Merchant, language: Language) => { readonly line: string; readonly url: string } | null;
  /** Returns the time at which a person resumed automatic charges after a restore from a backup; null if there was no restore. */
  readonly chargesResumedAt: () => Promise<string | null>;
  /** Sends the receipt of a payment, if `claim` returns true in the same unit of work. */
  readonly mailReceipt: (
    tenantId: string,
    receipt: { readonly transactionId: string; readonly email: string },
    claim: (work: Work) => Promise<boolean>,
  ) => Promise<void>;
  readonly changed: PublishChange;
  /** Writes a log entry about something that requires a person. */
  readonly report: (message: string, context: Record<string, unknown>) => void;
}

/** Notifies open screens after the commit. */
export function notifyScreens(
  deps: Dependencies,
  work: Work,
  { tenant_id, merchant_id }: Pick<InvoiceRow, 'tenant_id' | 'merchant_id'>,
): void {
  work.afterCommit(() => deps.changed(tenant_id, 'invoices', merchant_id));
}

export const OVERDUE_JOB = 'invoicing.overdue';
export const SETTLE_JOB = 'invoicing.settle-payments';
export const HOSTED_PAGES_JOB = 'invoicing.hosted-pages';
