import type { Database, Read } from '#core/database';
import type { Caller, Clock } from '#core/kernel';
import type { RecordAudit } from '#core/records/audit';
import type { DataKeys } from './data-keys.ts';
import type { KeyRing } from './key-ring.ts';
import type { OwnerKeys } from './owner-keys.ts';

/** Dependencies of the vault, constructed by `createCore`. */
export interface VaultDependencies {
  readonly database: Database;
  readonly keyRing: KeyRing;
  readonly clockOf: (tenantId: string) => Clock;
  readonly audit: RecordAudit;
  /** Returns the merchant of an owner. @throws ServiceError MERCHANT_NOT_AUTHORIZED if the caller has no access to it. */
  readonly merchantOfOwner: (read: Read, actor: Caller, owner: string) => Promise<string>;
}

/** Dependencies, with the keys in memory. */
export interface Dependencies extends VaultDependencies {
  readonly keys: DataKeys;
  readonly ownerKeys: OwnerKeys;
}
