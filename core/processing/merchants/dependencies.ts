import type { Database, Work } from '#core/database';
import type { Actor, ApprovalSubject, Clock, Permission } from '#core/kernel';
import type { DomainEvents } from '#core/processing/domain-events';
import type { Gateways } from '#core/processing/gateways';
import type { RecordAudit } from '#core/records/audit';
import type { MerchantDirectory } from './directory.ts';
import type { Merchant } from './merchant.ts';
import type { AddressCheck } from './public-address.ts';
import type { MerchantRow } from './schema.ts';

/** Dependencies of the merchants capability, constructed by `createCore`. */
export interface MerchantDependencies {
  readonly database: Database;
  readonly directory: MerchantDirectory;
  readonly clockOf: (tenantId: string) => Clock;
  readonly environmentOf: (tenantId: string) => 'sandbox' | 'live';
  readonly gateways: Pick<Gateways, 'processorsFor' | 'check' | 'isOpen' | 'healthOf'>;
  /** Returns the number of gateway requests without a result: those held here, and all others. */
  readonly openAttempts: (tenantId: string, gatewayId: string) => Promise<{ readonly held: number; readonly unconfirmed: number }>;
  /** Returns true if a gateway has ever taken a payment. */
  readonly hasPayments: (tenantId: string, gatewayId: string) => Promise<boolean>;
  /** Returns the number of payment pages of a gateway on which a payer may still have paid. */
  readonly watchedPages: (tenantId: string, gatewayId: string) => Promise<number>;
  readonly audit: RecordAudit;
  /** Checks in the unit of work of a change that it needs no second person. @throws ApprovalRequired. */
  readonly checkApproval: (work: Work, actor: Actor, subject: ApprovalSubject) => Promise<void>;
  /** Writes the other records of a new merchant, in the unit of work that creates it. */
  readonly withMerchant: (work: Work, tenantId: string, merchantId: string, timeZone: string, nowMs: number) => Promise<void>;
  readonly addressCheck: AddressCheck;
  /** Writes a message to every owner of a tenant. */
  readonly warnOwners: (work: Work, tenantId: string, text: { readonly subject: string; readonly body: string }) => Promise<void>;
  /** Tells the owners if anyone but an owner changes where payments or events are sent. */
  readonly warnAboutDestination: (work: Work, actor: Actor, what: string) => Promise<void>;
  /** Returns true if messages of the channel reach their recipients. */
  readonly delivers: (tenantId: string, channel: 'email' | 'sms') => Promise<boolean>;
  readonly events: DomainEvents;
  /** Returns the address of this server for payers, for merchants without a public address. */
  readonly ownUrl: () => string;
  /** Parses permissions that a caller wants to grant. @throws ServiceError VALIDATION_ERROR, PERMISSION_DENIED. */
  readonly checkGrant: (actor: Pick<Actor, 'permissions'>, list: readonly string[]) => Permission[];
}

/** Dependencies, with memory that all parts of the capability share. */
export interface Dependencies extends MerchantDependencies {
  /** Merchants that were created from rows. */
  readonly merchantsByRow: WeakMap<MerchantRow, Merchant>;
}
