import type { Record as RecordEntry } from '#core/audit';
import type { Database, Work } from '#core/database';
import type { Actor, Clock, KeptAnswer } from '#core/kernel';
import type { Post } from '#core/ledger';
import type { Merchant, MerchantSettings } from '#core/merchants';
import type { Notify } from '#core/notifications';
import type { Payments } from '#core/payments';
import type { Topic } from '#core/platform/change-feed';
import type { OnceKeys } from '#core/platform/idempotency';
import type { Scheduler } from '#core/platform/scheduling';
import type { BatchPayout } from './batch-payout.ts';
import type { Payout, Settlement } from './settlement.ts';

/** What a request ended in, whose answer an Idempotency-Key keeps. */
export type Ending = { readonly payout: Payout } | { readonly batch: BatchPayout } | { readonly settlements: readonly Settlement[] };

/** What settlement is built on; made once by createCore. */
export interface Needs {
  readonly database: Database;
  readonly payments: Payments;
  readonly scheduler: Scheduler;
  readonly clockOf: (tenantId: string) => Clock;
  readonly merchantFor: (by: Pick<Actor, 'tenantId' | 'merchantId'>, merchantId?: string) => Promise<Merchant>;
  /** A merchant's zone as it stands within a work. */
  readonly zoneIn: (work: Work, merchantId: string) => Promise<string>;
  /** The merchants that a caller may act for. */
  readonly merchantsOf: (by: Pick<Actor, 'tenantId' | 'merchantId'>) => Promise<Merchant[]>;
  /** What payments cost a merchant, by method. */
  readonly feesOf: (tenantId: string, merchantId: string) => Promise<Pick<MerchantSettings, 'cardFee' | 'achFee'>>;
  /** Holds a merchant's row until the end of the work. */
  readonly lockMerchant: (work: Work, merchantId: string) => Promise<void>;
  readonly once: OnceKeys;
  /** The bytes that a route answers with; an Idempotency-Key keeps them. */
  readonly renderAnswer: (route: string, ending: Ending) => KeptAnswer;
  readonly notify: Notify;
  readonly post: Post;
  readonly audit: RecordEntry;
  readonly changed: (tenantId: string, topic: Topic) => void;
  /** Number of lines that one unit of work puts into a settlement; 500 by default. */
  readonly blockLines?: number;
}

export const SETTLE_JOB = 'settlement.settle';
export type By = Pick<Actor, 'tenantId' | 'merchantId'>;
