import type { Identity } from '#core/access/identity';
import type { Installments } from '#core/billing/installments';
import type { Invoicing } from '#core/billing/invoicing';
import type { QueuedPayments } from '#core/billing/queued-payments';
import type { Receipts } from '#core/billing/receipts';
import type { Recurring } from '#core/billing/recurring';
import type { Database } from '#core/database';
import type { Clock } from '#core/kernel';
import type { PublishChange } from '#core/platform/change-feed';
import type { Limits } from '#core/platform/rate-limits';
import type { Merchants } from '#core/processing/merchants';
import type { RecordAudit } from '#core/records/audit';
import type { Notifications } from '#core/records/notifications';
import type { Customers } from '#core/sales/customers';
import type { Payments } from '#core/sales/payments';
import type { Tenders } from '#core/sales/tenders';

/** Dependencies of the customer page, constructed by `createCore`. */
export interface Dependencies {
  readonly database: Database;
  readonly clockOf: (tenantId: string) => Clock;
  readonly environmentOf: (tenantId: string) => 'sandbox' | 'live';
  readonly merchants: Pick<Merchants, 'merchantFor' | 'pageUrl'>;
  readonly customers: Customers;
  readonly invoicing: Pick<
    Invoicing,
    'openInvoicesOf' | 'openTotalsOf' | 'reminders' | 'visited' | 'payTogether' | 'paymentGroup' | 'knownGroup'
  >;
  readonly installments: Pick<Installments, 'page' | 'methodsOfOpenPlans'>;
  readonly recurring: Pick<Recurring, 'page' | 'get' | 'cancel' | 'skipNext' | 'hasOpenSubscription'>;
  readonly queuedPayments: Pick<QueuedPayments, 'methodsOfWaiting'>;
  readonly payments: Pick<Payments, 'get'>;
  readonly tenders: Pick<Tenders, 'get'>;
  readonly receipts: Pick<Receipts, 'pdfOf'>;
  readonly pageCodes: Identity['pageCodes'];
  readonly checkStillHolds: Identity['apiKeys']['checkStillHolds'];
  readonly notifications: Pick<Notifications, 'notify' | 'delivers' | 'registerFooter'>;
  readonly limits: Limits;
  /** Encrypts texts for their tenant. */
  readonly secrets: { seal(tenantId: string, purpose: string, text: string): Promise<string> };
  readonly audit: RecordAudit;
  readonly changed: PublishChange;
}
