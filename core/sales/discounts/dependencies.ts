import type { CheckApproval, ReasonForApproval } from '#core/access/approvals';
import type { Caller, Clock } from '#core/kernel';
import type { IdempotentDependencies } from '#core/platform/idempotency';
import type { Merchant } from '#core/processing/merchants';
import type { RecordAudit } from '#core/records/audit';
import type { Discount } from './records.ts';

/** Result of a request whose response is stored under its idempotency key. */
export interface DiscountResult {
  readonly discount: Discount;
}

/** Dependencies of the discounts capability, constructed by `createCore`. */
export interface Dependencies extends IdempotentDependencies<DiscountResult> {
  readonly clockOf: (tenantId: string) => Clock;
  readonly merchantFor: (actor: Caller, merchantId?: string) => Promise<Merchant>;
  /** Checks in the unit of work of a discount that it needs no second person. @throws ApprovalRequired. */
  readonly checkApproval: CheckApproval;
  readonly reasonForApproval: ReasonForApproval;
  readonly audit: RecordAudit;
}
