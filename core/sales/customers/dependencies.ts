import type { KeyObject } from 'node:crypto';
import type { Database } from '#core/database';
import type { Caller, Clock } from '#core/kernel';
import type { PublishChange } from '#core/platform/change-feed';
import type { DomainEvents } from '#core/processing/domain-events';
import type { Merchant, Merchants } from '#core/processing/merchants';
import type { RecordAudit } from '#core/records/audit';
import type { Notify } from '#core/records/notifications';
import type { Vault } from '#core/records/vault';
import type { Emit } from '#core/records/webhooks';

/** Dependencies of the customers capability, constructed by `createCore`. */
export interface Dependencies {
  readonly database: Database;
  readonly vault: Vault;
  readonly clockOf: (tenantId: string) => Clock;
  readonly environmentOf: (tenantId: string) => 'sandbox' | 'live';
  readonly merchants: Pick<Merchants, 'merchantFor' | 'pageUrl'>;
  readonly merchantFor: (actor: Caller, merchantId?: string) => Promise<Merchant>;
  readonly audit: RecordAudit;
  readonly emit: Emit;
  readonly notify: Notify;
  readonly changed: PublishChange;
  /** Returns the time of the last payment of each customer. */
  readonly lastPayments: (tenantId: string, customerIds: readonly string[]) => Promise<ReadonlyMap<string, string>>;
  readonly events: DomainEvents;
  /** Key of the signatures of links to the page on which a customer replaces a card. */
  readonly updateLinkKey: KeyObject;
}
