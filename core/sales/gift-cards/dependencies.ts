import type { KeyObject } from 'node:crypto';
import type { CheckApproval } from '#core/access/approvals';
import type { Work } from '#core/database';
import type { Actor, Caller, Clock, Money } from '#core/kernel';
import type { PublishChange } from '#core/platform/change-feed';
import type { IdempotentDependencies } from '#core/platform/idempotency';
import type { Limits } from '#core/platform/rate-limits';
import type { Scheduler } from '#core/platform/scheduling';
import type { Merchant } from '#core/processing/merchants';
import type { RecordAudit } from '#core/records/audit';
import type { Post } from '#core/records/ledger';
import type { Notifications, Notify } from '#core/records/notifications';
import type { Emit } from '#core/records/webhooks';
import type { Customers } from '#core/sales/customers';
import type { Shifts } from '#core/sales/shifts';
import type { GiftCard, IssuedGiftCard } from './records.ts';

/** Result of a request whose response is stored under its idempotency key. */
export type GiftCardResult = { readonly giftCard: GiftCard } | { readonly issuedGiftCard: IssuedGiftCard };

/** Dependencies of the gift cards capability, constructed by `createCore`. */
export interface Dependencies extends IdempotentDependencies<GiftCardResult> {
  readonly clockOf: (tenantId: string) => Clock;
  readonly merchantFor: (actor: Caller, merchantId?: string) => Promise<Merchant>;
  readonly shifts: Pick<Shifts, 'addGiftCard'>;
  readonly customers: Pick<Customers, 'payerAt' | 'payersOf' | 'lock' | 'foundBy'>;
  readonly secrets: {
    readonly hashKey: (tenantId: string, purpose: string) => Promise<KeyObject>;
    readonly seal: (tenantId: string, purpose: string, text: string) => Promise<string>;
  };
  readonly notify: Notify;
  readonly delivers: Notifications['delivers'];
  readonly limits: Pick<Limits, 'attempt'>;
  /** Checks in the unit of work of a gift that it needs no second person. @throws ApprovalRequired. */
  readonly checkApproval: CheckApproval;
  /** Counts a gift against the spending limits of the caller's API key. @throws ServiceError PERMISSION_DENIED. */
  readonly claimSpending: (work: Work, actor: Actor, amount: Money, total?: Money) => Promise<void>;
  readonly post: Post;
  readonly audit: RecordAudit;
  readonly emit: Emit;
  readonly changed: PublishChange;
  readonly scheduler: Pick<Scheduler, 'register' | 'wake'>;
}
