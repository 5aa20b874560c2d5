import type { Database } from '#core/database';
import type { Caller, Clock } from '#core/kernel';
import type { PublishChange } from '#core/platform/change-feed';
import type { Merchant } from '#core/processing/merchants';
import type { RecordAudit } from '#core/records/audit';

/** Dependencies of the items capability, constructed by `createCore`. */
export interface Dependencies {
  readonly database: Database;
  readonly clockOf: (tenantId: string) => Clock;
  readonly merchantFor: (actor: Caller, merchantId?: string) => Promise<Merchant>;
  readonly audit: RecordAudit;
  readonly changed: PublishChange;
}
