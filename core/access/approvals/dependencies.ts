import type { Identity } from '#core/access/identity';
import type { Database } from '#core/database';
import type { Caller, Clock, Currency, Secrets } from '#core/kernel';
import type { PublishChange } from '#core/platform/change-feed';
import type { Scheduler } from '#core/platform/scheduling';
import type { RecordAudit } from '#core/records/audit';
import type { Emit } from '#core/records/webhooks';

/** Dependencies of the approvals capability, constructed by `createCore`. */
export interface Dependencies {
  readonly database: Database;
  readonly clockOf: (tenantId: string) => Clock;
  readonly environmentOf: (tenantId: string) => 'sandbox' | 'live';
  readonly identity: Pick<Identity, 'holders' | 'peopleOf' | 'principalByPin'>;
  readonly merchantFor: (
    actor: Caller,
    merchantId?: string,
  ) => Promise<{ readonly merchantId: string; readonly currency: Currency; readonly timezone: string }>;
  /** Returns the merchants to which the caller has access, without deleted ones. */
  readonly merchantsOf: (
    actor: Caller,
  ) => Promise<readonly { readonly merchantId: string; readonly name: string; readonly currency: Currency }[]>;
  readonly audit: RecordAudit;
  /** Encrypts requests and responses for their tenant. */
  readonly secrets: Secrets;
  readonly emit: Emit;
  readonly changed: PublishChange;
  /** Makes the scheduler run a job that has become due. */
  readonly wake: Scheduler['wake'];
}
