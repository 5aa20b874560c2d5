import type { Disputes } from '#core/books/disputes';
import type { Work } from '#core/database';
import type { Caller, Clock } from '#core/kernel';
import type { PublishChange } from '#core/platform/change-feed';
import type { IdempotentDependencies } from '#core/platform/idempotency';
import type { Scheduler } from '#core/platform/scheduling';
import type { DomainEvents } from '#core/processing/domain-events';
import type { Merchant, MerchantSettings } from '#core/processing/merchants';
import type { RecordAudit } from '#core/records/audit';
import type { Post } from '#core/records/ledger';
import type { Notify } from '#core/records/notifications';
import type { Payments } from '#core/sales/payments';
import type { Payout, PayoutBatch, Settlement } from './records.ts';

/** Result of a settlement request, whose response is stored under its idempotency key. */
export type SettlementResult =
  | { readonly payout: Payout }
  | { readonly batch: PayoutBatch }
  | { readonly settlements: readonly Settlement[] };

/** Dependencies of the settlement capability, constructed by `createCore`. */
export interface Dependencies extends IdempotentDependencies<SettlementResult> {
  readonly payments: Payments;
  readonly disputes: Pick<Disputes, 'unsettled' | 'unsettledSpan' | 'settleMovement'>;
  readonly scheduler: Scheduler;
  readonly clockOf: (tenantId: string) => Clock;
  readonly merchantFor: (actor: Caller, merchantId?: string) => Promise<Merchant>;
  /** Returns a merchant's time zone as the unit of work sees it. */
  readonly zoneIn: (work: Work, merchantId: string) => Promise<string>;
  /** Returns the merchants that a caller may act for. */
  readonly merchantsOf: (actor: Caller) => Promise<Merchant[]>;
  /** Returns the fees of a merchant by payment method. */
  readonly feesOf: (tenantId: string, merchantId: string) => Promise<Pick<MerchantSettings, 'cardFee' | 'achFee'>>;
  /** Locks a merchant's row until the end of the unit of work. */
  readonly lockMerchant: (work: Work, merchantId: string) => Promise<void>;
  readonly notify: Notify;
  readonly post: Post;
  readonly audit: RecordAudit;
  readonly events: DomainEvents;
  readonly changed: PublishChange;
  /** Number of lines that one unit of work adds to a settlement; 500 by default. */
  readonly blockLines?: number;
}

export const SETTLE_JOB = 'settlement.settle';
