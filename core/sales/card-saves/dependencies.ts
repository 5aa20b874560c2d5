import type { Database } from '#core/database';
import type { Clock } from '#core/kernel';
import type { ChangeFeed, PublishChange } from '#core/platform/change-feed';
import type { Scheduler } from '#core/platform/scheduling';
import type { Gateways } from '#core/processing/gateways';
import type { Merchants } from '#core/processing/merchants';
import type { Terminals } from '#core/processing/terminals';
import type { RecordAudit } from '#core/records/audit';
import type { Vault } from '#core/records/vault';
import type { Emit } from '#core/records/webhooks';
import type { Customers } from '#core/sales/customers';

/** Dependencies of the capability, constructed by `createCore`. */
export interface Dependencies {
  readonly database: Database;
  readonly clockOf: (tenantId: string) => Clock;
  readonly merchantFor: Merchants['merchantFor'];
  readonly gateways: Gateways;
  readonly terminals: Pick<Terminals, 'forPayment' | 'claim' | 'reachedAt' | 'connectionSeen' | 'recheck'>;
  readonly customers: Pick<Customers, 'get' | 'lock' | 'addMethodIn'>;
  readonly vault: Pick<Vault, 'seal' | 'write' | 'assignToOwner'>;
  readonly scheduler: Pick<Scheduler, 'register' | 'runOne' | 'wake'>;
  readonly subscribe: ChangeFeed['subscribe'];
  /** Returns true if the server stops, so that no request waits any longer. */
  readonly isStopping: () => boolean;
  readonly audit: RecordAudit;
  readonly emit: Emit;
  readonly changed: PublishChange;
}
