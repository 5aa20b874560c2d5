import type { CheckApproval } from '#core/approvals';
import type { RecordAudit } from '#core/audit';
import type { Customers } from '#core/customers';
import type { Database } from '#core/database';
import type { Actor, Clock } from '#core/kernel';
import type { Merchant } from '#core/merchants';
import type { PublishChange } from '#core/platform/change-feed';
import type { Scheduler } from '#core/platform/scheduling';
import type { Vault } from '#core/vault';
import type { Emit } from '#core/webhooks';

/** Dependencies of the customer transfer capability, constructed by `createCore`. */
export interface Dependencies {
  readonly database: Database;
  readonly vault: Vault;
  readonly customers: Pick<Customers, 'createIn' | 'lockRow' | 'addExternalId' | 'addImportedMethod'>;
  readonly clockOf: (tenantId: string) => Clock;
  readonly environmentOf: (tenantId: string) => 'live' | 'sandbox';
  readonly merchantFor: (actor: Pick<Actor, 'tenantId' | 'merchantId'>, merchantId?: string) => Promise<Merchant>;
  readonly checkApproval: CheckApproval;
  readonly audit: RecordAudit;
  readonly emit: Emit;
  readonly changed: PublishChange;
  readonly scheduler: Scheduler;
}
