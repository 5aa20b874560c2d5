import type { Work } from '#core/database';
import type { Actor, ApprovalSubject, Caller, Clock } from '#core/kernel';
import type { PublishChange } from '#core/platform/change-feed';
import type { IdempotentDependencies } from '#core/platform/idempotency';
import type { Merchant } from '#core/processing/merchants';
import type { RecordAudit } from '#core/records/audit';
import type { Emit } from '#core/records/webhooks';
import type { Customers } from '#core/sales/customers';
import type { Discounts } from '#core/sales/discounts';
import type { GiftCards } from '#core/sales/gift-cards';
import type { Payments } from '#core/sales/payments';
import type { Shifts } from '#core/sales/shifts';
import type { Tenders } from '#core/sales/tenders';
import type { Order, StoreCreditRefund } from './records.ts';

/** Result of a request whose response is stored under its idempotency key. */
export type OrderResult = { readonly order: Order } | { readonly storeCreditRefund: StoreCreditRefund };

/** Dependencies of the orders capability, constructed by `createCore`. */
export interface Dependencies extends IdempotentDependencies<OrderResult> {
  readonly clockOf: (tenantId: string) => Clock;
  readonly merchantFor: (actor: Caller, merchantId?: string) => Promise<Merchant>;
  /** Uses up the granted discount of an order in its unit of work. */
  readonly claimDiscount: Discounts['claim'];
  /** Opens the granted discount of a canceled order again. */
  readonly releaseDiscount: Discounts['release'];
  readonly customers: Pick<Customers, 'payerAt' | 'lock' | 'foundBy'>;
  readonly giftCards: Pick<
    GiftCards,
    | 'prepareForOrder'
    | 'addToOrder'
    | 'settleOrder'
    | 'soldByOrder'
    | 'orderCanceled'
    | 'ofOrder'
    | 'prepareRefundTarget'
    | 'reserveRefundTarget'
    | 'loadRefundTarget'
    | 'ordersReloading'
  >;
  readonly payments: Pick<Payments, 'lockForRefund' | 'refundToStoreCredit'>;
  readonly tenders: Pick<Tenders, 'lockForRefund' | 'refundToStoreCredit'>;
  readonly checkApproval: (work: Work, actor: Actor, subject: ApprovalSubject) => Promise<void>;
  readonly shifts: Pick<Shifts, 'addTender'>;
  readonly shiftOf: Shifts['openShiftOf'];
  readonly audit: RecordAudit;
  readonly emit: Emit;
  readonly changed: PublishChange;
}
