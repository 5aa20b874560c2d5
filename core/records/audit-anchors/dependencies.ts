import type { Database } from '#core/database';
import type { Clock } from '#core/kernel';
import type { Scheduler } from '#core/platform/scheduling';
import type { Archives } from '#core/records/archive';
import type { Audit } from '#core/records/audit';
import type { Notifications } from '#core/records/notifications';

/** Dependencies of the anchors of the audit log, constructed by `createCore`. */
export interface Dependencies {
  readonly database: Database;
  readonly clockOf: (tenantId: string) => Clock;
  readonly scheduler: Scheduler;
  readonly audit: Audit;
  readonly archives: Pick<Archives, 'chain'>;
  readonly notifications: Pick<Notifications, 'notify' | 'delivers'>;
  /** Returns the name of a tenant. */
  readonly nameOf: (tenantId: string) => Promise<string>;
}
