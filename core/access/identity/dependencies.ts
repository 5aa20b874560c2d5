import type { KeyObject } from 'node:crypto';
import type { Work } from '#core/database';
import type { Actor, Caller, Clock, Secrets } from '#core/kernel';
import type { CheckedFetch } from '#core/platform/outbound';
import type { Notify } from '#core/records/notifications';
import type { Language } from '#shared/languages';
import type { AccessDependencies } from './access-dependencies.ts';
import type { Caches } from './caches.ts';
import type { SessionKind } from './schema.ts';
import type { Tenants } from './tenants.ts';
import type { UserAccess } from './user-access.ts';

/** Dependencies of the identity capability. `createCore` constructs all but the caches. */
export interface Dependencies extends AccessDependencies {
  readonly caches: Caches;
  readonly tenants: Tenants;
  readonly access: UserAccess;
  /** Real time, except while sample history is created. */
  readonly clock: Clock;
  /** Key for hashes of short codes, which a plain hash would not protect. */
  readonly codeKey: KeyObject;
  /** Encrypts and decrypts texts by tenant and purpose. */
  readonly secrets: Secrets;
  /** Returns the function that sends requests of a tenant to addresses that the tenant chose. */
  readonly fetchFor: CheckedFetch['fetchFor'];
  readonly notify: Notify;
  /** Returns true if messages of the channel leave the account: always in a sandbox, where they can be read. */
  readonly delivers: (tenantId: string, channel: 'email' | 'sms') => Promise<boolean>;
  /** Returns the address of a Paydesk page for a message. */
  readonly pageUrl: (path: string) => string;
  /** Writes the other records of a new tenant, in the unit of work that creates it. */
  readonly withTenant: (work: Work, tenantId: string) => Promise<void>;
  /** Returns true if a merchant is closed. */
  readonly isMerchantClosed: (tenantId: string, merchantId: string) => Promise<boolean>;
  /** Returns the maximum permissions of a merchant's credentials; null means no limit. */
  readonly ceilingOf: (tenantId: string, merchantId: string) => Promise<readonly string[] | null>;
  /** Returns the merchant of a call with its public name. @throws ServiceError MERCHANT_NOT_FOUND, MERCHANT_NOT_AUTHORIZED. */
  readonly merchantFor: (actor: Actor, merchantId?: string) => Promise<{ merchantId: string; companyName: string; language: Language }>;
  /** Checks that the caller may access an existing merchant. @throws ServiceError MERCHANT_NOT_FOUND, MERCHANT_NOT_AUTHORIZED. */
  readonly checkMerchant: (actor: Caller, merchantId: string) => Promise<void>;
}

/** Origin of a sign-in, shown in the list of sessions and in the audit log. */
export interface LoginContext {
  readonly ip: string | null;
  readonly requestId: string;
  readonly userAgent: string | null;
  readonly kind: SessionKind;
}
