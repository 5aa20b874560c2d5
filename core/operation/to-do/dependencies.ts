import type { Approvals } from '#core/access/approvals';
import type { Installments } from '#core/billing/installments';
import type { Invoicing } from '#core/billing/invoicing';
import type { QueuedPayments } from '#core/billing/queued-payments';
import type { Recurring } from '#core/billing/recurring';
import type { Bank } from '#core/books/bank';
import type { Disputes } from '#core/books/disputes';
import type { createReconciliation } from '#core/books/reconciliation';
import type { Actor, Clock } from '#core/kernel';
import type { Status } from '#core/operation/status';
import type { Merchant } from '#core/processing/merchants';
import type { Notifications } from '#core/records/notifications';
import type { Customers } from '#core/sales/customers';
import type { Orders } from '#core/sales/orders';
import type { Payments } from '#core/sales/payments';

/** Capabilities whose records wait for a person, constructed by `createCore`. */
export interface Dependencies {
  readonly clockOf: (tenantId: string) => Clock;
  readonly merchantFor: (actor: Actor, merchantId?: string) => Promise<Merchant>;
  readonly approvals: Pick<Approvals, 'page'>;
  readonly bank: Pick<Bank, 'openLines'>;
  readonly customers: Pick<Customers, 'expiring'>;
  readonly disputes: Pick<Disputes, 'page'>;
  readonly installments: Pick<Installments, 'page'>;
  readonly invoicing: Pick<Invoicing, 'hostedPages' | 'overdue' | 'promised'>;
  readonly notifications: Pick<Notifications, 'channelHealth'>;
  readonly orders: Pick<Orders, 'leftOpen'>;
  readonly payments: Pick<Payments, 'expiringAuthorizations' | 'facts' | 'refundQueue' | 'unconfirmed'>;
  readonly queuedPayments: Pick<QueuedPayments, 'page'>;
  readonly reconciliation: Pick<ReturnType<typeof createReconciliation>, 'openDiscrepancies'>;
  readonly recurring: Pick<Recurring, 'page'>;
  readonly status: Pick<Status, 'statusFor'>;
}
