import type { CheckApproval } from '#core/access/approvals';
import type { Invoice } from '#core/billing/invoicing';
import type { Database } from '#core/database';
import type { Actor, Caller, Clock } from '#core/kernel';
import type { Merchant } from '#core/processing/merchants';
import type { Audit, RecordAudit } from '#core/records/audit';
import type { Notify } from '#core/records/notifications';
import type { Orders } from '#core/sales/orders';
import type { Payments } from '#core/sales/payments';
import type { Shifts } from '#core/sales/shifts';
import type { Tenders } from '#core/sales/tenders';

/** Dependencies of the receipts capability, constructed by `createCore`. */
export interface Dependencies {
  readonly database: Database;
  readonly payments: Payments;
  readonly orders: Pick<Orders, 'get'>;
  readonly tenders: Pick<Tenders, 'get' | 'findRefund'>;
  readonly shifts: Pick<Shifts, 'report' | 'addOpening'>;
  readonly clockOf: (tenantId: string) => Clock;
  readonly environmentOf: (tenantId: string) => 'sandbox' | 'live';
  /** Returns true if the account of the payment's gateway moves no money. */
  readonly isTestPayment: (tenantId: string, transactionId: string) => Promise<boolean>;
  readonly merchantFor: (actor: Caller, merchantId?: string) => Promise<Merchant>;
  /** Returns the number of the invoice that a payment was for. */
  readonly invoiceNumber: (tenantId: string, invoiceId: string) => Promise<string | null>;
  /** Returns the invoice that a returned check had paid. */
  readonly invoiceOf: (tenantId: string, invoiceId: string) => Promise<Invoice>;
  /** Returns the invoice of a payment. @throws ServiceError NOT_FOUND, MERCHANT_NOT_AUTHORIZED. */
  readonly invoiceOfPayment: (actor: Actor, paymentId: string) => Promise<Invoice>;
  /** Checks in the unit of work of an opening of the drawer that it needs no second person. @throws ApprovalRequired. */
  readonly checkApproval: CheckApproval;
  readonly audit: RecordAudit;
  readonly lastAuditEntry: Audit['lastEntry'];
  readonly notify: Notify;
}
