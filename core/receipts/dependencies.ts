import type { CheckApproval } from '#core/approvals';
import type { RecordAudit } from '#core/audit';
import type { Database } from '#core/database';
import type { Invoice } from '#core/invoicing';
import type { Actor, Clock } from '#core/kernel';
import type { Merchant } from '#core/merchants';
import type { Notify } from '#core/notifications';
import type { Payments } from '#core/payments';
import type { Shifts } from '#core/shifts';
import type { Tenders } from '#core/tenders';

/** Dependencies of the receipts capability, constructed by `createCore`. */
export interface Dependencies {
  readonly database: Database;
  readonly payments: Payments;
  readonly tenders: Pick<Tenders, 'get' | 'findRefund'>;
  readonly shifts: Pick<Shifts, 'report' | 'addOpening'>;
  readonly clockOf: (tenantId: string) => Clock;
  readonly environmentOf: (tenantId: string) => 'sandbox' | 'live';
  /** Returns true if the account of the payment's gateway moves no money. */
  readonly isTestPayment: (tenantId: string, transactionId: string) => Promise<boolean>;
  readonly merchantFor: (actor: Pick<Actor, 'tenantId' | 'merchantId'>, merchantId?: string) => Promise<Merchant>;
  /** Returns the number of the invoice that a payment was for. */
  readonly invoiceNumber: (tenantId: string, invoiceId: string) => Promise<string | null>;
  /** Returns the invoice that a returned check had paid. */
  readonly invoiceOf: (tenantId: string, invoiceId: string) => Promise<Invoice>;
  /** Returns the invoice of a payment. @throws ServiceError NOT_FOUND, MERCHANT_NOT_AUTHORIZED. */
  readonly invoiceOfPayment: (actor: Actor, paymentId: string) => Promise<Invoice>;
  /** Checks in the unit of work of an opening of the drawer that it needs no second person. @throws ApprovalRequired. */
  readonly checkApproval: CheckApproval;
  readonly audit: RecordAudit;
  readonly notify: Notify;
}
