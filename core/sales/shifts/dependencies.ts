import type { CheckApproval } from '#core/access/approvals';
import type { Cache, Work } from '#core/database';
import type { Actor, Caller, Clock, Money } from '#core/kernel';
import type { PublishChange } from '#core/platform/change-feed';
import type { IdempotentDependencies } from '#core/platform/idempotency';
import type { Merchant } from '#core/processing/merchants';
import type { RecordAudit } from '#core/records/audit';
import type { Post } from '#core/records/ledger';
import type { Emit } from '#core/records/webhooks';
import type { Shift } from './records.ts';

/** Result of a request whose response is stored under its idempotency key. */
export interface ShiftResult {
  readonly shift: Shift;
}

/** An open shift, as requests look it up. */
export interface OpenShift {
  readonly id: string;
  readonly currency: string;
}

/** Dependencies of the shifts capability, constructed by `createCore`. */
export interface Dependencies extends IdempotentDependencies<ShiftResult> {
  /** Open shifts of each tenant, by their `open_key`. */
  readonly openShifts: Cache<ReadonlyMap<string, OpenShift>>;
  readonly clockOf: (tenantId: string) => Clock;
  readonly merchantFor: (actor: Caller, merchantId?: string) => Promise<Merchant>;
  readonly post: Post;
  /** Checks in the unit of work of a pay-out that it needs no second person. @throws ApprovalRequired. */
  readonly checkApproval: CheckApproval;
  /** Counts a pay-out against the spending limits of the caller's API key. @throws ServiceError PERMISSION_DENIED. */
  readonly claimSpending: (work: Work, actor: Actor, amount: Money) => Promise<void>;
  readonly audit: RecordAudit;
  readonly emit: Emit;
  readonly changed: PublishChange;
}
