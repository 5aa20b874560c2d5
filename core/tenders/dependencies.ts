import type { CheckApproval } from '#core/approvals';
import type { RecordAudit } from '#core/audit';
import type { Customers } from '#core/customers';
import type { Database, Work } from '#core/database';
import type { Discounts } from '#core/discounts';
import type { DomainEvents } from '#core/domain-events';
import type { Actor, Clock, Money, StoredResponse } from '#core/kernel';
import type { Post } from '#core/ledger';
import type { Merchant } from '#core/merchants';
import type { PublishChange } from '#core/platform/change-feed';
import type { IdempotencyKeys } from '#core/platform/idempotency';
import type { Shifts } from '#core/shifts';
import type { Emit } from '#core/webhooks';
import type { Tender, TenderRefund } from './tender.ts';

export type Caller = Pick<Actor, 'tenantId' | 'merchantId'>;

/** Result of a request whose response is stored under its idempotency key. */
export type TenderResult = { readonly tender: Tender } | { readonly tenderRefund: TenderRefund };

/** Dependencies of the tenders capability, constructed by `createCore`. */
export interface Dependencies {
  readonly database: Database;
  readonly shifts: Pick<Shifts, 'addTender'>;
  readonly payer: Customers['payer'];
  readonly clockOf: (tenantId: string) => Clock;
  readonly merchantFor: (actor: Caller, merchantId?: string) => Promise<Merchant>;
  readonly idempotencyKeys: IdempotencyKeys;
  /** Returns the response body of a route, as an idempotency key stores it. */
  readonly renderResponse: (route: string, result: TenderResult) => StoredResponse;
  /** Checks in the unit of work of a refund that it needs no second person. @throws ApprovalRequired. */
  readonly checkApproval: CheckApproval;
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
