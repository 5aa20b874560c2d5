import type { Database, Work } from '#core/database';
import type { Caller, Clock } from '#core/kernel';
import type { Merchant } from '#core/processing/merchants';
import type { RecordAudit } from '#core/records/audit';

/** Dependencies of the journal capability, constructed by `createCore`. */
export interface Dependencies {
  readonly database: Database;
  readonly clockOf: (tenantId: string) => Clock;
  readonly merchantFor: (actor: Caller, merchantId?: string) => Promise<Merchant>;
  /** Locks a merchant's row, so that two exports never write the same revision. */
  readonly lockMerchant: (work: Work, merchantId: string) => Promise<void>;
  readonly audit: RecordAudit;
}
