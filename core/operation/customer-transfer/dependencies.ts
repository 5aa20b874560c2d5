import type { CheckApproval } from '#core/access/approvals';
import type { Database } from '#core/database';
import type { Caller, Clock } from '#core/kernel';
import type { PublishChange } from '#core/platform/change-feed';
import type { Scheduler } from '#core/platform/scheduling';
import type { Merchant } from '#core/processing/merchants';
import type { RecordAudit } from '#core/records/audit';
import type { Vault } from '#core/records/vault';
import type { Emit } from '#core/records/webhooks';
import type { Customers } from '#core/sales/customers';

/** Dependencies of the customer transfer capability, constructed by `createCore`. */
export interface Dependencies {
  readonly database: Database;
  readonly vault: Vault;
  readonly customers: Pick<Customers, 'createIn' | 'lockRow' | 'addExternalId' | 'addImportedMethod'>;
  readonly clockOf: (tenantId: string) => Clock;
  readonly environmentOf: (tenantId: string) => 'live' | 'sandbox';
  readonly merchantFor: (actor: Caller, merchantId?: string) => Promise<Merchant>;
  readonly checkApproval: CheckApproval;
  readonly audit: RecordAudit;
  readonly emit: Emit;
  readonly changed: PublishChange;
  readonly scheduler: Scheduler;
}
