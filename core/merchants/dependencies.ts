import type { Record as RecordEntry } from '#core/audit';
import type { Database, Work } from '#core/database';
import type { DomainEvents } from '#core/domain-events';
import type { Gateways } from '#core/gateways';
import type { Actor, Clock, Permission } from '#core/kernel';
import type { MerchantDirectory } from './directory.ts';
import type { MerchantRow } from './schema.ts';

/** Dependencies of the merchants capability, constructed by `createCore`. */
export interface MerchantDependencies {
  readonly database: Database;
  readonly directory: MerchantDirectory;
  readonly clockOf: (tenantId: string) => Clock;
  readonly environmentOf: (tenantId: string) => 'sandbox' | 'live';
  readonly gateways: Pick<Gateways, 'processorsFor' | 'check' | 'isOpen' | 'healthOf'>;
  /** Returns the number of gateway requests without a result: those held here, and all others. */
  readonly openAttempts: (tenantId: string, gatewayId: string) => Promise<{ readonly held: number; readonly inDoubt: number }>;
  /** Returns true if a gateway ever took a payment. */
  readonly hasPayments: (tenantId: string, gatewayId: string) => Promise<boolean>;
  readonly audit: RecordEntry;
  /** Writes the other records of a new merchant, in the unit of work that creates it. */
  readonly withMerchant: (work: Work, tenantId: string, merchantId: string, timeZone: string, nowMs: number) => Promise<void>;
  readonly events: DomainEvents;
  /** The address under which payers reach this server, where a merchant has no other. */
  readonly ownUrl: () => string;
  /** Parses permissions that a caller wants to grant. @throws ServiceError VALIDATION_ERROR, PERMISSION_DENIED. */
  readonly checkGrant: (actor: Pick<Actor, 'permissions'>, list: readonly string[]) => Permission[];
}

/** The dependencies with what the parts of the capability share. */
export interface Dependencies extends MerchantDependencies {
  /** The row of a merchant that the caller may reach; MERCHANT_NOT_FOUND, MERCHANT_NOT_AUTHORIZED. */
  readonly rowFor: (actor: Pick<Actor, 'tenantId' | 'merchantId'>, merchantId: string) => Promise<MerchantRow>;
}
