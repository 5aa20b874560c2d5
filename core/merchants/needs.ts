import type { Record as RecordEntry } from '#core/audit';
import type { Database, Work } from '#core/database';
import type { Gateways } from '#core/gateways';
import type { Actor, Clock, Permission } from '#core/kernel';
import type { Changes } from '#core/platform/change-feed';
import type { Rows } from './rows.ts';
import type { MerchantRow } from './schema.ts';

/** What merchants are built on; made once by createCore. */
export interface MerchantNeeds {
  readonly database: Database;
  readonly clockOf: (tenantId: string) => Clock;
  readonly environmentOf: (tenantId: string) => 'sandbox' | 'live';
  readonly secrets: {
    seal(tenantId: string, purpose: string, text: string): Promise<string>;
    open(tenantId: string, purpose: string, sealed: string): Promise<string>;
  };
  readonly gateways: Pick<Gateways, 'processorsFor' | 'check' | 'isOpen' | 'healthOf'>;
  /** How many questions to a gateway have no result yet: those that wait here until they are sent, and all others. */
  readonly openAttempts: (tenantId: string, gatewayId: string) => Promise<{ readonly held: number; readonly inDoubt: number }>;
  /** Whether a gateway took a payment, now or ever. */
  readonly hasPayments: (tenantId: string, gatewayId: string) => Promise<boolean>;
  readonly audit: RecordEntry;
  readonly changes: Changes;
  /** What else a new merchant begins with, in the unit of work that makes it. */
  readonly withMerchant: (work: Work, tenantId: string, merchantId: string, timeZone: string, nowMs: number) => Promise<void>;
  /** What follows when a merchant moves to another time zone, in the unit of work that moves it. */
  readonly zoneChanged: (work: Work, merchantId: string, timeZone: string) => Promise<void>;
  /** The address under which payers reach this server, where a merchant has no other. */
  readonly ownUrl: () => string;
  /** Revokes the API keys of a merchant that goes, in the work that removes it. */
  readonly revokeKeys: (work: Work, merchantId: string) => Promise<void>;
  /** Reads a list of permissions that somebody wants to give; VALIDATION_ERROR, PERMISSION_DENIED. */
  readonly checkGrant: (by: Pick<Actor, 'permissions'>, list: readonly string[]) => Permission[];
  /** Tells the log of something that needs a person. */
  readonly report: (message: string, context: Record<string, unknown>) => void;
}

/** The same with what its parts share: rows as they were read last. */
export interface Needs extends MerchantNeeds {
  readonly rows: Rows;
  /** The row of a merchant that the caller may reach; MERCHANT_NOT_FOUND, MERCHANT_NOT_AUTHORIZED. */
  readonly rowFor: (by: Pick<Actor, 'tenantId' | 'merchantId'>, merchantId: string) => Promise<MerchantRow>;
}
