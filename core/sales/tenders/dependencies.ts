import type { CheckApproval } from '#core/access/approvals';
import type { Work } from '#core/database';
import type { Actor, Caller, Clock, Money } from '#core/kernel';
import type { PublishChange } from '#core/platform/change-feed';
import type { IdempotentDependencies } from '#core/platform/idempotency';
import type { DomainEvents } from '#core/processing/domain-events';
import type { Merchant } from '#core/processing/merchants';
import type { RecordAudit } from '#core/records/audit';
import type { Post } from '#core/records/ledger';
import type { Emit } from '#core/records/webhooks';
import type { Customers } from '#core/sales/customers';
import type { Discounts } from '#core/sales/discounts';
import type { GiftCards } from '#core/sales/gift-cards';
import type { Shifts } from '#core/sales/shifts';
import type { Tender, TenderRefund } from './records.ts';

/** Result of a request whose response is stored under its idempotency key. */
export type TenderResult = { readonly tender: Tender } | { readonly tenderRefund: TenderRefund };

/** Dependencies of the tenders capability, constructed by `createCore`. */
export interface Dependencies extends IdempotentDependencies<TenderResult> {
  readonly shifts: Pick<Shifts, 'addTender'>;
  readonly customers: Pick<Customers, 'payerAt' | 'foundBy'>;
  readonly clockOf: (tenantId: string) => Clock;
  readonly merchantFor: (actor: Caller, merchantId?: string) => Promise<Merchant>;
  /** Checks in the unit of work of a refund that it needs no second person. @throws ApprovalRequired. */
  readonly checkApproval: CheckApproval;
  readonly giftCards: Pick<GiftCards, 'referredCard' | 'redeem' | 'restore' | 'isReturnClosed' | 'soldByOrder'>;
  /** Uses up the granted discount of a tender in its unit of work. */
  readonly claimDiscount: Discounts['claim'];
  /** Counts an operation against the spending limits of the caller's API key, in its unit of work. @throws ServiceError PERMISSION_DENIED. */
  readonly claimSpending: (work: Work, actor: Actor, amount: Money, total?: Money) => Promise<void>;
  readonly events: DomainEvents;
  readonly post: Post;
  readonly audit: RecordAudit;
  readonly emit: Emit;
  readonly changed: PublishChange;
}
