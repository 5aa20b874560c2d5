import type { Record as RecordEntry } from '#core/audit';
import type { Database } from '#core/database';
import type { Invoice } from '#core/invoicing';
import type { Actor, Clock } from '#core/kernel';
import type { Merchant } from '#core/merchants';
import type { Notify } from '#core/notifications';
import type { Payments } from '#core/payments';

/** What receipts are built on; made once by createCore. */
export interface Needs {
  readonly database: Database;
  readonly payments: Payments;
  readonly clockOf: (tenantId: string) => Clock;
  readonly environmentOf: (tenantId: string) => 'sandbox' | 'live';
  /** Whether a payment is at a gateway whose account moves no money. */
  readonly isTestPayment: (tenantId: string, transactionId: string) => Promise<boolean>;
  readonly merchantFor: (by: Pick<Actor, 'tenantId' | 'merchantId'>, merchantId?: string) => Promise<Merchant>;
  /** The number of the invoice that a payment was for. */
  readonly invoiceNumber: (tenantId: string, invoiceId: string) => Promise<string | null>;
  /** The invoice that a payment was made on; NOT_FOUND, MERCHANT_NOT_AUTHORIZED. */
  readonly invoiceOfPayment: (by: Actor, paymentId: string) => Promise<Invoice>;
  readonly audit: RecordEntry;
  readonly notify: Notify;
}
