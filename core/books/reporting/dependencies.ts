import type { Database } from '#core/database';
import type { Caller, Clock } from '#core/kernel';
import type { Merchant } from '#core/processing/merchants';
import type { RecordAudit } from '#core/records/audit';
import type { Notify } from '#core/records/notifications';
import type { Payments } from '#core/sales/payments';

/** Dependencies of the reporting capability, constructed by `createCore`. */
export interface Dependencies {
  readonly database: Database;
  readonly payments: Payments;
  readonly clockOf: (tenantId: string) => Clock;
  readonly audit: RecordAudit;
  readonly notify: Notify;
  readonly merchantFor: (actor: Caller, merchantId?: string) => Promise<Merchant>;
}
