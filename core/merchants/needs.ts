import type { Record as RecordEntry } from '#core/audit';
import type { Database, Work } from '#core/database';
import type { DomainEvents } from '#core/domain-events';
import type { Gateways } from '#core/gateways';
import type { Actor, Clock, Permission } from '#core/kernel';
import type { MerchantDirectory } from './directory.ts';
import type { MerchantRow } from './schema.ts';

/** What merchants are built on; made once by createCore. */
export interface MerchantNeeds {
  readonly database: Database;
  readonly directory: MerchantDirectory;
  readonly clockOf: (tenantId: string) => Clock;
  readonly environmentOf: (tenantId: string) => 'sandbox' | 'live';
  readonly gateways: Pick<Gateways, 'processorsFor' | 'check' | 'isOpen' | 'healthOf'>;
  /** How many questions to a gateway have no result yet: those that wait here until they are sent, and all others. */
  readonly openAttempts: (tenantId: string, gatewayId: string) => Promise<{ readonly held: number; readonly inDoubt: number }>;
  /** Whether a gateway took a payment, now or ever. */
  readonly hasPayments: (tenantId: string, gatewayId: string) => Promise<boolean>;
  readonly audit: RecordEntry;
  /** What else a new merchant begins with, in the unit of work that makes it. */
  readonly withMerchant: (work: Work, tenantId: string, merchantId: string, timeZone: string, nowMs: number) => Promise<void>;
  readonly events: DomainEvents;
  /** The address under which payers reach this server, where a merchant has no other. */
  readonly ownUrl: () => string;
  /** Reads a list of permissions that somebody wants to give; VALIDATION_ERROR, PERMISSION_DENIED. */
  readonly checkGrant: (by: Pick<Actor, 'permissions'>, list: readonly string[]) => Permission[];
}

/** The dependencies with what the parts of the capability share. */
export interface Needs extends MerchantNeeds {
  /** The row of a merchant that the caller may reach; MERCHANT_NOT_FOUND, MERCHANT_NOT_AUTHORIZED. */
  readonly rowFor: (by: Pick<Actor, 'tenantId' | 'merchantId'>, merchantId: string) => Promise<MerchantRow>;
}
